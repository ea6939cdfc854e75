"""A scene step by step."""
from __future__ import annotations

import warnings
from collections import deque
from typing import Any, Callable, Deque, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import _core, _toml
from ._arrays import Array, number, numbers
from ._errors import DoubtfulWarning, Interrupted, RunError
from ._progress import Bar, Progress
from ._run import Energy, Event, Run
from ._tables import Table


class Simulation:
    """A scene that goes on one step at a time, pushed by your own program.

        with scene.start(step=1e-3) as sim:
            while sim.time < 5:
                sim.push("block", force=-kp * sim["block.position"])
                sim.step()
        run = sim.run()

    What is pushed holds until it is changed, beside the inputs of the scene: a controller with a zero-order hold. With a method that
    chooses its own steps, `step()` is one of those. A failure raises RunError, with what was recorded."""

    def __init__(self, scene: Any, *, step: Any = None, method: Optional[str] = None, duration: Optional[float] = None,
                 record: Any = None, every: Any = None, **options: Any) -> None:
        given = {"run.step": step, "run.method": method, "record.columns": None if record is False else record, "record.every": every,
                 **{f"run.{name}": value for name, value in options.items()}}
        self.scene = scene.copy()
        self.scene.set({path: value for path, value in given.items() if value is not None})
        built = self.scene._built()
        # Without an end of its own: ten million steps are more than a program looks at one by one.
        end = 1e7 * built.step if duration is None else number("duration", duration, "s", above=0)
        rows = number("every", every, "s", least=0) if every is not None else 0.0
        settings = [_toml.setting(path, value) for path, value in self.scene._settings.items()]
        try:
            self._core = _core.Stepping(self.scene._text, self.scene.file, settings, end, rows, record is not False)
        except ValueError as problem:
            raise RunError(str(problem).splitlines()) from None
        self._bodies: Dict[str, Tuple[int, bool]] = {name: (count, turns) for name, count, turns in self._core.bodies()}

    # --- what it does

    def push(self, body: str, *, force: Any = None, torque: Any = None) -> None:
        """A force (N) and a torque (N m) on a body, until they are changed; a joint of an arm takes a torque. Vectors where the body
        moves in a plane or in space."""
        if body not in self._bodies:
            raise KeyError(f"{body}: nothing of that name can be pushed; there are {', '.join(self._bodies) or 'no bodies that move'}")
        count, joint = self._bodies[body]
        moves = count if count < 6 else 3
        if force is None and torque is None:
            raise TypeError("push: force or torque is missing")
        if force is not None and joint:
            raise ValueError(f"force on {body}: a joint is turned: use torque")
        if torque is not None and count < 6 and not joint:
            raise ValueError(f"torque on {body}: a mass cannot be turned: use force")
        if force is not None:
            self._core.push(body, self._vector("force", body, force, moves), 0)
        if torque is not None:
            self._core.push(body, self._vector("torque", body, torque, 1 if joint else 3), 0 if joint else 3)

    @staticmethod
    def _vector(name: str, body: str, value: Any, count: int) -> List[float]:
        array = np.atleast_1d(numbers(name, value))
        if array.shape != (count,):
            raise ValueError(f"{name} on {body}: has {array.size} numbers: must have {count}")
        return array.tolist()  # type: ignore[no-any-return]

    def step(self, count: int = 1) -> None:
        """So many steps. At the end of `duration` a StopIteration, after a failure a RunError."""
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise ValueError(f"count = {count!r}: must be a whole number >= 1")
        if self._core.step(int(count)) == count:
            return
        failure = self._core.failure()
        if failure is not None:
            raise RunError([failure], self.run())
        raise StopIteration(f"the simulation ended at {self.time:g} s")

    # --- what it is

    @property
    def time(self) -> float:
        """s"""
        return float(self._core.time())

    def __getitem__(self, name: str) -> float:
        """A number now, by its name: sim["block.position"], sim["floor.force"], sim["energy.kinetic"]."""
        try:
            return float(self._core.value(name))
        except ValueError as problem:
            raise KeyError(str(problem)) from None

    @property
    def quantities(self) -> Dict[str, str]:
        """The names of all numbers that can be read, with their units."""
        return dict(self._core.quantities())

    @property
    def state(self) -> Array:
        """The flat state, bodies first."""
        return np.asarray(self._core.state())

    @property
    def warnings(self) -> List[str]:
        """What the set-up checks found before the first step."""
        return list(self._core.warnings())

    @property
    def events(self) -> "Table[Event]":
        return self.run().events

    @property
    def energy(self) -> Energy:
        return self.run().energy

    def run(self) -> Run:
        """What was recorded so far, as a run that ended now."""
        from ._scene import run_of

        run = run_of(self.scene, self._core.result())
        assert run is not None
        return run

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def __repr__(self) -> str:
        return f"<Simulation {self.scene.title or self.scene.file!r} at {self.time:g} s>"


def _multiple(name: str, value: Any, step: float, least: int) -> int:
    """How many steps it is."""
    seconds = number(name, value, "s", least=0)
    count = round(seconds / step)
    if count < least or abs(count * step - seconds) > 1e-6 * step:
        raise ValueError(f"{name} = {seconds:g} s: must be a multiple of the step, {step:g} s; use a step of {seconds / max(1, -(-seconds // step))!r} s")
    return count


def _push(sim: Simulation, pushes: Any) -> None:
    if not isinstance(pushes, Mapping):
        raise TypeError(f"the controller returned {pushes!r}: must be a dict of forces by body, such as {{\"block\": 1.0}}")
    for body, push in pushes.items():
        if isinstance(push, Mapping):
            sim.push(body, **push)
        elif sim._bodies.get(body, (0, False))[1]:
            sim.push(body, torque=push)
        else:
            sim.push(body, force=push)


def control(scene: Any, controller: Callable[[Simulation], Any], *, every: Any, delay: Any, duration: Any, step: Any, method: Optional[str],
            record: Any, progress: Progress, **options: Any) -> Run:
    """See Scene.control."""
    end = scene._built().duration if duration is None else number("duration", duration, "s", above=0)
    sim = Simulation(scene, step=step, method=method, duration=end, record=record, every=None, **options)
    built = sim.scene._built()
    from ._scene import integration_methods

    if integration_methods.get(built.method, False):
        raise ValueError(f"method = {built.method}: a sampled controller needs a method with a fixed step")
    period, late = _multiple("every", every, built.step, 1), _multiple("delay", delay, built.step, 0)
    steps = round(end / built.step)
    waiting: Deque[Tuple[int, Any]] = deque()
    with Bar(progress, sim.scene.title or "run", "s") as bar:
        try:
            at = 0
            while at < steps:
                if at % period == 0:
                    pushes = controller(sim)
                    if pushes is not None:
                        waiting.append((at + late, pushes))
                while waiting and waiting[0][0] == at:
                    _push(sim, waiting.popleft()[1])
                until = min(steps, (at // period + 1) * period, waiting[0][0] if waiting else steps)
                sim.step(until - at)
                at = until
                if bar.tell is not None:
                    bar.tell(sim.time, end, "")
        except RunError:  # of the run itself
            raise
        except KeyboardInterrupt:
            scene.last = sim.run()
            raise Interrupted(scene.last) from None
        except Exception as problem:
            scene.last = sim.run()
            raise RunError([f"the controller ended the run at {sim.time:g} s: {problem!r}"], scene.last) from problem
    run = scene.last = sim.run()
    if run.verdict == "failed":
        raise RunError([one.text for one in run.findings], run)
    if run.verdict == "doubtful":
        warnings.warn(run.doubts, DoubtfulWarning, stacklevel=3)
    return run
