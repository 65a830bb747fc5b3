from __future__ import annotations

import errno
import os
import pathlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bodyloop.errors import ArtifactError, MissingFileError
from bodyloop.records import files

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def test_a_write_makes_folders_and_leaves_no_temporary_file(tmp_path):
    files.write_text_atomic(tmp_path / "a" / "b.txt", "täxt\n")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.txt"]
    assert (tmp_path / "a" / "b.txt").read_bytes() == "täxt\n".encode()


def test_permissions_follow_the_umask(tmp_path):
    (tmp_path / "plain").touch()
    files.write_bytes_atomic(tmp_path / "atomic", b"")
    assert (tmp_path / "atomic").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_failed_write_keeps_the_old_content(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    files.write_json_atomic(path, {"a": 1})

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        files.write_json_atomic(path, {"a": 2})
    assert files.load_json(path) == {"a": 1}
    assert list(tmp_path.iterdir()) == [path]


def test_the_data_reach_the_disk_before_the_name(tmp_path, monkeypatch):
    steps = []
    replace, fsync = pathlib.Path.replace, os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (steps.append("flush"), fsync(fd)))
    monkeypatch.setattr(pathlib.Path, "replace", lambda self, to: (steps.append("rename"), replace(self, to)))
    files.write_bytes_atomic(tmp_path / "a", b"x")
    assert steps == ["flush", "rename"]


def test_temporaries_of_a_killed_process_are_removed(tmp_path):
    (tmp_path / ".a.json.12345678.tmp").touch()
    (tmp_path / ".hidden").touch()
    files.remove_temporaries(tmp_path)
    files.remove_temporaries(tmp_path / "absent")
    assert [path.name for path in tmp_path.iterdir()] == [".hidden"]


@given(JSON)
def test_json_round_trips_and_hashes_by_content(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("json") / "a.json"
    files.write_json_atomic(path, data)
    assert files.load_json(path) == data
    assert files.sha256_json(files.load_json(path)) == files.sha256_json(data)


def test_json_hash_ignores_key_order_and_refuses_nan():
    assert files.sha256_json({"a": 1, "b": 2}) == files.sha256_json({"b": 2, "a": 1})
    assert files.sha256_json({"a": 1}) != files.sha256_json({"a": 1.0})
    with pytest.raises(ValueError, match="not JSON compliant"):
        files.sha256_json([float("nan")])


def test_json_that_cannot_be_read(tmp_path):
    with pytest.raises(MissingFileError, match="no such file"):
        files.load_json(tmp_path / "absent.json")
    (tmp_path / "torn.json").write_text('{"a": ')
    with pytest.raises(ArtifactError, match=r"torn\.json: not valid JSON .*line 1"):
        files.load_json(tmp_path / "torn.json")


@given(hnp.arrays(st.sampled_from(["f4", "f8", "i8", "u1", "?"]), hnp.array_shapes(min_dims=0, min_side=0)))
def test_npz_round_trips(tmp_path_factory, array):
    path = tmp_path_factory.mktemp("npz") / "a.npz"
    files.write_npz_atomic(path, {"x/y": array})
    (loaded,) = files.load_npz(path).values()
    assert loaded.dtype == array.dtype
    np.testing.assert_array_equal(loaded, array)


def test_npz_bytes_depend_on_content_alone(tmp_path, monkeypatch):
    arrays = {"b": np.arange(5), "a": np.zeros((2, 3), np.float32)}
    files.write_npz_atomic(tmp_path / "1.npz", arrays)
    monkeypatch.setattr("time.time", lambda: 2e9)
    files.write_npz_atomic(tmp_path / "2.npz", dict(reversed(arrays.items())))
    assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "2.npz").read_bytes()


def test_npz_with_objects_is_neither_written_nor_read(tmp_path):
    with pytest.raises(ValueError, match=r"pickle|Object"):
        files.write_npz_atomic(tmp_path / "a.npz", {"x": np.array([{}])})
    np.savez(tmp_path / "b.npz", x=np.array([{}]))
    with pytest.raises(ArtifactError, match=r"b\.npz: not a readable NPZ"):
        files.load_npz(tmp_path / "b.npz")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 torn"])
def test_npz_that_cannot_be_read(tmp_path, content):
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(ArtifactError):
        files.load_npz(tmp_path / "a.npz")
    with pytest.raises(ArtifactError):
        files.load_npz(tmp_path / "absent.npz")


def test_artifacts_are_verified_by_size_and_hash(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    described = files.artifact(tmp_path, "a")
    assert described.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert files.verify_artifact(tmp_path, described)
    (tmp_path / "a").write_bytes(b"abd")
    assert not files.verify_artifact(tmp_path, described)
    (tmp_path / "a").unlink()
    assert not files.verify_artifact(tmp_path, described)
