from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bodyloop.errors import DataError
from bodyloop.household.metrics.nav import body_to_target_aabb_distance

COORDINATE = st.floats(-5, 5, width=32)


def test_distance_agrees_with_the_reference_rows(cases) -> None:
    for row in cases("aabb_distance")["rows"]:
        if row["result"]["ok"]:
            distance = body_to_target_aabb_distance(row["points"], row["boxes"])
            assert distance == pytest.approx(row["result"]["value"], abs=1e-12), row["name"]
        else:
            with pytest.raises(ValueError):
                body_to_target_aabb_distance(row["points"], row["boxes"])


def test_two_points_one_box() -> None:
    assert body_to_target_aabb_distance([[9, 9, 9], [1.5, 0.5, 0.5]], [[[0, 0, 0], [1, 1, 1]]]) == 0.5


def test_a_box_mapping_without_corners_is_refused() -> None:
    with pytest.raises(DataError, match="min and max"):
        body_to_target_aabb_distance([[0, 0, 0]], [{"centre": [0, 0, 0]}])


@given(arrays(np.float64, (4, 3), elements=COORDINATE), arrays(np.float64, (2, 2, 3), elements=COORDINATE))
def test_distance_is_that_of_the_nearest_point_of_the_box(points: np.ndarray, boxes: np.ndarray) -> None:
    nearest = [np.clip(points, np.min(box, axis=0), np.max(box, axis=0)) for box in boxes]
    expected = min(float(np.linalg.norm(points - near, axis=1).min()) for near in nearest)
    assert body_to_target_aabb_distance(points, boxes) == pytest.approx(expected, abs=1e-12)
