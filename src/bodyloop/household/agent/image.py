"""The ego image as one model input, encoded at most once per decision and only when a model wants it."""

from __future__ import annotations

import base64
import io
from functools import cached_property

import numpy as np
import numpy.typing as npt
from PIL import Image

__all__ = ["EgoImage"]


class EgoImage:
    """An RGB image that becomes a PNG data URL on first use.

    ``rgb`` is (H, W, 3) uint8 or a PIL image; a wrong shape or type raises ``ValueError``.
    """

    def __init__(self, rgb: npt.NDArray[np.uint8] | Image.Image) -> None:
        if not isinstance(rgb, Image.Image) and (rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8):
            raise ValueError(f"the ego image must be (H, W, 3) uint8, not {rgb.shape} {rgb.dtype}")
        self._rgb = rgb

    @cached_property
    def data_url(self) -> str:
        """``data:image/png;base64,...``, the same text every time."""
        image = self._rgb if isinstance(self._rgb, Image.Image) else Image.fromarray(self._rgb)
        buffer = io.BytesIO()
        image.convert("RGB").save(buffer, format="PNG", compress_level=6)
        return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
