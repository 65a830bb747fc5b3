"""The few places where array libraries differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from array_api_compat import array_namespace, is_array_api_obj, is_torch_array

__all__ = ["Array", "is_array", "namespace", "same_storage", "to_numpy"]

Array = Any
"""An array of any library of the Python array API standard."""


def is_array(value: object) -> bool:
    """Whether a value is an array of a known library."""
    return bool(is_array_api_obj(value))


def namespace(xp: Any) -> Any:
    """The standard-conforming namespace of an array library, for example of ``numpy`` or ``torch``."""
    return array_namespace(xp.empty((1,)))


def to_numpy(array: Array) -> npt.NDArray[Any]:
    """A copy on the host."""
    if is_torch_array(array):
        return np.array(array.detach().cpu().numpy())
    return np.array(array) if isinstance(array, np.ndarray) else np.array(np.from_dlpack(array))


def same_storage(left: Array, right: Array) -> bool:
    """Whether two arrays are views of one buffer."""
    if left is right:
        return True
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return np.may_share_memory(left, right)
    if is_torch_array(left) and is_torch_array(right):
        return bool(left.untyped_storage().data_ptr() == right.untyped_storage().data_ptr())
    return False
