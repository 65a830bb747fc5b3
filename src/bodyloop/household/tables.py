"""The paper table of a run, from rollout records alone; every figure with n, coverage and, where one exists, an interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.table import Table

from bodyloop.household.metrics.collision import BODY_GROUPS
from bodyloop.household.metrics.flat import group_key
from bodyloop.household.metrics.summary import is_scored, mean_values, pooled_ratio, record_rate
from bodyloop.records.record import RolloutRecord
from bodyloop.stats.intervals import Rate, cluster_bootstrap_mean

__all__ = ["PaperTable", "breakdown_table", "paper_markdown", "paper_notes", "paper_tables"]

MISSING: Final = "--"

_COLUMNS: Final = ("metric", "value", "95% interval", "n", "coverage")
_GROUP_NAMES: Final = {"hand_arm": "Arm/Hand", "torso": "Torso", "leg": "Leg/Foot", "head": "Head"}
_MAIN_RATES: Final = {"FindSR": "find_sr", "NavSR@20cm": "nav_sr_20cm", "InteractSR": "interact_sr"}
_VARIANTS: Final = {
    "GeoFindSR": "geo_find_sr",
    "GeoNavSR@20cm": "geo_nav_sr_20cm",
    "NavSR@1m": "nav_sr_1m",
    "GeoInteractSR": "geo_interact_sr",
}
_BEYOND_RATES: Final = {
    "Success": "success",
    "FindSR, careful reading": "find_sr_careful",
    "FindSR, structured": "find_sr_structured",
    "NavSR@20cm, surface": "nav_sr_surface_20cm",
    "InteractSR, posture": "interact_sr_posture",
}
_BEYOND_COLLISIONS: Final = {
    "Coll., target excluded": "collision_excluding_target_step_fraction",
    "Coll., local floor": "collision_local_floor_step_fraction",
    "Coll., local floor, target excluded": "collision_local_floor_excluding_target_step_fraction",
}

Cells = tuple[str, ...]
Format = Callable[[float], str]


@dataclass(frozen=True)
class PaperTable:
    """One table as text cells: the first column is a label, the rest are figures."""

    title: str
    columns: Cells
    rows: tuple[Cells, ...]

    def to_markdown(self) -> str:
        """GitHub-flavoured Markdown, figures right aligned, padded to equal widths."""
        table = (self.columns, *self.rows)
        widths = [max(3, *(len(row[i]) for row in table)) for i in range(len(self.columns))]
        rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
        lines = [_markdown_row(row, widths) for row in (self.columns, tuple(rule), *self.rows)]
        return "\n".join([f"### {self.title}", "", *lines, ""])

    def to_rich(self) -> Table:
        """The same for a terminal; a figure with interval and count goes over three lines, so that 80 columns are enough."""
        stacked = any("] " in cell for row in self.rows for cell in row)
        table = Table(title=self.title, title_justify="left", show_lines=stacked, padding=(0, 0 if stacked else 1))
        for index, name in enumerate(self.columns):
            table.add_column(name, justify="right" if index else "left", no_wrap=bool(index) or stacked)
        for row in self.rows:
            table.add_row(*(cell.replace(" [", "\n[").replace("] ", "]\n") for cell in row))
        return table


def paper_tables(records: Sequence[RolloutRecord]) -> list[PaperTable]:
    """Main table, variants, collision by body group, and the project's own figures, one set per model."""
    tables = []
    for label, members in _by_model(records).items():
        figures = _Figures(members)
        sections = {
            "Main": [
                *figures.rates(_MAIN_RATES),
                figures.mean("Coll.", "collision_step_fraction", _percent),
                figures.mean("#Dtb/ep", "affected_dynamic_object_count", _two),
                figures.ratio(
                    "dDtb (m)", "affected_object_path_length_sum_m", "mapped_affected_dynamic_object_count", _two
                ),
                figures.mean("Motion Jerk", "motion_jerk_m_s3", _two),
                figures.mean("avg steps", "decision_steps", _one),
                figures.ratio("in tok/step", "input_tokens", "decision_steps", _zero),
                figures.ratio("out tok/step", "visible_output_tokens", "decision_steps", _zero),
            ],
            "Variants": figures.rates(_VARIANTS),
            "Collision by body group": [
                figures.mean(_GROUP_NAMES[group], group_key(group), _percent) for group in BODY_GROUPS
            ],
            "Beyond the paper": [
                *figures.rates(_BEYOND_RATES),
                *(figures.mean(name, key, _percent) for name, key in _BEYOND_COLLISIONS.items()),
                figures.mean("surface distance (m)", "nav_surface_distance_m", _two),
                figures.mean("realized Motion Jerk", "realized_motion_jerk_m_s3", _two),
                figures.fallbacks(),
            ],
        }
        tables += [PaperTable(f"{title}: {label}", _COLUMNS, tuple(rows)) for title, rows in sections.items()]
    return tables


def breakdown_table(records: Sequence[RolloutRecord], by: str) -> PaperTable:
    """Main success rates per value of a tag (``category``, ``difficulty``) or per ``scene``."""
    groups: dict[str, list[RolloutRecord]] = {}
    for record in records:
        groups.setdefault(record.group if by == "scene" else record.tags.get(by, MISSING), []).append(record)
    names = {**_MAIN_RATES, "Success": "success"}
    rows = []
    for name, members in sorted(groups.items()):
        scored = sum(is_scored(record) for record in members)
        rates = [_inline(record_rate(members, key)) for key in names.values()]
        rows.append((name, *rates, f"{100 * scored / len(members):.0f}%"))
    return PaperTable(f"By {by}: {_label(records)}", (by, *names, "coverage"), tuple(rows))


