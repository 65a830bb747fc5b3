"""What measurements of humanoid tracking may read, and the position error kernels."""

from __future__ import annotations

from typing import Any, Final

from array_api_compat import array_namespace

from bodyloop.evaluation.arrays import Array
from bodyloop.evaluation.context import ContextField, ContextSchema

__all__ = ["TRACKING_CONTEXT", "max_body_pos_error", "mean_body_pos_error"]

_SIM, _ENV, _MIMIC = "simulator", "environment", "mimic control"


def _body_state(view: str, producer: str, prefix: str, *, plain_names: bool) -> list[ContextField]:
    """Poses and velocities of all bodies; kernel parameters are the names with the prefix, and plain ones if asked."""
    kinds = (
        ("rigid_body_pos", 3, "m", "Body origins, world frame."),
        ("rigid_body_rot", 4, "-", "Body orientations, xyzw, world frame."),
        ("rigid_body_vel", 3, "m/s", "Velocities of the body origins, world frame."),
        ("rigid_body_ang_vel", 3, "rad/s", "Angular velocities, world frame."),
    )
    return [
        _field(f"{view}.{name}", ("N", "B", size), unit, producer, doc, prefix + name, *([name] if plain_names else []))
        for name, size, unit, doc in kinds
    ]


def _field(
    path: str, shape: Any, unit: str, producer: str, doc: str, *names: str, dtype: str = "float"
) -> ContextField:
    return ContextField(path, shape, dtype, unit, producer, doc, names)


TRACKING_CONTEXT: Final = ContextSchema(
    [
        *_body_state("current", _SIM, "current_", plain_names=True),
        _field("current.dof_pos", ("N", "D"), "rad", _SIM, "Joint positions.", "dof_pos"),
        _field("current.dof_vel", ("N", "D"), "rad/s", _SIM, "Joint velocities.", "dof_vel"),
        _field("current.dof_forces", ("N", "D"), "N m", _SIM, "Joint torques.", "dof_forces"),
        _field("current.root_pos", ("N", 3), "m", _SIM, "Root position, world frame.", "root_pos"),
        _field("current.root_rot", ("N", 4), "-", _SIM, "Root orientation, xyzw.", "root_rot"),
        _field("current.root_height", ("N",), "m", _SIM, "Root height above the world origin."),
        _field("current.anchor_pos", ("N", 3), "m", _SIM, "Anchor position.", "current_anchor_pos", "root_pos"),
        _field(
            "current.anchor_rot", ("N", 4), "-", _SIM, "Anchor orientation, xyzw.", "current_anchor_rot", "root_rot"
        ),
        _field("dt", (), "s", _ENV, "Control period.", "dt"),
        _field("progress_buf", ("N",), "-", _ENV, "Control steps since reset; 1 at the first frame.", dtype="int64"),
        _field("previous_action", ("N", "A"), "-", _ENV, "Raw policy output of the step."),
        _field("current_processed_action", ("N", "A"), "rad", _ENV, "Position targets sent to the joints."),
        *_body_state("mimic.ref_state", _MIMIC, "ref_", plain_names=False),
        _field("path.tar_pos", ("N", 3), "m", "path control", "Target on the path."),
        _field("path.head_pos", ("N", 3), "m", "path control", "Head position above the lowest body.", "head_pos"),
        _field("path.progress_buf", ("N",), "-", "path control", "Control steps on the path.", dtype="int64"),
        _field("target.tar_pos", ("N", 3), "m", "target control", "Target position."),
    ]
)
"""Context of the tracking suite; ``N`` environments, ``B`` bodies, ``D`` joint degrees of freedom, ``A`` action size."""


def _body_distances_m(current: Array, reference: Array) -> Array:
    return array_namespace(current).linalg.vector_norm(reference - current, axis=-1)


def mean_body_pos_error(current_rigid_body_pos: Array, ref_rigid_body_pos: Array) -> Array:
    """Mean distance between bodies (N, B, 3) and their reference, in metres; (N,)."""
    distances = _body_distances_m(current_rigid_body_pos, ref_rigid_body_pos)
    return array_namespace(distances).mean(distances, axis=-1)


def max_body_pos_error(current_rigid_body_pos: Array, ref_rigid_body_pos: Array) -> Array:
    """Largest distance between a body (N, B, 3) and its reference, in metres; (N,)."""
    distances = _body_distances_m(current_rigid_body_pos, ref_rigid_body_pos)
    return array_namespace(distances).max(distances, axis=-1)
