from __future__ import annotations

import numpy as np
import pytest

from bodyloop.errors import UnknownNameError
from bodyloop.scenes.description import Material
from bodyloop.scenes.patterns.noise import fbm, noise
from bodyloop.scenes.textures import PAINTED, TEXTURES, TINTED, shadow_blob, shadow_edge, sky_faces, texture

TILED = [name for name in TINTED if name not in ("leaf", "leaf_banded", "mirror")]


@pytest.mark.parametrize("name", [name for name in TEXTURES if name != "flat"])
def test_every_pattern_is_drawn_and_has_contrast(name: str) -> None:
    found = texture(Material(name, (0.6, 0.4, 0.3), seed=1))
    assert found is not None
    assert found.pixels.dtype == np.uint8
    assert found.pixels.shape[0] == found.pixels.shape[1]
    assert found.pixels.shape[0] in (64, 128, 256, 512)
    assert found.pixels.std() > 0.8
    assert found.tint == ((0.6, 0.4, 0.3) if name in TINTED else (1.0, 1.0, 1.0))


@pytest.mark.parametrize("name", ["planks", "plaster", "fabric", "brick", "small_tiles"])
def test_seeds_vary_a_pattern(name: str) -> None:
    first, second = (texture(Material(name, (1, 1, 1), seed=seed)) for seed in (0, 1))
    assert first is not None
    assert second is not None
    assert first.key != second.key
    assert np.abs(first.pixels.astype(int) - second.pixels).mean() > 0.5


@pytest.mark.parametrize("name", TILED)
def test_patterns_repeat_without_a_seam(name: str) -> None:
    found = texture(Material(name, (1, 1, 1)))
    assert found is not None
    pixels = found.pixels.astype(float).mean(axis=2)
    for axis in (0, 1):
        inside = np.abs(np.diff(pixels, axis=axis)).mean(axis=1 - axis)
        seam = np.abs(np.take(pixels, 0, axis=axis) - np.take(pixels, -1, axis=axis)).mean()
        assert seam <= 1.6 * inside.max() + 2.0


def test_colour_tints_or_paints() -> None:
    red, blue = Material("wood", (0.8, 0.2, 0.2)), Material("wood", (0.2, 0.2, 0.8))
    first, second = texture(red), texture(blue)
    assert first is not None
    assert second is not None
    assert first.key == second.key
    painted = [texture(Material("rug", rgb, seed=5)) for rgb in (red.rgb, blue.rgb)]
    assert painted[0] is not None
    assert painted[1] is not None
    assert painted[0].key != painted[1].key
    assert painted[0].pixels[..., 0].mean() > painted[0].pixels[..., 2].mean() + 20
    assert painted[1].pixels[..., 2].mean() > painted[1].pixels[..., 0].mean() + 20


def test_designs_of_painted_patterns_differ() -> None:
    for name, count in (("rug", 8), ("painting", 8)):
        found = [texture(Material(name, (0.5, 0.4, 0.3), seed=seed)) for seed in range(count)]
        for a in range(count):
            for b in range(a):
                assert np.abs(found[a].pixels.astype(int) - found[b].pixels).mean() > 4  # type: ignore[union-attr]
    assert set(PAINTED) <= set(TEXTURES)


def test_flat_has_no_texture_and_unknown_names_are_refused() -> None:
    assert texture(Material("flat", (1, 1, 1))) is None
    with pytest.raises(UnknownNameError, match="did you mean 'planks'"):
        texture(Material("plank", (1, 1, 1)))


def test_shades_are_dark_where_the_thing_stands_and_clear_at_the_rim() -> None:
    blob, edge = shadow_blob(), shadow_edge()
    assert blob[32, 32, 3] > 240
    assert blob[0, :, 3].max() < 20
    assert edge[0, 5, 3] > 240
    assert edge[32, 5, 3] == 0
    assert not blob[..., :3].any()


def test_sky_has_six_faces_bright_above_and_green_below() -> None:
    faces = sky_faces(size=32).reshape(6, 32, 32, 3).astype(float)
    assert faces[2, ..., 2].mean() > 180
    assert faces[3, ..., 1].mean() > faces[3, ..., 2].mean()
    assert faces[0, :8].mean() > faces[0, -8:].mean() + 40


def test_noise_is_periodic_and_reproducible() -> None:
    field = noise(np.random.default_rng(1), 64, 8, 8)
    assert field.shape == (64, 64)
    assert np.abs(field[0] - field[-1]).max() < 0.2
    assert np.array_equal(field, noise(np.random.default_rng(1), 64, 8, 8))
    assert fbm(np.random.default_rng(1), 64, 4, 4).mean() == pytest.approx(0.5, abs=0.1)
