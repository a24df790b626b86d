"""Calls with ints that only the Program knows: the sample calls, of each of which one int is staged, or one of two by a path."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import dy2st
from dy2st.errors import ConversionError, StagedValueError
from dy2st.static import InputSpec

from . import calls, whole
from .whole import names

FORMS = {"known": "{other}", "staged": "int(N)", "by a path": "({value} if N > 0 else {other})"}
KINDS = (ValueError, TypeError, IndexError, ZeroDivisionError, AttributeError, KeyError, RuntimeError)
LIBRARY = {"paddle", "nn", "F", "np", "list", "float"}
REFUSED = "refused"
HEAD = "import numpy as np\nimport dy2st as paddle\nfrom dy2st import nn\nF = nn.functional\n"


@dataclass(frozen=True)
class Case:
    """A call as text, in which one int is another, or follows N; which tensors it takes; and whether their lengths are open."""

    text: str
    number: int
    names: tuple[str, ...]
    is_whole: bool
    is_open: bool

    def __str__(self) -> str:
        return f"{self.text} with N = {self.number}{', lengths open' if self.is_open else ''}"

    def source(self, name: str) -> str:
        """The call as a function of its tensors and N."""
        return f"def {name}({', '.join((*self.names, 'N'))}):\n    return {self.text}\n"

    def given(self) -> list[Any]:
        """What it is called with, made anew."""
        return [*(dy2st.to_tensor(arrays_of(self.is_whole)[name].copy()) for name in self.names), dy2st.to_tensor(self.number)]

    def specs(self) -> list[InputSpec]:
        arrays = [arrays_of(self.is_whole)[name] for name in self.names]
        shapes = [[None] * a.ndim if self.is_open else list(a.shape) for a in arrays]
        return [*(InputSpec(s, str(a.dtype)) for s, a in zip(shapes, arrays)), InputSpec([], "int64")]


def cases() -> Iterator[Case]:
    """All of them."""
    for text, used, is_whole in plain_texts():
        yield from (case for place in _ints(text) for case in _at(text, place, used, is_whole))


def arrays_of(is_whole: bool) -> dict[str, np.ndarray]:
    """The arrays that the sample calls name."""
    return names.ARRAYS if is_whole else calls.INPUTS


def plain_texts() -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """The sample calls that need nothing but tensors, and the names of these."""
    for text, is_whole in dict.fromkeys(_texts()):
        words = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        if words <= {*arrays_of(is_whole), *LIBRARY}:
            yield text, tuple(name for name in arrays_of(is_whole) if name in words), is_whole


def _texts() -> Iterator[tuple[str, bool]]:
    """The sample calls; not those that draw numbers or depend on memory, or are refused in plain Python already."""
    for call in calls.calls():
        if call.note not in ("either", "eager"):
            yield call.text, False
    for found in whole.calls():
        is_function = found.context == "_" and found.function.startswith(("F.", "paddle."))
        if is_function and found.note not in ("either", "differs: refused"):
            yield found.text, True


def _ints(text: str) -> Iterator[tuple[int, int, int]]:
    """Where an int stands among the arguments of a call, or in a list of them, and which it is."""
    for node in ast.walk(ast.parse(text, mode="eval")):
        for value in [*node.args, *(k.value for k in node.keywords)] if isinstance(node, ast.Call) else []:
            for item in value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]:
                found = _int(item)
                if found is not None:
                    yield item.col_offset, item.end_col_offset or 0, found


def _int(node: ast.expr) -> int | None:
    try:
        found = ast.literal_eval(node)
    except ValueError:
        return None
    return found if type(found) is int else None


def _at(text: str, place: tuple[int, int, int], used: tuple[str, ...], is_whole: bool) -> Iterator[Case]:
    """The call with its own int at that place, and with others, in each form."""
    start, end, value = place
    for form, pattern in FORMS.items():
        for other in dict.fromkeys((value, value + 1, 0, -1)):
            written = text[:start] + pattern.format(value=value, other=other) + text[end:]
            number = other if form == "staged" else 1 if other == value else -1
            for is_open in (False, True) if used else (False,):
                yield Case(written, number, used, is_whole, is_open)


def functions_of(cases: list, folder: Path) -> list[tuple[Any, Any]]:
    """Each of some cases with the function that it is, which a file has."""
    path = folder / "sampled_calls.py"
    path.write_text(HEAD + "".join(case.source(f"call_{k}") for k, case in enumerate(cases)))
    spec = importlib.util.spec_from_file_location(f"calls_{abs(hash(str(cases[0])))}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [(case, getattr(module, f"call_{k}")) for k, case in enumerate(cases)]


def answer(call: Any, given: list[Any]) -> tuple[str, Any]:
    """What a call gives, or the kind of exception that it raises; a refusal of staging is told apart."""
    try:
        return "gives", _leaves(call(*given))
    except (ConversionError, StagedValueError) as error:
        return REFUSED, error
    except Exception as error:
        return "raises", next((kind for kind in KINDS if isinstance(error, kind)), type(error))


def _leaves(value: Any) -> Any:
    if hasattr(value, "numpy"):
        return value.numpy()
    return [_leaves(v) for v in value] if isinstance(value, (list, tuple)) else value


def same(a: Any, b: Any) -> bool:
    """Whether two answers are the same, as far as a sum in another order lets them."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and a.dtype == b.dtype and np.allclose(a, b, 2e-5, 2e-5, equal_nan=True)
    return a is b or str(a) == str(b)
