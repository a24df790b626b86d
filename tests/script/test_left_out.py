"""Attributes of a layer that have no type: a compiled layer is without them."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.jit import script
from dy2st.jit.interface.errors import ScriptError

X = paddle.to_tensor([1.0, 2.0])
VALUES = {"object": object(), "set": {1}, "list": [1, "a"], "generator": (i for i in ()), "bytearray": bytearray(b"a")}


class Holding(nn.Layer):
    def __init__(self, blob):
        super().__init__()
        self.blob, self.scale = blob, 2.0

    def forward(self, x):
        return x * self.scale


class Asking(Holding):
    def forward(self, x):
        if self.blob is None:
            return x
        return x * self.scale


@pytest.mark.parametrize("kind", VALUES)
def test_e_12_an_attribute_without_a_type_is_left_out(kind):
    compiled = script(Holding(VALUES[kind]))
    assert not hasattr(compiled, "blob") and compiled.scale == 2.0
    assert compiled(X).tolist() == [2.0, 4.0]


@pytest.mark.parametrize("kind", VALUES)
def test_e_12_the_line_that_uses_one_is_named(kind):
    with pytest.raises(ScriptError, match=rf"no type for a value of {kind}, so that it was left out") as told:
        script(Asking(VALUES[kind]))
    assert "if self.blob is None:" in str(told.value)


@pytest.mark.parametrize("value", [1j, (1, "a"), b"a", range(3), None, paddle.float32, 3])
def test_constants_are_kept(value):
    compiled = script(Asking(value))
    assert compiled.blob == value
    assert compiled(X).tolist() == ([1.0, 2.0] if value is None else [2.0, 4.0])
