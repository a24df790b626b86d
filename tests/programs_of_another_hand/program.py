"""A random program: a module with a model, and the calls that it is tried with."""

from __future__ import annotations

import random
import re
import textwrap
from dataclasses import dataclass

from .habits import HABITS
from .writer import Writer

HEAD = """
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from contextlib import contextmanager, suppress
from dataclasses import FrozenInstanceError, asdict, astuple, dataclass, field, fields, replace
from enum import Enum, Flag, IntEnum, IntFlag, auto
from functools import lru_cache, partial, reduce, wraps
from typing import NamedTuple

import dy2st as paddle

"""
VALUES = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0)


@dataclass(frozen=True)
class Program:
    """The text of a module with `Net`, and the arguments of each call as an expression: a list, an int, and further ones."""

    seed: int
    source: str
    habits: tuple[str, ...]
    calls: tuple[str, ...]
    has_arguments: bool
    has_spec: bool
    saved_after: int
    other_first: bool


def program(seed: int) -> Program:
    """The program of a seed: the same in every process."""
    rng = random.Random(seed)
    habits = rng.sample(HABITS, rng.randint(2, 4))
    writer = Writer(rng, habits)
    more = [(name, writer.fill(text)) for name, text in (habit.argument for habit in habits if habit.argument)]
    defines = "\n".join(writer.fill(habit.defines) for habit in habits if habit.defines)
    begins = [line for habit in habits for line in writer.fill(habit.begins).split("\n") if habit.begins]
    body = writer.block()
    told = ["y", "k", "out", *[writer.fill(rng.choice(h.told)) for h in habits for _ in range(2)]]
    forward = _function(
        "forward",
        ["self", "x", "n", *[name for name, _ in more]],
        ["y = x.sum()", "k = int(n)", "out = []", *body, f"return {', '.join(told)}"],
    )
    methods = "".join(textwrap.indent(habit.methods, "    ") for habit in habits)
    init = _function("__init__", ["self"], ["super().__init__()", *begins])
    source = f"{HEAD}{defines}\n\nclass Net(paddle.nn.Layer):\n{init}{methods}\n{forward}"
    size = 2 if more else None  # of what is saved from an example, lengths are fixed
    calls = tuple(_call(rng, size, [re.sub("#", lambda _: str(rng.randint(0, 4)), text) for _, text in more]) for _ in range(4))
    return Program(
        seed,
        source,
        tuple(h.name for h in habits),
        calls,
        bool(more),
        not more and rng.random() < 0.7,
        int(rng.random() < 0.3),
        rng.random() < 0.3,
    )


def _function(name: str, parameters: list[str], lines: list[str]) -> str:
    return f"    def {name}({', '.join(parameters)}):\n" + "".join(f"        {line}\n" for line in lines) + "\n"


def _call(rng: random.Random, size: int | None, more: list[str]) -> str:
    values = [rng.choice(VALUES) for _ in range(size or rng.randint(1, 3))]
    return ", ".join([str(values), str(rng.randint(-1, 4)), *more])
