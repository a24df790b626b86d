"""The cells of the grid of kinds: two kinds, what makes the value, and what is done with it. Each is a function in a module."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import itertools
import math
import re
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import dy2st as paddle
from dy2st import jit
from dy2st.errors import ConversionError, DTypeError, Dy2stError, InternalError, JoinWarning, ShapeError
from dy2st.static import InputSpec

from .parts import KINDS, MAKERS, SOURCE, USES

INPUTS = ([1.0, 2.0, 2.0], [-1.0, -2.0, -2.0], [1.0, 3.0, 2.0], [-1.0, -3.0, -3.0])


class Cell(NamedTuple):
    """One cell: keys of `parts.KINDS`, `MAKERS` and `USES`."""

    kind: str
    maker: str
    use: str

    def __str__(self) -> str:
        return " / ".join(self)


def cells() -> Iterator[Cell]:
    """Each use of each kind, made in one of the ways: by turns, so that each use meets each way."""
    for (u, use), (k, kind) in itertools.product(enumerate(USES), enumerate(KINDS)):
        yield Cell(kind, list(MAKERS)[(u + k) % len(MAKERS)], use)


def source_of(cell: Cell) -> str:
    """The module of a cell."""
    a, b = KINDS[cell.kind]
    use = USES[cell.use]
    function = MAKERS[cell.maker].format(a=a, b=b, use=_indented(use, 1), use_deeper=_indented(use, 2))
    return SOURCE + function


def _indented(text: str, depth: int) -> str:
    return textwrap.indent(text, "    " * depth).lstrip()


_numbers = itertools.count()


def module_of(cell: Cell, folder: Path) -> ModuleType:
    """The module of a cell, made anew."""
    path = folder / f"cell_{next(_numbers)}.py"
    path.write_text(source_of(cell))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


class Refused(Exception):
    """A refusal in words."""


def answers(function: Callable, is_plain: bool = False) -> list[Any]:
    """What each input gives: a value, or the class and the text of what plain Python raises, and what was printed."""
    return [_answer(function, x, is_plain) for x in INPUTS]


def _answer(function: Callable, x: list[float], is_plain: bool) -> Any:
    printed = io.StringIO()
    found: str
    try:
        with contextlib.redirect_stdout(printed):
            found = shown(function(paddle.to_tensor(x)))
    except Dy2stError as error:
        if isinstance(error, InternalError):
            raise
        if not (is_plain or isinstance(error, ShapeError | DTypeError)):
            raise Refused(f"{type(error).__name__}: {error}") from error
        found = f"{type(error).__name__}: {error}"
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    return _unnumbered(found), _unnumbered(printed.getvalue())


def _unnumbered(text: str) -> str:
    """A text without what is another in each run: the number of the module, addresses."""
    return re.sub(r"\b0x[0-9a-f]{6,}", "0x", re.sub(r"\bcell_\d+", "cell", text))


OF_DY2ST = re.compile(
    r"(: |['\"]str )(\w+: .*|[a-zA-Z() ]+ takes a tensor of one .*|a tensor is indexed .*|.*\bTensor\b.*)"
)  # what functions and tensors of dy2st say of wrong arguments
MIRRORED = {">": "<", ">=": "<="}


def alike(found: list, loaded: bool) -> list:
    """Answers without what a static function may say otherwise.

    `2 < v` may name its operands in the order of `v > 2`, and `v <<= 1` its operator as `<<`. A wrong `*v` isn't told with the
    function's name. Objects of the user's classes come back from a file by their fields, and classes by their names. dy2st's own
    functions name the class of a wrong argument where plain Python would name the argument, too. A NumPy number, an object or a
    class that isn't found is spelled by its value, its fields or its name.
    """
    texts = []
    for text, printed in found:
        text = re.sub(r"'([<>]=?)' not supported between instances of '([\w.]+)' and '([\w.]+)'", _in_order, text)
        text = re.sub(r"cannot use '\w+' as a (?:set element|dict key) \((.*?)\)", r"\1", text)  # from Python 3.14 on
        text = re.sub(OF_DY2ST, ": words of dy2st", text)
        text = re.sub(r"(operand type\(s\) for \S+)=: ", r"\1: ", text)
        text = re.sub(r"<class '(?:\w+\.)*(\w+)'>(?= is not in)", r"<\1>", text)
        text = re.sub(r"np\.\w+\((\w+)\)", r"\1", text)
        text = re.sub(r"(\S+\(\)|Value) (argument )?after (\*+) must", r"argument after \3 must", text)
        text = re.sub(r"(KeyError(?:: |', 'str ))[AB]\([\w=, ]*\)", r"\1an object", text)
        text = re.sub(r"(: |'str )[AB]\([\w=, ]*\) is not in", r"\1an object is not in", text)
        if loaded:
            text = re.sub(r"\ban (A|B|Held|Point|Color|Member|SimpleNamespace)\b", "an object", text)
            text = re.sub(r"<class '(?:\w+\.)*(\w+)'>|namespace(?=\()", lambda m: f"<{m[1]}>" if m[1] else "object", text)
            text = re.sub(r"\b[AB] is \w+", "object()", text)
            text = re.sub(r"\b(?:[AB]|Point)\(", "object(", re.sub(r"\([\w=, ]*\)", "()", text))
        texts.append((text, printed))
    return texts


def _in_order(words: re.Match) -> str:
    symbol, *names = words.groups()
    return f"{MIRRORED.get(symbol, symbol)} of {' and '.join(reversed(names) if symbol in MIRRORED else names)}"


def shown(value: Any) -> Any:
    """A value as text that tells classes and items; a number that a Program gives is a tensor without axes."""
    if isinstance(value, paddle.Tensor):
        return shown(value.numpy().item()) if not value.shape else f"tensor{[shown(v) for v in value.numpy().ravel().tolist()]}"
    if isinstance(value, np.generic):
        return shown(value.item())
    if isinstance(value, dict):
        return f"dict{[(shown(k), shown(v)) for k, v in value.items()]}"
    if isinstance(value, list | tuple | set):
        return f"{type(value).__name__}{[shown(item) for item in value]}"
    if isinstance(value, float) and math.isfinite(value):
        return f"float {round(value, 4)}"
    is_plain = isinstance(value, int | float | str | bytes | None)
    return f"{type(value).__name__} {value}" if is_plain else f"an {type(value).__name__}"


# Names of this package's own that mean nothing to a user.
OURS = re.compile(
    r"stands_for|sum<|atom<|\bpy\.|\bsum\.|__mro__|Staged(?!ValueError)[A-Z]|SumType|not number|dy2st/|_jst|<class 'dy2st"
)


NUMBER = re.compile(r"\b(int|float|bool) ([-\w.]+)")


def by_value(found: list) -> list:
    """Answers without the class of each number."""
    values = {"True": 1.0, "False": 0.0}
    return [(NUMBER.sub(lambda m: f"number {float(values.get(m[2], m[2]))}", text), printed) for text, printed in found]


def result_of(cell: Cell, folder: Path) -> str:
    """`equal`, `told`, `refused: ...` or `WRONG: ...`, of the static function, and of what it is saved and loaded.

    `told`: equal but for the dtype of a number that has met a tensor, and is one, as a JoinWarning tells.
    """
    with warnings.catch_warnings(record=True) as joined:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", JoinWarning)
        expected = answers(module_of(cell, folder).f, True)
        module = module_of(cell, folder)
        try:
            return _compared(module, expected, folder / "f", joined)
        except Refused as refusal:
            return _judged(str(refusal), module)
        except Dy2stError as error:
            return _judged(f"{type(error).__name__}: {error}", module)
        except Exception as error:
            return _judged(f"saving: {type(error).__name__}: {error}", module)


def _compared(module: ModuleType, expected: list, path: Path, joined: list) -> str:
    """Compare what the static function gives with what plain Python gives, and then what the loaded one gives."""
    static = jit.to_static(module.f, input_spec=[InputSpec([3])])
    found = answers(static)
    result = _agreement(found, expected, False, joined)
    if not result:
        return f"WRONG: static: {found} for {expected}"
    try:
        jit.save(static, path)
    except ConversionError as error:
        if "every call of this function raises" in str(error):  # as plain Python does, and there is nothing to save
            return result
        raise
    found = answers(jit.load(path))
    return _agreement(found, expected, True, joined) or f"WRONG: loaded: {found} for {expected}"


def _agreement(found: list, expected: list, loaded: bool, joined: list) -> str:
    """`equal`, or `told` where a JoinWarning has told of what differs; empty where answers differ otherwise."""
    found, expected = alike(found, loaded), alike(expected, loaded)
    return "equal" if found == expected else "told" if joined and by_value(found) == by_value(expected) else ""


def _judged(text: str, module: ModuleType) -> str:
    """A refusal, which names the user's line and nothing of ours."""
    is_told = f"{module.__name__}.py:" in text and not OURS.search(text.partition("\n")[0]) and "InternalError" not in text
    return f"{'refused' if is_told else 'WRONG'}: {text}"
