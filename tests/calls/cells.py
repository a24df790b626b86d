"""The cells of the grid of calls: a caller, a callee in a form, and what the callee does. Each is a module of source."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import itertools
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import dy2st as paddle
from dy2st import jit
from dy2st.errors import Dy2stError, InternalError
from dy2st.jit import TracerWarning

from .parts import BODIES, CALLEES, CALLERS, FORMS, SOURCE

INPUTS = ([1.0, 2.0, 3.0], [-1.0, -2.0, -9.0], [5.0, 0.5, 1.0])
AFTER_LOADING = ([2.0, -1.0, 4.0], [-3.0, 1.0, 0.5], [6.0, 1.0, 1.0])


class Cell(NamedTuple):
    """One cell: keys of `parts.CALLERS`, `CALLEES`, `FORMS` and `BODIES`."""

    caller: str
    callee: str
    form: str
    does: str

    def __str__(self) -> str:
        return " / ".join(self)


def cells() -> Iterator[Cell]:
    """All cells."""
    return itertools.starmap(Cell, itertools.product(CALLERS, CALLEES, FORMS, BODIES))


def source_of(cell: Cell, is_plain: bool) -> str:
    """The module of a cell, with the callee compiled, or as it is in plain Python."""
    does = BODIES[cell.does]
    names = {
        "parameters": "x, xs: List[paddle.Tensor]" if does.takes_list else "x",
        "arguments": "x, xs" if does.takes_list else "x",
        "examples": "example(), [example()]" if does.takes_list else "example()",
    }
    outside = does.body.format(state="state", count="count", store="global count\n")
    inside = does.body.format(state="self.state", count="self.count", store="")
    common = SOURCE.format(
        body=_indented(outside, 1), deep_body=_indented(outside, 2), method_body=_indented(inside, 2), **names
    )
    made = CALLEES[cell.callee][is_plain].format(**names)
    caller = CALLERS[cell.caller][0].format(use=_indented(does.use, 1), held_use=_indented(does.use.replace("g(", "self.g("), 2))
    return f"{common}\n{FORMS[cell.form].format(made=made, **names)}\n{caller}"


def _indented(text: str, depth: int) -> str:
    return textwrap.indent(text, "    " * depth)


_numbers = itertools.count()


def module_of(cell: Cell, folder: Path, is_plain: bool) -> ModuleType:
    """The module of a cell, made anew."""
    path = folder / f"cell_{next(_numbers)}.py"
    path.write_text(source_of(cell, is_plain).replace("folder = None", f"folder = {str(folder / path.stem)!r}"))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def answers(function: Any, inputs: tuple) -> list[str]:
    """What the calls give, or the exceptions that plain Python would raise."""
    return [_answer(function, x) for x in inputs]


def _answer(function: Any, x: list) -> str:
    try:
        result = function(paddle.to_tensor(x))
    except Dy2stError as error:
        if _is_fault(error):
            raise
        raise Refused(f"{type(error).__name__}: {error}") from error
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if not isinstance(result, paddle.Tensor):
        return repr(result)
    return "a Variable that got out of its recording" if result.is_staged else str(np.round(result.numpy(), 4).tolist())


def _is_fault(error: Exception) -> bool:
    """Whether an exception tells of a fault of the package."""
    return isinstance(error, InternalError | RecursionError) or type(error).__name__ == "VerifyError"


class Refused(Exception):
    """A refusal in words."""


def result_of(cell: Cell, folder: Path) -> str:
    """`equal`, `refused: ...`, `warned: ...` of a trace that says what it takes for constant, or `WRONG: ...`."""
    with warnings.catch_warnings(record=True) as said, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        expected = answers(*_plain(cell, folder))
        try:
            found = _found(cell, folder)
        except Refused as refusal:
            return f"refused: {refusal}"
        except BaseException as error:
            return f"WRONG: {type(error).__name__}: {error}"
    if found == expected[: len(found)]:
        return "equal"
    for warning in said:
        if isinstance(warning.message, TracerWarning):
            return f"warned: {warning.message}"
    return f"WRONG: {found} for {expected}"


def _plain(cell: Cell, folder: Path) -> tuple[Any, tuple]:
    module = module_of(cell, folder, True)
    return eval(CALLERS[cell.caller][2], vars(module)), INPUTS + AFTER_LOADING


def _found(cell: Cell, folder: Path) -> list[str]:
    """What the compiled caller gives, and then what it gives saved and loaded."""
    _, made, _, save = CALLERS[cell.caller]
    try:
        module = module_of(cell, folder, False)
        function = eval(made, vars(module))
    except (Dy2stError, TypeError, RuntimeError, NotImplementedError) as error:  # script and trace refuse in Python's classes
        if _is_fault(error):
            raise
        raise Refused(f"{type(error).__name__}: {error}") from error
    found = answers(function, INPUTS)
    return found + answers(_loaded(function, save, module.folder), AFTER_LOADING) if save else found


def _loaded(function: Any, save: str, path: str) -> Any:
    try:
        if save == "jit.save":
            jit.save(function, f"{path}/caller")
            return jit.load(f"{path}/caller")
        paddle.save(function, f"{path}.module")
        return paddle.load(f"{path}.module")
    except (Dy2stError, TypeError, RuntimeError, ValueError) as error:
        raise Refused(f"saving: {type(error).__name__}: {error}") from error
