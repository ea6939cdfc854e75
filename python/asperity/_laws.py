"""The laws of the catalogue as classes, made from what each law says of itself."""
from __future__ import annotations

import inspect
import keyword
import textwrap
from typing import Any, ClassVar, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type, Union

import numpy as np

from . import _core
from ._arrays import Array, number, numbers
from ._tables import Table, html, text

Value = Union[float, str, Sequence[float], Sequence[str]]


class Parameter(NamedTuple):
    """One parameter of a law."""

    name: str
    value: Union[float, Tuple[float, ...]]
    unit: str
    range: str
    meaning: str


class State(NamedTuple):
    """One number of the state of a law."""

    name: str
    unit: str
    meaning: str


class Force(NamedTuple):
    """What a frictional contact answers."""

    normal: Any
    tangential: Any


class Trace(Dict[str, Array]):
    """Columns of a law that was driven by formulas: t, the motion, force, states and energy. `stop` says why it ended early."""

    def __init__(self, columns: Mapping[str, Array], units: Mapping[str, str], stop: str = "") -> None:
        super().__init__(columns)
        self.units = dict(units)
        self.stop = stop

    def to_pandas(self) -> Any:
        import pandas as pd

        return pd.DataFrame(dict(self)).set_index("t")

    def __reduce__(self) -> Any:
        return Trace, (dict(self), self.units, self.stop)


_TRACE_METHODS = ("step", "euler", "rk4", "implicit", "implicit2")
_MOTIONS = {"friction": ("velocity", "load"), "contact": ("gap", "gap_rate"), "composite": ("gap", "gap_rate", "velocity")}
_USUAL = {"velocity": 0.0, "load": 1.0, "gap": 0.0, "gap_rate": 0.0}
_ORDER = ("velocity", "load", "gap", "gap_rate")  # of the extension


def _attribute(name: str) -> str:
    """The name of a parameter as Python writes it: normal.K is normal_K, lambda is lambda_."""
    plain = name.replace(".", "_")
    return plain + "_" if keyword.iskeyword(plain) else plain


