"""Tensors, loaded models and static functions that are pickled or deep-copied give what the first one gives."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from interop import models

import dy2st as paddle
from dy2st import nn
from dy2st.errors import StagedValueError


def pickled(value):
    return pickle.loads(pickle.dumps(value))


ways = pytest.mark.parametrize("way", [pickled, copy.deepcopy])
X = np.array([[1.0, 2.0], [3.0, -4.0]], "float32")


def x():
    return paddle.to_tensor(X)


def same(given, expected):
    np.testing.assert_array_equal(given.numpy(), expected.numpy())


# --- loaded models ----------------------------------------------------------------------------------------------------


@pytest.fixture
def net(tmp_path):
    static = paddle.jit.to_static(models.Net(), input_spec=models.SPEC)
    paddle.jit.save(static, tmp_path / "net")
    return paddle.jit.load(tmp_path / "net")


@ways
def test_a_loaded_model(way, net):
    net.train()
    net(x())
    other = way(net)
    for _ in range(3):  # the state of both goes on from where it was
        same(other(x()), net(x()))
    assert other.training
    for model in (net, other):
        model.eval()
    same(other(x()), net(x()))
    assert all(a is not b for a, b in zip(net.parameters(), other.parameters()))


@ways
def test_a_copy_changes_by_itself(way, net):
    before, other = net(x()), way(net)
    with paddle.no_grad():
        other.fc.weight.zero_()
    net.eval(), other.eval()
    same(net(x()), net(x()))
    assert not np.allclose(other(x()).numpy(), before.numpy())


@ways
def test_what_was_added_to_a_loaded_model_comes_along(way, net):
    net.eval()
    net.head, net.note, net.fc.kept = nn.Linear(3, 1), "hi", [1]
    net.register_forward_post_hook(models.added_hook)
    net.fc.weight.stop_gradient = True
    other = way(net)
    same(other(x()), net(x()))
    same(other.head(net(x())), net.head(net(x())))
    assert (other.note, other.fc.kept, other.fc.weight.stop_gradient, other.fc.bias.stop_gradient) == ("hi", [1], True, False)
    assert other.head.weight is not net.head.weight


@ways
def test_how_it_was_loaded_stays(way, net, tmp_path):
    paddle.jit.save(paddle.jit.to_static(lambda x: [x, x * 2], input_spec=models.SPEC), tmp_path / "two")
    flat = paddle.jit.load(tmp_path / "two", flat=True)
    assert [out.tolist() for out in way(flat)(x())] == [out.tolist() for out in flat(x())]
    same(way(net.forward)(x()), net(x()))


@ways
@pytest.mark.parametrize("kind", ["script", "trace", "function"])
def test_what_script_and_trace_saved(way, kind, tmp_path):
    layer = models.Scripted()
    made = {"script": lambda: paddle.jit.script(layer), "trace": lambda: paddle.jit.trace(layer, (x(),)),
            "function": lambda: paddle.jit.trace(models.plain, (x(),))}[kind]()  # fmt: skip
    made.save(tmp_path / "made")
    loaded = paddle.jit.load(tmp_path / "made")
    other = way(loaded)
    same(other(x()), loaded(x()))
    if kind != "function":
        with paddle.no_grad():
            other.fc.weight.zero_()
        same(loaded(x()), layer(x()))
        assert other.eval().training is False and loaded.training


def test_a_part_of_a_loaded_model_is_refused(net):
    with pytest.raises(TypeError, match="of a part, give state_dict()"):
        pickle.dumps(net.fc)


def test_the_weights_are_given_as_arrays_which_joblib_maps(net):
    function, (_, arrays, *_) = net.__reduce__()
    assert {name for name in arrays if name.startswith("fc")} == {"fc.weight", "fc.bias"}
    assert all(isinstance(array, np.ndarray) for array in arrays.values())


# --- static functions -------------------------------------------------------------------------------------------------

STATIC = {
    "a function": lambda: models.function,
    "a plain function's": lambda: models.quick,
    "a static function's": lambda: models.again,
    "a method of a layer": lambda: models.Decorated().doubled,
    "a forward": lambda: models.Decorated().forward,
    "a layer whose class has some": models.Decorated,
    "a layer that became static": lambda: paddle.jit.to_static(models.Net(), input_spec=models.SPEC),
    "the forward of such a layer": lambda: paddle.jit.to_static(models.Scripted()).forward,
    "a method of an object": lambda: models.Counter().method,
    "a method that the class has": lambda: models.Counter.method.__get__(models.Counter()),
    "a static method": lambda: models.Counter.alone,
    "a class method": lambda: models.Counter.of_class,
}


@ways
@pytest.mark.parametrize("called", [False, True], ids=["fresh", "called"])
@pytest.mark.parametrize("kind", STATIC)
def test_static_functions_and_what_has_them(way, kind, called):
    static = STATIC[kind]()
    if called:
        static(x())
    other = way(static)
    same(other(x()), static(x()))
    assert type(other) is type(static)
    if hasattr(static, "input_spec"):
        assert other.input_spec == static.input_spec


def test_by_its_name_a_function_is_itself():
    assert pickled(models.function) is models.function and pickled(models.Counter.alone) is models.Counter.alone


def test_the_settings_of_a_static_function_come_along():
    strategy = paddle.static.BuildStrategy()
    strategy.merge_products = True
    static = paddle.jit.to_static(models.Net(), input_spec=models.SPEC, build_strategy=strategy).forward
    other = pickled(static)
    assert (other.passes, other.engine, other._input_spec) == (static.passes, static.engine, static._input_spec)


def test_a_local_function_is_told_as_python_tells_it():
    with pytest.raises((AttributeError, pickle.PicklingError), match="local object"):
        pickle.dumps(paddle.jit.to_static(lambda x: x))


# --- tensors ----------------------------------------------------------------------------------------------------------


@ways
def test_leaves_keep_what_they_are(way):
    weight = nn.Linear(2, 3).weight
    weight.optimize_attr["learning_rate"] = 0.5
    (weight * 2).sum().backward()
    other = way(weight)
    same(other, weight)
    assert type(other) is nn.Parameter and not other.stop_gradient and other.optimize_attr == {"learning_rate": 0.5}
    (other * 3).sum().backward()
    assert other.grad is not None


def test_a_gradient_comes_along():
    weight = nn.Linear(2, 3).weight
    (weight * 2).sum().backward()
    same(pickled(weight).grad, weight.grad)


@pytest.mark.parametrize("made", ["w * 2", "w[0]", "w.T", "x()[:, 1]", "x().astype('bool')", "paddle.to_tensor(3)"])
def test_of_what_was_computed_the_values_are_pickled(made):
    value = eval(made, {"w": nn.Linear(2, 3).weight, "x": x, "paddle": paddle})
    other = pickled(value)
    same(other, value)
    assert other.stop_gradient and other.dtype is value.dtype


def test_a_staged_tensor_isnt_pickled():
    @paddle.jit.not_to_static
    def send(x):
        return len(pickle.dumps(x))

    with pytest.raises(StagedValueError):
        paddle.jit.to_static(lambda x: x + send(x))(x())


def test_a_shallow_copy_is_on_the_same_memory_and_counts_the_same_writes():
    first = x()
    second = copy.copy(first)
    second.add_(first)
    same(first, second)
    assert first.inplace_version == second.inplace_version == 1


@ways
def test_training_goes_on_with_the_optimizer(way):
    net = nn.Linear(2, 3)
    optimizer = paddle.optimizer.Adam(parameters=net.parameters())
    net(x()).sum().backward()
    optimizer.step()
    other, theirs = way((net, optimizer))
    for model, steps in ((net, optimizer), (other, theirs)):
        steps.clear_grad()
        model(x()).sum().backward()
        steps.step()
    same(other.weight, net.weight)


@ways
def test_there_is_one_of_each_dtype(way):
    for dtype in (paddle.float32, paddle.bool, paddle.complex64, paddle.bfloat16):
        assert way(dtype) is dtype
