"""Warnings of Python's that aren't for the user: they are ignored for a while, and no others.

Python warns of what stands in the user's source when it compiles that. It would do so once more, or raise, under
`python -W error`, where the source is read or rewritten code is compiled. And astor asks for `ast.Num`, which Python 3.12 and
3.13 warn of.

`warnings.catch_warnings` does more than is wanted: it puts back the filters that there were before, and so drops those that
another thread has added meanwhile.
"""

import ast
import contextlib
import re
import sys
import warnings
from collections.abc import Iterator

READ = "<unknown>"  # the file name of what is parsed or compiled under `silenced(Warning, READ)`


@contextlib.contextmanager
def silenced(category: type[Warning], module: str, text: str = "") -> Iterator[None]:
    """Ignore the warnings of a category that a module gives, or code of a file that is called so.

    text: how they begin.
    """
    if getattr(sys.flags, "context_aware_warnings", False):  # each thread has filters of its own
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", re.escape(text), category, re.escape(module))
            yield
        return
    filters, ignored = warnings.filters, ("ignore", re.compile(re.escape(text)), category, re.compile(re.escape(module)), 0)
    filters.insert(0, ignored)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # another thread has reset them
            filters.remove(ignored)  # type: ignore[attr-defined]


def parsed(source: str) -> ast.Module:
    """The tree of source that Python has compiled before, as `ast.parse` gives it, without the warnings."""
    with silenced(Warning, READ):
        return ast.parse(source, READ)