class Law:
    """A friction or contact law with its parameters. Its class is one of the catalogue, such as `asperity.SingleState`; a law does
    not change: `replace` makes another one."""

    law: ClassVar[str]  #: its name in scenes
    kind: ClassVar[str]  #: friction, contact or composite
    title: ClassVar[str]
    equation: ClassVar[str]
    _names: ClassVar[Dict[str, str]]  # attribute -> parameter
    _elements: ClassVar[bool]
    _states: ClassVar[Tuple[State, ...]]
    __slots__ = ("_core", "_numbers")

    def __init__(self, *, elements: Optional[int] = None, **parameters: Value) -> None:
        if not hasattr(type(self), "law"):
            raise TypeError("Law has no parameters: take a class of the catalogue, such as asperity.laws['single_state']")
        given: List[Tuple[str, Any]] = []
        for name, value in parameters.items():
            given.append((self._names.get(name, name), _value(name, value)))
        count = None
        if elements is not None:
            if isinstance(elements, bool) or not isinstance(elements, (int, np.integer)):
                raise TypeError(f"elements = {elements!r}: must be a whole number")
            count = int(elements)
        elif type(self)._elements:
            lengths = {len(value) for _, value in given if isinstance(value, list) and len(value) > 1}
            count = lengths.pop() if len(lengths) == 1 else None
        law, problems = _core.new_law(self.law, count, given)
        if law is None:
            head = f"{type(self).__name__}: "
            raise ValueError(head + problems[0] if len(problems) == 1 else head + "".join(f"\n  {one}" for one in problems))
        object.__setattr__(self, "_core", law)
        object.__setattr__(self, "_numbers", {p[0]: tuple(p[1]) if p[5] else p[1] for p in law.parameters()})

    # --- what it is

    @property
    def parameters(self) -> "Table[Parameter]":
        """Name, value, unit, range and meaning of every parameter; a table in a notebook."""
        rows = [Parameter(p[0], tuple(p[1]) if p[5] else p[1], p[2], p[3], p[4]) for p in self._core.parameters()]
        return Table(Parameter._fields, rows, f"{type(self).__name__}: {self.title}")

    @property
    def states(self) -> Tuple[State, ...]:
        """Name, unit and meaning of each number of the state."""
        count = len(self._core.start())
        if count == len(self._states):
            return self._states
        return tuple(State(f"state[{i}]", "", "") for i in range(count))

    def replace(self, **changes: Value) -> "Law":
        """The same law with other values: `friction.replace(K="2 N/mm")`."""
        now: Dict[str, Any] = {name: list(value) if isinstance(value, tuple) else value for name, value in self._numbers.items()}
        now.update({self._names.get(name, name): value for name, value in changes.items() if name != "elements"})
        if "elements" in changes:
            raise ValueError("elements: make a new law, its lists have another length")
        return type(self)(**now)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._numbers[type(self)._names[name]]
        except (KeyError, AttributeError):
            raise AttributeError(f"{type(self).__name__} has no {name!r}; its parameters are {', '.join(getattr(type(self), '_names', ()))}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a law does not change: make another one with replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a law does not change")

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._names]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._numbers == other._numbers  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self.law, tuple(self._numbers.items())))

    def __reduce__(self) -> Any:
        return _again, (self.law, {name: list(value) if isinstance(value, tuple) else value for name, value in self._numbers.items()})

    def __repr__(self) -> str:
        def shown(value: Any) -> str:
            return repr(list(value)) if isinstance(value, tuple) else repr(value)

        return f"{type(self).__name__}({', '.join(f'{a}={shown(self._numbers[n])}' for a, n in self._names.items())})"

    def _repr_html_(self) -> str:
        return self.parameters._repr_html_()

    def to_dict(self) -> Dict[str, Any]:
        """As an element of a scene has it: {"law": "single_state", "F": 2.0, ...}."""
        table: Dict[str, Any] = {"law": self.law}
        for name, value in self._numbers.items():
            table[name] = list(value) if isinstance(value, tuple) else value
        return table

    # --- what it does

    def start(self) -> Array:
        """The state of a law that has not moved."""
        return self._core.start()  # type: ignore[no-any-return]

    def follow(self, *, dt: float, velocity: Any = None, position: Any = None, load: Any = None, gap: Any = None,
               gap_rate: Any = None, state: Any = None) -> Any:
        """The force for a sampled motion, as a control loop computes it: one step of length `dt` for each sample.

        Arrays of N samples, or of (systems, samples): then every row is a system of its own, and neighbours share SIMD lanes. A
        friction law takes `velocity` (m/s) and `load`; a contact law `gap` (m, negative while they overlap) and `gap_rate`; a
        frictional contact `gap`, `gap_rate` and `velocity`. In place of a velocity, `position` (m) is differenced: the first
        sample is at rest. So is `gap` where there is no `gap_rate`. Numbers hold for all samples. `state` is where each system
        starts; by default it has not moved.

        The answer has the shape of the motion, in N; that of a frictional contact is Force(normal, tangential)."""
        dt = number("dt", dt, "s", above=0)
        given = {"velocity": velocity, "load": load, "gap": gap, "gap_rate": gap_rate}
        if position is not None:
            if velocity is not None:
                raise ValueError("position and velocity: give one of them")
            if "velocity" not in _MOTIONS[self.kind]:
                raise ValueError(f"position: a {self.kind} law does not slide; it takes {_listed(_MOTIONS[self.kind])}")
            given["velocity"] = _difference("position", position, dt)
        if gap is not None and gap_rate is None:
            given["gap_rate"] = _difference("gap", gap, dt)
        motion = self._motion(given)
        shape = np.broadcast_shapes(*(one.shape for one in motion.values()))
        if len(shape) not in (1, 2):
            raise ValueError(f"the motion has the shape {shape}: must be (samples,) or (systems, samples)")
        full = {name: np.ascontiguousarray(np.broadcast_to(one, shape)) for name, one in motion.items()}
        systems, samples = (1, shape[0]) if len(shape) == 1 else shape
        states = np.empty((systems, len(self._core.start())))
        states[:] = self.start() if state is None else self._state(state, shape[:-1])
        force = self._core.follow(*(full.get(name) for name in _ORDER), systems, samples, dt, states)
        if isinstance(force, tuple):
            return Force(*(one.reshape(shape) for one in force))
        return force.reshape(shape)

    def trace(self, *, duration: Union[float, str], step: Union[float, str], velocity: Optional[str] = None, position: Optional[str] = None,
              load: Optional[str] = None, gap: Optional[str] = None, method: str = "step") -> "Trace":
        """The law driven by a motion that is given by formulas of t, "1e-3*sin(2*pi*t)": force, states and energy over time, as
        `asperity trace` writes them. `method` is step, euler, rk4, implicit or implicit2."""
        if method not in _TRACE_METHODS:
            raise ValueError(f"method = {method!r}: must be {', '.join(_TRACE_METHODS)}")
        given = {"velocity": velocity if velocity is not None else position, "load": load, "gap": gap}
        if velocity is not None and position is not None:
            raise ValueError("position and velocity: give one of them")
        for name, formula in (*given.items(), ("position", position)):
            if formula is not None and not isinstance(formula, str):
                raise TypeError(f"{name} = {formula!r}: must be a formula of t")
        self._check_names(given)
        h = number("step", step, "s", above=0)
        end = number("duration", duration, "s", above=0)
        if end / h > 1e8:
            raise ValueError(f"duration = {end:g} s: {end / h:.3g} steps: must be <= 1e8")
        problems, columns, stop = self._core.trace(velocity, position, load, gap, end, h, _TRACE_METHODS.index(method))
        if problems:
            raise ValueError("\n".join(problems))
        return Trace({name: values for name, _, values in columns}, {name: unit for name, unit, _ in columns}, stop)

    def react(self, state: Any, *, velocity: Any = None, load: Any = None, gap: Any = None, gap_rate: Any = None,
              tau: float = 0.0) -> Tuple[Any, Array]:
        """Force and rate of change of the state: the law as a differential equation, for your own solver. `tau` is the time that
        it looks ahead, s: 0 for an ODE solver, the step for a control loop. Columns of states, (states, m), go with m motions."""
        given = {"velocity": velocity, "load": load, "gap": gap, "gap_rate": gap_rate}
        tau = float(tau)
        if not tau >= 0 or tau == float("inf"):
            raise ValueError(f"tau = {tau}: must be a finite number >= 0")
        # One state and one motion, asked for thousands of times: without detours.
        array = numbers("state", state, finite=False)
        if array.ndim == 1 and all(value is None or isinstance(value, float) for value in given.values()):
            self._check_names(given)
            if array.shape[0] != len(self._core.start()):
                self._state(array, ())
            moved = [_USUAL[name] if given[name] is None else given[name] for name in _ORDER]
            f, rate = self._core.react_once(array, *moved, tau)
            return (Force(*f) if isinstance(f, tuple) else f), rate
        motion = self._motion(given)
        shape = np.broadcast_shapes(*(one.shape for one in motion.values()), array.shape[1:])
        if len(shape) > 1:
            raise ValueError(f"the motion has the shape {shape}: must be a number or an array of one dimension")
        columns = int(np.prod(shape))
        if array.shape[0:1] != self.start().shape:
            raise ValueError(f"state: has the shape {array.shape}: must begin with {len(self.start())}, the numbers of the state")
        z = np.ascontiguousarray(np.broadcast_to(array.reshape(array.shape[0], -1), (array.shape[0], columns)))
        rows = [np.broadcast_to(motion.get(name, np.asarray(_USUAL[name])), shape).reshape(columns) for name in _ORDER]
        f, rate = self._core.react(z, np.ascontiguousarray(np.stack(rows)), tau)

        def shaped(one: Array) -> Any:
            return float(one[0]) if shape == () else one

        rate = rate[:, 0] if shape == () else rate
        return (Force(*map(shaped, f)) if isinstance(f, tuple) else shaped(f)), rate

    def energy(self, state: Any, *, velocity: float = 0.0, load: float = 1.0, gap: float = 0.0, gap_rate: float = 0.0) -> float:
        """What it stores in this state, J."""
        z = self._state(numbers("state", state), ())
        return float(self._core.energy(z, *(number(n, v) for n, v in zip(_ORDER, (velocity, load, gap, gap_rate)))))

    def stepper(self, dt: float) -> "Stepper":
        """For a control loop: a function of one sample that remembers the state."""
        return Stepper(self, dt)

    # --- inside

    def _check_names(self, given: Mapping[str, Any]) -> None:
        takes = _MOTIONS[self.kind]
        for name, value in given.items():
            if value is not None and name not in takes:
                raise ValueError(f"{name}: a {self.kind} law does not read it; it takes {_listed(takes)}")
        if all(value is None for value in given.values()):
            raise TypeError(f"no motion: {type(self).__name__} takes {_listed(takes)}")

    def _motion(self, given: Mapping[str, Any]) -> Dict[str, Array]:
        self._check_names(given)
        motion = {name: numbers(name, value) for name, value in given.items() if value is not None}
        if "load" in motion and (motion["load"] < 0).any():
            raise ValueError(f"load = {motion['load'].min():g}: must be >= 0")
        return motion

    def _state(self, state: Any, systems: Tuple[int, ...]) -> Array:
        array = numbers("state", state)
        wanted = (*systems, len(self._core.start()))
        if array.shape != wanted and array.shape != wanted[-1:]:
            raise ValueError(f"state: has the shape {array.shape}: must be {wanted}")
        return array


