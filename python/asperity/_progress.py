"""How far a long call is: a bar of tqdm where it is installed, else a line of our own. Nothing for calls that end within a second,
and nothing where nobody looks."""
from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional, Union

Progress = Union[bool, Callable[[float, float, str], Any], None]


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"


class Bar:
    """Used as `with Bar(progress, "pinch", "s") as bar: core.run(..., bar.tell)`; `tell` is None where nothing is to be shown."""

    def __init__(self, progress: Progress, label: str, unit: str) -> None:
        self.label, self.unit = label, unit
        self._bar: Any = None
        self._began = self._shown = time.monotonic()
        wanted = sys.stderr.isatty() or _in_notebook() if progress is None else progress
        self.tell: Optional[Callable[[float, float, str], Any]] = progress if callable(progress) else self._tell if wanted else None
        self._after = 1.0 if progress is None else 0.0

    def _tell(self, done: float, of: float, what: str) -> None:
        now = time.monotonic()
        if now - self._began < self._after:
            return
        if self._bar is None:
            try:
                from tqdm.auto import tqdm  # type: ignore[import]

                self._bar = tqdm(total=of, desc=self.label, unit=self.unit, leave=False, bar_format="{l_bar}{bar}| {n:.3g}/{total:.3g} {unit} [{elapsed}<{remaining}]")
            except ImportError:
                self._bar = False
        if self._bar is not False:
            self._bar.total = of
            self._bar.n = min(done, of)
            self._bar.set_description(f"{self.label} {what}".rstrip(), refresh=False)
            self._bar.refresh()
        elif now - self._shown > 0.2:
            self._shown = now
            share = done / of if of > 0 else 0
            print(f"\r{self.label} {what} {100 * share:3.0f} %", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._bar not in (None, False):
            self._bar.close()
        elif self._bar is False:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
