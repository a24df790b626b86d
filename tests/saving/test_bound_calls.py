"""`loaded.bind(x=array, out=array)`: what a bound call writes is what plain Python gives for what the arrays hold then."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from support.other_process import OtherProcess

import dy2st
from dy2st import jit, nn
from dy2st.errors import ConversionError, DTypeError, ShapeError
from dy2st.static import InputSpec


class Linear(nn.Layer):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 2)

    def forward(self, x, y):
        return self.inner(x) + y


class Several(Linear):
    def forward(self, x, y):
        h = self.inner(x) + y
        return {"sum": (h.sum(), [h, x]), "count": 3, "same": h}


class Loops(nn.Layer):
    def forward(self, x, y):
        n = 0
        while x.sum() < 20:
            x = x * 2 + 1
            n += 1
        return x, y * n


class Keeps(nn.Layer):
    """Its state is its last input, which a server writes over."""

    def __init__(self):
        super().__init__()
        self.last = dy2st.zeros([4, 3])
        self.calls = 0

    def forward(self, x, y):
        found = x - self.last
        self.last = x
        self.calls += 1
        return found * self.calls


class Writes(nn.Layer):
    """What is written to an input reaches the caller's array."""

    def forward(self, x, y):
        x.add_(dy2st.ones([4, 3]))
        return x * 2


class WritesAndKeeps(Keeps):
    def forward(self, x, y):
        x.add_(dy2st.ones([4, 3]))
        return super().forward(x, y)


class Views(nn.Layer):
    """Results that lie in the memory of an input, and one that doesn't."""

    def forward(self, x, y):
        return x + 1, x[1:], x


class Structured(nn.Layer):
    def forward(self, x, y):
        return [x["a"] + y, x["b"][0]]


class Drops(nn.Layer):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1D(3)

    def forward(self, x, y):
        return self.norm(x)


X, Y = InputSpec([4, 3], "float32", "x"), InputSpec([2], "float32", "y")
OPEN = InputSpec([None, 3], "float32", "x")
NETS = [Linear, Several, Loops, Keeps, Writes, WritesAndKeeps, Views, Drops]
_random = np.random.default_rng(7)


def values(*shape):
    return _random.standard_normal(shape).astype("float32")


def loaded(tmp_path, make, *specs):
    """A net, and its loaded form."""
    net = make()
    net.eval()
    static = jit.to_static(copy.deepcopy(net), input_spec=list(specs or (X, Y)))
    jit.save(static, str(tmp_path / "net"))
    return net, jit.load(str(tmp_path / "net"))


