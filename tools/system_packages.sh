#!/bin/sh
# Installs the system libraries that headless rendering needs, if they are missing and this user may install them.
set -u
packages="libegl1 libgl1 libgl1-mesa-dri"
if ! python3 -c "import venv, ensurepip" >/dev/null 2>&1; then packages="$packages python3-venv"; fi
command -v dpkg-query >/dev/null 2>&1 || exit 0
missing=""
for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ]; then run=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then run="sudo"
else
    echo "missing system packages; run: sudo apt-get install -y$missing" >&2
    exit 1
fi
echo "installing system packages:$missing"
$run apt-get update -qq && DEBIAN_FRONTEND=noninteractive $run apt-get install -y -qq --no-install-recommends $missing >/dev/null
