"""Half-physics: one requested 30 Hz pose becomes physics substeps in which contacts have the last word.

The controller writes velocities, never poses. Per frame it commands the root's turn and every joint once, and the root's
horizontal travel on the scheduled substeps; gravity pulls the root; short-lived position motors (PJSC) correct what
contacts did to the joints; everything else is the engine's contact solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from bodyloop.body.engine import HalfPhysicsEngine
from bodyloop.body.options import GRAVITY_M_S2, HalfPhysicsOptions, angular_speed_limit
from bodyloop.body.rotations import (
    FloatArray,
    matrix_to_rotvec,
    quat_inverse,
    quat_multiply,
    quat_normalize,
    quat_to_rotvec,
    rotvec_to_matrix,
    rotvec_to_quat,
)
from bodyloop.errors import MotionError, SimulationError

__all__ = [
    "FIXED_PJSC_GAINS",
    "approximate_joint_velocities",
    "approximate_root_angular_velocity",
    "approximate_root_linear_velocity",
    "clip_rows",
    "expected_turn",
    "hp_step",
    "resolve_pjsc_gains",
    "root_vertical_velocity",
]

FIXED_PJSC_GAINS: Final = {"left_shoulder": 0.03, "right_shoulder": 0.03, "left_wrist": 0.1, "right_wrist": 0.1}
"""Motor gains that no option changes; the body must have each of these joints exactly once."""

_HALF_PI: Final = 0.5 * np.pi


def hp_step(
    engine: HalfPhysicsEngine,
    joint_rotvecs: npt.ArrayLike,
    root_rotvec: npt.ArrayLike,
    transl_step: npt.ArrayLike,
    dt_s: float,
    options: HalfPhysicsOptions,
) -> FloatArray:
    """Resolve one requested frame of ``dt_s`` seconds and return the realized joint quaternions (J, 4).

    ``joint_rotvecs`` (J, 3) and ``root_rotvec`` (3,) are absolute axis-angle targets, ``transl_step`` (3,) is the root's
    displacement relative to where it is; the root arguments are in the trajectory frame. Raises ``ConfigError``,
    ``MotionError`` or ``SimulationError`` before the engine is touched when an argument is wrong.
    """
    limit = angular_speed_limit(dt_s)
    gains = resolve_pjsc_gains(engine.joint_names, options)
    joint_target, root_target, step = _checked_request(joint_rotvecs, root_rotvec, transl_step, len(gains))
    position, rotation = engine.root_pose()
    joints = engine.joint_rotations()
    next_position = position + engine.world_map @ step
    next_rotation = engine.world_map @ rotvec_to_matrix(root_target)
    next_joints = rotvec_to_quat(joint_target)

    engine.begin_frame()
    linear = approximate_root_linear_velocity(position, next_position, dt_s)
    linear[engine.up_axis] = root_vertical_velocity(
        linear[engine.up_axis], engine.root_linear_velocity()[engine.up_axis], dt_s, options
    )
    angular = clip_rows(approximate_root_angular_velocity(rotation, next_rotation, dt_s), limit)
    uncapped = approximate_joint_velocities(joints, next_joints, dt_s)
    engine.set_root_linear_velocity(linear)
    engine.set_root_angular_velocity(angular)
    engine.set_joint_velocities(clip_rows(uncapped, limit))
    _ensure_pjsc_joint_motors(engine, gains)
    try:
        _run_substeps(engine, linear, joints, uncapped, gains, dt_s, options)
    finally:
        _zero_pjsc_joint_motors(engine)
    return engine.joint_rotations()


def _run_substeps(
    engine: HalfPhysicsEngine,
    linear: FloatArray,
    expected: FloatArray,
    uncapped: FloatArray,
    gains: FloatArray,
    dt_s: float,
    options: HalfPhysicsOptions,
) -> None:
    """Step the engine through the frame; ``expected`` starts at the realized joints and follows the uncapped velocity."""
    substep_s = dt_s / options.pjsc_substeps
    before, after = _gravity_bias(substep_s, options)
    turn = expected_turn(uncapped, substep_s)
    horizontal = [axis for axis in range(3) if axis != engine.up_axis]
    for substep in range(options.pjsc_substeps):
        velocity = engine.root_linear_velocity()
        if substep in options.root_linear_xz_command_substeps:
            velocity[horizontal] = linear[horizontal]
        _apply_root_gravity(engine, velocity, before)
        _update_pjsc_joint_motors(engine, gains, expected)
        _apply_object_gravity(engine)
        engine.step(substep_s)
        if after:
            _apply_root_gravity(engine, engine.root_linear_velocity(), after)
        expected = quat_multiply(expected, turn)


def approximate_root_linear_velocity(position: FloatArray, next_position: FloatArray, dt_s: float) -> FloatArray:
    """(3,) m/s that reaches the next position in one frame; its size is not limited."""
    velocity: FloatArray = (next_position - position) / dt_s
    return velocity


def approximate_root_angular_velocity(rotation: FloatArray, next_rotation: FloatArray, dt_s: float) -> FloatArray:
    """(..., 3) rad/s in world axes between two rotation matrices (..., 3, 3), the short way."""
    velocity: FloatArray = matrix_to_rotvec(next_rotation @ np.swapaxes(rotation, -1, -2)) / dt_s
    return velocity


def approximate_joint_velocities(quat_cur: FloatArray, quat_next: FloatArray, dt_s: float) -> FloatArray:
    """(..., 3) rad/s in the joint's own frame between joint quaternions (..., 4) of any length and sign; not limited."""
    relative = quat_normalize(quat_multiply(quat_inverse(quat_cur), quat_next))
    return _shortest_arc_joint_velocity(relative, dt_s)


