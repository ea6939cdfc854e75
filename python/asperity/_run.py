"""A run: its numbers, what happened in it, and how far to trust it."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, get_type_hints

import numpy as np

from . import _core
from ._arrays import Array, read_only
from ._errors import RunError
from ._pages import Page
from ._tables import Table, html

if TYPE_CHECKING:
    from ._scene import Scene


class Event(NamedTuple):
    """What an element did: touch, release, slip or stick."""

    time: float  #: s
    kind: str
    element: str
    speed: float  #: m/s, of the closing gap at a touch, of the opening gap at a release; else 0


class Impact(NamedTuple):
    """From a touch to the release after it."""

    element: str
    touch: float  #: s
    release: float  #: s
    impact_speed: float  #: m/s
    separation_speed: float  #: m/s
    restitution: float


class Motion(NamedTuple):
    """What a body does at the end against what it is in contact with; a number that does not apply is nan."""

    body: str
    against: str
    kind: str  #: held, rests, creeps, slides, stick-slip, rolls, oscillates, moves, bounces or released
    since: float  #: s, from here on it was judged
    until: float  #: s
    moved: float  #: in this time, without what goes back and forth
    unit: str  #: of `moved`: m, or rad
    speed: float
    load: float  #: the largest share of the limit of its friction
    period: float  #: s, of stick-slip
    restitution: float  #: of the fastest impact
    text: str

    def __str__(self) -> str:
        return self.text


class Energy(NamedTuple):
    """work_in = change of (kinetic + potential + stored) + dissipated + closing_error, J; nan where energy is not known."""

    work_in: float
    kinetic: float
    potential: float
    stored: float
    dissipated: float
    closing_error: float


class Warning_(NamedTuple):
    """What the set-up checks found before the first step."""

    component: str
    kind: str
    value: float
    limit: float
    text: str


class Finding(NamedTuple):
    """What the run found out about its own numbers."""

    severity: str  #: remark, note or failure
    kind: str
    component: str
    value: float
    limit: float
    text: str


class Hold(NamedTuple):
    """What an element does at the end: open, touching, held or slipping, and since when."""

    mode: str
    since: float  #: s

    def __bool__(self) -> bool:
        return self.mode == "held"


Column = Tuple[str, str, Array]


class Run(Mapping[str, Array]):
    """A run in memory: a mapping from the names of its columns to arrays.

    `run["block.position"]` is a read-only view of the numbers, `run.t` the time, `run.units["block.position"]` the unit."""

    def __init__(self, scene: "Optional[Scene]", end: str, facts: Any, held: Sequence[Tuple[str, str, float]],
                 columns: Sequence[Column]) -> None:
        self.scene = scene
        self._end = end
        self._given = facts  # as text, or what writes it
        self._facts: Optional[Dict[str, Any]] = None
        self._columns = {name: read_only(values) for name, _, values in columns}
        #: The unit of each column.
        self.units: Dict[str, str] = {name: unit for name, unit, _ in columns}
        #: What each element does at the end: `run.held["left.1"].mode` is open, touching, held or slipping.
        self.held: Dict[str, Hold] = {element: Hold(mode, since) for element, mode, since in held}

    @property
    def _json(self) -> str:
        if not isinstance(self._given, str):
            self._given = self._given.json()
        return str(self._given)

    # --- columns

    def __getitem__(self, name: str) -> Array:
        try:
            return self._columns[name]
        except (KeyError, TypeError):
            import difflib

            near = difflib.get_close_matches(str(name), self._columns, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; recorded are {', '.join(self._columns)}"
            raise KeyError(f"{name}{hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def t(self) -> Array:
        """The time, s."""
        return self["time"]

    @property
    def columns(self) -> List[str]:
        return list(self._columns)

    # --- facts

    @property
    def facts(self) -> Dict[str, Any]:
        """Everything that is known of the run, as summary.json has it (docs/guides/run-a-scene.md)."""
        if self._facts is None:
            self._facts = json.loads(self._json)
        return self._facts

    @property
    def title(self) -> str:
        return str(self.facts["title"])

    @property
    def finished(self) -> bool:
        """Whether it got to its end."""
        return bool(self.facts["run"]["finished"])

    @property
    def stopped(self) -> bool:
        """Whether it was stopped by Ctrl-C."""
        return self._end == "stopped"

    @property
    def verdict(self) -> str:
        """fine, doubtful or failed."""
        return str(self.facts["verdict"])

    @property
    def motions(self) -> "Table[Motion]":
        """What each body does at the end: held, rests, creeps, slides, bounces; empty for a run that was stepped by hand."""
        return Table(Motion._fields, [_tuple(Motion, one) for one in self.facts.get("motions") or []], "motions")

    @property
    def events(self) -> "Table[Event]":
        return Table(Event._fields, [_tuple(Event, one) for one in self.facts["events"]["list"]], "events")

    @property
    def impacts(self) -> "Table[Impact]":
        return Table(Impact._fields, [_tuple(Impact, one) for one in self.facts["impacts"]], "impacts")

    @property
    def energy(self) -> Energy:
        energy: Energy = _tuple(Energy, self.facts["energy"])
        return energy

    @property
    def warnings(self) -> "Table[Warning_]":
        return Table(Warning_._fields, [_tuple(Warning_, one) for one in self.facts["warnings"]], "warnings")

    @property
    def findings(self) -> "Table[Finding]":
        return Table(Finding._fields, [_tuple(Finding, one) for one in self.facts["findings"]], "findings")

    @property
    def notes(self) -> List[str]:
        """What the method `auto` decided; what was done to an inclusion."""
        return list(self.facts["notes"])

    @property
    def failure(self) -> Optional[str]:
        """Why it did not get to its end; None if it did."""
        failure = self.facts["failure"]
        return None if failure is None else str(failure["text"])

    @property
    def final(self) -> Dict[str, float]:
        """What is recorded, at the end."""
        return {one["name"]: _number(one["value"]) for one in self.facts["final"]}

    @property
    def statistics(self) -> Dict[str, Any]:
        """Method, steps, evaluations, wall_seconds and what else the method counted."""
        return dict(self.facts["run"])

    @property
    def doubts(self) -> str:
        """What is doubtful about the numbers, in words; empty if there is nothing."""
        return str(_core.doubts(self._json)).strip()

    def summary(self) -> str:
        """What happened, the final state, the energy account: as `asperity run` prints it."""
        return str(_core.summary(self._json)) + str(_core.doubts(self._json))

    # --- elsewhere

    def to_pandas(self) -> Any:
        """A DataFrame, its index the time; its `attrs["units"]` are the units."""
        import pandas as pd

        frame = pd.DataFrame({name: values for name, values in self.items() if name != "time"}, index=pd.Index(self.t, name="time"))
        frame.attrs["units"] = dict(self.units)
        frame.attrs["title"] = self.title
        return frame

    def select(self, *names: str) -> List[str]:
        """Columns by name; `floor.*` are all that begin so."""
        chosen: List[str] = []
        for name in names:
            found = [one for one in self._columns if one.startswith(name[:-1])] if name.endswith("*") else [name]
            if not found or found == [name]:
                self[name]
            chosen += [one for one in found if one not in chosen]
        return chosen

    def plot(self, *names: str, x: str = "time", events: bool = True, axes: Any = None) -> Any:
        """Draws columns with matplotlib, one panel for each unit, and returns the figure. By default positions, velocities and
        forces. `x` is the column of the horizontal axis."""
        from ._plots import plot_run

        return plot_run(self, names, x, events, axes)

    def report(self, folder: Union[str, "os.PathLike[str]"]) -> str:
        """Writes what `asperity run` leaves in a folder: data, facts, scene and a report to look at. Returns the path of the
        report."""
        if self.scene is None:
            raise ValueError("this run has no scene: it cannot be written")
        folder = os.fspath(folder)
        problem = _core.save(self.scene._built(), self._json, self._all(), folder)
        if problem is not None:
            raise OSError(problem)
        return os.path.join(folder, "report.html")

    def page(self) -> Page:
        """The report as one page of HTML; it shows itself in a notebook."""
        return Page(_core.page(self._json, self._all(), self.scene.resolved if self.scene is not None else ""))

    def _all(self) -> List[Column]:
        return [(name, self.units[name], values) for name, values in self._columns.items()]

    def __reduce__(self) -> Any:
        held = [(element, *hold) for element, hold in self.held.items()]
        return Run, (self.scene, self._end, self._json, held, self._all())

    def __repr__(self) -> str:
        run = self.facts["run"]
        state = "" if self.finished else ", stopped" if self.stopped else ", not finished"
        return (f"<Run {self.title or 'of a scene'!r}: {run['time']:g} s in {run['steps']} steps by {run['method']}, "
                f"{len(self.t)} rows, {self.verdict}{state}>")

    def _repr_html_(self) -> str:
        rows: List[List[Any]] = [["verdict", self.verdict + ("" if self.finished else f", not finished: {self.failure or 'stopped'}")]]
        run = self.facts["run"]
        rows.append(["run", f"{run['time']:g} s in {run['steps']} steps by {run['method']}, {len(self.t)} rows"])
        rows += [["motion", one.text] for one in list(self.motions)[:8]]
        rows += [["warning", one.text] for one in self.warnings]
        rows += [[one.severity, one.text] for one in self.findings]
        rows += [["events", f"{self.facts['events']['count']}"]] if self.facts["events"]["count"] else []
        rows += [[one["name"], f"{_number(one['value']):.6g} {one['unit']}"] for one in self.facts["final"][:8]]
        if len(self.facts["final"]) > 8:
            rows.append(["...", f"{len(self.facts['final']) - 8} more"])
        return html(["", ""], rows, self.title)


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def _tuple(kind: Any, values: Mapping[str, Any]) -> Any:
    """A named tuple from JSON, whose null is a number that is not known."""
    hints = get_type_hints(kind)
    return kind(*(_number(values.get(name)) if hints[name] is float else str(values.get(name, "")) for name in kind._fields))


def read_run(folder: Union[str, "os.PathLike[str]"]) -> Run:
    """A run from its folder, as `asperity run` or `Run.report` left it."""
    from ._scene import Scene

    folder = os.fspath(folder)
    problems, facts, columns, scene_file = _core.read_folder(folder)
    if facts is None:
        raise OSError("\n".join(problems))
    scene = Scene(scene_file) if os.path.exists(scene_file) else None
    finished = json.loads(facts)["run"]["finished"]
    return Run(scene, "finished" if finished else "stopped", facts, [], columns)


class Difference(NamedTuple):
    """One column of two runs."""

    name: str
    unit: str
    final_a: float
    final_b: float
    apart: float  #: the largest difference
    time: float  #: s, when


class Comparison:
    """What two runs differ in."""

    def __init__(self, text: str, page: str, columns: Sequence[Tuple[Any, ...]]) -> None:
        self.text, self.page = text, page
        self.columns: Table[Difference] = Table(Difference._fields, [Difference(*one) for one in columns], "differences")

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.columns)} columns>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.columns._repr_html_()


def compare(a: Run, b: Run, labels: Tuple[str, str] = ("a", "b")) -> Comparison:
    """Two runs beside each other: columns, drifts, events. `page` of the answer is HTML with plots over one another."""
    found = _core.compare(labels[0], a._json, a._all(), labels[1], b._json, b._all())
    return Comparison(found["text"], found["page"], found["columns"])
