from __future__ import annotations

import numpy as np
import pytest

from bodyloop.errors import ConfigError, SimulationError, UnknownNameError
from bodyloop.evaluation import (
    AttributeSettings,
    ControlComponent,
    EpisodeTensors,
    ModuleModes,
    UnregisteredStateError,
    check_registered,
    preserved,
    restore_all,
    save_all,
)


def _registry(xp=np):
    state = EpisodeTensors(4, xp=xp)
    speed = state.add("speed", (), xp.float32, 1)
    target = state.child("path").add("target", (2,), xp.float64, xp.asarray([1.0, -1.0], dtype=xp.float64))
    return state, speed, target


def test_state_is_restored_in_place_so_that_views_stay_valid(xp):
    state, speed, target = _registry(xp)
    view = target[1:, :]
    snapshot = state.save_state()
    speed[...] = 5
    target[...] = 9
    state.load_state(snapshot)
    assert [float(x) for x in speed] == [1.0] * 4
    assert [float(x) for x in view[0, :]] == [1.0, -1.0]
    speed[...] = 3
    assert float(snapshot["speed"][0]) == 1.0


@pytest.mark.parametrize("mask", [False, True])
def test_reset_touches_the_named_rows_and_those_of_children(xp, mask):
    state, speed, target = _registry(xp)
    speed[...] = 5
    target[...] = 9
    state.reset(xp.asarray([False, True, False, True]) if mask else [1, 3])
    assert [float(x) for x in speed] == [5.0, 1.0, 5.0, 1.0]
    assert [float(x) for x in target[:, 1]] == [9.0, -1.0, 9.0, -1.0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.pop("speed"), "speed missing or unknown"),
        (lambda s: s.update(extra=1), "extra missing or unknown"),
        (lambda s: s["path"].pop("target"), r"path\.target missing or unknown"),
        (lambda s: s["path"].update(target=np.zeros((4, 3))), r"path\.target: expected shape \(4, 2\), got \(4, 3\)"),
        (lambda s: s["path"].update(target=np.zeros((4, 2), np.float32)), r"path\.target: expected dtype float64"),
        (lambda s: s.update(path=3), "path: expected a mapping"),
    ],
)
def test_a_snapshot_that_does_not_fit_writes_nothing(change, message):
    state, speed, _ = _registry()
    snapshot = state.save_state()
    speed[...] = 5
    change(snapshot)
    with pytest.raises(SimulationError, match=message):
        state.load_state(snapshot)
    assert (speed == 5).all()


def test_constants_are_neither_saved_nor_reset_and_a_changed_one_is_reported():
    state = EpisodeTensors(2, check_constants=True)
    table = state.constant("table", np.arange(2))
    snapshot = state.save_state()
    assert snapshot == {}
    state.load_state(snapshot)
    table[0] = 7
    state.reset([0])
    assert table[0] == 7
    with pytest.raises(SimulationError, match="constant table has changed"):
        state.load_state(snapshot)


def test_names_and_reset_values_are_checked():
    state, _, _ = _registry()
    for name in ("", "two words", "speed", "path"):
        with pytest.raises(ConfigError, match=r"identifier|registered twice"):
            state.add(name, (), np.float64)
    with pytest.raises(ConfigError, match="does not fit rows"):
        state.add("wide", (2,), np.float64, np.zeros(3))
    with pytest.raises(ConfigError, match="expected an array"):
        state.constant("c", [1, 2])
    for ids in ([4], [-1]):
        with pytest.raises(SimulationError, match=r"outside 0\.\.3"):
            state.reset(ids)
    with pytest.raises(SimulationError, match="expected a mask"):
        state.reset(np.ones(3, bool))


def test_a_registry_describes_itself():
    info = {entry.name: entry for entry in _registry()[0].describe()}
    assert info["path.target"].shape == (4, 2)
    assert info["path.target"].size_bytes == 64
    assert info["speed"].dtype == "float32"


class _Plain:
    def __init__(self, array):
        self.array = array


def _bare(self):
    self.heading = np.zeros((self.state.num_envs, 2))


def _in_list(self):
    self.history = [np.zeros(self.state.num_envs)]


def _in_mapping(self):
    self.table = {"a": np.zeros(self.state.num_envs)}


def _owned(self):
    self.stream = _Plain(np.zeros(self.state.num_envs))


def _control(fill, num_envs=3):
    class Steering(ControlComponent):
        services = frozenset({"library"})

        def __init__(self):
            super().__init__(num_envs)
            fill(self)

    return Steering()


