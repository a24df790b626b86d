"""Inference in words: what it knows of unknown shapes, and what it says of operands that don't fit."""

from __future__ import annotations

import pytest

from dy2st.errors import DTypeError, ShapeError
from dy2st.ir.types import BOOL, FLOAT, INT, NUMBER, STR, TensorType, parse_type
from dy2st.ops.registry import UNKNOWN, lookup


def infer(text: str, *types, **attrs) -> str:
    found = lookup(text).infer(*(parse_type(t) if isinstance(t, str) else t for t in types), **attrs)
    return " ".join(map(str, found)) if isinstance(found, tuple) else str(found)


@pytest.mark.parametrize(
    ("op", "types", "attrs", "expected"),
    [
        ("add", ["float32[n,1]", "float32[3]"], {}, "float32[n,3]"),
        ("add", ["float32[n]", "float32[n]"], {}, "float32[n]"),
        ("add", ["float32[n]", "float32[m]"], {}, "float32[?]"),
        ("add", ["float32[?]", "float32[5]"], {}, "float32[5]"),
        ("add", ["float32[*]", "float32[5]"], {}, "float32[*]"),
        ("add", ["int64[n]", INT], {}, "int64[n]"),
        ("add", [FLOAT, "float32[2]"], {}, "float32[2]"),
        ("multiply", ["float32[2]", NUMBER], {}, "float32[2]"),
        ("less_than", ["int32[n]", BOOL], {}, "bool[n]"),
        ("sum", ["int32[n,3]"], {"axis": 0, "keepdim": True}, "int64[1,3]"),
        ("sum", ["float32[n,3]"], {"axis": None, "keepdim": False}, "float32[]"),
        ("sum", ["float32[*]"], {"axis": None, "keepdim": True}, "float32[*]"),
        ("sum", ["float32[n,3]"], {"axis": UNKNOWN, "keepdim": False}, "float32[?]"),
        ("max", ["float32[a,b,c]"], {"axis": (0, -1), "keepdim": False}, "float32[b]"),
        ("argmax", ["float32[n,3]"], {"axis": 1}, "int64[n]"),
        ("matmul", ["float32[n,3]", "float32[3,m]"], {}, "float32[n,m]"),
        ("matmul", ["float32[b,1,n,3]", "float32[4,m,3]"], {"transpose_y": True}, "float32[b,4,n,m]"),
        ("matmul", ["float32[3]", "float32[n,3,m]"], {}, "float32[n,m]"),
        ("matmul", ["float32[3]", "float32[3]"], {}, "float32[]"),
        ("full", [], {"shape": (2, UNKNOWN), "fill_value": UNKNOWN, "dtype": "int64"}, "int64[2,?]"),
        ("full", [], {"shape": UNKNOWN, "fill_value": 1, "dtype": "int64"}, "int64[*]"),
        ("arange", [], {"start": 0, "end": UNKNOWN, "step": 1, "dtype": "int64"}, "int64[?]"),
        ("arange", [], {"start": 0, "end": 10, "step": 3, "dtype": "int64"}, "int64[4]"),
        ("topk", ["float32[n,5]"], {"k": UNKNOWN, "axis": -1}, "float32[n,?] int64[n,?]"),
        ("where", ["bool[n]", "float32[]", FLOAT], {}, "float32[n]"),
        ("one_hot", ["int64[n]"], {"num_classes": 5}, "float32[n,5]"),
        ("shape", ["float32[n,?,3]"], {}, "int64[3]"),
        ("shape", ["float32[*]"], {}, "int64[?]"),
        ("add_", ["float32[n,3]", "float32[3]"], {}, ""),
    ],
)
def test_inference(op, types, attrs, expected):
    assert infer(op, *types, **attrs) == expected


@pytest.mark.parametrize(
    ("op", "types", "attrs", "error", "words"),
    [
        ("add", ["float32[2]", "float32[3]"], {}, ShapeError, r"add: shapes \[2\] and \[3\] don't broadcast"),
        ("add", ["float32[2]", "int64[2]"], {}, DTypeError, "add takes tensors of one dtype, not float32 and int64"),
        ("add", [INT, INT], {}, DTypeError, "at least one tensor"),
        ("add", ["float32[2]", STR], {}, DTypeError, "not float32\\[2\\], str"),
        ("divide", ["int64[2]", "int64[2]"], {}, DTypeError, "divide takes a floating-point tensor"),
        ("exp", ["int64[2]"], {}, DTypeError, "exp takes a floating-point tensor, not int64"),
        ("exp", [INT], {}, DTypeError, "exp takes a tensor, not int"),
        ("sum", ["float32[2]"], {"axis": 1}, ShapeError, "axis 1 is out of range for a tensor of rank 1"),
        ("matmul", ["float32[2,3]", "float32[2,3]"], {}, ShapeError, "inner lengths 3 and 2 differ"),
        ("matmul", ["float32[]", "float32[2,3]"], {}, ShapeError, "at least one axis"),
        ("where", ["int64[2]", "float32[2]", FLOAT], {}, DTypeError, "where takes a bool condition, not int64"),
        ("add_", ["float32[3]", "float32[2,3]"], {}, ShapeError, r"add_ can't write values of shape \[2, 3\]"),
        ("topk", ["float32[n,5]"], {"k": 6, "axis": 1}, ShapeError, "k=6 is out of range"),
        ("cumsum", ["float32[]"], {"axis": 0}, ShapeError, "at least one axis"),
    ],
)
def test_operands_that_do_not_fit(op, types, attrs, error, words):
    with pytest.raises(error, match=words):
        infer(op, *types, **attrs)


def test_types_are_plain_data():
    assert lookup("neg").infer(TensorType("float32", ("n",))) == TensorType("float32", ("n",))
