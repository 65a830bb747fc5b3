"""Light meshes: closed, outward, the size they were asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.body.shapes import Mesh, ellipsoid, loft, merge


def volume(mesh: Mesh) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("reverse", [False, True])
def test_a_loft_points_outward_along_any_axis(axis: str, reverse: bool) -> None:
    rings = [(0.0, 0.5, 0.3, 1.0, 2.0), (2.0, 0.5, 0.3, 1.0, 2.0)]
    mesh = loft(axis, rings[::-1] if reverse else rings, segments=64)
    assert volume(mesh) == pytest.approx(np.pi * 0.5 * 0.3 * 2.0, rel=0.01)
    along = "xyz".index(axis)
    center = np.insert([1.0, 2.0], along, 1.0)
    np.testing.assert_allclose(mesh.vertices.mean(axis=0), center, atol=1e-9)


def test_a_high_power_is_nearly_a_box() -> None:
    rings = [(0.0, 0.5, 0.5), (1.0, 0.5, 0.5)]
    assert 0.95 < volume(loft("y", rings, segments=96, power=12.0)) <= 1.0


@given(st.tuples(*[st.floats(0.01, 2.0)] * 3))
def test_ellipsoids_and_mirrors(radii: tuple[float, float, float]) -> None:
    mesh = ellipsoid((1.0, 2.0, 3.0), radii, segments=24, rings=16)
    assert volume(mesh) == pytest.approx(4.0 / 3.0 * np.pi * np.prod(radii), rel=0.1)
    mirrored = mesh.mirrored()
    assert volume(mirrored) == pytest.approx(volume(mesh))
    assert mirrored.vertices[:, 0].mean() == pytest.approx(-1.0)


def test_merging_adds_volumes() -> None:
    a = ellipsoid((0.0, 0.0, 0.0), (0.1, 0.1, 0.1))
    both = merge([a, a.moved((1.0, 0.0, 0.0))])
    assert volume(both) == pytest.approx(2.0 * volume(a))
    assert both.faces.max() == len(both.vertices) - 1
