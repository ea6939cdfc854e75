"""Studies: a scene at many points."""
from __future__ import annotations

import csv
import functools
import importlib
import math
import os
import threading
import tomllib
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core, _toml
from ._arrays import Array
from ._errors import DoubtfulWarning, Interrupted, SceneError, StudyError
from ._progress import Bar, Progress
from ._run import Run
from ._scene import Scene, _scene_again, run_of
from ._tables import Table, html
from ._world import World

VERDICTS: Tuple[str, ...] = tuple(_core.study_verdicts())
_FINE, _DOUBTFUL, _INCOMPLETE, _FAILED, _REFUSED = range(5)
_NOT_RUN = 255

Function = Callable[[Run], Any]
#: Formulas and functions by the names of their columns, or one function whose numbers have names.
Measures = Union[Mapping[str, Union[str, Function]], Function]


class Doubt(NamedTuple):
    """A point that is not fine."""

    point: int
    verdict: str
    problem: str


class SobolIndex(NamedTuple):
    """Share of the variance of a measure: by a parameter alone, and with everything it acts in; 95 % by the bootstrap."""

    measure: str
    parameter: str
    first: float
    first_low: float
    first_high: float
    total: float
    total_low: float
    total_high: float
    samples: int
    left_out: int  #: samples in which a point has failed


class MorrisEffect(NamedTuple):
    """Change of a measure over the whole width of a parameter, at many places."""

    measure: str
    parameter: str
    mean_size: float
    mean: float
    deviation: float
    trajectories: int
    left_out: int


class Map(NamedTuple):
    """A measure over two varied parameters."""

    measure: str
    x: str
    y: str
    x_values: Array
    y_values: Array
    values: Array  #: [y, x]; the mean over everything else that is varied, nan where every point has failed

    def plot(self, axes: Any = None) -> Any:
        """Draws it with matplotlib and returns the figure."""
        from ._plots import plot_map

        return plot_map(self, axes)


class _Axis(NamedTuple):
    path: str
    unit: str
    log: bool
    random: bool
    values: Array
    words: List[str]


class _Results:
    """Of all points of a plan, as they come."""

    def __init__(self, points: int, names: Sequence[str]) -> None:
        self.names = list(names)
        self.columns: Dict[str, Array] = {name: np.full(points, np.nan) for name in names}
        self.trust = np.full(points, _NOT_RUN, dtype=np.uint8)
        self.problems: Dict[int, str] = {}

    def column(self, name: str) -> Array:
        if name not in self.columns:
            self.names.append(name)
            self.columns[name] = np.full(len(self.trust), np.nan)
        return self.columns[name]

    def judge(self, point: int, trust: int, problem: str) -> None:
        """The worst of all that measured it."""
        known = int(self.trust[point])
        if known == _NOT_RUN or trust > known:
            self.trust[point] = trust
            if problem:
                self.problems[point] = problem

    def add_formulas(self, first: int, names: Sequence[str], found: Any) -> None:
        numbers, trust, problems = found
        block = numbers.reshape(len(trust), len(names))
        for i, name in enumerate(names):
            self.columns[name][first:first + len(trust)] = block[:, i]
        for i, one in enumerate(trust):
            if one != _NOT_RUN:
                self.judge(first + i, int(one), problems.get(i, ""))

    def add_measured(self, first: int, found: Sequence[Any]) -> None:
        for i, one in enumerate(found):
            if one is None:
                continue
            numbers, trust, problem = one
            for name, number in numbers.items():
                self.column(name)[first + i] = number
            self.judge(first + i, trust, problem)


