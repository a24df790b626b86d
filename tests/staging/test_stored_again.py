"""A variable that nobody reads before control flow stores it again: as in plain Python, whatever stored it first."""

from __future__ import annotations

import importlib.util
import itertools
from textwrap import indent

import pytest
from support.sampling import sampled

import dy2st as paddle

HEAD = """
import contextlib

def f(x, n):
    k = 0
"""
STORES = {
    "plain": "y = x * A",
    "an if": "if n > A:\n    y = x\nelse:\n    y = x * A",
    "an if without else": "y = x\nif n > A:\n    y = x + A",
    "an elif": "if n > 3:\n    y = x\nelif n > A:\n    y = x + 1\nelse:\n    y = x + A",
    "a finally": "try:\n    k = k + n\nfinally:\n    y = x + A",
    "a try": "try:\n    y = x + A\n    k = k + 1\nexcept KeyError:\n    y = x",
    "a handler": "try:\n    y = [x, x * A][A]\nexcept IndexError:\n    y = x - A",
    "an else": "try:\n    k = k + n\nexcept ValueError:\n    y = x\nelse:\n    y = x * 3 + A",
    "a with": "with contextlib.suppress(KeyError):\n    y = x + A",
    "a while": "y = x\nwhile y.sum() < A:\n    y = y + 1",
    "a for": "for y in (x, x * A):\n    k = k + 1",
    "two variables": "if n > A:\n    y, k = x, 1\nelse:\n    y, k = x * A, 2",
    "del": "y = x\ndel y\ny = x * A",
}
BETWEEN = {"nothing": "pass", "another": "z = x * 2\nk = k + 1", "a read": "k = y", "a read on a path": "if n > 2:\n    k = y"}
AROUND = {
    "a function": "BODY",
    "a loop": "for i in range(3):\n    x = x + i\n    BODY",
    "a staged loop": "while n < 4:\n    n = n + 1\n    BODY",
    "a branch": "if n > 0:\n    BODY\nelse:\n    y = x",
    "a try": "try:\n    BODY\nexcept TypeError:\n    y = x * 9",
    "a finally": "try:\n    k = k + 1\nfinally:\n    BODY",
}
GRID = list(itertools.product(STORES, STORES, BETWEEN, AROUND))


def source(first, second, between, around):
    parts = [STORES[first].replace("A", "1"), BETWEEN[between], STORES[second].replace("A", "2")]
    frame = AROUND[around]
    before = frame[: frame.index("BODY")].rpartition("\n")[2]
    body = frame.replace("BODY", indent("\n".join(parts), before).lstrip())
    return f"{HEAD}{indent(body, '    ')}\n    return y, k\n"


def answers(function):
    found = []
    for value, n in ((1.0, 0), (-2.0, 2), (3.0, 5)):
        try:
            y, k = function(paddle.to_tensor([value]), paddle.to_tensor(n))
            found.append((y.tolist(), k.tolist() if isinstance(k, paddle.Tensor) else k))
        except Exception as error:
            found.append(type(error).__name__)
    return found


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first, second, between, around", sampled(GRID, 40))
def test_as_in_plain_python(first, second, between, around, tmp_path):
    file = tmp_path / "cell.py"
    file.write_text(source(first, second, between, around))
    spec = importlib.util.spec_from_file_location("cell", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert answers(paddle.jit.to_static(module.f)) == answers(module.f)
