"""Comparison with the reference numbers, shared by the motion tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from bodyloop.body.rotations import matrix_to_rotvec, rotvec_to_matrix


class Reference:
    """Loads reference arrays and compares with their stated tolerances."""

    small = Path(__file__).parents[1] / "data" / "motion_canonical.npz"

    @staticmethod
    def load(path: Path) -> dict[str, npt.NDArray[np.floating]]:
        with np.load(path, allow_pickle=False) as data:
            return {key: data[key] for key in data.files}

    @staticmethod
    def angle_between(a: npt.ArrayLike, b: npt.ArrayLike) -> npt.NDArray[np.float64]:
        turn = np.swapaxes(rotvec_to_matrix(a), -1, -2) @ rotvec_to_matrix(b)
        return np.linalg.norm(matrix_to_rotvec(turn), axis=-1)

    @classmethod
    def same_rotations(cls, ours: npt.ArrayLike, reference: npt.ArrayLike) -> None:
        """The bound grows near 0 and pi, where the reference's float32 logarithm loses digits."""
        error = cls.angle_between(ours, reference)
        size = np.linalg.norm(ours, axis=-1)
        bound = np.select([size < 0.01, size <= 2.5, size <= 3.05, size <= 3.13], [2e-4, 2e-5, 5e-4, 5e-3], np.inf)
        assert (error <= bound).all()

    @staticmethod
    def close(ours: npt.ArrayLike, reference: npt.ArrayLike) -> None:
        np.testing.assert_allclose(ours, reference, atol=5e-6, rtol=1e-5)


@pytest.fixture(scope="session")
def reference() -> type[Reference]:
    return Reference
