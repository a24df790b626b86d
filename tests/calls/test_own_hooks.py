"""A layer with forward hooks of its own: each way to compile it calls the same hooks as plain Python, once."""

import warnings

import pytest

import dy2st as paddle
from dy2st import func, jit, nn
from dy2st.static import InputSpec

X = paddle.to_tensor([1.0, 2.0])


class Net(nn.Layer):
    """A layer with a sublayer; both take hooks."""

    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.register_buffer("seen", paddle.zeros([]))

    def forward(self, x):
        return self.inner(x) + 1


class Inner(nn.Layer):
    def forward(self, x):
        return x * 3


def before(layer, inputs):
    return inputs[0] + 5


def before_in_a_tuple(layer, inputs):
    return (inputs[0] - 1,)


def after(layer, inputs, outputs):
    return outputs * 10 + inputs[0]


def counting(layer, inputs, outputs):
    layer.seen.add_(paddle.ones([]))
    return outputs * layer.seen


def silent(layer, inputs, outputs=None):
    assert inputs is not None


def _net(part, pre=(), post=(), removed=()):
    net = Net()
    layer = net if part == "itself" else net.inner
    if part == "sublayer":
        layer.register_buffer("seen", paddle.zeros([]))
    for hook in pre:
        layer.register_forward_pre_hook(hook)
    for hook in post:
        layer.register_forward_post_hook(hook)
    for hook in removed:
        layer.register_forward_post_hook(hook).remove()
    return net


HOOKS = {
    "none": {},
    "pre": {"pre": [before]},
    "post": {"post": [after]},
    "both": {"pre": [before, before_in_a_tuple], "post": [after, after]},
    "changes state": {"post": [counting]},
    "returns None": {"pre": [silent], "post": [silent]},
    "removed": {"removed": [after]},
}


def _total(net):
    """A function of the net whose gradient is asked."""

    class Total(nn.Layer):
        def __init__(self):
            super().__init__()
            self.net = net

        def forward(self, x):
            return (self.net(x) ** 2).sum()

    return Total()


def _saved(model, tmp_path, **options):
    jit.save(model, tmp_path / "model", **options)
    return jit.load(tmp_path / "model")


def _traced(net):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jit.TracerWarning)
        return jit.trace(net, X)


WAYS = {
    "to_static": lambda net, path: jit.to_static(net),
    "to_static of a call": lambda net, path: jit.to_static(lambda x: net(x)),
    "saved": lambda net, path: _saved(net, path, input_spec=[InputSpec([2])]),
    "script": lambda net, path: jit.script(net),
    "script, saved": lambda net, path: _saved(jit.script(net), path),
    "script, loaded, saved": lambda net, path: _saved(_saved(jit.script(net), path), path),
    "script in to_static": lambda net, path: jit.to_static(_calling(jit.script(net))),
    "script in script": lambda net, path: jit.script(_Calls(jit.script(net))),
    "script, deep copy": lambda net, path: __import__("copy").deepcopy(jit.script(net)),
    "trace": lambda net, path: _traced(net),
    "trace, saved": lambda net, path: _saved(_traced(net), path),
    "trace in to_static": lambda net, path: jit.to_static(_calling(_traced(net))),
    "trace_module": lambda net, path: jit.trace_module(net, {"forward": X}),
    "functionalize": lambda net, path: func.functionalize(net, lift=True),
    "traced_module": lambda net, path: paddle.traced_module.trace_module(net, X),
}


class _Calls(nn.Layer):
    def __init__(self, part):
        super().__init__()
        self.part = part

    def forward(self, x):
        return self.part(x)


def _calling(part):
    return lambda x: part(x)


@pytest.mark.parametrize("part", ["itself", "sublayer"])
@pytest.mark.parametrize("hooks", HOOKS)
@pytest.mark.parametrize("way", WAYS)
def test_hooks_run_once(part, hooks, way, tmp_path):
    """Three calls, so that what a hook stores counts."""
    plain = _net(part, **HOOKS[hooks])
    expected = [plain(X).tolist() for _ in range(3)]
    made = WAYS[way](_net(part, **HOOKS[hooks]), tmp_path)
    assert [made(X).tolist() for _ in range(3)] == expected


@pytest.mark.parametrize("part", ["itself", "sublayer"])
@pytest.mark.parametrize("hooks", HOOKS)
def test_gradients_flow_through_hooks(part, hooks):
    """`func.grad` of a layer with hooks, and the tape's."""
    x = X.clone()
    x.stop_gradient = False
    (expected,) = paddle.grad(_total(_net(part, **HOOKS[hooks]))(x), [x])
    found = func.grad(_total(_net(part, **HOOKS[hooks])))(X)
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("hooks", HOOKS)
def test_the_gradient_of_a_layer_has_its_own_hooks(hooks):
    """The layer that is given is the one with the hooks."""

    class Sum(Net):
        def forward(self, x):
            return super().forward(x).sum()

    def made():
        net = _net("itself", **HOOKS[hooks])
        net.register_forward_post_hook(lambda layer, inputs, outputs: outputs.sum())
        return net

    x = X.clone()
    x.stop_gradient = False
    (expected,) = paddle.grad(made()(x), [x])
    assert func.grad(made())(X).tolist() == expected.tolist()


@pytest.mark.parametrize("way", ["script", "trace", "functionalize", "to_static"])
def test_hooks_that_come_later_count(way, tmp_path):
    """A hook that the result of compiling is given runs; one that is removed doesn't."""
    made = WAYS[way](_net("itself"), tmp_path)
    made(X)
    layer = made if isinstance(made, nn.Layer) else made._owner
    handle = layer.register_forward_post_hook(after)
    expected = _net("itself", post=[after])(X).tolist()
    assert made(X).tolist() == expected
    handle.remove()
    assert made(X).tolist() == _net("itself")(X).tolist()
