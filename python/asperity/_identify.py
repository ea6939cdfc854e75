"""Laws from measured data."""
from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._arrays import Array, number, numbers
from ._errors import Interrupted
from ._laws import Law, law_of_numbers
from ._pages import Page
from ._progress import Bar, Progress
from ._run import Run
from ._tables import Table

Column = Tuple[str, str, Array]


class Row(NamedTuple):
    """One law on the data."""

    law: str
    rms: float  #: N, of the residuals where it was fitted
    unseen_rms: float  #: N, on data that it has not seen
    explained: float  #: of the variance of the force
    free: int  #: parameters that were found
    identified: bool


class Estimate(NamedTuple):
    """One number that was found."""

    name: str
    value: float
    error: float  #: standard error
    low: float  #: 95 %
    high: float
    unit: str
    remark: str


class FittedLaw:
    """One law as it was found, with what is known of its numbers."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        #: The law, ready to run.
        self.law: Law = law_of_numbers(found["law"], dict(found["parameters"]))
        #: Each number with its standard error, its interval and a remark.
        self.estimates: Table[Estimate] = Table(Estimate._fields, [Estimate(*one) for one in found["findings"]], found["law"])
        self.rms: float = found["rms"]
        self.unseen_rms: float = found["unseen_rms"]
        self.explained: float = found["explained"]
        self.free: int = found["free"]
        #: Beside the law: force = mass a + law(v) + viscous v + offset.
        self.mass: float = found["mass"]
        self.viscous: float = found["viscous"]
        self.offset: float = found["offset"]
        self.identified: bool = found["identified"]
        #: What the data do not tell of it, one sentence each.
        self.doubts: List[str] = list(found["doubts"])
        #: A scene with it, as text.
        self.scene: str = found["scene"]
        #: The predicted force, sample by sample, N.
        self.force: Array = found["force"]

    def __repr__(self) -> str:
        return f"<FittedLaw {self.law!r}: {self.unseen_rms:.4g} N on unseen data>"

    def _repr_html_(self) -> str:
        return self.estimates._repr_html_()


class Fit:
    """What `identify` found: the laws, the best of them first."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        #: The laws as they were found, ranked.
        self.laws: List[FittedLaw] = [FittedLaw(one) for one in found["laws"]]
        self._best: str = found.get("best", "")
        #: Which law to take, and why, in one sentence.
        self.advice: str = found.get("advice", "")
        #: Everything, as `asperity identify --json` prints it.
        self.facts: Dict[str, Any] = json.loads(found.get("json", "{}"))
        #: What was done to the data.
        self.notes: List[str] = list(found.get("notes", []))
        #: Samples of the data: time (s), velocity (m/s) and force (N).
        self.t: Array = found.get("t", np.empty(0))
        self.velocity: Array = found.get("velocity", np.empty(0))
        self.force: Array = found.get("measured", np.empty(0))
        #: Whether it was stopped before all laws were fitted.
        self.stopped: bool = found["stopped"]
        self._text: str = found.get("text", "")
        self._page: str = found.get("page", "")

    @property
    def fitted(self) -> FittedLaw:
        """The law to take, with errors and doubts."""
        return next(one for one in self.laws if one.law.law == self._best)

    @property
    def best(self) -> Law:
        """The law to take, ready to run."""
        return self.fitted.law

    @property
    def doubts(self) -> List[str]:
        """What the data do not determine about the best law."""
        return self.fitted.doubts

    @property
    def table(self) -> "Table[Row]":
        """The laws beside each other."""
        return Table(Row._fields, [Row(one.law.law, one.rms, one.unseen_rms, one.explained, one.free, one.identified) for one in self.laws],
                     "laws, the best on unseen data first")

    def __getitem__(self, law: str) -> FittedLaw:
        for one in self.laws:
            if one.law.law == law:
                return one
        raise KeyError(f"{law}: fitted are {', '.join(one.law.law for one in self.laws)}")

    def report(self, folder: Union[str, "os.PathLike[str]", None] = None) -> Page:
        """The page with laws, residuals and doubts: shown in a notebook. With a folder, writes it there as report.html, beside
        identify.json and a scene for each law."""
        if folder is not None:
            place = Path(folder)
            place.mkdir(parents=True, exist_ok=True)
            (place / "report.html").write_text(self._page, encoding="utf-8")
            (place / "identify.json").write_text(json.dumps(self.facts, indent=2), encoding="utf-8")
            for one in self.laws:
                (place / f"{one.law.law}.toml").write_text(one.scene, encoding="utf-8")
        return Page(self._page)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Fit of {len(self.laws)} laws, best {self.best!r}>" if self._best else "<Fit of no law>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_() + (self.fitted._repr_html_() if self._best else "")


