"""Where paths meet, a tensor keeps its dtype and a number its class: at each place, for each pair of kinds, as in torch."""

from __future__ import annotations

import itertools
import warnings

import pytest

torch = pytest.importorskip("torch")

from property.compare import canonical, same  # noqa: E402
from property.modules import forget, module_of  # noqa: E402
from support.sampling import case_in_failure, sampled  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

HEAD = """
import torch


class Box:
    pass


BOX = Box()
VALUE = None


def computed(r, x):
    r = r[1] if isinstance(r, tuple) else r[0] if isinstance(r, list) else r["k"] if isinstance(r, dict) else r
    return r * 2, r + x, r * -1, x.to(torch.float64) * r, torch.full((2,), 1) * r, type(r) is int


def g(x, n):
    {body}


def f(x, n):
    return {result}
"""
# What is a first value, {a}, on one path, and a second one, {b}, on the other.
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
    "try": "r = {a}\ntry:\n    if n > 2:\n        raise KeyError\nexcept KeyError:\n    r = {b}\nfinally:\n    n += 1\nreturn r",
    "raised": "try:\n    if n > 2:\n        raise OSError({a})\n    raise OSError({b})\nexcept OSError as e: return e.args[0]",
    "recursion": "def down(k):\n    if k <= 2:\n        return {a}\n    down(k - 1)\n    return {b}\nreturn down(n)",
}
KINDS = {
    "int": "n.item()", "float": "n.item() / 4", "bool": "n.item() > 3", "known int": "7", "known bool": "True",
    "int64": "n + 1", "float32": "x.sum()", "tensor of bool": "n > 3", "vector": "x * 2", "float64": "x.double()",
}  # fmt: skip
RESULTS = {"as it is": "g(x, n)", "computed with": "computed(g(x, n), x)"}
CASES = [(place, *pair, use) for place in PLACES for pair in itertools.permutations(KINDS, 2) for use in RESULTS]


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_each_keeps_its_kind(part):
    for place, first, second, use in sampled(CASES, 60)[part::4]:
        with case_in_failure(f"{place}: {first} and {second}, {use}"):
            body = PLACES[place].format(a=KINDS[first], b=KINDS[second]).replace("\n", "\n    ")
            _check(HEAD.format(body=body, result=RESULTS[use]))


def test_an_alias_of_several_kinds_is_written():
    _check("""
def f(x, n):
    whole, item, maybe = n, n + 1, None
    if n > 2:
        whole, item, maybe = x, x[0], x[1:]
    whole += 1
    item -= 2
    if maybe is not None:
        maybe *= 3
    pair = [n, x[0]]
    for k in range(int(n)):
        pair[k % 2] += 1
    return whole, item, maybe, pair, x
""")


def test_what_is_asked_of_several_kinds():
    _check("""
import torch


def f(x, n):
    y = x
    if n > 2:
        y = x.long()
    said = y.dtype == torch.int64, y.dtype, y.type(), type(y) is torch.Tensor, y.is_sparse, y.is_floating_point(), f"{y}"
    return said, y.real, y[None].T, y.size(), torch.zeros(2, dtype=y.dtype), y.to(x.dtype), [part * 2 for part in y], y.tolist()
""")


def test_in_onnx(tmp_path):
    pytest.importorskip("onnxruntime")
    import dy2st.onnx

    def f(x, n):
        y, total = x, 0
        if n > 2:
            y = x.long()
        for part in y:
            total = total + part
        return y, total

    net = dy2st.torch.to_static(f, [InputSpec([None], "float32", "x"), InputSpec([], "int64", "n")])
    session = dy2st.onnx.Session(dy2st.onnx.export(net, str(tmp_path / "net")))
    for n in (1, 5):
        found = session(dy2st.to_tensor([1.0, 2.0]), dy2st.to_tensor(n))
        torch.testing.assert_close(tuple(torch.from_numpy(part.numpy()) for part in found), f(torch.tensor([1.0, 2.0]), n))


def _check(text: str) -> None:
    """The function `f` gives the same on both sides of its fork, and says nothing of dtypes."""
    plain, static = module_of(text), module_of(text)
    net = dy2st.torch.to_static(static.f, [InputSpec([None], "float32", "x"), InputSpec([], "int64", "n")])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for n in (1, 3, 5):
                given = [[torch.tensor([1.0, 2.0]), torch.tensor(n)] for _ in range(2)]
                expected, found = canonical((plain.f(*given[0]), given[0])), canonical((net(*given[1]), given[1]))
                assert same(expected, found, typed=True), f"{n}: {found}, expected {expected}\n{text}"
    finally:
        forget(plain)
        forget(static)


def test_a_size_or_a_tuple_follows_the_path():
    def function(x):
        size = x.shape if x.sum() > 0 else (x.shape[1], 7)
        return x.sum() + size[0] * 10 + size[1]

    static = dy2st.torch.to_static(function, [InputSpec([None, None], "float32")])
    for x in (torch.ones(2, 3), -torch.ones(4, 5)):
        torch.testing.assert_close(static(x), function(x))