@pytest.mark.parametrize("num_envs", [1, 3])
@pytest.mark.parametrize(
    ("fill", "name"),
    [(_bare, "heading"), (_in_list, r"history\[0\]"), (_in_mapping, r"table\['a'\]"), (_owned, r"stream\.array")],
)
def test_unregistered_state_is_refused_at_construction(fill, name, num_envs):
    with pytest.raises(UnregisteredStateError, match=rf"Steering\.{name}: .*self\.state\.add"):
        _control(fill, num_envs)


def test_unregistered_arrays_of_every_library_are_refused(xp):
    class Control(ControlComponent):
        def __init__(self, *, bare):
            super().__init__(3, xp=xp)
            self.speed = self.state.add("speed", (), xp.float32)
            if bare:
                self.heading = xp.zeros((3, 2))

    assert Control(bare=False).speed.shape == (3,)
    with pytest.raises(UnregisteredStateError, match=r"Control\.heading: an array \(3, 2\)"):
        Control(bare=True)


def test_registered_arrays_views_constants_and_services_are_accepted():
    def fill(self):
        self.flat = self.state.add("vertices", (5, 2), np.float64).reshape(-1, 2)
        self.speed = self.state.add("speed", (), np.float64)
        self.view = self.speed[:]
        self.ids = self.state.constant("ids", np.arange(3))
        self.path = _Plain(self.state.child("path").add("points", (2,), np.float64))
        self.library = _Plain(np.zeros(3))
        self.weights = np.zeros(7)

    control = _control(fill)
    snapshot = control.save_state()
    control.flat[...] = 4
    control.restore_state(snapshot)
    assert not control.flat.any()
    control.speed[...] = 2
    control.reset([1])
    assert control.view.tolist() == [2.0, 0.0, 2.0]
    control.late = np.zeros(3)
    with pytest.raises(UnregisteredStateError, match="late"):
        check_registered(control)


class _Part:
    def __init__(self, log, name, error=None):
        self.log, self.name, self.error, self.value = log, name, error, 0

    def save_state(self):
        return self.value

    def restore_state(self, snapshot):
        self.log.append(self.name)
        if self.error:
            raise self.error
        self.value = snapshot


def test_parts_are_restored_in_order_and_all_of_them():
    log = []
    broken = ValueError("solver")
    parts = {"poses": _Part(log, "poses"), "solver": _Part(log, "solver", broken), "rest": _Part(log, "rest")}
    snapshots = save_all(parts)
    parts["rest"].value = 9
    with pytest.raises(ValueError, match="solver") as caught:
        restore_all(parts, snapshots)
    assert log == ["poses", "solver", "rest"]
    assert parts["rest"].value == 0
    assert caught.value.__notes__ == ["while restoring solver"]
    with pytest.raises(SimulationError, match="snapshots do not fit the parts: rest"):
        restore_all(parts, {"poses": 0, "solver": 0})


def test_an_error_inside_survives_a_failing_restoration():
    log, original = [], RuntimeError("kernel")
    broken = ValueError("solver")
    parts = {"solver": _Part(log, "solver", broken), "rest": _Part(log, "rest")}

    def failing():
        with preserved(parts):
            parts["rest"].value = 9
            raise original

    with pytest.raises(RuntimeError) as caught:
        failing()
    assert caught.value is original
    assert original.__context__ is broken
    assert "ValueError: solver" in original.__notes__[0]
    assert parts["rest"].value == 0
    with pytest.raises(ValueError, match="solver"), preserved(parts):
        pass


class _Module:
    def __init__(self, *children, training=True):
        self.children, self.training = children, training

    def modules(self):
        yield self
        for child in self.children:
            yield from child.modules()

    def eval(self):
        for module in self.modules():
            module.training = False


class _Settings:
    push = True
    noise = (0.1,)


@pytest.mark.parametrize("fails", [False, True])
def test_module_modes_and_settings_come_back(fails):
    frozen, settings = _Module(training=False), _Settings()
    model = _Module(frozen, _Module())
    parts = {"modes": ModuleModes(model), "settings": AttributeSettings(settings, ("push", "noise"))}
    try:
        with preserved(parts):
            model.eval()
            settings.push, settings.noise = False, ()
            if fails:
                raise RuntimeError
    except RuntimeError:
        assert fails
    assert [module.training for module in model.modules()] == [True, False, True]
    assert (settings.push, settings.noise) == (True, (0.1,))
    with pytest.raises(UnknownNameError, match="did you mean 'push'"):
        AttributeSettings(settings, ("pushes",))