class Stepper:
    """A law in a control loop: `force = stepper(velocity)`, one call per sample. `state` can be read and set."""

    __slots__ = ("law", "dt", "_core", "_call")

    def __init__(self, law: Law, dt: float) -> None:
        self.law = law
        self.dt = number("dt", dt, "s", above=0)
        self._core = _core.Stepper(law._core, self.dt)
        self._call = getattr(self._core, law.kind)

    def __call__(self, *motion: float, **named: float) -> Any:
        """`stepper(velocity, load=1)`, `stepper(gap, gap_rate)`, `stepper(gap, gap_rate, velocity)`, as the law needs."""
        takes = _MOTIONS[self.law.kind]
        if len(motion) < len(takes) or named:
            if len(motion) > len(takes):
                raise TypeError(f"stepper takes {_listed(takes)}: {len(motion)} numbers given")
            values = dict(zip(takes, motion))
            for name, value in named.items():
                if name not in takes or name in values:
                    raise TypeError(f"stepper takes {_listed(takes)}, each once: {name} is not, or given twice")
                values[name] = value
            if takes[0] not in values:
                raise TypeError(f"stepper takes {_listed(takes)}: {takes[0]} is missing")
            motion = tuple(values.get(name, _USUAL[name]) for name in takes)
        try:
            force = self._call(*motion)
        except TypeError:
            raise TypeError(f"stepper takes {_listed(takes)}, numbers: {motion!r} given") from None
        return Force(*force) if isinstance(force, tuple) else force

    @property
    def state(self) -> Array:
        return np.asarray(self._core.state())

    @state.setter
    def state(self, state: Any) -> None:
        self._core.set_state(self.law._state(state, ()))

    def reset(self) -> None:
        """Back to the state of a law that has not moved."""
        self._core.set_state(self.law.start())

    def __repr__(self) -> str:
        return f"{type(self.law).__name__}.stepper(dt={self.dt:g})"

    def __reduce__(self) -> Any:
        return _stepper_again, (self.law, self.dt, self.state)


