"""A scene built in Python, without a file."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence

from ._run import Run
from ._scene import Scene
from ._simulation import Simulation


class World:
    """Bodies, elements and inputs by name; the keys are those of scenes, in docs/scenes.md.

        world = World(gravity=[0, 0, -9.81])
        world.body("ball", kind="rigid_body", shape="sphere", mass=0.1, radius="2 cm", position=[0, 0, 1])
        world.element("floor", between=("ball", "ground"), law="frictional_contact", direction=[0, 0, 1],
                      normal=LinearCompliance(K=1e4), friction={"law": "single_state", "mu": 0.5})
        run = world.run(duration=1, step=1e-4)

    A law stands for its name and all its parameters. `scene()` makes a scene of it: to check, to change, to run step by step."""

    def __init__(self, *, gravity: Any = None, title: str = "", **let: Any) -> None:
        self._tables: Dict[str, Any] = {"title": title} if title else {}
        if let:
            self._tables["let"] = dict(let)
        if gravity is not None:
            self._tables["world"] = {"gravity": gravity}
        self._lists: Dict[str, List[Dict[str, Any]]] = {"body": [], "element": [], "input": [], "controller": []}

    def body(self, name: str, *, kind: str = "mass", **keys: Any) -> str:
        """A body; returns its name. `kind` is mass, rigid_body, prescribed, arm or friction_mass."""
        self._lists["body"].append({"name": name, "kind": kind, **keys})
        return name

    def mass(self, name: str, mass: Any, **keys: Any) -> str:
        """A mass on a line, in a plane or in space, as many dimensions as its position has."""
        return self.body(name, kind="mass", mass=mass, **keys)

    def element(self, name: str, between: Sequence[str], law: Any, **keys: Any) -> str:
        """What acts between two bodies, "ground" is one: a law of the catalogue or its name, and where it acts. Returns its name."""
        if len(between) != 2 or isinstance(between, str):
            raise ValueError(f"between = {between!r}: must be the names of two bodies")
        self._lists["element"].append({"name": name, "between": list(between), "law": law, **keys})
        return name

    def input(self, on: str, *, force: Any = None, torque: Any = None) -> None:
        """A force or a torque on a body: numbers, or formulas of t and of the motion, "-kp*block.position"."""
        given = {"force": force, "torque": torque}
        self._lists["input"].append({"on": on, **{key: value for key, value in given.items() if value is not None}})

    def controller(self, on: str, *, every: Any, force: Any = None, torque: Any = None, **keys: Any) -> None:
        """A sampled one: formulas of the motion that are looked at every `every` seconds, with `delay` and `resolution`."""
        given = {"force": force, "torque": torque, **keys}
        self._lists["controller"].append({"on": on, "every": every, **{key: value for key, value in given.items() if value is not None}})

    def to_dict(self, **run: Any) -> Dict[str, Any]:
        """The scene as a dict; keywords are keys of [run]."""
        return {**self._tables, "run": {"duration": 1.0, "step": 1e-3, **run}, **{name: list(one) for name, one in self._lists.items() if one}}

    def scene(self, **run: Any) -> Scene:
        """A scene of it: `world.scene(duration=2, step=1e-3)`."""
        return Scene(self.to_dict(**run))

    def run(self, *, record: Any = None, every: Any = None, progress: Any = None, **run: Any) -> Run:
        """Runs it: `world.run(duration=2, step=1e-3, method="implicit2")`."""
        return self.scene(**run).run(record=record, every=every, progress=progress)

    def start(self, **options: Any) -> Simulation:
        """Step by step: see `Simulation`."""
        return self.scene().start(**options)

    def control(self, controller: Callable[[Simulation], Any], *, every: Any, **options: Any) -> Run:
        """With a sampled controller: see `Scene.control`."""
        return self.scene().control(controller, every=every, **options)

    def __repr__(self) -> str:
        return f"<World: {len(self._lists['body'])} bodies, {len(self._lists['element'])} elements, {len(self._lists['input'])} inputs>"
