"""Objects that have a page: they write it, and a notebook shows it in a frame. What draws it is imported when it is asked for."""

from __future__ import annotations

import os

from ..ir.core import Program
from ..saving.writer import replacing


class HasPage:
    """What people look at in the browser. A subclass gives the text of its page."""

    __slots__ = ()

    def _page(self) -> str:
        raise NotImplementedError

    def to_html(self, path: str | os.PathLike | None = None) -> str:
        """The page that shows this: inputs, steps, layers and control flow, in one file that asks nothing of the network.

        path: where it is written, too; what was there is replaced at once or not at all. Returns the text of the page.
        OSError: the path can't be written.
        """
        return write_page(self._page(), path)

    def _repr_html_(self) -> str | None:
        return inline(self._page())


def write_page(text: str, path: str | os.PathLike | None) -> str:
    """The text of a page, which is written to `path`, where given."""
    if path is not None:
        with replacing(path) as file:
            file.write(text.encode())
    return text


def inline(page: str) -> str:
    """A page as a part of another one, as notebooks show it: in a frame of its own, which may do nothing but draw."""
    from html import escape

    return f'<iframe sandbox="allow-scripts" style="width: 100%; height: 560px; border: 0" srcdoc="{escape(page)}"></iframe>'


def program_page(program: Program, title: str, entries: dict[str, str] | None = None) -> str:
    """The page of a Program; title and entries are those of `program_picture`."""
    from .page import page_text
    from .program import program_picture

    return page_text(program_picture(program, title, entries))
