"""What a hand-built Program with its calls is, and how one is registered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dy2st.ir.builder import Builder
from dy2st.ir.core import Loc, Program


@dataclass(frozen=True)
class Raises:
    """An exception whose class is called `name`, derives from the built-in `base`, and carries `args` (... for any)."""

    name: str
    args: Any
    base: type = Exception


@dataclass
class Call:
    """One call. `after`: what the inputs look like afterwards, where the Program changes them."""

    inputs: tuple
    expected: Any = None
    raises: Raises | None = None
    after: tuple | None = None


@dataclass(frozen=True)
class Case:
    name: str
    build: Callable[[], Program]
    calls: Callable[[], list[Call]]


CASES: list[Case] = []


def case(*calls: Callable[[], Call] | Call):
    """Register a function that fills a Builder. Calls with mutable inputs are given as functions that make them afresh."""

    def register(fill: Callable[[Builder], None]) -> Callable[[Builder], None]:
        def build() -> Program:
            b = Builder()
            b.loc = Loc("net.py", 7, "forward")
            fill(b)
            return b.program

        CASES.append(Case(fill.__name__, build, lambda: [c() if callable(c) else c for c in calls]))
        return fill

    return register


def f32(*values) -> np.ndarray:
    return np.array(values, np.float32)


def less(b: Builder, x, y):
    return b.op("py.lt", x, y, types="bool")


def increased(b: Builder, x, by: int = 1):
    return b.op("py.add", x, b.const(by), types="int")
