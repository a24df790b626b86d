"""Calls that have read or written outside of arrays, crashed, or run code: each is an error of dy2st now."""

from collections.abc import Iterator

import numpy as np
import pytest
from ops.hostile.cases import SAMPLES, leaves, put
from ops.hostile.values import DEEP_TUPLE

import dy2st as paddle
from dy2st.errors import DTypeError, OperatorError, ShapeError
from dy2st.ir.core import Block, Function, Operation, Program
from dy2st.ir.native import Cell
from dy2st.ir.types import FLOAT
from dy2st.ops.registry import OPERATORS, lookup
from dy2st.runtime.engine import compile_program
from dy2st.runtime.tensors.value_types import type_of_native

X, IMAGE, KERNEL = np.arange(12.0).reshape(3, 4), np.ones((1, 1, 1, 1)), np.ones((1, 1, 3, 3))
ENDLESS = np.broadcast_to(np.zeros(1, bool), (2**62,))  # one element, seen 2**62 times
GEOMETRY = {"stride": [1, 1], "padding": [0, 0, 0, 0], "dilation": [1, 1], "groups": 1}


@pytest.mark.parametrize(
    ("name", "operands", "attrs"),
    [
        ("as_strided", [X], {"shape": [2, 7], "stride": [6, 1]}),
        ("as_strided", [X], {"shape": [2], "stride": [2**62], "offset": 0}),
        ("as_strided", [X], {"shape": [2**32, 2**32], "stride": [0, 0]}),
        ("as_strided_scatter", [X, np.ones(2)], {"shape": [2], "stride": [1], "offset": 2**40}),
        ("as_strided_scatter", [X, np.ones(2)], {"shape": [2], "stride": [-(2**40)], "offset": 0}),
        ("strided_add", [X, np.ones(2)], {"shape": [2], "stride": [-1], "offset": 0}),
        ("reference.tensors", [(Cell(X.reshape(-1)), np.array([0, 2**40]))], {}),
        ("reference.tensors", [(Cell(X.reshape(-1)), np.array([3, 1, -1]))], {"copy": True}),
        ("conv2d", [IMAGE, KERNEL], {**GEOMETRY, "stride": [-1, -1]}),
        ("conv2d", [np.ones((1, 1, 5, 5)), KERNEL], {**GEOMETRY, "dilation": [-9, -9]}),
        ("conv2d", [IMAGE, KERNEL], {**GEOMETRY, "padding": [2**62, 2**62, 0, 0]}),
        ("conv2d_weight_grad", [np.ones((1, 1, 4, 4)), KERNEL], {**GEOMETRY, "stride": [0, 1], "kernel_size": [2, 2]}),
        ("max_pool2d", [IMAGE], {"kernel_size": [1, 1], "stride": [0, 1], "padding": [0, 0, 0, 0]}),
        ("repeat_interleave", [X], {"repeats": 2**62, "axis": 1}),
        ("tile", [X], {"repeat_times": [1, 2**62]}),
        ("concat", [ENDLESS, ENDLESS, ENDLESS, ENDLESS, np.zeros(8, bool)], {"axis": 0}),
        ("list.concat_tensors", [[ENDLESS] * 4], {"axis": 0}),
        ("index_add", [X, np.array([0, 2]), np.zeros((1, 2, 1, 2, 1))], {"axis": 1}),
        ("flatten", [X], {"start_axis": 5, "stop_axis": -1}),
    ],
)
def test_what_lies_outside_is_refused(name, operands, attrs):
    with pytest.raises(ShapeError):
        lookup(name).kernel(*operands, **attrs)


def test_a_diagonal_beyond_the_corners_is_empty():
    for offset in (-(2**31), 2**31, -(2**63), 2**100):
        assert lookup("diagonal").kernel(X, offset=offset).shape == (0,)


@pytest.mark.parametrize(
    ("name", "operands", "attrs"),
    [
        ("py.spell", ["__import__('os').system('id')"], {"name": "eval"}),
        ("py.spell", ["x"], {"name": DEEP_TUPLE}),
        ("str.method", ["{0.__class__}", 1], {"name": "format"}),
        ("str.method", ["x", 10**9], {"name": "center"}),
        ("math.call", [1.0], {"name": "__loader__"}),
        ("container.compare", [[1], [2]], {"symbol": "__lt__"}),
        ("str.format", [1], {"spec": "1000000000d"}),
        ("str.format", [1.0], {"spec": ".1000000000f"}),
        ("str.format", [1], {"conversion": "__class__"}),
        ("str.percent", ["%1000000000d", 1], {}),
        ("str.percent", ["%*d", 10**9, 1], {}),
        ("polygamma", [X], {"n": 2**40}),
        ("pad", [X], {"pads": [[1, 1], [1, 1]], "mode": "edge"}),
        ("put_along_axis", [X, np.zeros((3, 4), int), X], {"axis": 0, "reduce": "reduceat"}),
    ],
)
def test_names_and_numbers_outside_of_their_tables_are_refused(name, operands, attrs):
    with pytest.raises(OperatorError):
        lookup(name).kernel(*operands, **attrs)


@pytest.mark.parametrize("dtype", ["O", "object", "V8", "U9", "f8,f8", "eval"])
def test_dtypes_are_those_of_dy2st(dtype):
    for name, operand in (("py.to_tensor", 1), ("list.to_tensor", [1]), ("cast", X), ("argmax", X)):
        with pytest.raises(DTypeError, match="a dtype is one of bool"):
            lookup(name).kernel(operand, dtype=dtype)


def test_what_cannot_be_hashed_without_a_crash_is_no_key():
    for name, operands in (("dict.get", [{}, DEEP_TUPLE]), ("set.new", [DEEP_TUPLE]), ("set.update", [set(), [DEEP_TUPLE]])):
        with pytest.raises(RecursionError):
            lookup(name).kernel(*operands)


@pytest.mark.parametrize("attribute", ["where", "out", "dtype", "casting", "signature", "self", "\ufb01eld"])
def test_an_operator_has_only_its_own_attributes(attribute):
    attrs = {attribute: False}
    with pytest.raises(OperatorError, match="add has no attribute"):
        lookup("add")(paddle.ones([3]), paddle.ones([3]), **attrs)
    assert lookup("add").misfit(2, attrs).startswith("has no attribute")


def planted() -> Iterator[tuple[str, list, dict]]:
    """Samples of operators with a template, in which a word stands for an attribute or a part of one."""
    for name, samples in SAMPLES.items():
        for sample in samples if OPERATORS[name].template else ():
            for path in (at for attr, value in sample.attrs.items() for at in leaves(value, (attr,))):
                yield name, list(sample.operands), put(sample.attrs, path, "planted")


def test_text_from_a_file_never_becomes_source():
    seen = 0
    for name, operands, attrs in planted():
        block = Block(map(type_of_native, operands))
        block.append(Operation(name, block.args, attrs, [FLOAT]))
        block.append(Operation("return", block.ops[0].results))
        source = compile_program(Program({"main": Function("main", block)})).source
        assert "planted" not in source.replace("'planted'", "")
        seen += 1
    assert seen > 50
