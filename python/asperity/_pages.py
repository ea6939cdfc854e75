"""Pages of HTML that show themselves in a notebook."""
from __future__ import annotations

from html import escape


class Page(str):
    """One self-contained page: text to write into a file, a frame in a notebook."""

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self, quote=True)}" style="width:100%;height:720px;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<Page: {len(self)} characters of HTML>"
