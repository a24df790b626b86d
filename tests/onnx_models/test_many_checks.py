"""Functions with many statements that may raise: their graphs don't lie in each other, and the first that fails raises."""

from __future__ import annotations

import linecache
import random

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")

import onnx

import dy2st as paddle
import dy2st.onnx
from dy2st import jit
from dy2st.static import InputSpec

STATEMENTS = (
    "if x.sum() > {limit}:\n        raise ValueError('{number}')",
    "if x.sum() > {limit}:\n        raise KeyError({number})\n    else:\n        x = x + 1",
    "if x[0] > 0:\n        if x.sum() > {limit}:\n            raise ValueError('{number}')\n        x = x * 2 - x",
    "if x[1] > {limit}:\n        raise ValueError(f'{number}, {{x.shape[0]}}')\n    xs.append(x + {number})",
    "if x.max() > {limit}:\n        raise IndexError('{number}')\n    named['n{number}'] = x.max()",
    "if len(xs) > 2 and x.sum() > {limit}:\n        raise ValueError('{number}')\n    state.total = state.total + x",
    "x = x + named['start']",
    "k = {number}\n    if x.sum() > {limit}:\n        raise ValueError(k)",
)
CHECKS = 45


class State:
    def __init__(self, total):
        self.total = total


def written(seed):
    """A function of many statements, of which those further down fail at lower sums."""
    draw = random.Random(seed)
    lines = [draw.choice(STATEMENTS).format(limit=1000 - 20 * k, number=k) for k in range(CHECKS)]
    made = ["xs, named, k = [x], {'start': x.min()}, 0", "state = State(x)"]
    body = "\n    ".join([*made, *lines, "return x, xs, named, state.total, k"])
    text, file = f"def f(x):\n    {body}\n", f"<many checks {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made = {"State": State}
    exec(compile(text, file, "exec"), made)
    return made["f"]


def outcome(function, x):
    try:
        x, xs, named, total, k = function(paddle.to_tensor(x))
    except (ValueError, KeyError, IndexError) as error:
        return type(error).__name__, str(error)
    return [y.numpy().tolist() for y in (x, *xs, *named.values(), total)], list(named), int(k)


def depth(graph):
    return 1 + max((depth(part.g) for node in graph.node for part in node.attribute if part.HasField("g")), default=0)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_check_that_fails_is_told(seed, tmp_path):
    function = written(seed)
    path = dy2st.onnx.export(jit.to_static(function, [InputSpec([3], "float32", "x")]), tmp_path / "net")
    assert depth(onnx.load(path).graph) <= 20
    net, seen = dy2st.onnx.Session(path), set()
    for start in (-3, 0, 3, 10, 30, 60, 120, 300, 2000):
        x = np.array([start, start + 1, start - 1], "float32")
        right = outcome(function, x)
        assert outcome(net, x) == right
        seen.add(str(right)[:40])
    assert len(seen) > 4
