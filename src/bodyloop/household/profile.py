"""The household experiment profile: one complete, non-inheriting JSON file.

``homes_v1`` is the project's own setting; ``paper_compat`` keeps the physics, camera and metric settings published for
HumanClawBench. Model endpoints and credentials are never part of a profile.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated, Literal

from pydantic import Field

from bodyloop.config.profiles import Profile, Section, builtin_profiles, load_profile

__all__ = [
    "AgentSection",
    "BenchmarkSection",
    "HouseholdProfile",
    "MetricsSection",
    "MotionSection",
    "PhysicsSection",
    "RenderingSection",
    "load_household_profile",
]

Positive = Annotated[float, Field(gt=0)]
NonNegative = Annotated[float, Field(ge=0)]
PositiveInt = Annotated[int, Field(gt=0)]
Resolution = tuple[Annotated[int, Field(gt=0, multiple_of=2)], Annotated[int, Field(gt=0, multiple_of=2)]]


class BenchmarkSection(Section):
    """Episodes and their limits."""

    dataset: str
    """Built-in dataset name (``homes_v1``) or the folder of one in the published shard format."""
    split: str
    n_episodes: PositiveInt
    n_interact_episodes: PositiveInt
    max_steps: PositiveInt
    """Decisions per episode."""
    instruction_version: str


class AgentSection(Section):
    """Prompts and memory of the agent."""

    type: Literal["psv_ego"]
    prompt_version: str
    verifier_version: str
    max_history: PositiveInt
    plan_horizon_steps: PositiveInt


class VlmSection(Section):
    """What a model configuration must say."""

    required_model_config_fields: tuple[str, ...]
    temperature: NonNegative
    output_contract: Literal["json_object"]


class MotionSection(Section):
    """The motion generator."""

    generator: Literal["analytic"]
    skills: tuple[str, ...]
    seed_mode: Literal["standing"]


class PhysicsSection(Section):
    """Half-physics execution of requested frames."""

    backend: Literal["hp"]
    fps: Positive
    root_gravity_scale: NonNegative
    root_gravity_mode: Literal["pre", "substep", "midpoint"]
    root_vertical_command: Literal["none", "requested"]
    """``none``: vertical root motion comes from gravity and contact alone; ``requested``: also from the requested height."""
    inherit_downward_root_y_velocity: bool
    execute_first_frame_step: bool
    """Execute the displacement between the previous chunk's last frame and this chunk's first."""
    pjsc_lambda: NonNegative
    pjsc_lambda_by_link: dict[str, NonNegative]
    pjsc_substeps: PositiveInt
    root_linear_xz_command_substeps: tuple[int, ...]
    friction: NonNegative
    """Sliding friction of the human's links."""
    pelvis_friction: NonNegative
    joint_armature_kg_m2: Positive
    collision_margin_m: NonNegative
    settle_s: NonNegative
    """Time for which the standing body settles before the first observation."""


class RenderingSection(Section):
    """Cameras and light."""

    quality: Literal["fast", "fine"]
    lighting: Literal["ambient", "room-lamps", "original"]
    ambient_strength: Positive
    room_light_strength: Positive
    ego_resolution: Resolution
    third_person_resolution: Resolution
    ego_fov_vertical_deg: Annotated[float, Field(gt=10, lt=170)]
    ego_pitch_deg: Annotated[float, Field(ge=-90, le=90)]
    """Downward tilt of the view against the head's forward axis."""
    ego_forward_offset_m: float
    """Camera position ahead of the midpoint between the eyes."""
    exo_distance_m: Positive
    exo_height_m: Positive
    exo_look_height_m: float
    exo_fov_vertical_deg: Annotated[float, Field(gt=10, lt=170)]
    exo_shorten_on_occlusion: bool


class MetricsSection(Section):
    """Thresholds of the paper metrics."""

    find_pixel_threshold: PositiveInt
    nav_distance_m: Positive
    nav_relaxed_distance_m: Positive
    collision_contact_source: Literal["post_physics_30hz"]
    fixed_contact_min_height_m: NonNegative
    initial_penetration_threshold_m: NonNegative
    floor_ray_max_distance_m: Positive
    floor_select_epsilon_m: NonNegative
    jerk_smooth_window: PositiveInt
    jerk_stride: PositiveInt


class HouseholdProfile(Profile):
    """The whole profile."""

    benchmark: BenchmarkSection
    agent: AgentSection
    vlm: VlmSection
    motion: MotionSection
    physics: PhysicsSection
    rendering: RenderingSection
    metrics: MetricsSection


def load_household_profile(name_or_path: str) -> HouseholdProfile:
    """Load a built-in profile by name, or one from a JSON file.

    Raises :class:`~bodyloop.errors.ConfigError` naming the file and the field.
    """
    return load_profile(HouseholdProfile, name_or_path, builtin_profiles(files("bodyloop.household") / "profiles"))
