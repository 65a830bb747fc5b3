"""The two videos of a rollout, streamed frame by frame: both appear complete, or neither."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bodyloop.errors import BodyloopError, DataError
from bodyloop.sim.video import VideoWriter

__all__ = ["EGO_VIDEO", "EXO_VIDEO", "RolloutVideoWriter"]

EGO_VIDEO: Final = "ego.mp4"
EXO_VIDEO: Final = "exo.mp4"

Frame = npt.NDArray[np.uint8]


class RolloutVideoWriter:
    """Writes ``ego.mp4`` and ``exo.mp4`` into a rollout folder.

    The encoders open with the first pair of frames, which fixes the sizes; no frame is kept in memory. The first error
    aborts both videos and is raised again by :meth:`close`; frames after it are ignored, so a broken encoder never
    stops an episode.
    """

    def __init__(self, folder: Path, fps: float, *, crf: int = 18, preset: str = "medium") -> None:
        self.folder = folder
        self.frames = 0
        self._fps, self._crf, self._preset = fps, crf, preset
        self._writers: tuple[VideoWriter, ...] = ()
        self._error: Exception | None = None
        self._closed = False

    def append(self, ego: Frame, exo: Frame) -> None:
        """Add one pair of (H, W, 3) RGB frames shown at the same moment.

        Raises :class:`~bodyloop.errors.DataError` after :meth:`close`.
        """
        if self._closed:
            raise DataError(f"{self.folder}: video frame after close")
        if self._error is not None:
            return
        try:
            if not self._writers:
                self._writers = tuple(self._open(name, frame) for name, frame in ((EGO_VIDEO, ego), (EXO_VIDEO, exo)))
            for writer, frame in zip(self._writers, (ego, exo), strict=True):
                writer.append(frame)
        except Exception as error:
            self._error = error
            self._drop(self._writers)
            return
        self.frames += 1

    def close(self) -> list[Path]:
        """Finish both files and return their paths; an empty list without frames. A second call does nothing.

        Raises the first error of appending or closing; then neither file is left.
        """
        if self._closed:
            return []
        self._closed = True
        paths: list[Path] = []
        if self._error is None:
            try:
                paths = [path for writer in self._writers if (path := writer.close()) is not None]
            except Exception as error:
                self._error = error
                self._drop(self._writers)
                for name in (EGO_VIDEO, EXO_VIDEO):
                    (self.folder / name).unlink(missing_ok=True)
        if self._error is not None:
            raise self._error
        return paths

    def abort(self) -> None:
        """Drop both videos; for an episode that is thrown away."""
        self._closed = True
        self._drop(self._writers)

    def _open(self, name: str, frame: Frame) -> VideoWriter:
        height, width = frame.shape[:2]
        return VideoWriter(self.folder / name, self._fps, width, height, crf=self._crf, preset=self._preset)

    def _drop(self, writers: tuple[VideoWriter, ...]) -> None:
        for writer in writers:
            try:
                writer.abort()
            except (OSError, BodyloopError) as error:
                self._error = self._error or error