def _columns(name: str, data: Any) -> Tuple[str, List[Column]]:
    """A file, a run, a DataFrame, or a dict of arrays; "q [mm]" is a name and its unit."""
    if isinstance(data, (str, os.PathLike)):
        problems, columns = _core.read_table(os.fspath(data))
        if columns is None:
            raise OSError("\n".join(problems)) if not os.path.exists(data) else ValueError("\n".join(problems))
        return os.fspath(data), columns
    if isinstance(data, Run):
        return data.title or name, data._all()
    if not hasattr(data, "items"):
        raise TypeError(f"{name}: must be a file, a run, a DataFrame or a dict of arrays, not {type(data).__name__}")
    units = getattr(data, "attrs", {}).get("units", {})
    found: List[Column] = []
    for header, values in data.items():
        text = str(header)
        split = re.fullmatch(r"(.*\S)\s*\[([^\]]*)\]", text)
        array = np.asarray(values)
        if array.dtype.kind not in "fiu":
            continue  # a column of words: no channel
        column, unit = (split.group(1), split.group(2)) if split else (text, units.get(text, ""))
        found.append((column, unit, numbers(text, values, finite=False)))
        if found[-1][2].ndim != 1:
            raise ValueError(f"{text}: has the shape {found[-1][2].shape}: must be one column")
    index = getattr(data, "index", None)
    if index is not None and getattr(index, "name", None) and str(index.name) not in [one[0] for one in found] and np.asarray(index).dtype.kind in "fiu":
        found.insert(0, (str(index.name), "", numbers(str(index.name), np.asarray(index))))
    if not found:
        raise ValueError(f"{name}: has no columns of numbers")
    lengths = {one[0]: one[2].size for one in found}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"{name}: columns of different lengths: {', '.join(f'{k} {v}' for k, v in lengths.items())}")
    return name, found


def _map(channels: Mapping[str, Optional[str]]) -> str:
    given = {what: column for what, column in channels.items() if column is not None}
    for what, column in given.items():
        if not isinstance(column, str):
            raise TypeError(f"{what} = {column!r}: must be the name of a column, such as \"q [mm]\" or \"35.15*u\"")
    return ", ".join(f"{what}={column}" for what, column in given.items())


def _window(name: str, window: Any) -> Optional[Tuple[float, float]]:
    if window is None:
        return None
    try:
        low, high = window
    except (TypeError, ValueError):
        raise TypeError(f"{name} = {window!r}: must be (from, to) in s") from None
    low = float("-inf") if low is None else number(name, low)
    high = float("inf") if high is None else number(name, high)
    if not low < high:
        raise ValueError(f"{name} = {window!r}: must be (from, to) in s, from < to")
    return low, high


