from __future__ import annotations

import os
import subprocess
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bodyloop.errors import ConfigError
from bodyloop.records.specs import WorkerSlot
from bodyloop.runs import slots
from bodyloop.runs.slots import Scheduling, child_environment, find_slots, least_loaded_device, visible_gpus


@pytest.mark.parametrize(
    ("visible", "expected"),
    [
        ("0,1", ["0", "1"]),
        (" 2 , GPU-8f3a ", ["2", "GPU-8f3a"]),
        ("MIG-a/1/0", ["MIG-a/1/0"]),
        ("-1", []),
        ("NoDevFiles", []),
        ("0,-1", ["0"]),
        ("", []),
    ],
)
def test_auto_honours_the_environment(visible, expected):
    assert visible_gpus("auto", {"CUDA_VISIBLE_DEVICES": visible}) == expected


def test_explicit_gpus_win_over_the_environment():
    assert visible_gpus("3", {"CUDA_VISIBLE_DEVICES": "0"}) == ["3"]


@pytest.mark.parametrize(("choice", "environment"), [("0,0", {}), ("auto", {"CUDA_VISIBLE_DEVICES": "1,1"})])
def test_duplicates_are_refused(choice, environment):
    with pytest.raises(ConfigError, match="named twice"):
        visible_gpus(choice, environment)


def _fake_smi(tmp_path, monkeypatch, script):
    tool = tmp_path / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")


def test_all_gpus_are_found_with_the_drivers_tool(tmp_path, monkeypatch):
    _fake_smi(tmp_path, monkeypatch, 'test "$1" = --query-gpu=index || exit 1; echo 0; echo 1')
    assert visible_gpus("auto", {}) == ["0", "1"]


def test_a_failing_tool_means_no_gpu(tmp_path, monkeypatch):
    _fake_smi(tmp_path, monkeypatch, "echo no driver; exit 9")
    assert visible_gpus("auto", {}) == []


def test_a_hanging_tool_means_no_gpu(tmp_path, monkeypatch):
    _fake_smi(tmp_path, monkeypatch, "echo 0")

    def hang(*args, timeout, **kwargs):
        assert timeout == 10
        raise subprocess.TimeoutExpired(args, timeout)

    monkeypatch.setattr(subprocess, "run", hang)
    assert visible_gpus("auto", {}) == []


def test_gpu_slots_multiply(monkeypatch):
    found = find_slots(Scheduling(gpus="0,1", workers_per_gpu=3))
    assert (found.devices, found.capacity) == (("0", "1"), 6)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    assert find_slots(Scheduling()).capacity == 2
    assert find_slots(Scheduling(workers=5)) == slots.Slots((None,), 5, "5 CPU workers")


@pytest.mark.parametrize(("cores", "free_gib", "workers"), [(2, 24.0, 2), (64, 6.5, 5), (8, 0.1, 1), (1, 100.0, 1)])
def test_default_cpu_workers_follow_cores_and_memory(monkeypatch, cores, free_gib, workers):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)))
    monkeypatch.setattr(slots, "_available_bytes", lambda: int(free_gib * 2**30))
    found = find_slots(Scheduling())
    assert found.capacity == workers
    assert f"{cores} cores" in found.note
    assert f"{free_gib:.1f} GiB" in found.note


def test_a_container_limit_counts(monkeypatch, tmp_path):
    monkeypatch.setattr(slots.psutil, "virtual_memory", lambda: SimpleNamespace(available=100 * 2**30))
    monkeypatch.setattr(slots, "Path", lambda _: tmp_path)
    assert slots._available_bytes() == 100 * 2**30
    (tmp_path / "memory.current").write_text("1000\n")
    (tmp_path / "memory.max").write_text("max\n")
    assert slots._available_bytes() == 100 * 2**30
    (tmp_path / "memory.max").write_text("5000\n")
    assert slots._available_bytes() == 4000


@pytest.mark.parametrize("scheduling", [Scheduling(workers=0), Scheduling(workers_per_gpu=0), Scheduling(gpus=" , ")])
def test_wrong_numbers_are_refused(scheduling):
    with pytest.raises(ConfigError):
        find_slots(scheduling)


def test_the_least_loaded_device_is_chosen_and_ties_rotate():
    devices = ["a", "b", "c"]
    assert [least_loaded_device(devices, {}, launch) for launch in range(4)] == ["a", "b", "c", "a"]
    assert least_loaded_device(devices, {"a": 1, "b": 2, "c": 1}, 2) == "c"
    assert least_loaded_device(devices, {"a": 1, "b": 0, "c": 1}, 2) == "b"


@given(st.integers(1, 5), st.lists(st.booleans(), max_size=40))
def test_launches_without_ends_spread_evenly(count, ends):
    devices, live = [str(number) for number in range(count)], {}
    for launch, _ in enumerate(ends):
        device = least_loaded_device(devices, live, launch)
        live[device] = live.get(device, 0) + 1
        loads = [live.get(name, 0) for name in devices]
        assert max(loads) - min(loads) <= 1


def test_children_get_their_device_and_single_threads_unless_the_user_said_otherwise():
    environment = child_environment(WorkerSlot(0, "GPU-1"), {"MKL_NUM_THREADS": "4", "HOME": "/h"})
    assert environment == {
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "4",
        "OPENBLAS_NUM_THREADS": "1",
        "NUMEXPR_NUM_THREADS": "1",
        "HOME": "/h",
        "CUDA_VISIBLE_DEVICES": "GPU-1",
    }
    assert child_environment(WorkerSlot(0), {"CUDA_VISIBLE_DEVICES": "0"})["CUDA_VISIBLE_DEVICES"] == ""