def arrays(value: Any) -> Any:
    """A result with an array in the place of each tensor, and None for all else: the structure of `out`."""
    if isinstance(value, dict):
        return {key: arrays(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(arrays, value))
    return np.array(value.numpy()) if isinstance(value, dy2st.Tensor) else None


def blank(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: blank(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(blank, value))
    return None if value is None else np.full_like(value, 77)


def assert_same(found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        found, expected = list(found.values()), list(expected.values())
    if isinstance(expected, list | tuple):
        assert len(found) == len(expected)
        for a, b in zip(found, expected):
            assert_same(a, b)
    elif expected is None:
        assert found is None
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("spec", [X, OPEN], ids=["fixed", "open"])
@pytest.mark.parametrize("make", NETS)
def test_a_bound_call_is_a_plain_call_on_what_the_arrays_hold(make, spec, tmp_path):
    net, model = loaded(tmp_path, make, spec, Y)
    x, y, out, run = values(4, 3), values(2), None, None
    for _ in range(4):
        given, of_net = (values(4, 3), values(2)), net  # state goes on in the plain net, which is given a new tensor each time
        plain = [dy2st.to_tensor(array) for array in given]
        with dy2st.no_grad():
            expected = arrays(of_net(*plain))
        if run is None:
            out = blank(expected)
            run = model.bind(x=x, y=y, out=out)
        x[...], y[...] = given
        assert run() is out
        assert_same(out, expected)
        np.testing.assert_array_equal(x, plain[0].numpy())


@pytest.mark.parametrize("make", NETS)
def test_bound_and_plain_calls_share_the_state(make, tmp_path):
    net, model = loaded(tmp_path, make)
    x, y = values(4, 3), values(2)
    with dy2st.no_grad():
        out = blank(arrays(copy.deepcopy(net)(dy2st.to_tensor(x), dy2st.to_tensor(y))))
        run = model.bind(x, y, out=out)
        for turn in range(4):
            x[...], y[...] = values(4, 3), values(2)
            plain = dy2st.to_tensor(x), dy2st.to_tensor(y)
            expected = arrays(net(*plain))
            given = dy2st.to_tensor(x), dy2st.to_tensor(y)
            assert_same(run() if turn % 2 else arrays(model(*given)), expected)


def test_arguments_in_containers(tmp_path):
    net, model = loaded(tmp_path, Structured, {"a": Y, "b": [InputSpec([3], "float32", "b")]}, Y)
    a, b, y, out = values(2), values(3), values(2), [np.zeros(2, "float32"), np.zeros(3, "float32")]
    run = model.bind({"a": a, "b": [b]}, y=y, out=out)
    for _ in range(2):
        a[...], b[...] = values(2), values(3)
        run()
        assert_same(out, [a + y, b])


@pytest.mark.parametrize("make", [Linear, Loops, Views])
def test_an_array_of_out_may_lie_anywhere(make, tmp_path):
    """Every second item, backwards, or in the order of Fortran."""
    net, model = loaded(tmp_path, make)
    x, y = values(4, 3), values(2)
    expected = arrays(net(dy2st.to_tensor(x), dy2st.to_tensor(y)))
    lying = [
        lambda a: np.zeros([2 * n for n in a.shape], a.dtype)[tuple(slice(None, None, 2) for _ in a.shape)],
        lambda a: np.zeros_like(a)[::-1],
        lambda a: np.zeros_like(a, order="F"),
    ]
    for lie in lying:
        out = tuple(map(lie, expected)) if isinstance(expected, tuple) else lie(expected)
        model.bind(x[::1], y, out=out)()
        assert_same(out, expected)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_array_of_out_may_be_an_input(place, tmp_path):
    """The results are computed before any is written, though some lie in the memory of that input."""
    net, model = loaded(tmp_path, Views)
    x, y = values(4, 3), values(2)
    out = [np.zeros((4, 3), "float32"), np.zeros((3, 3), "float32"), np.zeros((4, 3), "float32")]
    out[place] = x[:3] if place == 1 else x
    run = model.bind(x, y, out=out)
    for _ in range(3):
        expected = arrays(net(dy2st.to_tensor(x.copy()), dy2st.to_tensor(y)))
        assert_same(run(), list(expected))


def test_parts_that_nobody_wants_are_left_out(tmp_path):
    net, model = loaded(tmp_path, Several)
    x, y, total = values(4, 3), values(2), np.zeros((), "float32")
    run = model.bind(x, y, out={"sum": (total, None), "count": None, "same": None})
    run()
    np.testing.assert_array_equal(total, net(dy2st.to_tensor(x), dy2st.to_tensor(y))["sum"][0].numpy())


def test_it_follows_the_mode_and_the_parameters(tmp_path):
    net, model = loaded(tmp_path, Drops)
    x, y, out = values(4, 3), values(2), np.zeros((4, 3), "float32")
    run = model.bind(x, y, out=out)
    for training in (False, True, False):
        net.train(training)
        model.train(training)
        with dy2st.no_grad():
            np.testing.assert_array_equal(run(), net(dy2st.to_tensor(x), dy2st.to_tensor(y)).numpy())
    for part in (net, model):
        part.norm.weight.set_value(np.full(3, 5, "float32"))
    np.testing.assert_array_equal(run(), net(dy2st.to_tensor(x), dy2st.to_tensor(y)).numpy())


x, y, out = values(4, 3), values(2), np.zeros((4, 2), "float32")
fixed = np.zeros((4, 2), "float32")
fixed.flags.writeable = False
REFUSED = {
    "no y": (TypeError, "'y' is missing", dict(x=x, out=out)),
    "unknown": (TypeError, "'z' is unknown", dict(x=x, y=y, z=y, out=out)),
    "a tensor": (TypeError, "argument x is or holds a Tensor", dict(x=dy2st.to_tensor(x), y=y, out=out)),
    "a list": (TypeError, "argument x is a tensor or an array, not list", dict(x=[1.0], y=y, out=out)),
    "dtype": (DTypeError, "argument y has dtype float64; the model takes float32", dict(x=x, y=y.astype("float64"), out=out)),
    "shape": (ShapeError, r"argument x has shape \[2, 3\]; the model takes \[4, 3\]", dict(x=x[:2], y=y, out=out)),
    "dtype of out": (DTypeError, "has dtype float32, and the array for it float64", dict(x=x, y=y, out=np.zeros((4, 2)))),
    "shape of out": (ShapeError, r"the result has shape \[4, 2\], and the array for it \[2, 4\]", dict(x=x, y=y, out=out.T)),
    "a list for out": (TypeError, "the result is a tensor, not a list of 1: give an array", dict(x=x, y=y, out=[out])),
    "a dict for out": (TypeError, "the result is a tensor, not a dict", dict(x=x, y=y, out={"a": out})),
    "a tensor for out": (TypeError, "`out` is an array, or a list", dict(x=x, y=y, out=dy2st.to_tensor(out))),
    "read-only": (ValueError, "can't be written", dict(x=x, y=y, out=fixed)),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_is_refused_when_it_is_bound(case, tmp_path):
    error, words, given = REFUSED[case]
    _, model = loaded(tmp_path, Linear)
    with pytest.raises(error, match=words):
        model.bind(**given)


OF_SEVERAL = {
    "too few": (ValueError, r"the result\['sum'\] holds 2 items, and `out` 1", lambda a: {**a, "sum": a["sum"][:1]}),
    "an array for a tuple": (TypeError, r"the result\['sum'\] is tuple this time", lambda a: {**a, "sum": a["sum"][0]}),
    "shared": (ValueError, "two arrays of `out` share memory", lambda a: {**a, "sum": (None, [a["same"], None])}),
}


@pytest.mark.parametrize("case", OF_SEVERAL)
def test_an_out_of_another_structure_is_refused(case, tmp_path):
    net, model = loaded(tmp_path, Several)
    error, words, other = OF_SEVERAL[case]
    right = arrays(net(dy2st.to_tensor(x), dy2st.to_tensor(y)))
    with pytest.raises(error, match=words):
        model.bind(x, y, out=other(right))()
    missing = {key: item for key, item in right.items() if key != "same"}
    with pytest.raises(ValueError, match="the result has the keys"):
        model.bind(x, y, out=missing)()


def test_out_may_not_lie_in_the_model(tmp_path):
    _, model = loaded(tmp_path, Linear, InputSpec([3, 3], "float32", "x"), Y)
    model.inner.weight.set_value(np.ones((3, 2), "float32"))
    with pytest.raises(ValueError, match="shares memory with inner.weight"):
        model.bind(values(3, 3), y, out=model.inner.weight.numpy())


def test_a_length_that_only_the_call_tells_is_checked_there(tmp_path):
    class Picks(nn.Layer):
        def forward(self, x, y):
            return x[x > 0], y

    _, model = loaded(tmp_path, Picks)
    ones, out = np.ones((4, 3), "float32"), (np.zeros(12, "float32"), np.zeros(2, "float32"))
    run = model.bind(ones, y, out=out)
    run()
    ones[0] = -1
    before = [array.copy() for array in out]
    with pytest.raises(ShapeError, match=r"the result\[0\] has shape \[9\], and the array for it \[12\]"):
        run()
    assert_same(list(out), before)


def test_what_a_plain_call_would_do_besides_is_refused(tmp_path):
    _, model = loaded(tmp_path, Linear)
    run = model.bind(x, y, out=out)
    hook = model.register_forward_post_hook(lambda layer, inputs, result: result * 2)
    with pytest.raises(RuntimeError, match="runs no forward hooks"):
        run()
    hook.remove()
    run()

    @jit.to_static
    def static(z):
        run()
        return z

    with pytest.raises(ConversionError, match="can't be recorded: call the model here"):
        static(dy2st.to_tensor(x))


def test_errors_of_the_model_show_the_users_line(tmp_path):
    class Raises(nn.Layer):
        def forward(self, x, y):
            if x.sum() > 100:
                raise ValueError("too much")
            return x

    _, model = loaded(tmp_path, Raises)
    given, out = np.zeros((4, 3), "float32"), np.full((4, 3), 5, "float32")
    run = model.bind(given, y, out=out)
    run()
    given[...] = 50
    with pytest.raises(ValueError, match="too much") as caught:
        run()
    assert "test_bound_calls.py" in str(caught.value.dy2st_loc)
    np.testing.assert_array_equal(out, 0)


def test_methods_and_functions_are_bound_too(tmp_path):
    class Two(nn.Layer):
        @jit.to_static(input_spec=[Y])
        def twice(self, y):
            return y * 2

        @jit.to_static(input_spec=[Y])
        def forward(self, y):
            return y + 1

    jit.save(Two(), str(tmp_path / "two"))
    model, out = jit.load(str(tmp_path / "two")), np.zeros(2, "float32")
    np.testing.assert_array_equal(model.twice.bind(y, out=out)(), y * 2)
    np.testing.assert_array_equal(model.bind(y, out=out)(), y + 1)
    with pytest.raises(TypeError, match="loaded with flat=True"):
        jit.load(str(tmp_path / "two"), flat=True).bind(y, out=out)
    function = jit.to_static(lambda out, z: out + z, input_spec=[Y, Y])  # a parameter that is called `out` goes by position
    jit.save(function, str(tmp_path / "function"))
    np.testing.assert_array_equal(jit.load(str(tmp_path / "function")).bind(y, z=y, out=out)(), y + y)


BOUND = """
import numpy as np
import dy2st

def answer(path, batches, y):
    x, out = np.zeros_like(batches[0]), np.zeros((4, 2), "float32")
    run = dy2st.jit.load(path).bind(x=x, y=y, out=out)
    found = []
    for batch in batches:
        x[...] = batch
        found.append(run().copy())
    return found
"""


def test_in_a_process_that_knows_the_file_only(tmp_path):
    net, _ = loaded(tmp_path, Linear)
    batches = [values(4, 3) for _ in range(3)]
    expected = [net(dy2st.to_tensor(batch), dy2st.to_tensor(y)).numpy() for batch in batches]
    process = OtherProcess(tmp_path)
    assert_same(process.ask(BOUND, str(tmp_path / "net"), batches, y), expected)
    process.close()


def test_nothing_is_put_on_the_tape(tmp_path):
    _, model = loaded(tmp_path, Linear)
    run = model.bind(x, y, out=np.zeros((4, 2), "float32"))
    run()
    assert not model.inner.weight.stop_gradient and model.inner.weight.grad is None
