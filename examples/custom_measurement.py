"""A measurement and a failure rule of your own, over scripted trials.

Run it with ``python examples/custom_measurement.py``. Two walkers move along x for two seconds. One of them strays from
its line; the rule ends that trial at the first frame beyond 0.3 m, and nothing later of it counts.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bodyloop.evaluation import (
    ContextField,
    ContextSchema,
    EvaluationManager,
    EvaluationResult,
    MdpComponent,
    ThresholdFailure,
)

RATE_HZ = 30
WINDOW = 2 * RATE_HZ

# What measurements may read is declared once: path, shape (N is the number of environments), type, unit, producer.
WALK = ContextSchema(
    [
        ContextField("walker.position", ("N", 2), "float64", "m", "walk", "Position on the floor."),
        ContextField("walker.speed", ("N",), "float64", "m/s", "walk", "Forward speed."),
        ContextField("dt", (), "float", "s", "walk", "Control period."),
    ]
)


def distance_to_line_m(position: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Sideways distance to the x axis, (N,)."""
    return np.abs(position[:, 1])


def slow_time_s(speed: npt.NDArray[np.float64], dt: float, limit_m_s: float) -> npt.NDArray[np.float64]:
    """The control period where the walker is slow, else 0: its sum over a trial is seconds, (N,)."""
    return np.where(speed < limit_m_s, dt, 0.0)


def evaluate() -> EvaluationResult:
    """Score two trials of 60 frames."""
    distance = MdpComponent.from_kernel(distance_to_line_m, WALK)
    slow = MdpComponent.from_kernel(slow_time_s, WALK, static={"limit_m_s": 0.5})
    manager = EvaluationManager(
        {"distance": distance, "slow_time": slow},
        {
            "strayed": ThresholdFailure(distance, 0.3),  # the same object as above: computed once per frame
            "dawdled": ThresholdFailure(slow, 1.0, reduction="sum"),
        },
        num_envs=2,
        score_key="eval/success_rate",
        protocol={"control_hz": RATE_HZ},
    )
    manager.begin_batch(trial_ids=[0, 1], windows=[WINDOW, WINDOW])
    for frame in range(1, WINDOW + 1):
        time_s = frame / RATE_HZ
        context = {
            "walker": {"position": np.array([[time_s, 0.0], [time_s, 0.25 * time_s]]), "speed": np.array([1.0, 1.0])},
            "dt": 1 / RATE_HZ,
        }
        manager.measure(context)
        if not manager.end_frame().active.any():
            break
    manager.finish_batch()
    return manager.result().require_measured()


def main() -> None:
    """Print logs and trials."""
    result = evaluate()
    for key, value in result.logs.items():
        print(f"{key:28} {value:.4g}")
    for trial in result.outcomes.rows():
        print(trial["trial_id"], trial["status"], trial["frames"], trial["fail_rule"], trial["fail_frame"])


if __name__ == "__main__":
    main()
