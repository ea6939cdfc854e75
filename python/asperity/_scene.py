"""Scenes: read, changed, checked and run."""
from __future__ import annotations

import os
import tomllib
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Union

from . import _core, _toml
from ._errors import DoubtfulWarning, Interrupted, Problem, RunError, SceneError
from ._progress import Bar, Progress
from ._run import Run
from ._tables import Table

if TYPE_CHECKING:
    from ._simulation import Simulation

Source = Union[str, "os.PathLike[str]", Mapping[str, Any]]


class SceneParameter(NamedTuple):
    """One number of a scene, as it was understood."""

    path: str
    value: str
    unit: str
    meaning: str
    is_default: bool


class Check:
    """What is wrong or doubtful in a scene."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        import json

        self.ok: bool = found["ok"]
        self.problems: List[str] = list(found["problems"])
        self.text: str = found["text"]
        self.facts: Dict[str, Any] = json.loads(found["json"])

    @property
    def warnings(self) -> List[str]:
        """Of the set-up checks, in words."""
        return [one["text"] for one in self.facts.get("warnings") or []]

    @property
    def findings(self) -> List[str]:
        """Of a deep check: what the run found out about its own numbers."""
        return [one["text"] for one in self.facts.get("findings") or []]

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        count = len(self.problems) + len(self.warnings) + len(self.findings)
        return f"<Check: {'can run' if self.ok else 'cannot run'}, {count} remark{'' if count == 1 else 's'}>"

    def __str__(self) -> str:
        return "\n".join([*self.problems, *(f"warning: {one}" for one in self.warnings), self.text]).strip()

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class Scene:
    """A scene: bodies, elements between them, what pushes them, how long to run and what to record.

    `Scene("pinch.toml", pull=12)` reads a file; text and a dict of the same keys do as well. Keywords are names of its `[let]`.
    `scene["floor.K"] = 1e4` changes a value, `scene["floor.K"]` is what it is. The format is docs/scenes.md."""

    def __init__(self, source: Source, /, **let: Any) -> None:
        self._text, self.file = _toml.text_of(source)
        self._settings: Dict[str, Any] = {}
        self._core: Any = None
        #: Of a scene with another law: where its parameters come from.
        self.assumed = ""
        #: The last run, one that was interrupted included.
        self.last: Optional[Run] = None
        self.set({f"let.{name}": value for name, value in let.items()})

    # --- reading and changing

    def _read(self, settings: Mapping[str, Any]) -> Any:
        core, problems = _core.read_scene(self._text, self.file, [_toml.setting(path, value) for path, value in settings.items()])
        if core is None:
            raise SceneError([Problem(file.replace("--set ", "", 1) if file.startswith("--set ") else file, line, text)
                              for file, line, text in problems])
        return core

    def _built(self) -> Any:
        if self._core is None:
            self._core = self._read(self._settings)
        return self._core

    def set(self, values: Mapping[str, Any]) -> None:
        """Several values at once: `scene.set({"floor.K": 1e4, "run.step": 1e-4})`. All of them, or an error and none."""
        settings = {**self._settings, **values}
        self._core = self._read(settings)
        self._settings = settings

    def __setitem__(self, path: str, value: Any) -> None:
        self.set({path: value})

    def __getitem__(self, path: str) -> Any:
        """A value as it was understood, in SI units; a formula of time as text."""
        words = path.split(".")
        if path.startswith("let.") and path in self._settings:
            return self._settings[path]
        for text in (self.resolved, self._text):
            tree: Any = tomllib.loads(text)
            tables = [one for name in ("body", "element") for one in tree.get(name, []) if one.get("name") == words[0]]
            at: Any = tables[0] if tables else tree.get(words[0])
            for word in words[1:]:
                at = at.get(word, at.get({"tangential": "friction"}.get(word, word))) if isinstance(at, dict) else None
            if at is not None and (len(words) > 1 or not isinstance(at, dict)):
                return at
        known = sorted({one.path for one in self.parameters})
        raise KeyError(f"{path}: known are {', '.join(known)}")

    def __contains__(self, path: str) -> bool:
        try:
            self[path]
        except KeyError:
            return False
        return True

    def copy(self) -> "Scene":
        """A scene of its own with the same values."""
        other = object.__new__(Scene)
        other._text, other.file, other._settings = self._text, self.file, dict(self._settings)
        other._core, other.last, other.assumed = self._core, None, self.assumed
        return other

    @property
    def title(self) -> str:
        return str(self._built().title)

    @property
    def text(self) -> str:
        """The scene as it was given."""
        return self._text

    @property
    def resolved(self) -> str:
        """The resolved scene, with every setting, name and unit as a number: it reproduces the run bit for bit."""
        return str(self._built().resolved)

    @property
    def parameters(self) -> "Table[SceneParameter]":
        """Every number that was set or has a default."""
        rows = [SceneParameter(f"{component}.{name}", value, unit, meaning, default)
                for component, name, value, unit, meaning, default in self._built().parameters]
        return Table(SceneParameter._fields, rows, self.title)

    @property
    def bodies(self) -> List[str]:
        return list(self._built().bodies)

    @property
    def elements(self) -> Dict[str, str]:
        """The law of each element."""
        return dict(self._built().elements)

    # --- what it does

    def check(self, *, strict: bool = False, deep: bool = False, progress: Progress = None) -> Check:
        """Everything that is wrong or doubtful, without running it. `deep`: runs it too, beside a run with half the step."""
        with Bar(progress, self.title or "check", "s") as bar:
            found = _core.check(self._built(), strict, deep, bar.tell)
        check = Check(found)
        _raise_interrupt(found["error"], check)
        return check

    def explain(self, form: str = "text") -> str:
        """Of a scene with equations: the terms that were found in them and the differential equation they became, as text, "latex"
        or "cpp". Of one with bodies: what is in it, and every number as it was understood."""
        if form not in ("text", "latex", "cpp"):
            raise ValueError(f"form = {form!r}: must be text, latex or cpp")
        if self._built().is_inclusion:
            return str(_core.explain(self._built(), form))
        if form != "text":
            raise ValueError(f"form = {form!r}: this scene has bodies and elements, no [inclusion]; there are no equations to write")
        return f"{self.check()}\n\n{self.parameters!r}"

    def swap_law(self, law: str, element: str = "") -> "Scene":
        """The same scene with another law at an element, which need not be named if there is only one: for comparisons. What both laws
        know is taken over; `assumed` of the new scene says where the rest comes from."""
        problems, text, assumed = _core.swap_law(self._built(), element, law)
        if not text:
            raise ValueError("\n".join(problems))
        other = Scene(text)
        other.file, other.assumed = self.file, assumed
        return other

    def run(self, *, duration: Any = None, step: Any = None, method: Optional[str] = None, record: Any = None, every: Any = None,
            strict: bool = False, threads: Optional[int] = None, folder: Union[str, "os.PathLike[str]", None] = None,
            format: str = "csv", progress: Progress = None, **options: Any) -> Run:
        """Runs it and returns what was recorded.

        duration, step : s, instead of the scene's
        method : of `asperity.integration_methods`, instead of the scene's
        record : names of columns, such as ["block.*", "floor.force"]; every : s between rows
        strict : warnings refuse the run
        threads : for worlds of many thousands of bodies
        folder : writes what `asperity run` writes, too: data ("csv" or "hdf5"), facts, report
        progress : True, False, or a function of (done, all, what); by default a bar where somebody looks
        options : further keys of [run], such as rtol=1e-8

        A run that is refused, fails, or has wrong numbers raises RunError; its `run` is what there is. Doubtful numbers are a
        DoubtfulWarning. Ctrl-C raises Interrupted; its `partial`, and `scene.last`, are the run so far."""
        given = {"run.duration": duration, "run.step": step, "run.method": method, "record.columns": record, "record.every": every,
                 **{f"run.{name}": value for name, value in options.items()}}
        changes = {path: value for path, value in given.items() if value is not None}
        scene = self.copy() if changes else self
        if changes:
            scene.set(changes)
        if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024):
            raise ValueError(f"threads = {threads!r}: must be a whole number between 1 and 1024")
        where = "" if folder is None else os.fspath(folder)
        with Bar(progress, scene.title or "run", "s") as bar:
            found = _core.run(scene._built(), strict, threads, where, format, bar.tell)
        if where and found["facts"] is not None:
            found["columns"] = _core.read_folder(where)[2] or []
        self.last = result = run_of(scene, found)
        return checked(result, found)

    def start(self, *, step: Any = None, method: Optional[str] = None, duration: Optional[float] = None, record: Any = None,
              every: Any = None, **options: Any) -> "Simulation":
        """Step by step, for controllers and learners: a `Simulation`. See there."""
        from ._simulation import Simulation

        return Simulation(self, step=step, method=method, duration=duration, record=record, every=every, **options)

    def control(self, controller: Callable[["Simulation"], Any], *, every: Any, delay: Any = 0.0, duration: Any = None, step: Any = None,
                method: Optional[str] = None, record: Any = None, progress: Progress = None, **options: Any) -> Run:
        """Runs it with a sampled controller: a function that is called every `every` seconds with the `Simulation`, reads what it
        measures, and returns what it pushes, {"block": -kp * sim["block.position"]}. That holds until the next sample (zero-order
        hold), and begins `delay` seconds after its own. A body in space takes a list, or {"force": [...], "torque": [...]}.

        `every` and `delay` are multiples of the step, of a method with a fixed one. What the controller raises ends the run: a
        RunError from it, whose `run` is what there is. Ctrl-C raises Interrupted."""
        from ._simulation import control

        return control(self, controller, every=every, delay=delay, duration=duration, step=step, method=method, record=record,
                       progress=progress, **options)

    # --- as an object

    def __reduce__(self) -> Any:
        return _scene_again, (self._text, self.file, self._settings)

    def __repr__(self) -> str:
        changed = f", {', '.join(f'{k}={v!r}' for k, v in self._settings.items())}" if self._settings else ""
        return f"<Scene {self.title or self.file!r}: {len(self.bodies)} bodies, {len(self.elements)} elements{changed}>"

    def _repr_html_(self) -> str:
        return self.parameters._repr_html_()


def run_of(scene: Scene, found: Mapping[str, Any]) -> Optional[Run]:
    """None if it did not begin."""
    if found["facts"] is None:
        return None
    return Run(scene, found["end"], found["facts"], found["held"], found["columns"])


def _raise_interrupt(error: Any, partial: Any) -> None:
    if isinstance(error, KeyboardInterrupt):
        raise Interrupted(partial) from None
    if error is not None:
        raise error


def checked(run: Optional[Run], found: Mapping[str, Any]) -> Run:
    """The run, or the error that it ended with."""
    _raise_interrupt(found["error"], run)
    if run is None or found["problems"]:
        raise RunError(found["problems"], run)
    if found["verdict"] == "doubtful":
        warnings.warn(run.doubts, DoubtfulWarning, stacklevel=3)
    return run


def _scene_again(text: str, file: str, settings: Dict[str, Any]) -> Scene:
    scene = object.__new__(Scene)
    scene._text, scene.file, scene._settings, scene._core, scene.last, scene.assumed = text, file, settings, None, None, ""
    scene._built()
    return scene


def resume(folder: Union[str, "os.PathLike[str]"], *, progress: Progress = None) -> Run:
    """Continues an interrupted run in a folder; the result is bit for bit that of an uninterrupted run."""
    from ._run import read_run

    folder = os.fspath(folder)
    with Bar(progress, folder, "s") as bar:
        found = _core.resume(folder, bar.tell)
    return checked(read_run(folder) if found["facts"] is not None else None, found)


#: The methods of integration, by name; True: with steps of their own.
integration_methods: Dict[str, bool] = dict(_core.integration_methods())
