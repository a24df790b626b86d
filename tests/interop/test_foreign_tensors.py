"""Tensors of other libraries are taken where a tensor is: the results are those of Tensors."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from api.calls import INPUTS, calls
from api.test_calls import arrays, same
from interop.kinds import MAKERS, Plain, foreign, is_foreign

import dy2st as paddle
from dy2st import nn
from dy2st.static import InputSpec

kinds = pytest.mark.parametrize("kind", MAKERS)


def is_of_functions_alone(text):
    """Whether a call gives inputs to functions, and does nothing else with them: what they have and do is the other library's."""
    used = (ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript)
    asked = {part for node in ast.walk(ast.parse(text)) if isinstance(node, used) for part in ast.iter_child_nodes(node)}
    return text.startswith("paddle.") and not any(isinstance(part, ast.Name) and part.id in INPUTS for part in asked)


CALLS = [call for call in calls() if is_of_functions_alone(call.text)]
ASKING = ("paddle.is_tensor(x)",)  # whether it is one of ours


def has_foreign(value):
    return any(map(has_foreign, value)) if isinstance(value, (list, tuple)) else is_foreign(value)


@kinds
def test_every_function_takes_them(kind):
    differ = {}
    for call in CALLS:
        expected = eval(call.text, {"paddle": paddle, **{name: paddle.to_tensor(a) for name, a in INPUTS.items()}})
        try:
            given = eval(call.text, {"paddle": paddle, **{name: foreign(kind, a) for name, a in INPUTS.items()}})
            assert not has_foreign(given)
            same(arrays(given), arrays(expected), values=call.note != "either")
        except Exception as error:
            differ[call.text] = f"{type(error).__name__}: {error}"
    assert set(differ) == set(ASKING) and len(CALLS) > 500, differ


@kinds
def test_operators_take_them_on_either_side(kind):
    ours, array = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), np.array([[2.0, 2.0], [1.0, 4.0]], "float32")
    for text in "a + b, b + a, a - b, b - a, a * b, b / a, a ** b, a @ b, b @ a, a == b, b != a, a < b, b >= a".split(", "):
        given = eval(text, {"a": ours, "b": foreign(kind, array)})
        expected = eval(text, {"a": ours.numpy(), "b": array})
        assert isinstance(given, paddle.Tensor), text
        np.testing.assert_allclose(given.numpy(), expected, rtol=1e-6)


@kinds
def test_subscripts_take_them(kind):
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    assert x[foreign(kind, [1, 0])].tolist() == [[3.0, 4.0], [1.0, 2.0]]
    assert x[foreign(kind, [[True, False], [False, True]])].tolist() == [1.0, 4.0]
    x[foreign(kind, [0])] = foreign(kind, [9.0, 8.0], "float32")
    x[1] = foreign(kind, [7.0, 6.0], "float32")
    assert x.tolist() == [[9.0, 8.0], [7.0, 6.0]]


@kinds
def test_ways_to_make_a_tensor_copy_them(kind):
    theirs = foreign(kind, [1.0, 2.0], "float32")
    for made in (paddle.to_tensor(theirs), paddle.Tensor(theirs), paddle.as_tensor(theirs), nn.Parameter(theirs)):
        with paddle.no_grad():
            made[0] = 5.0
        assert made.tolist() == [5.0, 2.0]
    assert paddle.from_dlpack(theirs).tolist() == [1.0, 2.0]
    assert paddle.to_tensor([theirs, theirs], dtype="float64").tolist() == [[1.0, 2.0], [1.0, 2.0]]


LAYERS = [
    nn.Linear(3, 2), nn.Flatten(), nn.ReLU(), nn.Dropout(0.0), nn.LayerNorm(3), nn.Sequential(nn.Linear(3, 2), nn.Tanh()),
    nn.LSTM(3, 2), nn.MultiHeadAttention(3, 1), nn.Softmax(), nn.Conv1D(4, 2, 2), nn.MaxPool1D(2), nn.BatchNorm1D(4),
    nn.Unfold(1),
]  # fmt: skip


