from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

from bodyloop.errors import SimulationError
from bodyloop.sim.stateful import GeneratorState
from bodyloop.sim.world import World, WorldSnapshot


class Drive:
    """A controller with state: pushes the figure with forces from its own generator and remembers them."""

    def __init__(self, seed: int = 3) -> None:
        self.random = GeneratorState(np.random.Generator(np.random.PCG64(seed)))
        self.last = np.zeros(3)
        self.count = 0

    def push(self, world: World) -> None:
        self.last = 0.5 * self.last + self.random.generator.normal(size=3)
        self.count += 1
        world.data.qfrc_applied[:3] = 20 * self.last

    def save_state(self) -> dict[str, object]:
        return {"random": self.random.save_state(), "last": self.last, "count": self.count}

    def restore_state(self, state: dict[str, object]) -> None:
        self.random.restore_state(state["random"])
        self.last = np.array(state["last"])
        self.count = state["count"]


def run(world: World, drive: Drive, steps: int) -> np.ndarray:
    states = []
    for _ in range(steps):
        drive.push(world)
        world.step()
        states.append(world.integration_state())
    return np.array(states)


def prepared(world: World) -> Drive:
    """In contact, with run-time edits of the model and a registered part."""
    drive = Drive()
    world.register("drive", drive)
    run(world, drive, 60)
    model = world.model
    model.geom_friction[model.geom("ball/skin").id, 0] = 0.37
    model.body_mass[model.body("can").id] *= 3.1
    mujoco.mj_setConst(model, mujoco.MjData(model))
    model.eq_data[0, 3:6] = 0.2
    model.opt.gravity[2] = -9.7
    world.data.eq_active[0] = 1
    run(world, drive, 5)
    return drive


def test_restore_continues_bit_for_bit_in_the_same_process(busy_world: World) -> None:
    drive = prepared(busy_world)
    saved, before = busy_world.snapshot(), busy_world.state_hash()
    expected = run(busy_world, drive, 250)
    assert busy_world.data.ncon > 3
    busy_world.model.geom_friction[:] = 0.9
    busy_world.model.opt.timestep = 0.001
    busy_world.restore(saved)
    assert busy_world.state_hash() == before
    assert drive.count == 65
    np.testing.assert_array_equal(run(busy_world, drive, 250), expected)


def test_restore_into_a_fresh_world_equals_the_old_one(busy_world: World, busy_xml: str) -> None:
    drive = prepared(busy_world)
    saved = busy_world.snapshot()
    expected = run(busy_world, drive, 200)
    fresh, other = World(mujoco.MjSpec.from_string(busy_xml)), Drive(seed=99)
    fresh.register("drive", other)
    fresh.restore(saved)
    np.testing.assert_array_equal(run(fresh, other, 200), expected)
    assert fresh.state_hash() == busy_world.state_hash()


CHILD = """
import importlib.util, sys
from pathlib import Path
import bodyloop.sim, mujoco
import numpy as np
spec = importlib.util.spec_from_file_location("parts", sys.argv[1])
parts = importlib.util.module_from_spec(spec)
spec.loader.exec_module(parts)
folder = Path(sys.argv[2])
world, drive = parts.World(mujoco.MjSpec.from_string((folder / "world.xml").read_text())), parts.Drive(seed=7)
world.register("drive", drive)
world.restore(parts.WorldSnapshot.load(folder / "snapshot.npz"))
np.save(folder / "states.npy", parts.run(world, drive, 250))
(folder / "hash.txt").write_text(world.state_hash())
"""


def test_another_process_continues_a_saved_snapshot_bit_for_bit(
    busy_world: World, busy_xml: str, tmp_path: Path
) -> None:
    drive = prepared(busy_world)
    busy_world.snapshot().save(tmp_path / "snapshot.npz")
    (tmp_path / "world.xml").write_text(busy_xml)
    expected = run(busy_world, drive, 250)
    subprocess.run([sys.executable, "-c", CHILD, __file__, str(tmp_path)], check=True, timeout=120)
    np.testing.assert_array_equal(np.load(tmp_path / "states.npy"), expected)
    assert (tmp_path / "hash.txt").read_text() == busy_world.state_hash()


def test_restore_makes_contacts_current(busy_world: World, busy_xml: str) -> None:
    busy_world.step(120)
    busy_world.forward()
    contacts = np.array(busy_world.data.contact.dist)
    fresh = World(mujoco.MjSpec.from_string(busy_xml))
    fresh.restore(busy_world.snapshot())
    assert len(contacts) > 0
    np.testing.assert_array_equal(np.array(fresh.data.contact.dist), contacts)


def test_snapshot_is_a_copy_and_taking_it_changes_nothing(busy_world: World) -> None:
    busy_world.step(40)
    first = busy_world.snapshot()
    digest = first.digest()
    assert busy_world.snapshot().digest() == digest
    busy_world.step()
    assert first.digest() == digest
    assert busy_world.state_hash() != digest


