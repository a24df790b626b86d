"""Calls that give every argument by keyword, each another value than its default: without one of them the result must differ.

Each module here has `CALLS`: what is done with the result of a call, as text in which it is `_`, and the calls, one a line.
The text means the same in Paddle. A line that ends in `# either` draws random numbers, one in `# differs: ...` gives something
else in Paddle: only what they do here counts.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import names


@dataclass(frozen=True)
class WholeCall:
    """One call, what is done with its result, and the keywords of it that have a default."""

    text: str
    context: str
    note: str = ""

    @property
    def function(self) -> str:
        """The dotted name of what is called."""
        return ast.unparse(self._node().func)

    def _node(self) -> ast.Call:
        node = ast.parse(self.text, mode="eval").body
        assert isinstance(node, ast.Call), self.text
        return node

    def without(self, keyword: str) -> WholeCall:
        """The same call with one argument less."""
        node = self._node()
        node.keywords = [k for k in node.keywords if k.arg != keyword]
        return WholeCall(ast.unparse(node), self.context, self.note)

    def keywords(self, library: Any) -> list[str]:
        """The arguments given by keyword that may be left out."""
        parameters = inspect.signature(eval(self.function, names.known(library))).parameters
        given = [k.arg for k in self._node().keywords if k.arg is not None]
        return [name for name in given if name in parameters and parameters[name].default is not inspect.Parameter.empty]

    def result(self, library: Any) -> list:
        """What the call gives and does; an error is its class."""
        library.seed(7)
        known = names.made(library)  # anew, since calls write into what they are given
        try:
            known["_"] = eval(self.text, known)
            return names.leaves(eval(self.context, known))
        except (ValueError, TypeError, RuntimeError, IndexError, NotImplementedError, AttributeError, AssertionError, KeyError) as e:
            return ["error", type(e).__name__]


def calls() -> Iterator[WholeCall]:
    """All of them."""
    for module in pkgutil.iter_modules(__path__):
        groups = getattr(importlib.import_module(f"{__name__}.{module.name}"), "CALLS", {})
        for context, lines in groups.items():
            for line in filter(None, map(str.strip, lines.splitlines())):
                text, _, note = line.partition("  # ")
                yield WholeCall(text.strip(), context, note)