def identify(data: Any, *, laws: Union[str, Sequence[str]], time: Optional[str] = None, position: Optional[str] = None,
             velocity: Optional[str] = None, acceleration: Optional[str] = None, force: Optional[str] = None, torque: Optional[str] = None,
             current: Optional[str] = None, load: Optional[str] = None, mass: Union[float, str] = 0.0, viscous: bool = False,
             offset: bool = False, elements: int = 10, robust: bool = False, fixed: Optional[Mapping[str, float]] = None,
             bounds: Optional[Mapping[str, Tuple[float, float]]] = None, train: Any = None, test: Any = None, validate: Any = None,
             filter: str = "", progress: Progress = None) -> Fit:
    """Fits laws to measured motion and force, and judges them on data that they have not seen:

        force = mass a + law(v) + viscous v + offset

    data : a file, a DataFrame, a dict of arrays or a run
    laws : names of laws; `asperity.identify_laws` has those that can be fitted
    time, position, velocity, acceleration, force, torque, current, load : which column is what, with a unit and a factor where it
        needs them: position="q [mm]", force="35.15*u"
    mass : kg; "free": to be found
    viscous, offset : whether they are to be found
    fixed, bounds : parameters that are known, {"v_s": 1e-3}; where one is looked for, {"alpha": (0.5, 3)}
    train, test : (from, to) in s; by default the first two thirds are fitted, the rest is unseen
    validate : other data with the same columns, to judge on
    filter : "butter:ORDER:HERTZ" or "none"
    robust : impulsive noise counts little"""
    names = [laws] if isinstance(laws, str) else list(laws)
    if isinstance(elements, bool) or not isinstance(elements, int) or not 1 <= elements <= 50:
        raise ValueError(f"elements = {elements!r}: must be a whole number between 1 and 50")
    limits = []
    for name, pair in (bounds or {}).items():
        low, high = number(name, pair[0]), number(name, pair[1])
        if not 0 < low < high:
            raise ValueError(f"bounds of {name} = {pair!r}: must be (low, high) with 0 < low < high")
        limits.append((name, low, high))
    name, columns = _columns("data", data)
    other = None if validate is None else _columns("validate", validate)[1]
    channels = _map({"time": time, "position": position, "velocity": velocity, "acceleration": acceleration, "force": force,
                     "torque": torque, "current": current, "load": load})
    with Bar(progress, "identify", "") as bar:
        found = _core.identify(names, name, columns, channels, other, filter, None if mass == "free" else number("mass", mass, "kg", least=0), bool(viscous), bool(offset),
                               elements, bool(robust), [(k, number(k, v)) for k, v in (fixed or {}).items()], limits,
                               _window("train", train), _window("test", test), bar.tell)
    if isinstance(found["error"], KeyboardInterrupt):
        raise Interrupted(Fit(found) if found["laws"] else None) from None
    if found["error"] is not None:
        raise found["error"]
    if found["problems"]:
        raise ValueError("\n".join(found["problems"]))
    return Fit(found)


class SlipStudy:
    """What the saw-tooth of a spring force says about friction."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        #: Everything, as `asperity identify --spring ... --json` prints it.
        self.facts: Dict[str, Any] = json.loads(found["json"])
        self._text: str = found["text"]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<SlipStudy of {len(self.facts.get('laws', []))} laws>"


def stick_slip(data: Any, *, laws: Union[str, Sequence[str]], time: str, force: str, spring: Union[float, str], pull: Union[float, str],
               mass: Optional[float] = None, load: Union[float, str, None] = None, slip: Optional[float] = None,
               predict: Optional[float] = None, validate: Any = None, fixed: Optional[Mapping[str, float]] = None,
               progress: Progress = None) -> SlipStudy:
    """Stick-slip of a sled that is pulled through a spring (N/m) at the speed `pull` (m/s): which laws slip as the data do.

    load : N, what the force is over; "free": read off the rise of the force while it sticks
    slip : falls by more than this are slips
    predict : N/m, of another spring; `validate` is data of that one"""
    name, columns = _columns("data", data)
    other = None if validate is None else _columns("validate", validate)[1]
    with Bar(progress, "stick-slip", "") as bar:
        found = _core.stick_slip([laws] if isinstance(laws, str) else list(laws), name, columns, _map({"time": time, "force": force}),
                                 number("spring", spring, "N/m"), number("pull", pull, "m/s"), None if mass is None else number("mass", mass, "kg", above=0),
                                 None if load is None or load == "free" else number("load", load, above=0), load == "free",
                                 None if slip is None else number("slip", slip, above=0), 0.0 if predict is None else number("predict", predict, "N/m", above=0),
                                 other, [(k, number(k, v)) for k, v in (fixed or {}).items()], bar.tell)
    if isinstance(found["error"], KeyboardInterrupt):
        raise Interrupted(None) from None
    if found["error"] is not None:
        raise found["error"]
    if found["problems"]:
        raise ValueError("\n".join(found["problems"]))
    return SlipStudy(found)


#: The laws that can be fitted.
identify_laws: List[str] = list(_core.identify_laws())
