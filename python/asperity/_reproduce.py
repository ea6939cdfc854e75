"""The experiments of the papers."""
from __future__ import annotations

import difflib
import json
import os
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import _core
from ._errors import Interrupted
from ._pages import Page
from ._progress import Bar, Progress
from ._tables import Table


class Experiment(NamedTuple):
    """One experiment of a paper."""

    id: str
    paper: str
    where: str
    title: str
    about: str


class Fact(NamedTuple):
    """One measured number."""

    name: str
    value: float
    unit: str
    verdict: str  #: passed, failed, or measured if nothing is expected
    expected: Optional[float]
    tolerance: Optional[float]
    source: str  #: where the expected number comes from
    at: str  #: how it was computed, where several are shown


class Reproduction:
    """An experiment that was carried out."""

    def __init__(self, experiment: Experiment, found: Mapping[str, Any]) -> None:
        self.experiment = experiment
        self.facts: Table[Fact] = Table(Fact._fields, [Fact(*one) for one in found["facts"]], experiment.title)
        #: Whether every expected number came out, and everything that its runs doubt is explained.
        self.passed: bool = found["passed"]
        #: Why there are no facts; empty: all went well.
        self.failure: str = found["failure"]
        #: What its runs say of their own numbers, and why the facts hold all the same.
        self.doubts: List[str] = list(found["doubts"])
        self.doubted: str = found["doubted"]
        #: Where the paper and the numbers differ, in words.
        self.differs: str = found["differs"]
        #: The pictures as SVG text, by caption.
        self.pictures: Dict[str, str] = dict(found["pictures"])

    def __repr__(self) -> str:
        return f"<Reproduction {self.experiment.id}: {'passed' if self.passed else self.failure or 'failed'}, {len(self.facts)} facts>"

    def _repr_html_(self) -> str:
        return self.facts._repr_html_() + "".join(f"<figure>{svg}</figure>" for svg in self.pictures.values())


class Gallery(Mapping[str, Reproduction]):
    """Experiments that were carried out, by their ids."""

    def __init__(self, results: Sequence[Reproduction], page: str, facts: str) -> None:
        self._results = {one.experiment.id: one for one in results}
        self._page = page
        #: Every fact, as facts.json of `asperity reproduce` has it.
        self.facts: List[Dict[str, Any]] = json.loads(facts)
        self._json = facts

    @property
    def passed(self) -> bool:
        return all(one.passed for one in self._results.values())

    def __getitem__(self, id: str) -> Reproduction:
        return self._results[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def report(self, folder: Union[str, "os.PathLike[str]", None] = None) -> Page:
        """The page of `asperity reproduce`: shown in a notebook. With a folder, writes it there as index.html, beside facts.json."""
        if folder is not None:
            place = Path(folder)
            place.mkdir(parents=True, exist_ok=True)
            (place / "index.html").write_text(self._page, encoding="utf-8")
            (place / "facts.json").write_text(self._json, encoding="utf-8")
        return Page(self._page)

    def __repr__(self) -> str:
        return f"<Gallery of {len(self)} experiments, {sum(one.passed for one in self._results.values())} passed>"


def experiments() -> "Table[Experiment]":
    """The experiments of the papers that can be carried out."""
    return Table(Experiment._fields, [Experiment(*one) for one in _core.experiments()], "experiments")


def reproduce(*ids: str, threads: int = 0, progress: Progress = None) -> Gallery:
    """Carries out experiments of the papers and compares their numbers with what is expected; all of them if none is named.

    `experiments()` lists them; threads : by default all processors. Ctrl-C raises Interrupted; its `partial` has those that were
    carried out."""
    known = {one.id: one for one in experiments()}
    for one in ids:
        if one not in known:
            near = difflib.get_close_matches(str(one), known, 1)
            raise ValueError(f"unknown experiment {one!r}; " + (f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"))
    if isinstance(threads, bool) or not isinstance(threads, int) or not 0 <= threads <= 1024:
        raise ValueError(f"threads = {threads!r}: must be a whole number between 1 and 1024, or 0 for all processors")
    with Bar(progress, "reproduce", "s") as bar:
        found = _core.reproduce(list(ids) or list(known), threads or os.cpu_count() or 1, bar.tell)
    results = [Reproduction(known[one["id"]], one) for one in found["results"]]
    if isinstance(found["error"], KeyboardInterrupt):
        raise Interrupted(Gallery([one for one in results if one.failure != "stopped"], found["page"], found["json"])) from None
    if found["error"] is not None:
        raise found["error"]
    return Gallery(results, found["page"], found["json"])
