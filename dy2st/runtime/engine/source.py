"""Generated Python that isn't the body of a Program: what is asked before that runs, and what a call does around it."""

from __future__ import annotations

from typing import Any

from .literals import Constants


class Source:
    """Lines of functions, and the objects that they name.

    file: where tracebacks find them, a name under this package, so that no user's frame is seen there. known: names and objects.
    """

    def __init__(self, file: str, known: dict[str, Any]):
        self._file, self._known = file, known
        self._constants = Constants()
        self._lines: list[str] = []

    @property
    def text(self) -> str:
        """The source, for review."""
        return "".join(f"{line}\n" for line in self._lines)

    def line(self, text: str, depth: int = 1) -> None:
        """One line; a function's head has depth 0."""
        self._lines.append("    " * depth + text)

    def name(self, value: Any, stem: str) -> str:
        """The name of an object; the stem tells people what it is. It ends in a number."""
        return repr(value) if value is None or type(value) is bool else self._constants.name(value, stem)

    def functions(self) -> dict[str, Any]:
        """The functions, compiled, by name."""
        namespace = {**self._known, **self._constants.namespace}
        exec(compile(self.text, self._file, "exec", dont_inherit=True), namespace)
        return namespace