def _stepper_again(law: Law, dt: float, state: Array) -> Stepper:
    stepper = law.stepper(dt)
    stepper.state = state
    return stepper


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _difference(name: str, values: Any, dt: float) -> Array:
    """The velocity of sampled positions: from the sample before; the first is at rest."""
    x = numbers(name, values)
    if x.ndim == 0:
        return np.zeros(())
    return np.ascontiguousarray(np.diff(x, axis=-1, prepend=x[..., :1]) / dt)


def _value(name: str, value: Any) -> Any:
    """A number, a quantity such as "5 N/mm", or a list of either."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and value and all(isinstance(one, str) for one in value):
        return list(value)
    array = numbers(name, value, finite=False)
    if array.ndim > 1:
        raise TypeError(f"{name}: must be a number, a quantity such as \"5 N/mm\", or a list of them")
    return float(array) if array.ndim == 0 else array.tolist()


def _again(law: str, values: Dict[str, Any]) -> Law:
    return laws[law](**values)


def _class_name(entry: Mapping[str, Any]) -> str:
    """single_state is SingleState; where the class in C++ has the same letters, it is spelled as there: lugre is LuGre."""
    name: str = entry["name"]
    if entry["type"].lower() == name.replace("_", ""):
        return str(entry["type"])
    return "".join(word.capitalize() for word in name.split("_"))


def _docstring(entry: Mapping[str, Any]) -> str:
    title = entry["title"][0].upper() + entry["title"][1:]
    lines = [f"{title}.", "", textwrap.indent(entry["equation"].strip("\n"), "    "), "", "Parameters", "----------"]
    for name, value, unit, allowed, meaning, is_list in entry["parameters"]:
        shown = text(tuple(value)) if is_list else f"{value:g}"
        kind = "list of numbers" if is_list else "number"
        unit_and_range = ", ".join(part for part in (unit if unit not in ("", "1") else "", allowed) if part)
        lines.append(f"{_attribute(name)} : {kind}{', ' + unit_and_range if unit_and_range else ''}, default {shown}")
        lines += textwrap.wrap(meaning, 100, initial_indent="    ", subsequent_indent="    ")
    if entry["elements"]:
        lines += ["elements : int", "    How many elements it has; all parameters at their defaults for so many."]
    for heading, key in (("Use it", "use"), ("Avoid it", "avoid"), ("It cannot", "cannot"), ("Exceptions", "quirk")):
        if entry[key]:
            lines += ["", f"{heading}:"] + textwrap.wrap(entry[key], 100, initial_indent="    ", subsequent_indent="    ")
    lines += ["", f"Source: {entry['source']}. In scenes: law = \"{entry['name']}\"."]
    return "\n".join(lines)


def _make(entry: Mapping[str, Any]) -> Type[Law]:
    names = {_attribute(p[0]): p[0] for p in entry["parameters"]}
    made: Type[Law] = type(_class_name(entry), (Law,), {
        "__slots__": (),
        "__module__": "asperity",
        "__doc__": _docstring(entry),
        "law": entry["name"],
        "kind": entry["kind"],
        "title": entry["title"],
        "equation": entry["equation"],
        "_names": names,
        "_elements": entry["elements"],
        "_states": tuple(State(*state) for state in entry["states"]),
    })
    arguments = [inspect.Parameter(a, inspect.Parameter.KEYWORD_ONLY, default=list(p[1]) if p[5] else p[1])
                 for a, p in zip(names, entry["parameters"])]
    if entry["elements"]:
        arguments.append(inspect.Parameter("elements", inspect.Parameter.KEYWORD_ONLY, default=None))
    made.__signature__ = inspect.Signature(arguments)  # type: ignore[attr-defined]
    return made


#: Every law of the catalogue, by its name in scenes.
laws: Dict[str, Type[Law]] = {name: _make(_core.catalogue_entry(name)) for name in _core.law_names()}


def law(name: str, **parameters: Any) -> Law:
    """A law by its name in scenes: `law("single_state", F=2)`."""
    if name not in laws:
        raise ValueError(f"no law is named {name}; known are {', '.join(laws)}")
    return laws[name](**parameters)


def law_of_numbers(name: str, values: Mapping[str, Any]) -> Law:
    return _again(name, dict(values))