class Study(Mapping[str, Any]):
    """A study that was carried out: a mapping from the names of its columns to arrays, one number for each point.

    `study["end"]` is a measure, `study["floor.K"]` a varied parameter; `study.verdict` says how far to trust each point, as `fine`,
    `doubtful`, `incomplete`, `failed` or `refused`, and `study.problem` why. No point is left out. `study.table` is all of it."""

    def __init__(self, plan: Any, names: Sequence[str], points: Any, values: Any, measures: Mapping[str, Array], trust: Any,
                 problems: Mapping[int, str], *, summary: str = "", crossings: Any = None, folder: str = "") -> None:
        self._plan = plan
        self._axes = [_Axis(*one) for one in plan.axes]
        self._values = np.asarray(values, dtype=float).reshape(len(points), len(self._axes))
        self._trust = np.asarray(trust, dtype=np.uint8)
        #: The numbers of the points.
        self.point = np.asarray(points, dtype=np.uint64)
        #: The varied parameters, in the order of the table.
        self.parameters: List[str] = [axis.path for axis in self._axes]
        self.measures: List[str] = list(names)
        self.units: Dict[str, str] = {axis.path: axis.unit for axis in self._axes}
        self.verdict = np.array([VERDICTS[one] for one in self._trust], dtype=object)
        self.problem = np.array([problems.get(i, "") for i in range(len(self.point))], dtype=object)
        #: What was found of sensitivities and borders, in words.
        self.summary = summary
        #: Of a border: where the measure changes, one row of parameters for each place.
        self.crossings: Array = np.asarray(crossings if crossings is not None else [], dtype=float).reshape(-1, max(1, len(self._axes)))
        #: Where its files are; empty: it is in memory only.
        self.folder = folder
        self._columns: Dict[str, Any] = {}
        for i, axis in enumerate(self._axes):
            column = self._values[:, i]
            self._columns[axis.path] = np.array([axis.words[int(one)] for one in column], dtype=object) if axis.words else column
        for name in names:
            self._columns[name] = measures[name]

    # --- the table

    @property
    def title(self) -> str:
        return str(self._plan.title)

    def __getitem__(self, name: str) -> Any:
        if name not in self._columns:
            raise KeyError(f"{name}: known are {', '.join(self._columns)}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Of the points."""
        return len(self.point)

    def to_dict(self) -> Dict[str, Any]:
        """Every column of the table as an array: point, parameters, measures, verdict, problem."""
        return {"point": self.point, **self._columns, "verdict": self.verdict, "problem": self.problem}

    def to_pandas(self) -> Any:
        """A DataFrame with the columns of table.csv; its index is the number of the point."""
        import pandas as pd

        columns = self.to_dict()
        frame = pd.DataFrame({name: values for name, values in columns.items() if name != "point"},
                             index=pd.Index(columns["point"], name="point"))
        frame.attrs["units"] = dict(self.units)
        frame.attrs["title"] = self.title
        return frame

    @property
    def table(self) -> Any:
        """A DataFrame where pandas is installed, else a dict of arrays."""
        try:
            return self.to_pandas()
        except ImportError:
            return self.to_dict()

    def to_csv(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the table, byte for byte as `asperity study` writes its table.csv."""
        measures = np.stack([self._columns[name] for name in self.measures], axis=1) if self.measures else np.empty((len(self), 0))
        problems = {i: text for i, text in enumerate(self.problem) if text}
        problem = _core.study_write(self._plan, self.measures, os.fspath(path), self.point, np.ascontiguousarray(self._values),
                                    np.ascontiguousarray(measures), self._trust, problems)
        if problem is not None:
            raise OSError(problem)

    @property
    def doubts(self) -> "Table[Doubt]":
        """The points that are not fine, and why."""
        rows = [Doubt(int(self.point[i]), self.verdict[i], self.problem[i]) for i in np.flatnonzero(self._trust != _FINE)]
        return Table(Doubt._fields, rows, "points that are not fine")

    @property
    def counts(self) -> Dict[str, int]:
        """How many points there are of each verdict."""
        return {word: int((self._trust == i).sum()) for i, word in enumerate(VERDICTS) if (self._trust == i).any()}

    # --- single points

    def _row(self, point: int) -> List[float]:
        found = np.flatnonzero(self.point == point) if isinstance(point, (int, np.integer)) else np.empty(0)
        if found.size != 1:
            raise KeyError(f"{point!r}: there is no such point")
        return [float(one) for one in self._values[int(found[0])]]

    def scene(self, point: int) -> Scene:
        """The scene of one point: `study.scene(17).run()` has the numbers of its row."""
        return _scene_at(self._plan, self._row(point))

    def command(self, point: int) -> str:
        """The command that runs one point alone."""
        return str(self._plan.command(self._row(point)))

    # --- what it says

    def _measure(self, name: Optional[str]) -> str:
        if name is None and len(self.measures) == 1:
            return self.measures[0]
        if name not in self.measures:
            raise ValueError(f"measure = {name!r}: must be one of {', '.join(self.measures)}")
        return str(name)

    def _trusted(self, name: str) -> Array:
        """Without the points that have failed."""
        return np.where(self._trust >= _FAILED, np.nan, self._columns[name]).astype(float)

    def _grid(self) -> List[str]:
        return [axis.path for axis in self._axes if not axis.random and not axis.words and len(axis.values) > 1]

    def map(self, measure: Optional[str] = None, x: Optional[str] = None, y: Optional[str] = None) -> Map:
        """A measure over two parameters that have lists of values: the mean over everything else. By default the first two; the measure
        need not be named if there is only one."""
        name, grid = self._measure(measure), self._grid()
        if self._plan.is_border or len(grid) < 2:
            raise ValueError("a map needs two parameters with lists of numbers, such as {\"from\": 1, \"to\": 2, \"count\": 10}")
        across = x if x is not None else next(one for one in grid if one != y)
        up = y if y is not None else next(one for one in grid if one != across)
        for what, path in (("x", across), ("y", up)):
            if path not in grid or across == up:
                raise ValueError(f"{what} = {path!r}: must be two different ones of {', '.join(grid)}")
        xs, i = np.unique(self._columns[across], return_inverse=True)
        ys, j = np.unique(self._columns[up], return_inverse=True)
        numbers = self._trusted(name)
        known = np.isfinite(numbers)
        cells = (j * len(xs) + i)[known]
        count = np.bincount(cells, minlength=len(xs) * len(ys))
        sums = np.bincount(cells, weights=numbers[known], minlength=len(xs) * len(ys))
        with np.errstate(invalid="ignore", divide="ignore"):
            return Map(name, across, up, xs, ys, (sums / count).reshape(len(ys), len(xs)))

    def sensitivity(self, measure: Optional[str] = None) -> "Table[Any]":
        """Which parameters matter: Sobol's indices or elementary effects, as the study was designed with `sensitivity="sobol"` or
        "morris". By default of all measures."""
        kind = self._plan.sensitivity
        if kind == "none":
            raise ValueError("this study has no design for sensitivities: ask for sensitivity=\"sobol\" or \"morris\"")
        if len(self) != self._plan.count:
            raise ValueError(f"{len(self)} of {self._plan.count} points are there: sensitivities need all of them")
        row: Any = SobolIndex if kind == "sobol" else MorrisEffect
        names = self.measures if measure is None else [self._measure(measure)]
        rows = [row(name, *one) for name in names for one in _core.study_sensitivity(self._plan, self._trusted(name))]
        return Table(row._fields, rows, "share of the variance" if kind == "sobol" else "elementary effects")

    def plot(self, measure: Optional[str] = None, axes: Any = None) -> Any:
        """Draws a measure with matplotlib and returns the figure: a map over two grids, a curve with its band over one, a histogram if
        everything is random; of a border, the border."""
        from . import _plots

        if self._plan.is_border:
            return _plots.plot_border(self, axes)
        name, grid = self._measure(measure), self._grid()
        if len(grid) > 1:
            return self.map(name).plot(axes)
        return _plots.plot_measure(name, self._trusted(name), grid[0] if grid else "", self, axes)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {word}" for word, count in self.counts.items())
        part = "" if self._plan.is_border or len(self) == self._plan.count else f", {len(self)} of them run"
        total = f"{len(self)} points along a border" if self._plan.is_border else self._plan.total
        return f"<Study {self.title!r}: {total}{part}, {', '.join(self.measures)}: {counts or 'no points'}>"

    def __str__(self) -> str:
        return (repr(self) + "\n" + self.summary).rstrip()

    def _repr_html_(self) -> str:
        columns = self.to_dict()
        rows = [[_plain(values[i]) for values in columns.values()] for i in range(min(len(self), 20))]
        more = f" (the first 20 of {len(self)} points)" if len(self) > 20 else ""
        return html(list(columns), rows, self.title + more)

    def __reduce__(self) -> Any:
        problems = {i: text for i, text in enumerate(self.problem) if text}
        return _study_again, (_key_of(self._plan), self.measures, self.point, self._values, {name: self._columns[name] for name in self.measures},
                              self._trust, problems, self.summary, self.crossings, self.folder)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _study_again(key: Any, names: Any, points: Any, values: Any, measures: Any, trust: Any, problems: Any, summary: str, crossings: Any,
                 folder: str) -> Study:
    return Study(_plan_again(*key), names, points, values, measures, trust, problems, summary=summary, crossings=crossings, folder=folder)


# --- plans: they travel as text

def _key_of(plan: Any) -> Tuple[str, str, str, bool]:
    file, text = plan.scene
    return plan.toml, file, text, not plan.measures


@functools.lru_cache(maxsize=8)
def _plan_again(toml: str, file: str, text: str, measured_elsewhere: bool) -> Any:
    wrote = tomllib.loads(toml).get("asperity")
    if wrote != _core.version:
        raise RuntimeError(f"the study is of asperity {wrote}, this is {_core.version}: results of two versions cannot be combined in one table")
    plan, problems = _core.study_plan(toml, "study.toml", "", [], [], measured_elsewhere, (file, text))
    if plan is None:
        raise StudyError(problems)
    return plan


def _scene_at(plan: Any, values: Sequence[float]) -> Scene:
    file, text = plan.scene
    settings: Dict[str, Any] = {}
    for one in plan.settings(list(values)):
        path, _, value = one.partition("=")
        settings[path] = tomllib.loads(f"x = {value}")["x"] if value.startswith("[") else value
    return _scene_again(text, file, settings)


# --- what is run in other threads and processes

def _run_formulas(key: Any, first: int, count: int) -> Any:
    """A chunk, from nothing but text: it may be run twice, anywhere."""
    found = _core.study_run(_plan_again(*key), first, count, 1, "", False, False, False, None)
    if found["end"] != "finished":
        raise found["error"] or RuntimeError("\n".join(found["problems"]) or "interrupted")
    return found["results"]


class _Stopped(Exception):
    pass


def _run_functions(key: Any, measure: Any, first: int, count: int, stop: Optional[threading.Event] = None) -> List[Any]:
    """What functions make of the runs of a chunk; None for those that were stopped."""
    plan = _plan_again(*key)
    values = plan.values(first, count).reshape(count, -1)
    return [_measured(plan, measure, row, stop) for row in values]


def _measured(plan: Any, measure: Any, values: Any, stop: Optional[threading.Event]) -> Any:
    def look(done: float, of: float, what: str) -> None:
        if stop is not None and stop.is_set():
            raise _Stopped

    if stop is not None and stop.is_set():
        return None
    nothing = {name: math.nan for name in measure} if isinstance(measure, Mapping) else {}
    try:
        scene = _scene_at(plan, values)
    except SceneError as error:
        return nothing, _REFUSED, _first([one.text if one.line else f"--set {one}" for one in error.problems])
    found = _core.run(scene._built(), False, 1, "", "csv", look)
    if isinstance(found["error"], _Stopped):
        return None
    if found["error"] is not None:
        raise found["error"]
    run = run_of(scene, found)
    if run is None:
        return nothing, _REFUSED, _first(found["problems"])
    if run.failure is not None:
        return nothing, _FAILED, _line(run.failure)
    numbers, trust, problem = {**nothing}, _FINE, ""
    for name, function in measure.items() if isinstance(measure, Mapping) else [(_name_of(measure), measure)]:
        try:
            numbers.update(_numbers(name, function(run)))
        except Exception as error:  # of the user's function: it is named, and everything else is measured
            trust, problem = _INCOMPLETE, problem or _line(f"{name}: {type(error).__name__}: {error}")
    bad = [name for name, number in numbers.items() if not math.isfinite(number)]
    if bad and trust == _FINE:
        trust, problem = _INCOMPLETE, f"{bad[0]} is not a finite number"
    worst = [one for one in run.findings if one.severity == "failure"] or [one for one in run.findings if one.severity == "note"]
    if worst and (worst[0].severity == "failure" or trust == _FINE):
        trust, problem = (_FAILED if worst[0].severity == "failure" else _DOUBTFUL), _line(worst[0].text)
    return numbers, trust, problem


def _numbers(name: str, found: Any) -> Dict[str, float]:
    if isinstance(found, Mapping):
        return {str(inner): float(one) for inner, one in found.items()}
    return {name: float(found)}


def _name_of(function: Any) -> str:
    name = getattr(function, "__name__", "")
    return name if name.isidentifier() else "measure"


def _line(text: str) -> str:
    return text.strip().replace("\n", "; ")


def _first(problems: Sequence[str]) -> str:
    if not problems:
        return "it cannot be run"
    return _line(problems[0]) + (f" (and {len(problems) - 1} more)" if len(problems) > 1 else "")


# --- the call

def _plan_of(scene: Any, vary: Mapping[str, Any], formulas: Mapping[str, str], keys: Mapping[str, Any], settings: Mapping[str, Any],
             measured_elsewhere: bool) -> Any:
    if isinstance(scene, World):
        scene = scene.scene()
    given: Dict[str, Any] = {}
    if isinstance(scene, Scene):
        text, file, given = scene.text, scene.file, dict(scene._settings)
    else:
        text, file = _toml.text_of(scene)
    given.update(settings)
    typed = [f"{path}={axis}" for path, axis in vary.items() if isinstance(axis, str)]
    for path, axis in vary.items():
        if not isinstance(axis, (str, Mapping, list, tuple, np.ndarray, range)):
            raise TypeError(f"vary[{path!r}] = {axis!r}: must be a list of values, {{\"from\": 1, \"to\": 2, \"count\": 10}}, "
                            "a distribution {\"normal\": 1, \"sd\": 0.1}, or text as after --vary")
    tables = {"vary": {path: list(axis) if isinstance(axis, range) else axis for path, axis in vary.items() if not isinstance(axis, str)},
              "measure": formulas}
    lines = [f"{name} = {_toml.value(name, value)}" for name, value in keys.items() if value is not None]
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{_quoted(path)} = {_toml.value(path, value)}" for path, value in table.items())] if table else []
    plan, problems = _core.study_plan(text, file, "\n".join(lines) + "\n", typed, [_toml.setting(*one) for one in given.items()],
                                      measured_elsewhere, None)
    if plan is None:
        raise StudyError([one[len("study: "):] if one.startswith("study: ") else one for one in problems])
    return plan


def _quoted(path: Any) -> str:
    if not isinstance(path, str):
        raise TypeError(f"{path!r}: must be a path such as \"floor.K\"")
    return _toml.value("", path)


def _is_dask(on: Any) -> bool:
    return type(on).__module__.startswith("distributed")


def _completed(on: Any, futures: Mapping[Any, Any]) -> Iterator[Any]:
    """As they end; those of a worker that is lost end later, on another one."""
    engine: Any = importlib.import_module("distributed" if _is_dask(on) else "concurrent.futures")
    yield from engine.as_completed(list(futures))


def study(scene: Any, /, vary: Optional[Mapping[str, Any]] = None, measure: Optional[Measures] = None, *, samples: Optional[int] = None,
          seed: Optional[int] = None, design: Optional[str] = None, sensitivity: Optional[str] = None, border: Optional[str] = None,
          resolution: Optional[float] = None, set: Optional[Mapping[str, Any]] = None, title: Optional[str] = None,
          threads: Optional[int] = None, on: Any = None, folder: Union[str, "os.PathLike[str]", None] = None, resume: bool = False,
          page: bool = True, progress: Progress = None) -> Study:
    """Runs a scene at every point of a grid or of a random design, and measures each run: `asperity study`, with the same numbers.

    scene : a Scene, a World, or a file, text or dict of one; also the file of a study, to which vary and measure are added
    vary : by path, as `scene[path]` takes it, also "let.mu": a list of values, {"from": 1, "to": 100, "count": 5, "log": True}, or a
        distribution: {"uniform": [1, 2]}, {"loguniform": [1, 100]}, {"normal": 1.5, "sd": 0.15, "low": 1}, {"lognormal": 2, "sd": 0.3};
        also text as after --vary, "1:100:5:log"
    measure : by name, formulas over columns and events, "max(mass.velocity, t > 2)", and functions of the `Run`; or one function that
        returns a number, or a dict of numbers. Formulas see every step, functions the rows that the scene records
    samples, seed, design : of the random parameters; design is "sobol", "latin" or "random"
    sensitivity : "sobol" or "morris": a design from which `Study.sensitivity` says which parameters matter
    border, resolution : refines where this yes/no measure changes, over one or two grids
    set : values for all points, {"run.duration": 2}
    threads : by default all processors; no number depends on it
    on : a dask.distributed Client, or an executor with `submit`: chunks are run there, and again if a worker is lost
    folder, resume, page : writes what `asperity study -o` writes, too; resume continues an interrupted study in it
    progress : True, False, or a function of (done, all, what); by default a bar where somebody looks

    Problems raise StudyError, all at once. Points that fail or are doubtful stay in the table, and a DoubtfulWarning counts them. Ctrl-C
    raises Interrupted; its `partial` is the study of the points that were run, or None with a folder, which `resume` continues."""
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024):
        raise ValueError(f"threads = {threads!r}: must be a whole number between 1 and 1024")
    if on is not None and not callable(getattr(on, "submit", None)):
        raise TypeError(f"on = {on!r}: must be a dask.distributed Client or an executor with submit()")
    formulas: Dict[str, str] = {}
    functions: Dict[str, Function] = {}
    for name, one in measure.items() if isinstance(measure, Mapping) else ():
        if isinstance(one, str):
            formulas[name] = one
        elif callable(one):
            functions[name] = one
        else:
            raise TypeError(f"measure[{name!r}] = {one!r}: must be a formula in quotes or a function of the run")
    if measure is not None and not isinstance(measure, Mapping) and not callable(measure):
        raise TypeError(f"measure = {measure!r}: must be a dict of formulas and functions, or a function of the run")
    function: Any = functions if isinstance(measure, Mapping) else measure
    where = "" if folder is None else os.fspath(folder)
    if function and (where or border is not None or resume):
        raise ValueError("a measure that is a Python function has no place in the files of a study or in a border: write it as a formula, "
                         "or leave folder and border out; Study.to_csv writes the table")
    if resume and not where:
        raise ValueError("resume: which study? name its folder")
    keys = {"title": title, "samples": samples, "seed": seed, "design": design, "sensitivity": sensitivity, "border": border,
            "resolution": resolution}
    plan = _plan_of(scene, vary or {}, formulas, keys, set or {}, bool(function))
    taken = {"point", "verdict", "problem", *(one[0] for one in plan.axes), *(name for name, _ in plan.measures)}
    for name in functions:
        if name in taken:
            raise StudyError([f"measure {name}: is the name of another column of the table; choose another one"])
    if plan.is_border and on is not None:
        raise ValueError("on: a border cannot be cut into chunks: where it runs next depends on what came out before")
    with Bar(progress, plan.title or "study", "points") as bar:
        if where:
            result = _into_folder(plan, where, resume, page, threads, on, bar)
        elif on is None and not function:
            result = _in_memory(plan, threads, bar)
        else:
            result = _by_futures(plan, function, threads, on, bar)
    bad = {word: count for word, count in result.counts.items() if word != VERDICTS[_FINE]}
    if bad:
        first = result.doubts[0]
        counted = ", ".join(f"{count} {word}" for word, count in bad.items())
        warnings.warn(f"{counted} of {len(result)} points, such as point {first.point}: {first.problem}", DoubtfulWarning, stacklevel=2)
    return result


def _checked(found: Mapping[str, Any], partial: Any) -> None:
    if isinstance(found["error"], KeyboardInterrupt):
        raise Interrupted(partial() if partial is not None else None) from None
    if found["error"] is not None:
        raise found["error"]
    if found["end"] == "refused":
        raise StudyError(found["problems"])
    if found["end"] == "failed":
        raise OSError("\n".join(found["problems"]))


def _in_memory(plan: Any, threads: Optional[int], bar: Bar) -> Study:
    found = _core.study_run(plan, 0, plan.count, threads or 0, "", False, False, False, bar.tell)
    names = [name for name, _ in plan.measures]
    if plan.is_border:
        _checked(found, None)
        numbers, trust, problems = found["results"]
        block = numbers.reshape(len(trust), len(names))
        return Study(plan, names, np.arange(len(trust)), found["values"], {name: block[:, i] for i, name in enumerate(names)}, trust, problems,
                     summary=found["summary"], crossings=found["crossings"])
    results = _Results(plan.count, names)
    if len(found["results"][1]):
        results.add_formulas(0, names, found["results"])
    _checked(found, lambda: _study_of(plan, results, names))
    return _study_of(plan, results, names)


def _study_of(plan: Any, results: _Results, order: Sequence[str]) -> Study:
    """Of the points that were run."""
    names = [*order, *(name for name in results.names if name not in order)]
    done = np.flatnonzero(results.trust != _NOT_RUN)
    values = plan.values(0, plan.count).reshape(plan.count, -1)[done]
    place = {int(point): i for i, point in enumerate(done)}
    return Study(plan, names, done, values, {name: results.column(name)[done] for name in names}, results.trust[done],
                 {place[point]: text for point, text in results.problems.items()})


def _by_futures(plan: Any, function: Any, threads: Optional[int], on: Any, bar: Bar) -> Study:
    names = [name for name, _ in plan.measures]
    order = names + [name for name in function if name not in names] if isinstance(function, Mapping) else names
    results, key, chunk, done = _Results(plan.count, names), _key_of(plan), int(plan.chunk), 0
    stop = threading.Event() if on is None else None
    pool = on if on is not None else ThreadPoolExecutor(threads or os.cpu_count() or 1)
    if function and names:  # twice: the formulas look at every step
        key = (*key[:3], True)
    options = {"pure": False} if _is_dask(on) else {}
    futures: Dict[Any, Tuple[bool, int, int]] = {}
    try:
        for first in range(0, plan.count, chunk):
            count = min(chunk, plan.count - first)
            if names:
                futures[pool.submit(_run_formulas, key, first, count, **options)] = (True, first, count)
            if function:
                more = (stop,) if stop is not None else ()
                futures[pool.submit(_run_functions, key, function, first, count, *more, **options)] = (False, first, count)
        every = plan.count * (bool(names) + bool(function))
        for future in _completed(on, futures):
            is_formula, first, count = futures[future]
            if is_formula:
                results.add_formulas(first, names, future.result())
            else:
                results.add_measured(first, future.result())
            done += count
            if bar.tell is not None:
                bar.tell(done / every * plan.count, plan.count, "")
    except KeyboardInterrupt:
        raise Interrupted(_study_of(plan, results, order)) from None
    finally:
        if stop is not None:
            stop.set()
        for future in futures:
            if not future.done():
                future.cancel()
        if on is None:
            pool.shutdown(wait=True)
    return _study_of(plan, results, order)


def _into_folder(plan: Any, folder: str, resume: bool, page: bool, threads: Optional[int], on: Any, bar: Bar) -> Study:
    if on is not None:
        end, problems, chunks = _core.study_open(plan, folder, resume)
        if end == "refused":
            raise StudyError(problems)
        if end == "failed":
            raise OSError("\n".join(problems))
        key, size, done = _key_of(plan), int(plan.chunk), plan.count - len(chunks) * int(plan.chunk)
        options = {"pure": False} if _is_dask(on) else {}
        futures = {on.submit(_run_formulas, key, one * size, min(size, plan.count - one * size), **options): one for one in chunks}
        try:
            for future in _completed(on, futures):
                problem = _core.study_put(plan, folder, futures[future], *future.result())
                if problem is not None:
                    raise OSError(problem)
                done += size
                if bar.tell is not None:
                    bar.tell(max(0, min(done, plan.count)), plan.count, "")
        except KeyboardInterrupt:
            raise Interrupted(None) from None
        finally:
            for future in futures:
                if not future.done():
                    future.cancel()
        if end == "finished":
            return read_study(folder)
    found = _core.study_run(plan, 0, plan.count, threads or 0, folder, resume and on is None, on is not None, page, bar.tell)
    _checked(found, None)
    result = read_study(folder)
    result.summary = found["summary"]
    result.crossings = found["crossings"].reshape(-1, max(1, len(result.parameters)))
    return result


def read_study(folder: Union[str, "os.PathLike[str]"]) -> Study:
    """A study from its folder, as `asperity study` or `study(..., folder=...)` left it."""
    place = Path(folder)
    with open(place / "study.toml", encoding="utf-8") as opened:
        plan, problems = _core.study_plan(opened.read(), str(place / "study.toml"), "", [], [], False, None)
    if plan is None:
        raise StudyError(problems)
    with open(place / "table.csv", encoding="utf-8", newline="") as opened:
        head, *rows = list(csv.reader(opened))
    names = [name for name, _ in plan.measures]
    axes = [_Axis(*one) for one in plan.axes]
    if head != ["point", *(axis.path for axis in axes), *names, "verdict", "problem"]:
        raise StudyError([f"{place / 'table.csv'}: is not the table of study.toml"])
    columns = list(zip(*rows)) if rows else [()] * len(head)
    values = np.empty((len(rows), len(axes)))
    for i, axis in enumerate(axes):
        values[:, i] = [axis.words.index(one) for one in columns[1 + i]] if axis.words else np.array(columns[1 + i], dtype=float)
    measures = {name: np.array(columns[1 + len(axes) + i], dtype=float) for i, name in enumerate(names)}
    trust = [VERDICTS.index(one) for one in columns[-2]]
    problems_of = {i: text for i, text in enumerate(columns[-1]) if text}
    return Study(plan, names, [int(one) for one in columns[0]], values, measures, trust, problems_of, folder=str(place))
