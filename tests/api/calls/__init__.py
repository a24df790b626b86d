"""Sample calls of Paddle's functions, as text: each module here has `CALLS`, one expression a line.

An expression means the same in Paddle and in dy2st: `paddle` is either of them, and the other names are the tensors of `INPUTS`.
A line that ends in `# differs: ...` gives something else in Paddle, on purpose; `# eager` can't be recorded (its result depends
on memory or is no tensor); `# either` may be one of several right answers, so that only its shape and dtype count.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import dataclass

import numpy as np

_RNG = np.random.default_rng(0)


def _numbers(*shape: int, low: float = -2.0, high: float = 2.0) -> np.ndarray:
    return _RNG.uniform(low, high, shape).astype("float32")


_SQUARE = _numbers(3, 3) + 3 * np.eye(3, dtype="float32")
INPUTS = {
    "x": _numbers(2, 3),
    "y": _numbers(3),
    "p": _numbers(2, 3, low=0.1, high=0.9),
    "w": _numbers(2, 3).astype("float64"),
    "c": _numbers(2, 3, 4),
    "h": np.array([[1.0, np.nan, 3.0], [np.inf, -np.inf, -0.0]], "float32"),
    "s": np.array(1.5, "float32"),
    "e": np.zeros((0, 3), "float32"),
    "n": _RNG.integers(1, 7, (2, 3)),
    "i": _RNG.integers(1, 7, (2, 3)).astype("int32"),
    "k": np.array([2, 0, 1]),
    "r": np.array([1, 0]),
    "z": np.zeros((2, 3), "int64"),
    "b": np.array([[True, False, True], [False, False, True]]),
    "m": np.array([True, False, True]),
    "q": _SQUARE,
    "qq": np.stack([_SQUARE, _SQUARE.T + 1]),
    "sym": _SQUARE @ _SQUARE.T,
    "g": (_numbers(2, 3) + 1j * _numbers(2, 3)).astype("complex64"),
}


@dataclass(frozen=True)
class Call:
    """One expression, what it shows (`names`), and what its comment says of it."""

    text: str
    names: tuple[str, ...]
    inputs: tuple[str, ...]
    note: str

    @property
    def records(self) -> bool:
        return self.note != "eager"


def _call(line: str) -> Call:
    text, _, note = line.partition("  # ")
    names = re.findall(r"paddle\.(?:linalg\.)?(\w+)", text) + re.findall(r"(?<!paddle)(?<!linalg)\.([a-zA-Z_]\w*)", text)
    words = set(re.findall(r"(?<![.\w'])\b[a-z]+\b(?!['\w=])", text))
    return Call(text.strip(), tuple(names), tuple(name for name in INPUTS if name in words), note.strip())


def calls() -> list[Call]:
    """All of them."""
    found = []
    for module in pkgutil.iter_modules(__path__):
        lines = importlib.import_module(f"{__name__}.{module.name}").CALLS.strip().splitlines()
        found += [_call(line) for line in lines if line.strip()]
    return found
