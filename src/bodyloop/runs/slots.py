"""Where children run: visible GPUs, or as many CPU slots as cores and memory allow. Never changes results."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

from bodyloop.errors import ConfigError
from bodyloop.records.specs import WorkerSlot

__all__ = ["Scheduling", "Slots", "child_environment", "find_slots", "least_loaded_device", "visible_gpus"]

MEMORY_PER_WORKER_GIB = 1.2
_GIB = 2**30
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")


@dataclass(frozen=True)
class Scheduling:
    """The scheduling flags of a run; they stay outside its records."""

    gpus: str = "auto"
    """``auto``, or a comma list of indices, UUIDs or MIG ids."""
    workers_per_gpu: int = 1
    workers: int | None = None
    """Number of CPU workers; GPUs are then left alone."""
    worker_mode: Literal["process", "persistent"] = "process"
    """``process``: a new process for each rollout; ``persistent``: processes that keep their scene loaded."""


@dataclass(frozen=True)
class Slots:
    """How many children may live at once, and on which devices."""

    devices: tuple[str | None, ...]
    per_device: int
    note: str
    """How the number came about, for people."""

    @property
    def capacity(self) -> int:
        """Largest number of live children."""
        return len(self.devices) * self.per_device


def find_slots(scheduling: Scheduling) -> Slots:
    """Turn the flags into slots. Raises :class:`ConfigError` for wrong ones."""
    if scheduling.workers is not None:
        if scheduling.workers < 1:
            raise ConfigError(f"--workers must be at least 1, got {scheduling.workers}")
        return Slots((None,), scheduling.workers, f"{scheduling.workers} CPU workers")
    if scheduling.workers_per_gpu < 1:
        raise ConfigError(f"--workers-per-gpu must be at least 1, got {scheduling.workers_per_gpu}")
    gpus = visible_gpus(scheduling.gpus)
    if gpus:
        per_gpu = scheduling.workers_per_gpu
        return Slots(tuple(gpus), per_gpu, f"{len(gpus)} GPU ({', '.join(gpus)}), {per_gpu} workers each")
    return _cpu_slots()


def visible_gpus(choice: str, environment: Mapping[str, str] = os.environ) -> list[str]:
    """The GPUs to use: the listed ones, or for ``auto`` those of CUDA_VISIBLE_DEVICES, else all that exist.

    Raises:
        ConfigError: An empty list, or a GPU named twice.
    """
    if choice != "auto":
        gpus = _split(choice)
        if not gpus:
            raise ConfigError("--gpus names no GPU; leave it out to use all, or give --workers N for the CPU")
    elif "CUDA_VISIBLE_DEVICES" in environment:
        gpus = [gpu for gpu in _split(environment["CUDA_VISIBLE_DEVICES"]) if gpu not in ("-1", "NoDevFiles")]
    else:
        gpus = _query_gpus()
    twice = sorted({gpu for gpu in gpus if gpus.count(gpu) > 1})
    if twice:
        raise ConfigError(f"GPU {twice[0]} is named twice; more workers on one GPU are asked with --workers-per-gpu")
    return gpus


def child_environment(slot: WorkerSlot, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Environment of a child: its device, and one thread per numerical library unless the user said otherwise."""
    child = {**dict.fromkeys(_THREADS, "1"), **environment}
    child["CUDA_VISIBLE_DEVICES"] = slot.device or ""
    return child


def least_loaded_device(devices: Sequence[str | None], live: Mapping[str | None, int], launch_index: int) -> str | None:
    """The device with the fewest live children; ties rotate with the number of launches so far."""
    first = launch_index % len(devices)
    rotated = [*devices[first:], *devices[:first]]
    return min(rotated, key=lambda device: live.get(device, 0))


def _split(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _query_gpus() -> list[str]:
    """Indices of all NVIDIA GPUs; none if the driver's tool is absent, fails or hangs."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return []
    command = [tool, "--query-gpu=index", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return [line.strip() for line in done.stdout.splitlines() if line.strip()]


def _cpu_slots() -> Slots:
    """One worker per core that this process may use, at most what free memory holds, at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    free_gib = _available_bytes() / _GIB
    fitting = max(1, int(free_gib / MEMORY_PER_WORKER_GIB))
    workers = min(cores, fitting)
    note = f"{workers} CPU workers ({cores} cores; {free_gib:.1f} GiB free memory allow {fitting})"
    return Slots((None,), workers, note)


def _available_bytes() -> int:
    """Free memory of the machine, or of the container if that is less."""
    free = int(psutil.virtual_memory().available)
    group = Path("/sys/fs/cgroup")
    try:
        limit = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
    except (OSError, ValueError):  # no control group, or no limit: the file then says "max"
        return free
    return min(free, max(0, limit - used))
