"""Where paths meet, a tensor keeps its dtype and a number its class: at each place of meeting, for each pair of kinds, as in torch."""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from property.compare import canonical, same  # noqa: E402
from property.modules import forget, module_of  # noqa: E402
from support.sampling import case_in_failure  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

HEAD = """
import torch

class Box:
    pass

BOX = Box()
VALUE = None

"""
# A function that is a first value on one path, and a second one on the other.
PLACES = {
    "if": "r = {a}\nif n > 2:\n    r = {b}\nreturn r",
    "ternary": "return {a} if n > 2 else {b}",
    "return": "if n > 2:\n    return {a}\nreturn {b}",
    "while": "r = {a}\nwhile n > 2:\n    r = {b}\n    n = n - 1\nreturn r",
    "for": "r = {a}\nfor k in range(int(n) - 2):\n    r = {b}\nreturn r",
    "break": "r = {a}\nfor k in range(3):\n    if k + n > 3:\n        r = {b}\n        break\nreturn r",
    "item": "l = [{a}, 1]\nif n > 2:\n    l[0] = {b}\nreturn l",
    "items": "l = []\nfor k in range(int(n)):\n    l.append({a})\n    if k > 1:\n        l[0] = {b}\nreturn l",
    "key": "d = dict(k={a})\nif n > 2:\n    d['k'] = {b}\nreturn d",
    "attribute": "o = Box()\no.v = {a}\nif n > 2:\n    o.v = {b}\nreturn o.v",
    "state": "BOX.v = {a}\nif n > 2:\n    BOX.v = {b}\nreturn BOX.v",
    "global": "global VALUE\nVALUE = {a}\nif n > 2:\n    VALUE = {b}\nreturn VALUE",
    "free": "r = {a}\ndef store():\n    nonlocal r\n    if n > 2:\n        r = {b}\nstore()\nreturn r",
    "tuple": "r = (1, {a})\nif n > 2:\n    r = (1, {b})\nreturn r",
    "finally": "r = {a}\ntry:\n    if n > 2:\n        raise KeyError(1)\nexcept KeyError:\n    r = {b}\nfinally:\n    n = n + 1\nreturn r",
    "raised": "try:\n    if n > 2:\n        raise ValueError({a})\n    raise ValueError({b})\nexcept ValueError as e:\n    return e.args[0]",
    "recursion": "def down(k):\n    if k <= 2:\n        return {a}\n    down(k - 1)\n    return {b}\nreturn down(n)",
    "or": "r = {a}\nif n > 2:\n    r = {b}\nreturn r or x",
}
KINDS = {
    "int": "n.item()", "float": "n.item() / 4", "bool": "n.item() > 3", "int64": "n + 1", "float32": "x.sum()",
    "tensor of bool": "n > 3", "vector": "x * 2", "float64": "x.double()", "known int": "7", "known bool": "True",
}  # fmt: skip
USES = {"as it is": "{}", "computed with": "use({}, x)"}
USE = """
def use(r, x):
    if isinstance(r, tuple | list):
        r = r[1 if isinstance(r, tuple) else 0]
    if isinstance(r, dict):
        r = r["k"]
    return r * 2, r + x, r * -1, x.to(torch.float64) * r, torch.full((2,), 1) * r, type(r) is int
"""


def text_of(place: str, first: str, second: str, use: bool) -> str:
    """A module with a function f(x, n)."""
    body = PLACES[place].format(a=KINDS[first], b=KINDS[second]).replace("\n", "\n    ")
    last = "use(g(x, n), x)" if use else "g(x, n)"
    return f"{HEAD}{USE}\ndef g(x, n):\n    {body}\n\n\ndef f(x, n):\n    return {last}\n"


@pytest.mark.parametrize("use", [False, True], ids=["as it is", "computed with"])
@pytest.mark.parametrize("place", PLACES)
def test_each_keeps_its_kind(place, use):
    pass
