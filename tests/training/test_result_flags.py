"""`stop_gradient`, `is_leaf` and `grad` of tensors at any place in a result are those of plain Python (S-10)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.static import InputSpec

W = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
V = paddle.to_tensor([3.0, 4.0], stop_gradient=False)


@dataclass
class Output:
    frozen: paddle.Tensor
    out: paddle.Tensor


class Node:
    def __init__(self, value, rest):
        self.value, self.rest = value, rest


def in_a_dict(x):
    y = x[0] * W
    return {"frozen": y.detach(), "out": y}


def in_a_dataclass(x):
    y = x[0] * W
    return Output(y.detach(), y)


def in_objects(x):
    y = x[0] * W
    return Node(y.detach(), Node(y, [V * 1, y.detach()]))


def appended_detached(x):
    outs, h = [], x[0] * W
    for row in x:
        h = h * W + row
        outs.append(h.detach())
    return outs, h


def appended_before_use(x):
    """The first item is the zeros from which the loop starts."""
    outs, h = [], paddle.zeros([2])
    for row in x:
        outs.append(h)
        h = h * W + row
    return outs, paddle.stack(outs + [V.detach()]), h


def under_no_grad(x):
    with paddle.no_grad():
        y = {"a": x[0] * W}
    y["b"] = x[0] * W
    return y


def by_the_path(x):
    if x.sum() > 0:
        y = {"a": (x[0] * W).detach(), "b": x[0] * V}
    else:
        y = {"a": x[0] * W, "b": (x[0] * V).detach()}
    return y, y["a"] + y["b"], list(y.values())


def of_some_turns(x):
    h, taken = paddle.zeros([2]), []
    for row in x:
        if row.sum() > 1:
            h = row * V
            taken.append(h)
        else:
            taken = [h.detach(), *taken]
    return h, taken


def written(x):
    whole, part = paddle.zeros([3, 2]), paddle.zeros([3, 2])
    for i in range(x.shape[0]):
        if x[i].sum() > 1:
            whole[i] = x[i] * W
    part.detach()[0] = x[0] * V
    return {"whole": whole, "part": part, "row": whole[0]}


def early(x):
    for row in x:
        if row.sum() > 1:
            return {"y": row * W, "n": 1}
    return {"y": row.detach() * 2, "n": 0}


def heads_by_the_path(x):
    """All have a gradient on every path; what they lead back to differs."""
    one = x[0] * W if x.sum() > 0 else x[0] * V
    return one, x[0] * V


def a_function_that_calls_itself(x):
    """Where it ends at once, the result has no gradient by W."""

    def halved(h, turns):
        if h.sum() > 1.0:
            return halved(h * W / 4, turns + 1)
        return h if turns > 1 else h.detach()

    return {"y": halved(x[0], 0), "other": [x[0] * V], "twice": halved(x[0] * V, 1)}


def an_item(x):
    outs = [x[0] * W, x[0] * V]
    return outs[0 if x.sum() > 0 else 1]


def numbers_in_lists(x):
    """Lists without tensors, whose lengths and kinds of items the flags don't follow."""
    seen, flags = [], [True]
    for i in range(x.shape[0]):
        seen.append(i)
    return {"y": x[0] * W, "frozen": [x[0].detach()], "seen": seen, "flags": flags, "text": "a"}


def kept_under_no_grad(x):
    """Containers take tensors as they are; what is computed there has no gradient."""
    y, items, named = x[0] * W, [x[0] * V], {}
    with paddle.no_grad():
        items.append(y)
        named["y"] = y
        if x.sum() > 0:
            items[0] = y
            named["other"] = y * 2
    return {"items": items, "y": named["y"], "last": items[-1] * 2}


class Aside(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x, y):
        aside = y * 2
        ctx.mark_non_differentiable(aside)
        return x + y, aside

    @staticmethod
    def backward(ctx, g, h):
        return g * 2, None


def beside_a_backward_of_its_own(x):
    y, aside = Aside.apply(x, W)
    return {"y": y, "aside": aside, "more": [aside * 2]}


FUNCTIONS = [f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == __name__]
FUNCTIONS = [f for f in FUNCTIONS if not isinstance(f, type)]
INPUTS = {"one": [[1.0, 2.0]], "some": [[0.1, 0.2], [2.0, 1.0], [-1.0, 0.0]], "below": [[-1.0, -2.0], [-0.5, -0.1]]}


def tensors(value):
    if isinstance(value, paddle.Tensor):
        return [value]
    value = vars(value) if isinstance(value, Output | Node) else value
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [t for item in items for t in tensors(item)]


def outcome(function, rows, stopped):
    x = paddle.to_tensor(rows, dtype="float32", stop_gradient=stopped)
    found, gradients = tensors(function(x)), []
    for t in found:
        for leaf in (x, W, V):
            leaf.clear_grad(False)
        if not t.stop_gradient:
            t.sum().backward(retain_graph=True)
        gradients.append([None if leaf.grad is None else leaf.grad.numpy().tolist() for leaf in (x, W, V)])
    return [(t.stop_gradient, t.is_leaf) for t in found], gradients


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("rows", INPUTS)
@pytest.mark.parametrize("stopped", [True, False], ids=["no", "yes"])
def test_s_10_flags_and_gradients(function, rows, stopped):
    static = jit.to_static(function, input_spec=[InputSpec([None, 2], "float32")])
    for _ in range(2):  # once more, after a gradient has been asked of it
        assert outcome(static, INPUTS[rows], stopped) == outcome(function, INPUTS[rows], stopped)


class Heads(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        paddle.seed(0)
        self.first, self.second = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 2)

    def forward(self, x):
        return {"first": self.first(x), "frozen": self.second(x).detach(), "second": self.second(x)}


@pytest.mark.parametrize("form", ["static", "loaded"])
def test_s_10_weight_decay_leaves_a_head_that_has_no_loss(form, tmp_path):
    net = jit.to_static(Heads(), input_spec=[InputSpec([None, 2], "float32")])
    if form == "loaded":
        jit.save(net, str(tmp_path / "net"))
        net = jit.load(str(tmp_path / "net"))
        net.train()
    before = {name: p.numpy().copy() for name, p in net.named_parameters()}
    optimizer = paddle.optimizer.AdamW(0.1, parameters=net.parameters(), weight_decay=0.5)
    for _ in range(2):
        net(paddle.ones([3, 2]))["first"].sum().backward()
        optimizer.step()
        optimizer.clear_grad()
    for name, p in net.named_parameters():
        assert np.array_equal(p.numpy(), before[name]) is ("second" in name), name
