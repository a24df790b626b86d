"""Functions whose loop has a first turn unlike the later ones: it fills a cache. Each kind of cache in each loop.

`written(cache, loop)` is the source in Paddle's names, of a function of h (float64 [n, 3]) and the number of turns.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass


@dataclass(frozen=True)
class Cache:
    """How a function keeps what its turns hand on: how it begins, how a turn adds k, what it reads, and whether it is filled."""

    begin: str
    add: str
    read: str
    classes: str = ""


OBJECTS = '''
@dataclass
class Kept:
    k: object = None


class Lazy:
    """Gets its tensors in the first turn."""

    def __init__(self):
        self.is_initialized = False

    def add(self, k):
        if not self.is_initialized:
            self.k = k
            self.is_initialized = True
        else:
            self.k = paddle.concat([self.k, k], axis=1)
        return self.k


class Layered:
    """Makes its layers as they are asked for."""

    def __init__(self):
        self.layers = []

    def add(self, number, k):
        while len(self.layers) <= number:
            self.layers.append(Lazy())
        return self.layers[number].add(k)
'''

JOINED = "paddle.concat([{}, k], axis=1)"
CACHES = {
    "None": Cache("past = None", f"past = k if past is None else {JOINED.format('past')}", "past"),
    "a list": Cache(
        "past = []", f"if not past:\n    past.append(k)\nelse:\n    past[0] = {JOINED.format('past[0]')}", "past[0]"
    ),
    "a list of None": Cache(
        "past = [None]", f"past[0] = k if past[0] is None else {JOINED.format('past[0]')}", "past[0]"
    ),
    "a dict": Cache(
        "past = {}", f"past['k'] = {JOINED.format('past[{0}]')} if 'k' in past else k".replace("{0}", "'k'"), "past['k']"
    ),
    "a tuple": Cache("past = ()", f"past = (k,) if not past else ({JOINED.format('past[0]')},)", "past[0]"),
    "a dataclass": Cache("past = Kept()", f"past.k = k if past.k is None else {JOINED.format('past.k')}", "past.k"),
    "a lazy object": Cache("past = Lazy()", "past.add(k)", "past.k"),
    "an object with layers": Cache("past = Layered()", "past.add(0, k)\npast.add(1, 2.0 * k)", "past.layers[1].k"),
    "a dict of objects": Cache("past = {}", "past.setdefault('first', Lazy()).add(k)", "past['first'].k"),
    "a flag": Cache(
        "first, past = True, k0", f"if first:\n    first = False\n    past = k\nelse:\n    past = {JOINED.format('past')}", "past"
    ),
    "two names": Cache(
        "past, mask = None, None",
        f"if past is None:\n    past, mask = k, paddle.ones_like(k)\nelse:\n    past = {JOINED.format('past')}\n"
        f"    mask = paddle.concat([mask, 0.5 * paddle.ones_like(k)], axis=1)",
        "(past * mask)",
    ),
}

TURN = """k = paddle.stack([h, h * 0.5], axis=1)
{add}
h = paddle.tanh(h + {read}.sum(axis=1))
outs.append(h.sum())
"""
END = "(h.abs() > 0.97).all()"
LOOPS = {
    "for": "for i in range(n):\n{turn}",
    "for and break": "for i in range(n):\n{turn}    if {end}:\n        break\n",
    "for and return": "for i in range(n):\n{turn}    if {end}:\n        return h * 2.0, {read}, len(outs)\n",
    "for and continue": "for i in range(n):\n{turn}    if {end}:\n        continue\n    h = h * 1.25\n",
    "break first": "done = False\nfor i in range(n):\n    if done:\n        break\n{turn}    done = {end}\n",
    "while": "i, done = 0, False\nwhile not done and i < n:\n{turn}    i, done = i + 1, {end}\n",
    "while True": "i = 0\nwhile True:\n{turn}    i += 1\n    if {end}:\n        break\n    if i == n:\n        break\n",
    "while of a tensor": "i = 0\nwhile h.abs().max() < 0.99 and i < n:\n{turn}    i += 1\n",
}
FUNCTION = """import dy2st as paddle
from dataclasses import dataclass

{classes}

def f(h):
    n = {n}
    outs = []
    k0 = paddle.zeros([1, 1], dtype="float64")
    {begin}
{loop}
    return h, {read}, len(outs)
"""


def written(cache: str, loop: str, turns: int) -> str:
    """The source of a function."""
    kind = CACHES[cache]
    turn = textwrap.indent(TURN.format(add=kind.add, read=kind.read), "    ")
    body = textwrap.indent(LOOPS[loop].format(turn=turn, end=END, read=kind.read), "    ")
    return FUNCTION.format(classes=OBJECTS, n=turns, begin=kind.begin, loop=body, read=kind.read)