def paper_notes(records: Sequence[RolloutRecord]) -> list[str]:
    """Lines that belong below the tables: counts, token sources, unscored rollouts, marks."""
    scored = [record for record in records if is_scored(record)]
    interact = sum(record.metrics.get("is_interact_episode") is True for record in scored)
    physical = sum(record.metrics.get("physical_metrics_eligible") is True for record in scored)
    notes = [
        f"Episodes: {len(scored)} of {len(records)}; Interact: {interact}; Physical: {physical};"
        f" Initial-penetration excluded: {len(scored) - physical}",
        f"Token source: {', '.join(sorted({str(r.metrics.get('token_source')) for r in scored})) or MISSING}",
        "Intervals: rates Clopper-Pearson, means by resampling scenes; coverage: scored of attempted rollouts",
    ]
    unscored = Counter((r.reason or str(r.outcome)).partition(":")[0] for r in records if not is_scored(r))
    if unscored:
        notes.append("Not scored: " + ", ".join(f"{count} {reason}" for reason, count in sorted(unscored.items())))
    fallbacks = sum(record.fallback_decisions for record in records)
    if fallbacks:
        touched = sum(record.fallback_decisions > 0 for record in records)
        notes.append(f"Fallback decisions: {fallbacks} in {touched} rollouts were not the model's own")
    if any(record.privileged for record in records):
        notes.append(
            "(privileged) reads simulator state: an upper bound, not comparable with models that see images only"
        )
    return notes


def paper_markdown(records: Sequence[RolloutRecord]) -> str:
    """All tables and notes as one Markdown text; equal records give equal bytes."""
    breakdowns = [
        breakdown_table(members, by) for members in _by_model(records).values() for by in ("category", "difficulty")
    ]
    tables = [*paper_tables(records), *breakdowns]
    notes = "\n".join(f"- {note}" for note in paper_notes(records))
    return "\n".join([table.to_markdown() for table in tables]) + f"\n{notes}\n"


class _Figures:
    """Rows of one model's records."""

    def __init__(self, records: Sequence[RolloutRecord]) -> None:
        self._records = records
        self._scored = [record for record in records if is_scored(record)]

    def rates(self, names: dict[str, str]) -> list[Cells]:
        """One row per success rate."""
        return [(name, *_rate_cells(record_rate(self._records, key))) for name, key in names.items()]

    def mean(self, name: str, key: str, text: Format) -> Cells:
        """Row of a mean over rollouts, its interval from resampling scenes."""
        found = [(values[0], r.group) for r in self._scored if (values := mean_values([r.metrics], key))]
        if not found:
            return (name, MISSING, MISSING, "0", self._coverage(0))
        numbers, scenes = [value for value, _ in found], [scene for _, scene in found]
        interval = cluster_bootstrap_mean(numbers, scenes)
        span = MISSING if interval is None else f"[{text(interval.low)}, {text(interval.high)}]".replace("%", "")
        return (name, text(sum(numbers) / len(numbers)), span, str(len(numbers)), self._coverage(len(numbers)))

    def ratio(self, name: str, numerator: str, denominator: str, text: Format) -> Cells:
        """Row of a ratio pooled over rollouts."""
        rows = [record.metrics for record in self._scored]
        value, count = pooled_ratio(rows, numerator, denominator), len(mean_values(rows, numerator))
        return (name, MISSING if value is None else text(value), MISSING, str(count), self._coverage(count))

    def fallbacks(self) -> Cells:
        """Decisions per rollout that were not the model's own, over every record."""
        total = sum(record.fallback_decisions for record in self._records)
        count = len(self._records)
        return ("fallback decisions/ep", _two(total / count), MISSING, str(count), self._coverage(count))

    def _coverage(self, count: int) -> str:
        return f"{100 * count / len(self._records):.0f}%" if self._records else MISSING


def _rate_cells(rate: Rate) -> Cells:
    coverage = MISSING if rate.coverage is None else f"{100 * rate.coverage:.0f}%"
    if rate.value is None:
        return (MISSING, MISSING, "0/0", coverage)
    low, high = rate.interval
    return (f"{100 * rate.value:.1f}%", f"[{100 * low:.1f}, {100 * high:.1f}]", f"{rate.successes}/{rate.n}", coverage)


def _inline(rate: Rate) -> str:
    value, interval, count, _ = _rate_cells(rate)
    return MISSING if rate.value is None else f"{value} {interval} {count}"


def _by_model(records: Sequence[RolloutRecord]) -> dict[str, list[RolloutRecord]]:
    """Records per model label, both sorted: resampled intervals depend on the order of the scenes."""
    groups: dict[str, list[RolloutRecord]] = {}
    for record in sorted(records, key=lambda record: (_label([record]), record.group, record.key)):
        groups.setdefault(_label([record]), []).append(record)
    return groups


def _label(records: Sequence[RolloutRecord]) -> str:
    names = {record.model + (" (privileged)" if record.privileged else "") for record in records}
    return ", ".join(sorted(names)) or MISSING


def _markdown_row(cells: Sequence[str], widths: Sequence[int]) -> str:
    escaped = [cell.replace("|", "\\|") for cell in cells]
    padded = [escaped[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(escaped[1:], widths[1:], strict=True))]
    return f"| {' | '.join(padded)} |"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}%"


def _two(value: float) -> str:
    return f"{value:.2f}"


def _one(value: float) -> str:
    return f"{value:.1f}"


def _zero(value: float) -> str:
    return f"{value:.0f}"
