"""Files that appear whole or not at all, and hashes of their content.

Everything a run writes goes through here: bytes land under a temporary name in the target folder, are flushed to
disk and renamed. Equal content gives equal bytes, also for NPZ archives.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bodyloop.errors import ArtifactError, MissingFileError
from bodyloop.records.record import Artifact

__all__ = [
    "artifact",
    "canonical_json",
    "load_json",
    "load_npz",
    "remove_temporaries",
    "sha256_file",
    "sha256_json",
    "verify_artifact",
    "write_bytes_atomic",
    "write_json_atomic",
    "write_npz_atomic",
    "write_text_atomic",
]

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def write_bytes_atomic(path: Path, data: bytes) -> None:
    """Write a file so that readers see the old content or all of the new one, also after a crash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def remove_temporaries(folder: Path) -> None:
    """Remove what a killed process left half written in a folder."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)


def write_text_atomic(path: Path, text: str) -> None:
    """UTF-8 text through :func:`write_bytes_atomic`, newlines as given."""
    write_bytes_atomic(path, text.encode())


def write_json_atomic(path: Path, data: Any) -> None:
    """Indented JSON in the given key order. Raises ValueError for NaN and infinity, which JSON does not have."""
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    write_text_atomic(path, text + "\n")


def write_npz_atomic(path: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Compressed NPZ with sorted names and fixed timestamps: equal arrays give equal bytes.

    Raises:
        ValueError: An array holds Python objects, which would need pickle.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(arrays):
            info = zipfile.ZipInfo(f"{name}.npy", date_time=_ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # the same header on every platform
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asarray(arrays[name]), allow_pickle=False)
            archive.writestr(info, member.getvalue())
    write_bytes_atomic(path, buffer.getvalue())


def load_npz(path: Path) -> dict[str, npt.NDArray[Any]]:
    """All arrays of an NPZ file, read without pickle.

    Raises:
        ArtifactError: The file is missing, truncated or holds Python objects.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise ArtifactError(f"{path}: not a readable NPZ file ({error})") from error


def load_json(path: Path) -> Any:
    """Parsed JSON file.

    Raises:
        MissingFileError: There is no such file.
        ArtifactError: It is not JSON; the message gives line and column.
    """
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise MissingFileError(f"{path}: no such file") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ArtifactError(f"{path}: not valid JSON ({error})") from error


def canonical_json(data: Any) -> str:
    """JSON text that is equal for equal data: sorted keys, no spaces, no NaN."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def sha256_json(data: Any) -> str:
    """SHA-256 (hex) of :func:`canonical_json`."""
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()


def sha256_file(path: Path) -> str:
    """SHA-256 (hex) of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def artifact(folder: Path, name: str) -> Artifact:
    """Describe ``folder / name`` by hash and size."""
    path = folder / name
    return Artifact(path=name, sha256=sha256_file(path), size_bytes=path.stat().st_size)


def verify_artifact(folder: Path, expected: Artifact) -> bool:
    """Whether the file is there with the recorded size and hash."""
    path = folder / expected.path
    try:
        return path.stat().st_size == expected.size_bytes and sha256_file(path) == expected.sha256
    except OSError:
        return False
