"""`eval` of a text that names no variable of its caller: a function that returns the expression, and is converted.

    eval("max(LIMITS) + 1")        def evaluated():
                                       return (
                                   max(LIMITS) + 1
                                   )
"""

from __future__ import annotations

import builtins
import linecache
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ....converted_code import codes_in
from ...recorder.recorder import Recorder, current_recorder
from ...where.faults import as_the_user
from .foreign import foreign_function

FILE = "<eval of {!r}>"


def convert_eval(*args: Any) -> Any:
    """`eval(...)`: refused where its text may name variables of the function, of which the rewritten one has others."""
    rec = current_recorder()
    assert rec is not None
    evaluated = _function_of(rec, args[0]) if len(args) == 1 and type(args[0]) is str else None
    return foreign_function(rec, eval)(*args) if evaluated is None else rec.convert_call(evaluated)()


def _function_of(rec: Recorder, text: str) -> Callable | None:
    """A function without arguments that gives what a text stands for; None where that needs the variables of the caller."""
    text = text.lstrip(" \t")  # as `eval` does
    code = as_the_user(compile, text, "<string>", "eval")
    caller = rec.facts.active[-1].original
    assert isinstance(caller, FunctionType)
    own = {name for each in codes_in(caller.__code__) for name in (*each.co_varnames, *each.co_cellvars, *each.co_freevars)}
    named = {name for each in codes_in(code) for name in each.co_names}
    if own & named or {"locals", "vars", "dir", "super"} & named:
        return None
    file, source = FILE.format(text), f"def evaluated():\n    return (\n{text}\n)\n"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    made: dict[str, Callable] = {}
    exec(compile(source, file, "exec"), {"__builtins__": builtins}, made)
    function = made["evaluated"]
    return FunctionType(function.__code__, caller.__globals__)


CONVERTED = {eval: convert_eval}
