"""Find-navigate-interact episodes: listed, selected and loaded from a data set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from bodyloop.errors import ArtifactError, ConfigError, DataError, MissingFileError, UnknownNameError
from bodyloop.household.dataset import EpisodeDataset
from bodyloop.household.episode_files import (
    EpisodeFile,
    GoalFile,
    Shard,
    category_label,
    init_offset_formula,
    init_yaw_formula,
    scene_label,
    template_hash,
)
from bodyloop.household.types import FindNavInteractEpisode, GoalObject
from bodyloop.records.files import load_json

__all__ = [
    "SIT_CATEGORIES",
    "SUBSET_SCHEMA",
    "EpisodeRow",
    "apply_instruction_version",
    "instruction_text",
    "list_episode_specs",
    "load_episode",
    "load_episode_subset",
    "load_episodes",
    "normalize_instruction_version",
    "select_episodes",
]

SUBSET_SCHEMA: Final = "bodyloop_episode_subset_v1"
SIT_CATEGORIES: Final = ("bed", "couch", "toilet")
"""Targets on which instruction version v1 asks to sit."""
DEFAULT_MAX_STEPS: Final = 100
_READABLE_SCHEMAS: Final = (SUBSET_SCHEMA, "humanclaw_episode_subset_v1")
_VERSIONS: Final = ("v0", "v1")
_FIELDS: Final = ("scene_id", "episode_id", "object_category")


@dataclass(frozen=True, order=True)
class EpisodeRow:
    """The identity of one episode."""

    scene_id: str
    episode_id: str
    object_category: str


def list_episode_specs(dataset: EpisodeDataset) -> tuple[EpisodeRow, ...]:
    """All episodes: shards by file name, episodes as they stand in their shard.

    Raises:
        DataError: a shard is damaged, or one of its episodes occurs twice.
    """
    return tuple(
        EpisodeRow(scene_id, episode.episode_id, episode.object_category)
        for scene_id in dataset.scene_ids
        for episode in dataset.load_shard(scene_id).episodes
    )


def load_episode(
    dataset: EpisodeDataset,
    scene_id: str,
    episode: str | int | None = None,
    *,
    object_category: str | None = None,
    max_steps: int = DEFAULT_MAX_STEPS,
    instruction_version: str | None = "v0",
) -> FindNavInteractEpisode:
    """One episode of a scene.

    Args:
        episode: an episode id (text), or a position (int) among the scene's episodes of ``object_category``; None is
            the first.
        object_category: keep only episodes of this category.

    Raises:
        MissingFileError: the scene has no shard.
        UnknownNameError: no such id, category or instruction version.
        DataError: the shard is damaged, the position out of range, or the target has no goal or view point.
    """
    shard = dataset.load_shard(scene_id)
    row = _pick(shard, episode, object_category)
    return apply_instruction_version(_build(shard, row, max_steps), instruction_version)


def load_episodes(
    dataset: EpisodeDataset,
    rows: Sequence[EpisodeRow],
    *,
    max_steps: int = DEFAULT_MAX_STEPS,
    instruction_version: str | None = "v0",
) -> Iterator[FindNavInteractEpisode]:
    """The episodes of many rows in their order; neighbours of one scene share one reading of its shard."""
    shard: Shard | None = None
    for row in rows:
        if shard is None or shard.scene_id != row.scene_id:
            shard = dataset.load_shard(row.scene_id)
        found = _pick(shard, row.episode_id, row.object_category)
        yield apply_instruction_version(_build(shard, found, max_steps), instruction_version)


def _pick(shard: Shard, episode: str | int | None, category: str | None) -> EpisodeFile:
    rows = shard.episodes
    if category is not None:
        rows = tuple(row for row in rows if row.object_category == category)
        if not rows:
            known = {row.object_category for row in shard.episodes}
            raise UnknownNameError("object category", category, known, where=shard.where)
    if isinstance(episode, str):
        for row in rows:
            if row.episode_id == episode:
                return row
        raise UnknownNameError("episode", episode, [row.episode_id for row in rows], where=shard.where)
    index = 0 if episode is None else episode
    if not 0 <= index < len(rows):
        raise DataError(f"{shard.where}: episode position {index} is out of range; use 0 to {len(rows) - 1}")
    return rows[index]


def _build(shard: Shard, row: EpisodeFile, max_steps: int) -> FindNavInteractEpisode:
    key = shard.goal_key(row.object_category)
    goals = shard.goals_by_category.get(key, ())
    where = f"{shard.where}: episode {row.episode_id}"
    if not goals:
        raise DataError(f"{where}: goals_by_category[{key!r}] has no goal; add one or drop the episode")
    viewpoints = tuple(point.agent_state.position for goal in goals for point in goal.view_points)
    if not viewpoints:
        raise DataError(f"{where}: goals_by_category[{key!r}] has no view point; add one or drop the episode")
    return FindNavInteractEpisode(
        name=f"find_nav_interact_{scene_label(shard.scene_id)}_ep{row.episode_id}",
        task_type="find_nav_interact",
        instruction=instruction_text(category_label(row.object_category)),
        scene_id=shard.scene_id,
        scene_label=scene_label(shard.scene_id),
        scene_dataset_config=row.scene_dataset_config,
        episode_id=row.episode_id,
        object_category=row.object_category,
        object_label=category_label(row.object_category),
        init_offset=init_offset_formula(row.start_position) if row.init_offset is None else row.init_offset,
        init_yaw=init_yaw_formula(row.start_rotation) if row.init_yaw is None else row.init_yaw,
        max_steps=max_steps,
        goals=tuple(shard.raw_goals[key]),
        viewpoint_positions=viewpoints,
        goal_objects=tuple(_goal_object(goal) for goal in goals),
        dataset_start_position=row.start_position,
        dataset_start_rotation_xyzw=row.start_rotation,
        geodesic_distance=row.info.geodesic_distance,
        difficulty=row.difficulty,
    )


def _goal_object(goal: GoalFile) -> GoalObject:
    return GoalObject(goal.object_name, template_hash(goal.object_name), goal.object_id, goal.position)


def instruction_text(label: str) -> str:
    """The instruction of version v0 for a category label."""
    return f"Find the {label}, go to it and keep moving until your body touches it. No distance may remain."


def _sit_sentence(label: str) -> str:
    return f" Then sit down on the {label}."


def normalize_instruction_version(version: str | None) -> str:
    """``v0`` or ``v1``; the bare digit, other case and blanks are understood, nothing means v0.

    Raises:
        UnknownNameError: any other text.
    """
    text = (version or "v0").strip().lower() or "v0"
    name = text if text.startswith("v") else f"v{text}"
    if name not in _VERSIONS:
        raise UnknownNameError("instruction version", str(version), _VERSIONS)
    return name


def apply_instruction_version(episode: FindNavInteractEpisode, version: str | None) -> FindNavInteractEpisode:
    """The episode with the instruction of a version: v1 asks to sit on beds, couches and toilets. Repeating it changes nothing.

    Raises:
        UnknownNameError: no such version.
    """
    text = instruction_text(episode.object_label)
    if normalize_instruction_version(version) == "v1" and episode.object_category in SIT_CATEGORIES:
        text += _sit_sentence(episode.object_label)
    return episode if text == episode.instruction else replace(episode, instruction=text)


def load_episode_subset(source: str | Path, dataset: EpisodeDataset) -> tuple[EpisodeRow, ...]:
    """Rows of a list: the name of one of the data set's lists, or a JSON file with an ``episodes`` array.

    Raises:
        MissingFileError, UnknownNameError: there is no such file or list.
        DataError: no array, a wrong or double row, a row outside the split, or a wrong ``n_episodes``.
    """
    path = _list_file(source, dataset)
    try:
        content = load_json(path)
    except ArtifactError as error:
        raise DataError(str(error)) from None
    rows = _subset_rows(content, str(path))
    known = _known_rows(dataset, rows)
    for index, row in enumerate(rows):
        if row not in known:
            raise DataError(
                f"{path}: episodes[{index}]: no episode {row.episode_id!r} of category {row.object_category!r} in scene"
                f" {row.scene_id!r} of split {dataset.split!r}; all three fields must match"
            )
    return rows


def _list_file(source: str | Path, dataset: EpisodeDataset) -> Path:
    name = str(source)
    if isinstance(source, str) and (built_in := dataset.list_path(name.lower())) is not None:
        return built_in
    path = Path(source)
    if not path.is_file():
        if path.suffix or "/" in name:
            raise MissingFileError(f"{path}: no such list of episodes")
        known = sorted(p.stem for p in (dataset.root / "lists").glob("*.json"))
        raise UnknownNameError("list of episodes", name, ["one", "fullval", *known])
    return path


def _subset_rows(content: Any, where: str) -> tuple[EpisodeRow, ...]:
    if not isinstance(content, dict) or not isinstance(content.get("episodes"), list):
        raise DataError(f"{where}: episodes: must be an array of objects with {', '.join(_FIELDS)}")
    schema = content.get("schema", SUBSET_SCHEMA)
    if schema not in _READABLE_SCHEMAS:
        raise DataError(f"{where}: schema: {schema!r} is not known; use {SUBSET_SCHEMA!r}")
    rows = tuple(_subset_row(item, f"{where}: episodes[{index}]") for index, item in enumerate(content["episodes"]))
    if not rows:
        raise DataError(f"{where}: episodes: the list is empty")
    seen: set[EpisodeRow] = set()
    for index, row in enumerate(rows):
        if row in seen:
            raise DataError(f"{where}: episodes[{index}]: the row occurs twice; drop one")
        seen.add(row)
    if content.get("n_episodes", len(rows)) != len(rows):
        raise DataError(f"{where}: n_episodes: says {content['n_episodes']}, but there are {len(rows)} rows")
    return rows


def _subset_row(item: Any, where: str) -> EpisodeRow:
    if not isinstance(item, dict):
        raise DataError(f"{where}: must be an object with {', '.join(_FIELDS)}")
    for name in _FIELDS:
        if not isinstance(item.get(name), str):
            raise DataError(f"{where}.{name}: must be text")
    return EpisodeRow(*(item[name] for name in _FIELDS))


def _known_rows(dataset: EpisodeDataset, rows: Sequence[EpisodeRow]) -> set[EpisodeRow]:
    """Rows of the split, from the shards that the given rows name."""
    wanted = {row.scene_id for row in rows}.intersection(dataset.scene_ids)
    return {
        EpisodeRow(scene_id, episode.episode_id, episode.object_category)
        for scene_id in wanted
        for episode in dataset.load_shard(scene_id).episodes
    }


def select_episodes(
    dataset: EpisodeDataset,
    episodes: str | Path = "one",
    *,
    scene_id: str | None = None,
    episode_id: str | None = None,
    object_category: str | None = None,
) -> tuple[EpisodeRow, ...]:
    """Rows that a run evaluates.

    Args:
        episodes: ``one`` (the first row; with any filter exactly one row must match), ``fullval`` (all rows), the name
            of a list of the data set (``smoke``, ``val100``), or the path of a list. Names ignore case.
        scene_id, episode_id, object_category: keep only rows with these values.

    Raises:
        ConfigError: the filters match no row, or several under ``one``; the message names filters and count.
    """
    mode = str(episodes).lower()
    rows = list_episode_specs(dataset) if mode in ("one", "fullval") else load_episode_subset(episodes, dataset)
    wanted = {"scene_id": scene_id, "episode_id": episode_id, "object_category": object_category}
    filters = {name: value for name, value in wanted.items() if value is not None}
    found = tuple(row for row in rows if filters.items() <= asdict(row).items())
    if mode == "one":
        if filters and len(found) != 1:
            raise ConfigError(_filter_message(filters, rows, len(found), "exactly one"))
        return found[:1]
    if not found:
        raise ConfigError(_filter_message(filters, rows, 0, "at least one"))
    return found


def _filter_message(filters: Mapping[str, str], rows: Sequence[EpisodeRow], count: int, needed: str) -> str:
    text = ", ".join(f"{name}={value!r}" for name, value in filters.items())
    message = f"the filters {text} match {count} episodes, but must match {needed}"
    for name, value in filters.items():
        known = {str(getattr(row, name)) for row in rows}
        if value not in known:
            return f"{message}: {UnknownNameError(name, value, known)}"
    return f"{message}; add or change --scene-id, --episode-id or --object-category"
