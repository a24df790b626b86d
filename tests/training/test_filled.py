"""Tensors of one number: a write takes the history on, with zeros for its gradient; what is made like another has none."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.static import InputSpec

WRITES = {
    "zero_": lambda s: s.zero_(),
    "fill_": lambda s: s.fill_(2.0),
    "of a part": lambda s: s[1:].fill_(2.0),
}
MADE = {
    "zeros_like": paddle.zeros_like,
    "ones_like": paddle.ones_like,
    "full_like": lambda x: paddle.full_like(x, 2.0),
}


@pytest.mark.parametrize("form", ["eager", "static"])
@pytest.mark.parametrize("write", WRITES)
def test_a_tensor_that_is_filled_gives_zeros(form, write):
    def function(x):
        s = x * 3
        WRITES[write](s)
        return s

    called = function if form == "eager" else jit.to_static(function, input_spec=[InputSpec([3])])
    x = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    found = called(x)
    assert not found.stop_gradient and not found.is_leaf
    found.sum().backward()
    assert x.grad.tolist() == ([3.0, 0.0, 0.0] if write == "of a part" else [0.0, 0.0, 0.0])


@pytest.mark.parametrize("form", ["eager", "static"])
@pytest.mark.parametrize("name", MADE)
def test_a_tensor_that_is_made_like_another_has_no_gradient(form, name):
    called = MADE[name] if form == "eager" else jit.to_static(lambda x: MADE[name](x), input_spec=[InputSpec([3])])
    found = called(paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False))
    assert found.stop_gradient and found.is_leaf


def test_a_loaded_function_refuses_to_write_a_leaf_as_plain_python_does(tmp_path):
    def function(x):
        x.add_(1.0)
        return x

    jit.save(jit.to_static(function, input_spec=[InputSpec([3])]), str(tmp_path / "f"))
    with pytest.raises(RuntimeError, match="would change in place a leaf tensor"):
        jit.load(str(tmp_path / "f"))(paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False))