@kinds
@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: type(layer).__name__)
def test_layers_take_them(kind, layer):
    array = np.arange(24, dtype="float32").reshape((1, 2, 4, 3) if isinstance(layer, nn.Unfold) else (2, 4, 3))
    given, expected = layer(foreign(kind, array)), layer(paddle.to_tensor(array))
    for a, b in zip(_flat(given), _flat(expected), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy())


def _flat(value):
    return [leaf for part in value for leaf in _flat(part)] if isinstance(value, (list, tuple)) else [value]


class Scaled(nn.Layer):
    def __init__(self):
        super().__init__()
        self.scale = self.create_parameter([2])

    def forward(self, x, others=None):
        y = x * self.scale
        return y if others is None else y + others["b"][0]


@kinds
def test_static_functions_and_saved_models_take_them(kind, tmp_path):
    array = np.array([[1.0, 2.0], [3.0, 4.0]], "float32")
    net = paddle.jit.to_static(Scaled(), input_spec=[InputSpec([None, 2], "float32")])
    paddle.jit.save(net, tmp_path / "net")
    scale = net.scale.numpy()
    loaded, flat = paddle.jit.load(tmp_path / "net"), paddle.jit.load(tmp_path / "net", flat=True)
    script = paddle.jit.script(lambda x: x * 2.0)
    traced = paddle.jit.trace(lambda x: x * 2.0, (foreign(kind, array),))
    traced.save(tmp_path / "traced")
    for _ in range(2):  # the second call is a written one
        for model in (net, loaded, flat):
            np.testing.assert_allclose(_flat(model(foreign(kind, array)))[0].numpy(), array * scale)
        for function in (script, traced, paddle.jit.load(tmp_path / "traced")):
            assert function(foreign(kind, array)).tolist() == (array * 2).tolist()


@kinds
def test_they_are_taken_inside_containers_that_a_static_function_is_given(kind):
    net = paddle.jit.to_static(Scaled())
    x, more = foreign(kind, [[1.0, 2.0]], "float32"), foreign(kind, [10.0, 20.0], "float32")
    expected = np.array([[1.0, 2.0]]) * net.scale.numpy() + [10.0, 20.0]
    np.testing.assert_allclose(net(x, {"b": (more,)}).numpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(net(x, others={"b": [more]}).numpy(), expected, rtol=1e-6)


def test_a_list_that_is_given_is_that_which_a_static_function_changes():
    @paddle.jit.to_static
    def add(x, found):
        found.append(x * 2)
        return x

    found = []
    add(Plain(np.ones(1, "float32")), found)
    assert [x.tolist() for x in found] == [[2.0]]


@kinds
def test_specs_state_and_data_take_them(kind, tmp_path):
    theirs = foreign(kind, [[1.0, 2.0]], "float32")
    paddle.jit.save(paddle.jit.to_static(lambda x: x + 1), tmp_path / "f", input_spec=[theirs])
    assert paddle.jit.load(tmp_path / "f")(theirs).tolist() == [[2.0, 3.0]]
    paddle.save({"a": theirs}, tmp_path / "state")
    assert paddle.load(tmp_path / "state")["a"].tolist() == [[1.0, 2.0]]
    linear = nn.Linear(1, 2)
    linear.set_state_dict({"weight": theirs, "bias": foreign(kind, [0.0, 1.0], "float32")})
    assert linear(paddle.ones([1, 1])).tolist() == [[1.0, 3.0]]
    (batch, _) = next(iter(paddle.io.DataLoader([(theirs, 0), (theirs, 1)], batch_size=2)))
    assert batch.tolist() == [[[1.0, 2.0]], [[1.0, 2.0]]]
    assert paddle.metric.accuracy(theirs, foreign(kind, [[1]])).item() == 1.0


@kinds
def test_gradients_flow_into_what_is_ours(kind):
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    (x * foreign(kind, [3.0, 4.0], "float32")).sum().backward()
    assert x.grad.tolist() == [3.0, 4.0]


def test_an_optimizer_doesnt_train_what_isnt_ours():
    with pytest.raises(TypeError, match="parameters must be Tensors, not interop.Plain"):
        paddle.optimizer.SGD(parameters=[Plain(np.ones(2))])
