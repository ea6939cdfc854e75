"""What can go wrong, with everything that is known of it."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence

if TYPE_CHECKING:
    from ._run import Run


class Problem(NamedTuple):
    """One thing that is wrong with a scene."""

    file: str
    line: int  #: 0: of the whole file, or of a value that was set from Python
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}" if self.line else f"{self.file}: {self.text}"


class SceneError(ValueError):
    """A scene cannot be read. `problems` lists everything that is wrong with it, with file, line and text."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(map(str, problems)))

    def __reduce__(self) -> Any:
        return SceneError, (self.problems,)


class StudyError(ValueError):
    """A study cannot be carried out. `problems` lists everything that is wrong with it."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(problems))

    def __reduce__(self) -> Any:
        return StudyError, (self.problems,)


class RunError(RuntimeError):
    """A run was refused, failed, or gave numbers that are wrong. `problems` are the reasons; `run` is what there is of it, None if
    it did not begin."""

    def __init__(self, problems: Sequence[str], run: "Optional[Run]" = None) -> None:
        self.problems = list(problems)
        self.run = run
        super().__init__("\n".join(problems))

    def __reduce__(self) -> Any:
        return RunError, (self.problems, self.run)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a long call. `partial` is the result so far: a run up to the time it got to, the laws that were fitted."""

    def __init__(self, partial: Any = None) -> None:
        self.partial = partial
        super().__init__("interrupted; the result so far is the attribute `partial` of this exception")


class DoubtfulWarning(UserWarning):
    """The numbers of a run are doubtful: the run itself found out, and says why."""