def _shortest_arc_joint_velocity(relative: FloatArray, dt_s: float) -> FloatArray:
    """(..., 3) rad/s of unit quaternions (..., 4) per frame: q and -q are one rotation, so at most half a turn."""
    velocity: FloatArray = quat_to_rotvec(relative) / dt_s
    return velocity


def root_vertical_velocity(requested: float, previous: float, dt_s: float, options: HalfPhysicsOptions) -> float:
    """Vertical root velocity at the start of a frame.

    With the command ``none`` it is whatever the last substep left. With ``requested`` it is the requested rate plus the
    falling speed of the previous frame. In gravity mode ``pre`` the whole frame's gravity is added here.
    """
    if options.root_vertical_command == "none":
        velocity = previous
    else:
        velocity = requested + (min(0.0, previous) if options.inherit_downward_root_y_velocity else 0.0)
    if options.root_gravity_mode == "pre":
        velocity -= GRAVITY_M_S2 * dt_s * options.root_gravity_scale
    return float(velocity)


def clip_rows(vectors: FloatArray, limit: float) -> FloatArray:
    """Vectors (..., 3) no longer than ``limit``, directions kept."""
    length = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None]
    clipped: FloatArray = np.where(length > limit, vectors * (limit / np.where(length > limit, length, 1.0)), vectors)
    return clipped


def expected_turn(local_velocity: FloatArray, substep_s: float) -> FloatArray:
    """Quaternions (..., 4) by which joints at (..., 3) rad/s in their own frame turn in one substep.

    Beyond a quarter turn per substep the angle grows only as 2 atan(2 angle / pi), as in Bullet's integrator; that
    needs fewer than two substeps per frame.
    """
    rotvec = local_velocity * substep_s
    angle = np.sqrt(np.einsum("...i,...i->...", rotvec, rotvec))[..., None]
    fast = angle > _HALF_PI
    if fast.any():
        limited = 2.0 * np.arctan(angle / _HALF_PI)
        rotvec = np.where(fast, rotvec * (limited / np.where(fast, angle, 1.0)), rotvec)
    return rotvec_to_quat(rotvec)


def resolve_pjsc_gains(joint_names: Sequence[str], options: HalfPhysicsOptions) -> FloatArray:
    """(J,) motor gains: the fixed joints, then the option's entry by number or name, then its default."""
    names = list(joint_names)
    for fixed in FIXED_PJSC_GAINS:
        if names.count(fixed) != 1:
            raise SimulationError(f"the body must have exactly one joint {fixed!r}, found {names.count(fixed)}")
    by_link = options.pjsc_lambda_by_link
    gains = np.empty(len(names))
    for index, name in enumerate(names):
        gain = FIXED_PJSC_GAINS.get(name)
        if gain is None:
            gain = by_link.get(str(index), by_link.get(name.lower(), options.pjsc_lambda))
        gains[index] = gain
    return gains


def _gravity_bias(substep_s: float, options: HalfPhysicsOptions) -> tuple[float, float]:
    """Change of the vertical root velocity before and after each substep."""
    full = -GRAVITY_M_S2 * substep_s * options.root_gravity_scale
    if options.root_gravity_mode == "midpoint":
        return 0.5 * full, 0.5 * full
    return (full, 0.0) if options.root_gravity_mode == "substep" else (0.0, 0.0)


def _apply_root_gravity(engine: HalfPhysicsEngine, velocity: FloatArray, bias: float) -> None:
    """Write the root velocity (3,) with ``bias`` m/s added to its vertical component."""
    velocity[engine.up_axis] += bias
    engine.set_root_linear_velocity(velocity)


def _apply_object_gravity(engine: HalfPhysicsEngine) -> None:
    """Pull the movable objects that engine gravity does not pull; engines forget forces after each step."""
    for name, mass_kg in engine.objects_without_gravity():
        force = np.zeros(3)
        force[engine.up_axis] = -GRAVITY_M_S2 * mass_kg
        engine.apply_object_force(name, force)


def _ensure_pjsc_joint_motors(engine: HalfPhysicsEngine, gains: FloatArray) -> None:
    """Create the motors that have a gain, remove those that have none."""
    wanted = gains > 0.0
    for joint in np.flatnonzero(engine.motors != wanted):
        if wanted[joint]:
            engine.create_motor(int(joint))
        else:
            engine.remove_motor(int(joint))


def _update_pjsc_joint_motors(engine: HalfPhysicsEngine, gains: FloatArray, expected: FloatArray) -> None:
    """Aim every motor at the expected joint rotation of this substep."""
    engine.set_motors(gains, expected)


def _zero_pjsc_joint_motors(engine: HalfPhysicsEngine) -> None:
    """Leave the motors in place without effect."""
    joints = engine.joint_rotations()
    engine.set_motors(np.zeros(len(joints)), joints)


def _checked_request(
    joint_rotvecs: npt.ArrayLike, root_rotvec: npt.ArrayLike, transl_step: npt.ArrayLike, joints: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The request as float64 arrays; refuses wrong shapes and numbers that are not finite."""
    request = {
        "joint rotations": (np.asarray(joint_rotvecs, dtype=np.float64), (joints, 3)),
        "root rotation": (np.asarray(root_rotvec, dtype=np.float64), (3,)),
        "translation step": (np.asarray(transl_step, dtype=np.float64), (3,)),
    }
    for field, (array, shape) in request.items():
        if array.shape != shape:
            raise MotionError(f"{field}: expected shape {shape}, got {array.shape}")
        if not np.isfinite(array).all():
            raise MotionError(f"{field}: not finite; the frame is refused before it reaches the engine")
    joint_target, root_target, step = (array for array, _ in request.values())
    return joint_target, root_target, step
