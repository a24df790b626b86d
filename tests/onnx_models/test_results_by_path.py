"""A result of one kind on one path and of another on the other, as a Session gives it; or the export is refused in words."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

from onnx_models.comparable import values

import dy2st as paddle
import dy2st.onnx
from dy2st import jit
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

Reading = namedtuple("Reading", "count value")
Point = namedtuple("Point", "x y")


class Box:
    def __init__(self, v, w):
        self.v, self.w = v, w


class Other:
    def __init__(self, a, b):
        self.a, self.b = a, b


KINDS = {
    "none": lambda x: None,
    "int": lambda x: 7,
    "tensor": lambda x: x + 1,
    "tuple": lambda x: (7, x),
    "longer tuple": lambda x: (7, x, 0.5),
    "tuple of a tuple": lambda x: ((7, x), x),
    "named tuple": lambda x: Reading(7, x),
    "another named tuple": lambda x: Point(7, x),
    "dict": lambda x: {"count": 7, "value": x},
    "dict of one": lambda x: {"a": x},
    "list": lambda x: [7, 8],
    "list of tensors": lambda x: [x, x + 1],
    "object": lambda x: Box(7, x),
    "another object": lambda x: Other(7, x),
}
PLACES = {  # where the result lies
    "alone": lambda value, x: value,
    "in a tuple": lambda value, x: (x, value),
    "in a dict": lambda value, x: {"held": value, "x": x},
    "in a list": lambda value, x: [value],
}
X = np.array([1.5, -2], "float32")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("first", KINDS)
def test_one_kind_or_another(first, place, tmp_path):
    names = [*KINDS]
    specs = [InputSpec([2], "float32"), InputSpec([], "bool")]
    for second in names[names.index(first) + 1 :]:
        f = either(KINDS[first], KINDS[second], PLACES[place])
        try:
            session = dy2st.onnx.Session(dy2st.onnx.export(jit.to_static(f, input_spec=specs), tmp_path / "model"))
        except ConversionError:
            continue
        for flag in (True, False):
            call = paddle.to_tensor(X), paddle.to_tensor(flag)
            assert shown(session(*call)) == shown(f(*call)), (first, second)


def either(one, other, put):
    def f(x, flag):
        value = one(x) if flag else other(x)
        return put(value, x)

    return f


def shown(value):
    """Values, and the classes of tuples."""
    if isinstance(value, tuple | list):
        return type(value).__name__, *map(shown, value)
    return ("dict", *((k, shown(x)) for k, x in value.items())) if isinstance(value, dict) else values(value)
