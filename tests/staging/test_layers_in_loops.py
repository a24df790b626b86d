"""Loops over the layers of a model inside loops that tensors decide: what decoders are made of."""

from __future__ import annotations

import io
import itertools
import runpy

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st import nn
from dy2st.static import InputSpec


class Layers(nn.Layer):
    def __init__(self):
        super().__init__()
        paddle.seed(1)
        self.layers = nn.LayerList([nn.Linear(2, 2) for _ in range(3)])
        self.sequential = nn.Sequential(*[nn.Linear(2, 2) for _ in range(3)])
        self.parts = nn.ParameterList([self.create_parameter([2]) for _ in range(3)])
        self.table = nn.LayerDict({"a": nn.Linear(2, 2), "b": nn.Linear(2, 2)})
        self.scales = [0.5, 1.0, 2.0]

    def forward(self, x, n):
        i, kept = paddle.zeros([], dtype="int64"), []
        while i < n:
            x = self.turn(x, i, kept)
            i = i + 1
        return x, kept


ITERABLES = {
    "a list": "layer in self.layers",
    "a slice": "layer in self.layers[1:]",
    "sequential": "layer in self.sequential",
    "a slice of sequential": "layer in self.sequential[:2]",
    "children": "layer in self.layers.children()",
    "sublayers": "layer in self.sequential.sublayers()",
    "named children": "_, layer in self.sequential.named_children()",
    "named sublayers": "_, layer in self.sequential.named_sublayers()",
    "values": "layer in self.table.values()",
    "items": "_, layer in self.table.items()",
    "keys": "layer in [self.table[key] for key in self.table]",
    "enumerate": "_, layer in enumerate(self.layers)",
    "enumerate children": "_, layer in enumerate(self.layers.children())",
    "zip": "layer, _ in zip(self.layers, self.parts)",
    "zip with numbers": "layer, _ in zip(self.layers, self.scales)",
    "enumerate zip": "_, (layer, _) in enumerate(zip(self.scales and self.layers, self.parts))",
    "list": "layer in list(self.layers)",
    "list of children": "layer in list(self.layers.children())",
    "tuple": "layer in tuple(self.sequential)",
    "reversed": "layer in reversed(self.layers)",
    "map": "layer in map(lambda each: each, self.layers)",
    "filter": "layer in filter(lambda each: each is not self.layers[0], self.layers)",
    "generator expression": "layer in (each for each in self.layers)",
    "comprehension": "layer in [each for each in self.layers]",
    "iter": "layer in iter(self.layers)",
    "range": "layer in [self.layers[k] for k in range(len(self.layers))]",
}
BODIES = {
    "applied": "x = layer(x)",
    "kept": "x = layer(x); kept.append(x)",
    "left": "x = layer(x); kept.append(x)\n        if x.sum() > 1: break",
    "skipped": "if x.sum() > i: continue\n        x = layer(x); kept.append(x)",
}
METHOD = """
def turn(self, x, i, kept):
    for {iterable}:
        {body}
    return x
"""


def flat(result):
    return [result[0].numpy(), *(each.numpy() for each in result[1])]


def assert_same(net):
    """The Program and the loaded one give what plain Python gives, for no turn, one and several."""
    calls = [(np.array(x, np.float32), np.int64(n)) for x in ([0.5, -0.25], [3, 4]) for n in (0, 1, 3)]
    expected = [flat(net(*map(paddle.to_tensor, call))) for call in calls]
    file = io.BytesIO()
    static = paddle.jit.to_static(net, input_spec=[InputSpec([2]), InputSpec([], "int64")])
    paddle.jit.save(static, file)
    file.seek(0)
    for program in (static, paddle.jit.load(file)):
        for call, arrays in zip(calls, expected):
            result = flat(program(*map(paddle.to_tensor, call)))
            assert len(result) == len(arrays)
            for a, b in zip(arrays, result):
                np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.fixture
def net(tmp_path):
    """A function that gives the Net whose `turn` is that of a text."""

    def with_turn(text):
        path = tmp_path / "turn.py"
        path.write_text(text)
        return type("Net", (Layers,), {"turn": runpy.run_path(str(path))["turn"]})()

    return with_turn


@pytest.mark.long
@pytest.mark.parametrize(("iterable", "body"), sampled(itertools.product(ITERABLES, BODIES), 8))
def test_r_01_layers_in_a_loop_that_a_tensor_decides(iterable, body, net):
    assert_same(net(METHOD.format(iterable=ITERABLES[iterable], body=BODIES[body])))


@pytest.mark.parametrize(
    "expression",
    [
        "[layer(x) for layer in self.layers]",
        "[layer(x) * scale for layer, scale in zip(self.layers, self.scales)]",
        "list(map(lambda layer: layer(x), self.layers.children()))",
        "[sum(layer(x) for layer in self.sequential)]",
    ],
)
def test_r_01_layers_in_an_expression(expression, net):
    assert_same(net(f"def turn(self, x, i, kept):\n    kept.extend({expression})\n    return kept[-1]\n"))


def test_r_01_an_iterator_that_the_layer_keeps_is_refused(net):
    kept = net("def turn(self, x, i, kept):\n    for layer in self.rest:\n        x = layer(x)\n    return x\n")
    kept.rest = iter(kept.layers)
    static = paddle.jit.to_static(kept, input_spec=[InputSpec([2]), InputSpec([], "int64")])
    with pytest.raises(paddle.errors.ConversionError, match="list_iterator from outside would go on while staging"):
        static(paddle.ones([2]), paddle.to_tensor(2))
