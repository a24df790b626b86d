"""Values that a hostile file could put in the place of an operand or an attribute; made anew for each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dy2st.ir.native import UNBOUND, Atom, Cell, Instance, Record

NUMBERS = (
    *(-1, -2, 0, 5, 64, 2**31 - 1, 2**31, 2**40, 2**62, 2**63 - 1, 2**63, 2**100, -(2**31), -(2**63), -(2**100)),
    *(1.5, -0.5, 1e308),
)
NAMES = (
    *("eval", "exec", "__class__", "__import__", "system", "tofile", "__reduce__", "object", "O", "V8", "U9"),
    *("format", "format_map", "{0.__class__}", "{0.__class__.__mro__}", "{:>{width}}", "!r"),
    *("%(x)s", "%1000000000d", "%*d", "1000000000d", ".1000000000f"),
    *("i,j->k", "..." * 40, "\x00", "\ud800", "é" * 30, "9" * 5000, "ab" * 2000),
)


def _deep(wrap: Callable[[Any], Any], depth: int) -> Any:
    value: Any = wrap(None)
    for _ in range(depth):
        value = wrap(value)
    return value


DEEP_TUPLE = _deep(lambda x: (x,), 200_000)  # deeper than the stack


def _read_only() -> np.ndarray:
    array = np.arange(6.0).reshape(2, 3)
    array.flags.writeable = False
    return array


def _instance() -> Instance:
    made = Instance("A")
    made.fields.update(cls=1, _items=[1], self=made)
    return made


OBJECTS: tuple[Callable[[], Any], ...] = (
    lambda: None,
    lambda: True,
    lambda: float("nan"),
    lambda: float("inf"),
    lambda: [],
    lambda: {},
    lambda: (),
    lambda: {1, "a"},
    lambda: {"a": 1},
    lambda: [2**62] * 4,
    lambda: [-1] * 70,
    lambda: (2**40, 2**40),
    lambda: [0, 2**62],
    lambda: ["eval"],
    lambda: [[[None]], {"slice": [2**100, None, 0]}],
    lambda: [{"int": 2**62}, {"tensor": 9}, {"slice": [1]}, "ellipsis", "ellipsis"],
    lambda: _deep(lambda x: [x], 3000),
    lambda: DEEP_TUPLE,
    lambda: slice(2**100, None, 0),
    lambda: Atom("os.system"),
    lambda: UNBOUND,
    lambda: Cell(),
    _instance,
    lambda: Record.of("R", ("x",), (1,)),
    lambda: ValueError("x"),
    lambda: (Cell(np.arange(4.0)), np.array([[0, 2**40], [2**62, 1]])),
    lambda: (Cell(np.arange(4.0)), np.array([-3, 9])),
)
ARRAYS: tuple[Callable[[], np.ndarray], ...] = (
    lambda: np.zeros(0, np.float32),
    lambda: np.zeros((0, 3)),
    lambda: np.zeros((1000, 0)),
    lambda: np.array(2.5),
    lambda: np.array(-7),
    lambda: np.zeros((1, 2, 1, 2, 1, 2, 1)),
    lambda: np.array([2**62, -(2**63), 9], np.int64),
    lambda: np.array([[2**31 - 1, -1]], np.int32),
    lambda: np.array([True, False]),
    lambda: np.array([255, 7], np.uint8),
    lambda: np.array([1 + 2j, complex("nan")]),
    lambda: np.array([np.nan, np.inf, -np.inf], np.float16),
    lambda: np.arange(24.0).reshape(2, 3, 4)[::-1, :, ::2],
    _read_only,
)

MAKERS: tuple[Callable[[], Any], ...] = (*(lambda x=x: x for x in (*NUMBERS, *NAMES)), *OBJECTS, *ARRAYS)
UNKNOWN_ATTRIBUTES: dict[str, Any] = {  # what NumPy's own functions would take
    "where": False, "dtype": "O", "casting": "unsafe", "out": None, "signature": "dd->d", "subok": True, "memo": {},
    "key": "eval", "axis": 2**62, "__class__": 1, "self": 1, "\ufb01eld": 1, "x y": 1,
}  # fmt: skip
