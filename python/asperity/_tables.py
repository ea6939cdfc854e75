"""Small tables that read well in a terminal and in a notebook."""
from __future__ import annotations

from html import escape
from typing import Any, Generic, Iterator, Sequence, TypeVar, Union, overload

Row = TypeVar("Row")


def text(value: Any) -> str:
    """A cell: six significant digits are enough to read."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        shown = ", ".join(text(one) for one in value[:4])
        return f"[{shown}{', ...' if len(value) > 4 else ''}]"
    return "" if value is None else str(value)


def plain(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    cells = [list(head), *([text(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def html(head: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = "") -> str:
    def line(tag: str, cells: Sequence[Any]) -> str:
        return "<tr>" + "".join(f"<{tag} style='text-align:left'>{escape(text(cell))}</{tag}>" for cell in cells) + "</tr>"

    above = f"<caption style='text-align:left;font-weight:bold'>{escape(caption)}</caption>" if caption else ""
    return f"<table>{above}<thead>{line('th', head)}</thead><tbody>{''.join(line('td', row) for row in rows)}</tbody></table>"


class Table(Sequence[Row], Generic[Row]):
    """Named tuples, one a row; `table["K"]` is the row whose first entry is "K"."""

    def __init__(self, head: Sequence[str], rows: Sequence[Row], caption: str = "") -> None:
        self._head, self._rows, self._caption = tuple(head), tuple(rows), caption

    @overload
    def __getitem__(self, which: Union[int, str]) -> Row: ...
    @overload
    def __getitem__(self, which: slice) -> Sequence[Row]: ...
    def __getitem__(self, which: Union[int, str, slice]) -> Any:
        if isinstance(which, str):
            for row in self._rows:
                if row[0] == which:  # type: ignore[index]
                    return row
            raise KeyError(f"{which}: known are {', '.join(str(row[0]) for row in self._rows)}")  # type: ignore[index]
        return self._rows[which]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._rows == other._rows

    def _cells(self) -> list[list[Any]]:
        return [list(row) for row in self._rows]  # type: ignore[call-overload]

    def __repr__(self) -> str:
        return plain(self._head, self._cells()) if self._rows else "(none)"

    def _repr_html_(self) -> str:
        return html(self._head, self._cells(), self._caption)

    def to_pandas(self) -> Any:
        import pandas as pd

        return pd.DataFrame(self._cells(), columns=list(self._head))