@pytest.mark.parametrize(
    "edit",
    [
        lambda w: w.model.geom_friction.__setitem__((1, 0), 0.123),
        lambda w: w.model.body_mass.__setitem__(1, 9.0),
        lambda w: w.model.eq_data.__setitem__((0, 0), 0.5),
        lambda w: setattr(w.model.opt, "timestep", 0.004),
        lambda w: w.model.opt.gravity.__setitem__(2, -1.0),
        lambda w: setattr(w.model.stat, "meaninertia", 2.0),
        lambda w: w.model.dof_armature.__setitem__(6, 3.0),
        lambda w: w.model.geom_rgba.__setitem__((0, 0), 0.1),
        lambda w: w.data.eq_active.__setitem__(0, 1),
        lambda w: w.data.qvel.__setitem__(0, np.nextafter(w.data.qvel[0], 1)),
        lambda w: w.data.qacc_warmstart.__setitem__(0, 1.0),
    ],
)
def test_state_hash_sees_every_kind_of_change_and_restore_undoes_it(busy_world: World, edit) -> None:
    busy_world.step(3)
    saved, before = busy_world.snapshot(), busy_world.state_hash()
    edit(busy_world)
    assert busy_world.state_hash() != before
    busy_world.restore(saved)
    assert busy_world.state_hash() == before


def test_state_hash_sees_registered_parts(busy_world: World) -> None:
    drive = Drive()
    busy_world.register("drive", drive)
    before = busy_world.state_hash()
    drive.random.generator.random()
    assert busy_world.state_hash() != before


def test_snapshots_that_do_not_fit_are_refused_unchanged(busy_world: World, make_world) -> None:
    busy_world.step(10)
    before, saved = busy_world.state_hash(), busy_world.snapshot()
    other = make_world('<body name="a"><freejoint/><geom size=".1"/></body>')
    with pytest.raises(SimulationError, match="another model"):
        busy_world.restore(other.snapshot())
    stale = WorldSnapshot(saved.integration, "3.16.0", saved.structure)
    with pytest.raises(SimulationError, match=r"MuJoCo 3\.16\.0"):
        busy_world.restore(stale)
    with_part = WorldSnapshot(saved.integration, saved.mujoco_version, saved.structure, parts={"x": {}})
    with pytest.raises(SimulationError, match="parts"):
        busy_world.restore(with_part)
    with pytest.raises(SimulationError, match="missing"):
        WorldSnapshot.from_arrays({"integration": saved.integration})
    wrong = WorldSnapshot(saved.integration, saved.mujoco_version, saved.structure, {"geom_friction": np.zeros((1, 3))})
    with pytest.raises(SimulationError, match="geom_friction"):
        busy_world.restore(wrong)
    with pytest.raises(SimulationError, match="shape"):
        busy_world.set_integration_state(np.zeros(3))
    assert busy_world.state_hash() == before


def test_renamed_body_is_another_model(busy_xml: str, busy_world: World) -> None:
    renamed = World(mujoco.MjSpec.from_string(busy_xml.replace('"can"', '"tin"')))
    with pytest.raises(SimulationError, match="another model"):
        renamed.restore(busy_world.snapshot())


def test_names_of_parts_are_unique(busy_world: World) -> None:
    busy_world.register("drive", Drive())
    for name in ("drive", "a:b"):
        with pytest.raises(SimulationError, match=name):
            busy_world.register(name, Drive())


def test_check_finite_names_joint_body_and_time(busy_world: World) -> None:
    busy_world.step(12)
    busy_world.check_finite()
    saved = busy_world.snapshot()
    busy_world.data.qpos[busy_world.model.joint("lower").qposadr[0] + 1] = np.nan
    with pytest.raises(SimulationError, match=r"joint 'lower' of body 'lower' has a position .* t = 0\.1000 s"):
        busy_world.check_finite()
    busy_world.restore(saved)
    busy_world.data.qvel[busy_world.model.joint("upper").dofadr[0] + 2] = np.inf
    with pytest.raises(SimulationError, match="joint 'upper' of body 'upper' has a speed that is not finite"):
        busy_world.check_finite()


def test_check_finite_refuses_a_fast_free_body(busy_world: World) -> None:
    dof = busy_world.model.joint("crate/free").dofadr[0]
    busy_world.data.qvel[dof : dof + 3] = [12, 12, 10]
    busy_world.check_finite()
    busy_world.data.qvel[dof : dof + 3] = [12, 12, 12]
    with pytest.raises(SimulationError, match=r"'crate/free' of body 'crate' moves at 20\.8 m/s"):
        busy_world.check_finite()
    busy_world.data.qvel[dof : dof + 6] = [0, 0, 0, 50, 0, 0]
    busy_world.check_finite()


def test_divergence_is_seen_and_not_hidden_by_a_reset(busy_world: World) -> None:
    busy_world.step(5)
    assert busy_world.warnings() == {}
    busy_world.data.qpos[0] = np.nan
    busy_world.step()
    assert busy_world.warnings().get("mjWARN_BADQPOS") == 1
    assert busy_world.data.time > 0.04
    with pytest.raises(SimulationError, match="not finite"):
        busy_world.check_finite()


def test_sleeping_models_are_refused(busy_xml: str) -> None:
    spec = mujoco.MjSpec.from_string(busy_xml)
    spec.option.enableflags |= int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    with pytest.raises(SimulationError, match="sleeping"):
        World(spec)


def test_step_counts(busy_world: World) -> None:
    busy_world.step(4)
    assert busy_world.data.time == pytest.approx(4 / 120)
