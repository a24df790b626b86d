"""The cells of the grid of redefinitions: what a function reads of which object, and what happens to its definition."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import itertools
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import dy2st as paddle
from dy2st import jit
from dy2st.errors import Dy2stError, InternalError

from .others import OTHERS
from .parts import EVENTS, OBJECTS, SOURCE, SPECIALS


class Cell(NamedTuple):
    """What is read, of which object, and what happens between the calls: of a special method, or of another definition."""

    read: str
    of: str
    event: str

    def __str__(self) -> str:
        return " / ".join(self)


def cells() -> Iterator[Cell]:
    """All cells: special methods first."""
    for name, special in SPECIALS.items():
        for read, of, event in itertools.product(special.reads, OBJECTS, EVENTS):
            if name != "__getattribute__" or "becomes" not in event:  # what isn't given the object can't find its class
                yield Cell(f"{name}: {read}", of, event)
    for group, (_, reads, changes) in OTHERS.items():
        for read, change in itertools.product(reads, changes):
            yield Cell(read, group, change)


def source_of(cell: Cell) -> tuple[str, str]:
    """The module of a cell, and the statements that redefine."""
    if cell.of in OTHERS:
        return OTHERS[cell.of][0].replace("READ", cell.read), cell.event
    name, _, read = cell.read.partition(": ")
    asked, owner, instance = OBJECTS[cell.of]
    before, change = (text.format(name=name, **SPECIALS[name]._asdict()) for text in EVENTS[cell.event])
    written = f"(lambda o: {read})({asked})"
    source = SOURCE.format(read=written, of_meta=before if owner == "M" else "", of_class=before if owner == "C" else "")
    return source + f"\nT, I = {owner}, {instance}\n", change


_numbers = itertools.count()


def module_of(source: str, folder: Path) -> ModuleType:
    """A module of this source, made anew."""
    path = folder / f"redefined_{next(_numbers)}.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


class Refused(Exception):
    """A refusal in words."""


def _answer(net: Any, x: Any) -> str:
    try:
        result = net(x)
    except InternalError:
        raise
    except Dy2stError as error:
        raise Refused(str(error)) from error
    except Exception as error:
        return type(error).__name__  # Python's words differ from version to version
    return repr(result.numpy().tolist() if isinstance(result, paddle.Tensor) else result)


def _answers(module: ModuleType, change: str, calls: int) -> Iterator[str]:
    x = paddle.to_tensor([1.0, 2.0])
    for _ in range(calls):
        yield _answer(module.net, x)
    try:
        exec(change, vars(module))
        yield "changed"
    except Exception as error:
        yield f"{type(error).__name__}: {error}"
    for _ in range(2):
        yield _answer(module.net, x)
    yield str(getattr(module, "LOG", None))


def result_of(cell: Cell, folder: Path) -> str:
    """`equal`, `refused: ...`, or `WRONG: ...`."""
    source, change = source_of(cell)
    calls = 1 + sum(map(ord, str(cell))) % 3
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        plain, static = module_of(source, folder), module_of(source, folder)
        jit.to_static(static.net)
        found: list[str] = []
        expected = [text.replace(plain.__name__, "M") for text in _answers(plain, change, calls)]
        try:
            for text in _answers(static, change, calls):
                found.append(text.replace(static.__name__, "M"))
        except Refused as refusal:
            return f"refused: {refusal}" if found == expected[: len(found)] else f"WRONG: {found} for {expected}"
        except BaseException as error:
            return f"WRONG: {type(error).__name__}: {error}"
    return "equal" if found == expected else f"WRONG: {found} for {expected}"
