"""Nets with two constructs of control flow in each other, one thing that both change, and one way to leave them early."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

HEAD = """\
import dy2st as paddle


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.total = paddle.zeros([])
        self.kept = []
        self.last = None

    def forward(self, x, n):
        n = int(n)
        w = x.sum(axis=0)
        k = 0
        r = paddle.zeros([3])
"""

CARRIED = {  # what both constructs change: how it begins, a step, and what is returned
    "tensor": ("v = x.sum()", "v = v * 0.5 + r.sum()", "v"),
    "int": ("v = 1", "v = v * 2 - k", "v"),
    "float": ("v = 0.5", "v = v * 1.5 + k", "v"),
    "bool": ("v = False", "v = not v", "v"),
    "tensors in a list": ("v = []", "v.append(r + k)", "v"),
    "ints in a list": ("v = [7]", "v.append(k)", "v"),
    "lists in a list": ("v = [[]]", "v[-1].append(r.sum() + k)\nif k % 2 == 1:\n    v.append([])", "v"),
    "None, then a tensor": ("v = None", "v = r if v is None else v + r + k", "v"),
    "None or an int": ("v = 0", "v = None if k % 2 == 1 else k", "v"),
    "tuple": ("v = (x.sum(), 0)", "v = (v[0] + r.sum(), v[1] + k)", "v"),
    "int in state": ("self.count += 1", "self.count += k", "self.count"),
    "tensor in state": ("self.total = self.total + 1", "self.total = self.total + r.sum()", "self.total"),
    "list in state": ("pass", "self.kept.append(r + k)", "len(self.kept), self.kept"),
    "None in state": ("pass", "self.last = r + 1 if self.last is None else self.last + k", "self.last"),
    "dict": ("v = {'a': r, 'n': 0}", "v['n'] += k\nv['a'] = v['a'] + r", "v"),
    "tensor that grows": ("v = x", "v = paddle.concat([v, r.reshape([1, 3])])", "v"),
    "tensors of open lengths": ("v = []", "v.append(x[:k])", "v"),
    "tensor that is written": ("v = paddle.zeros([4])", "v[k % 4] += r.sum() + 1", "v"),
    "argument that is written": ("v = x", "v += r", "v.clone()"),
    "list that shrinks": ("v = [k, k + 1, k + 2, k + 3]", "if len(v) > 1:\n    v.pop()", "v"),
    "items that are replaced": ("v = [1, 2, 3]", "v[k % 3] = v[k % 3 - 1] + 1", "v"),
    "tuples in a list": ("v = []", "v.append((r.sum(), k))", "v"),
    "None in a list": ("v = []", "v.append(None if k % 2 == 0 else k)", "v"),
    "text": ("v = 'a'", "v = 'b' if k % 2 else 'c'", "v == 'b'"),
}
OUTER = {  # its head, and what it does first
    "if": ("if w.sum() > 0:", "k += 1\nr = w + 1"),
    "if, else": ("if w.sum() > 0:", "k += 1\nr = w + 1"),
    "while": ("while k < n:", "k += 1\nr = r + w * 0.5"),
    "range": ("for i in range(n):", "k = k + i\nr = r + w * i"),
    "rows": ("for row in x:", "k += 1\nr = row + 1"),
    "enumerate": ("for j, row in enumerate(x):", "k += j\nr = row * j"),
}
INNER = {
    "if": ("if k % 2 == 1:", "k += 1\nr = r * 2"),
    "if, else": ("if r.sum() > 1.5:", "k += 1\nr = r * 3"),
    "while": ("m = 0\nwhile m < n - 1:", "m += 1\nk += 1\nr = r - w * 0.25"),
    "range": ("for m in range(k):", "k = k + m % 2\nr = r * 0.5 + w"),
    "rows": ("for q in x:", "k += 2\nr = r + q"),
    "enumerate": ("for m, q in enumerate(x):", "k += m\nr = q - m"),
}
LEAVING = {
    "": "pass",
    "break": "if {condition}:\n    break",
    "continue": "if {condition}:\n    continue",
    "return": "if {condition}:\n    return {result}, -1",
    "raise": "if {condition}:\n    raise ValueError('odd')",
    "an index out of range": "w = w + [1, 2, 3, 4][k]",
    "a division by zero": "k = k + 6 // (3 - k) % 3",
}
CHECKS = (IndexError, ZeroDivisionError)  # what the last two raise
PLACES = ("outer, first", "inner, first", "inner, last", "outer, last")
CONDITIONS = ("k > 2", "r.sum() > 4", "k == 2 or r.max() > 7")


class Case(NamedTuple):
    """Keys of the tables."""

    outer: str
    inner: str
    carried: str
    leaving: str
    place: str
    condition: str

    @property
    def may_leave(self) -> bool:
        """Whether Python takes the way of leaving where it stands."""
        loops = (self.outer, self.inner) if self.place.startswith("inner") else (self.outer,)
        return self.leaving not in ("break", "continue") or not all(name.startswith("if") for name in loops)

    @property
    def text(self) -> str:
        """The source of a module with the class `Net`."""
        begin, step, result = CARRIED[self.carried]
        leave = LEAVING[self.leaving].format(condition=self.condition, result=result)
        at = {place: [leave] if place == self.place else [] for place in PLACES}
        inner_head, inner_first = INNER[self.inner]
        inner = [inner_head, indented(inner_first, *at["inner, first"], step, *at["inner, last"])]
        if self.inner == "if, else":
            inner += ["else:", indented("k += 3", step)]
        outer_head, outer_first = OUTER[self.outer]
        outer = [outer_head, indented(outer_first, *at["outer, first"], *inner, *at["outer, last"])]
        if self.outer == "if, else":
            outer += ["else:", indented("k = 2", step)]
        return HEAD + indented(indented(begin, *outer, f"return {result}, k")) + "\n"


def indented(*lines: str) -> str:
    return "\n".join(f"    {line}" for line in "\n".join(lines).split("\n"))


def cases() -> Iterator[Case]:
    """All that differ: where nothing is left, and where no condition is asked, one place or condition stands for all."""
    for case in map(Case._make, product(OUTER, INNER, CARRIED, LEAVING, PLACES, CONDITIONS)):
        asks = "{condition}" in LEAVING[case.leaving]
        is_first = (case.leaving or case.place == PLACES[0]) and (asks or case.condition == CONDITIONS[0])
        if is_first and case.may_leave:
            yield case
