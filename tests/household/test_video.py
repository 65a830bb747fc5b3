from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bodyloop.errors import DataError
from bodyloop.household.video import RolloutVideoWriter
from bodyloop.sim.video import VideoWriter, probe_video


def frame(value: int, height: int = 32, width: int = 48) -> np.ndarray:
    picture = np.full((height, width, 3), value, dtype=np.uint8)
    picture[: height // 2] = 255 - value
    return picture


def write(folder: Path, count: int = 4) -> RolloutVideoWriter:
    folder.mkdir(exist_ok=True)
    writer = RolloutVideoWriter(folder, 30)
    for index in range(count):
        writer.append(frame(40 * index), frame(10 * index, 64, 64))
    return writer


def test_both_videos_hold_every_frame(tmp_path: Path) -> None:
    writer = write(tmp_path)
    assert not list(tmp_path.glob("*.mp4"))
    assert [path.name for path in writer.close()] == ["ego.mp4", "exo.mp4"]
    ego, exo = probe_video(tmp_path / "ego.mp4"), probe_video(tmp_path / "exo.mp4")
    assert (ego.frames, exo.frames, writer.frames) == (4, 4, 4)
    assert (ego.width, ego.height, exo.width, exo.height) == (48, 32, 64, 64)
    assert ego.fps == 30
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ego.mp4", "exo.mp4"]
    assert writer.close() == []


def test_equal_frames_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / name).close()
    for video in ("ego.mp4", "exo.mp4"):
        assert (tmp_path / "a" / video).read_bytes() == (tmp_path / "b" / video).read_bytes()


def test_no_frame_leaves_no_file(tmp_path: Path) -> None:
    assert write(tmp_path, 0).close() == []
    assert not list(tmp_path.iterdir())


def test_a_bad_frame_leaves_neither_file_and_is_reported_at_the_end(tmp_path: Path) -> None:
    writer = write(tmp_path)
    writer.append(frame(1), frame(1, 62, 64))
    writer.append(frame(1), frame(1, 60, 64))
    assert writer.frames == 4
    with pytest.raises(DataError, match=r"exo\.mp4: frame 4 .*62"):
        writer.close()
    assert not list(tmp_path.iterdir())
    with pytest.raises(DataError, match="after close"):
        writer.append(frame(1), frame(1))


def test_an_error_while_closing_the_second_video_takes_the_first_one_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = VideoWriter.close

    def close(self: VideoWriter) -> Path | None:
        if self.path.name == "exo.mp4":
            raise OSError("disk full")
        return original(self)

    writer = write(tmp_path)
    monkeypatch.setattr(VideoWriter, "close", close)
    with pytest.raises(OSError, match="disk full"):
        writer.close()
    assert not list(tmp_path.iterdir())


def test_abort_leaves_nothing(tmp_path: Path) -> None:
    writer = write(tmp_path)
    writer.abort()
    assert not list(tmp_path.iterdir())
    assert writer.close() == []
