# One command each. `make demo` and `make test` do everything on a fresh Debian or Ubuntu machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
DEMO_OUTPUT ?= outputs/demo

.PHONY: demo test test-slow lint bench install install-dev system-packages clean

demo: install
	$(BIN)/bodyloop run household --episodes smoke --model oracle --metrics --video --output $(DEMO_OUTPUT)

test: install-dev lint
	$(BIN)/python -m pytest -m "not slow"

test-slow: install-dev
	$(BIN)/python -m pytest -m slow

lint: install-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: install-dev
	$(BIN)/python benchmarks/household.py

install: $(VENV)/.installed

install-dev: $(VENV)/.installed-dev

$(VENV)/bin/python: | system-packages
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install -q -c constraints.txt -e .
	touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install -q -c constraints.txt -e '.[dev]'
	touch $@ $(VENV)/.installed

# Software OpenGL for headless rendering; installs what is missing when it may, and says what to install when it may not.
system-packages:
	@sh tools/system_packages.sh

clean:
	rm -rf $(VENV) outputs
