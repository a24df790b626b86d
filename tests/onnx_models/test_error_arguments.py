"""What an exception carries, constants and what the model computes: a Session raises it as Python does."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")

import dy2st as paddle
import dy2st.onnx
from dy2st import jit
from dy2st.static import InputSpec


class CodeError(Exception):
    def __init__(self, code, extra=None):
        super().__init__(code)
        self.code, self.extra = code, extra


ERRORS = {
    "none": lambda x: ValueError(),
    "infinity": lambda x: ValueError(float("inf"), -float("inf")),
    "nan": lambda x: ValueError(float("nan")),
    "a tuple": lambda x: ValueError((1, ("x", None))),
    "a large int": lambda x: ValueError(2**70),
    "a list": lambda x: ValueError([1, 2]),
    "texts": lambda x: KeyError("a\0b", "\ud800"),
    "a field": lambda x: CodeError(3, (1, float("inf"))),
    "a tensor": lambda x: ValueError(x),
    "a number": lambda x: ValueError(float(x.sum())),
    "tensors in a tuple": lambda x: ValueError((x.sum(), 2), "and", 3),
    "tensors in a list": lambda x: ValueError([x.sum(), x.max()]),
    "numbers and tensors in a list": lambda x: ValueError([x.sum(), 2]),
    "tensors in a field": lambda x: CodeError(3, [x.sum()]),
    "a float in a text": lambda x: ValueError(f"{float(x.sum()):.3f} is {x.shape[0]} times {x.mean().item()!r:>9}"),
    "a tensor in a text": lambda x: ValueError(f"at {x} and {x.sum()}"),
    "a tensor in a format": lambda x: ValueError(f"{x.sum():8.2e}|{x.max():+}"),
    "percents": lambda x: ValueError("%d of %.2f, %s" % (x.sum(), x.max(), x.shape)),
    "a method": lambda x: ValueError("{} at {:>5.1f}".format(int(x.sum()), float(x[0])).upper()),
    "two texts": lambda x: CodeError("a" + str(float(x.sum())), "of {}".format(x.max().item())),
    "a text of a text": lambda x: ValueError("[" + f"<{x.sum().item():g}>" + "]"),
    "a format that fails": lambda x: ValueError(f"{x.sum().item():d}"),
}


@pytest.mark.parametrize("where", ["in an if", "in a loop"])
@pytest.mark.parametrize("name", ERRORS)
def test_what_is_raised(name, where, tmp_path):
    def in_if(x):
        if x.sum() > 1:
            raise ERRORS[name](x)
        return x

    def in_loop(x):
        k = 0
        while k < 5:
            if x.sum() > k + 2:
                raise ERRORS[name](x)
            k += 1
        return x

    f = in_if if where == "in an if" else in_loop
    specs = [InputSpec([2], "float32")]
    session = dy2st.onnx.Session(dy2st.onnx.export(jit.to_static(f, input_spec=specs), tmp_path / "model"))
    for values in ([1.5, 2], [-1.5, 2]):
        x = paddle.to_tensor(np.array(values, "float32"))
        assert told(session, x) == told(f, x)


def told(f, x):
    try:
        return shown(f(x))
    except Exception as error:
        attributes = {name: shown(value) for name, value in vars(error).items() if name in ("code", "extra")}
        return type(error).__name__, shown(error.args), attributes


def shown(value):
    """Values with their classes."""
    if isinstance(value, tuple | list):
        return type(value).__name__, *map(shown, value)
    return type(value).__name__, repr(value.tolist() if isinstance(value, paddle.Tensor) else value)
