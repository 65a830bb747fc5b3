"""H.264 video files, written in process and complete or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import av.error
import numpy as np

from bodyloop.errors import ArtifactError, ConfigError, DataError, MissingFileError

__all__ = ["VideoInfo", "VideoWriter", "probe_video", "read_frames"]

CODEC = "libx264"
PIXEL_FORMAT = "yuv420p"
THREADS = 2
"""Fixed: what the encoder writes depends on the number of threads."""
DETERMINISTIC = "cpu-independent=1"
"""Without it, x264's macroblock tree uses assembly whose rounding differs from run to run, even on one machine."""
BT601, LIMITED_RANGE = 6, 1
MAX_CRF = 51
PRESETS = (
    "ultrafast",
    "superfast",
    "veryfast",
    "faster",
    "fast",
    "medium",
    "slow",
    "slower",
    "veryslow",
)


class VideoWriter:
    """Encodes RGB frames to an MP4 file; equal frames and settings give equal bytes.

    Frames go to a temporary name next to the target, which appears only when `close` succeeds. The encoder is opened
    by the first frame, so a writer without frames makes no file. Use as a context manager: an exception aborts.

    Raises:
        ConfigError: odd or non-positive size, rate not positive, CRF outside 0..51, unknown preset.
    """

    def __init__(
        self, path: Path, fps: float | Fraction, width: int, height: int, *, crf: int = 18, preset: str = "medium"
    ) -> None:
        if width < 2 or height < 2 or width % 2 or height % 2:
            raise ConfigError(f"{path.name}: video size {width} x {height} must be even and positive")
        if not fps > 0:
            raise ConfigError(f"{path.name}: frame rate {fps} must be positive")
        if not 0 <= crf <= MAX_CRF:
            raise ConfigError(f"{path.name}: CRF {crf} must lie in 0..{MAX_CRF}")
        if preset not in PRESETS:
            raise ConfigError(f"{path.name}: preset {preset!r} is not one of {', '.join(PRESETS)}")
        self.path = path
        self.frames = 0
        self._temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        self._shape = (height, width)
        self._rate = Fraction(fps).limit_denominator(1001)
        self._options = {"crf": str(crf), "preset": preset, "x264-params": DETERMINISTIC}
        self._container: Any = None
        self._stream: Any = None
        self._done = False

    def append(self, frame: np.ndarray) -> None:
        """Add one (height, width, >= 3) uint8 RGB frame; further channels are ignored.

        Raises:
            DataError: wrong shape or type, or the writer is closed.
        """
        if self._done:
            raise DataError(f"{self.path.name}: frame after close")
        if frame.ndim != 3 or frame.shape[:2] != self._shape or frame.shape[2] < 3 or frame.dtype != np.uint8:
            height, width = self._shape
            raise DataError(
                f"{self.path.name}: frame {self.frames} is {frame.dtype} {frame.shape}, expected uint8 ({height}, {width}, 3)"
            )
        if self._container is None:
            self._open()
        picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(frame[..., :3]), format="rgb24")
        picture.pts = self.frames
        self._container.mux(self._stream.encode(picture))
        self.frames += 1

    def close(self) -> Path | None:
        """Finish the file and return its path; None when there was no frame. A second call does nothing."""
        if self._done:
            return self.path if self.frames else None
        self._done = True
        if self._container is None:
            return None
        try:
            self._container.mux(self._stream.encode(None))
            self._container.close()
            with self._temporary.open("rb") as stream:
                os.fsync(stream.fileno())
            self._temporary.replace(self.path)
        finally:
            self._temporary.unlink(missing_ok=True)
        return self.path

    def abort(self) -> None:
        """Drop everything written; leaves no file."""
        if self._done:
            return
        self._done = True
        if self._container is not None:
            try:
                self._container.close()
            finally:
                self._temporary.unlink(missing_ok=True)

    def __enter__(self) -> VideoWriter:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        height, width = self._shape
        # Bit-exact muxing leaves out dates and library versions.
        self._container = av.open(str(self._temporary), "w", format="mp4", options={"fflags": "+bitexact"})
        stream = self._container.add_stream(CODEC, rate=self._rate, options=self._options)
        stream.width, stream.height, stream.pix_fmt = width, height, PIXEL_FORMAT
        codec = stream.codec_context
        codec.thread_count, codec.thread_type = THREADS, "FRAME"
        codec.time_base = 1 / self._rate
        codec.colorspace, codec.color_range = BT601, LIMITED_RANGE
        self._stream = stream


@dataclass(frozen=True)
class VideoInfo:
    """What a video file holds."""

    frames: int
    width: int
    height: int
    fps: Fraction
    codec: str


def read_frames(path: Path) -> Iterator[np.ndarray]:
    """Decode a video: (height, width, 3) uint8 RGB frames in order.

    Raises:
        MissingFileError: there is no such file.
        ArtifactError: it is not a readable video.
    """
    with _opened(path) as container:
        try:
            for frame in container.decode(video=0):
                yield frame.to_ndarray(format="rgb24")
        except av.error.FFmpegError as error:
            raise ArtifactError(f"{path}: video cannot be decoded ({error})") from error


def probe_video(path: Path) -> VideoInfo:
    """Decode a video and describe it; frames are counted, not taken from the header.

    Raises:
        MissingFileError: there is no such file.
        ArtifactError: it is not a readable video.
    """
    count = sum(1 for _ in read_frames(path))
    with _opened(path) as container:
        stream = container.streams.video[0]
        rate = Fraction(stream.average_rate or 0)
        return VideoInfo(count, stream.width, stream.height, rate, stream.codec_context.name)


def _opened(path: Path) -> Any:
    if not path.exists():
        raise MissingFileError(f"{path}: no such video")
    try:
        container = av.open(str(path))
    except av.error.FFmpegError as error:
        raise ArtifactError(f"{path}: not a readable video ({error})") from error
    if not container.streams.video:
        container.close()
        raise ArtifactError(f"{path}: holds no video stream")
    return container
