from __future__ import annotations

import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bodyloop.errors import ArtifactError, ConfigError, DataError, MissingFileError
from bodyloop.sim.video import VideoInfo, VideoWriter, probe_video, read_frames


def frames(count: int, height: int = 96, width: int = 128) -> list[np.ndarray]:
    """Moving gradients with a bright square: enough content for every part of the encoder."""
    y, x = np.mgrid[:height, :width]
    out = []
    for i in range(count):
        frame = np.stack([(x + 3 * i) % 256, (2 * y + i) % 256, (x * y // 16 + i) % 256], axis=-1).astype(np.uint8)
        frame[10 + i : 30 + i, 20:40] = (250, 30, 20)
        out.append(frame)
    return out


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write(path: Path, pictures: list[np.ndarray], **options: object) -> Path:
    height, width = pictures[0].shape[:2]
    with VideoWriter(path, 30, width, height, **options) as writer:  # type: ignore[arg-type]
        for picture in pictures:
            writer.append(picture)
    return path


@pytest.mark.parametrize("options", [{}, {"crf": 20, "preset": "veryfast"}])
def test_same_frames_give_the_same_bytes(tmp_path: Path, options: dict[str, object]) -> None:
    pictures = frames(50, 224, 224)
    contents = {write(tmp_path / f"{i}.mp4", pictures, **options).read_bytes() for i in range(4)}
    assert len(contents) == 1


def test_what_was_written_can_be_read_back(tmp_path: Path) -> None:
    pictures = frames(37)
    path = write(tmp_path / "deep" / "a.mp4", pictures)
    assert probe_video(path) == VideoInfo(37, 128, 96, Fraction(30), "h264")
    back = list(read_frames(path))
    assert len(back) == 37
    error = np.abs(back[20].astype(int) - pictures[20]).mean()
    assert error < 6
    red = back[5][18:30, 24:36].reshape(-1, 3).mean(axis=0)
    np.testing.assert_allclose(red, (250, 30, 20), atol=8)
    assert names(path.parent) == ["a.mp4"]


def test_extra_channels_are_ignored_and_close_returns_the_path(tmp_path: Path) -> None:
    writer = VideoWriter(tmp_path / "a.mp4", Fraction(15), 64, 48)
    for picture in frames(3, 48, 64):
        writer.append(np.dstack([picture, np.full((48, 64), 255, np.uint8)]))
    assert writer.frames == 3
    assert writer.close() == writer.close() == tmp_path / "a.mp4"
    assert probe_video(tmp_path / "a.mp4").fps == 15


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"width": 63}, "63 x 48 must be even"),
        ({"height": 49}, "must be even"),
        ({"width": 0}, "positive"),
        ({"fps": 0}, "frame rate"),
        ({"crf": 52}, "CRF 52"),
        ({"crf": -1}, "CRF"),
        ({"preset": "placebo"}, "placebo"),
    ],
)
def test_bad_settings_are_refused_before_anything_is_written(tmp_path: Path, options: dict, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        VideoWriter(tmp_path / "a.mp4", **{"fps": 30, "width": 64, "height": 48, **options})
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "frame",
    [
        np.zeros((48, 62, 3), np.uint8),
        np.zeros((64, 48, 3), np.uint8),
        np.zeros((48, 64), np.uint8),
        np.zeros((48, 64, 2), np.uint8),
        np.zeros((48, 64, 3), np.float32),
    ],
)
def test_wrong_frames_are_refused_and_abort_leaves_nothing(tmp_path: Path, frame: np.ndarray) -> None:
    writer = VideoWriter(tmp_path / "a.mp4", 30, 64, 48)
    with pytest.raises(DataError, match="frame 2 is"), writer:
        [writer.append(picture) for picture in (*frames(2, 48, 64), frame)]
    assert names(tmp_path) == []
    with pytest.raises(DataError, match="after close"):
        writer.append(frames(1, 48, 64)[0])


def test_abort_keeps_an_older_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.mp4", frames(3, 48, 64))
    before = path.read_bytes()
    writer = VideoWriter(path, 30, 64, 48)
    writer.append(frames(1, 48, 64)[0])
    writer.abort()
    writer.abort()
    assert path.read_bytes() == before
    assert names(tmp_path) == ["a.mp4"]


def test_no_frames_make_no_file(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "a.mp4", 30, 64, 48) as writer:
        pass
    assert writer.close() is None
    assert names(tmp_path) == []


KILLED = """
import sys, time
from pathlib import Path
import numpy as np
from bodyloop.sim.video import VideoWriter
writer = VideoWriter(Path(sys.argv[1]), 30, 64, 48)
for i in range(100):
    writer.append(np.full((48, 64, 3), i, np.uint8))
print("written", flush=True)
time.sleep(60)
"""


def test_a_killed_process_leaves_only_a_temporary_name(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path / "a.mp4")], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "written\n"
    child.send_signal(signal.SIGKILL)
    child.communicate(timeout=20)
    left = names(tmp_path)
    assert len(left) == 1
    assert left[0].startswith(".a.mp4.")
    assert left[0].endswith(".tmp")


def test_unreadable_files_are_reported(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="no such video"):
        probe_video(tmp_path / "none.mp4")
    (tmp_path / "bad.mp4").write_bytes(b"not a video at all")
    with pytest.raises(ArtifactError, match=r"bad\.mp4"):
        probe_video(tmp_path / "bad.mp4")


def test_encoding_is_quick(tmp_path: Path) -> None:
    pictures = frames(30, 128, 128)
    start = time.process_time()
    write(tmp_path / "a.mp4", pictures, preset="veryfast")
    assert (time.process_time() - start) / 30 < 0.1
