"""Operators on Python values against Python itself, and each of them against its own inference, effects and template."""

from __future__ import annotations

import copy
import itertools
import math
import operator

import numpy as np
import pytest
from engine.reference import identical
from ops.samples.python import SAMPLES
from support.sampling import case_in_failure

from dy2st.errors import DTypeError, ShapeError
from dy2st.ir.builder import Builder
from dy2st.ir.core import Operation
from dy2st.ir.native import Cell, Instance, Record, matches
from dy2st.ir.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STR,
    CellType,
    ClassType,
    DictType,
    ListType,
    SetType,
    TensorType,
    TupleType,
)
from dy2st.ops.python.lists import listing
from dy2st.ops.python.text import native_format, native_repr, set_tensor_formatter
from dy2st.ops.registry import OPERATORS, infer_types, lookup
from dy2st.runtime.engine import compile_program

names = pytest.mark.parametrize("name", SAMPLES)
_SCALARS = {bool: BOOL, int: INT, float: FLOAT, str: STR, type(None): NONE}


def type_of(value):
    """The IR type of a native value, contents included."""
    if type(value) in _SCALARS:
        return _SCALARS[type(value)]
    if isinstance(value, np.ndarray):
        return TensorType(value.dtype.name, value.shape)
    if isinstance(value, Cell):
        return CellType(TensorType(value.value.dtype.name, (None,)))
    if isinstance(value, Record):
        return TupleType(tuple(map(type_of, value)), value.name, value.fields)
    if isinstance(value, tuple):
        return TupleType(tuple(map(type_of, value)))
    if isinstance(value, Instance):
        return ClassType(value.cls, tuple((k, type_of(v)) for k, v in value.fields.items() if type(v) in _SCALARS))
    if isinstance(value, dict):
        return DictType(listing(list(map(type_of, value))).elem, listing(list(map(type_of, value.values()))).elem)
    return {list: ListType, set: SetType}[type(value)](listing(list(map(type_of, value))).elem)


def fits(type_, value) -> bool:
    """Whether a native value is of a type, contents included."""
    if not matches(type_, value):
        return False
    if isinstance(type_, (ListType, SetType)):
        return all(fits(type_.elem, v) for v in value)
    if isinstance(type_, DictType):
        return all(fits(type_.key, k) and fits(type_.value, v) for k, v in value.items())
    if isinstance(type_, TupleType):
        return all(map(fits, type_.elems, value)) and getattr(value, "name", "") == type_.name
    if isinstance(type_, TensorType) and type_.shape is not None:
        return len(type_.shape) == value.ndim and all(d in (None, n) for d, n in zip(type_.shape, value.shape))
    return True


def test_every_python_operator_has_samples():
    assert {n for n, op in OPERATORS.items() if "." in n and not op.calls_python} == set(SAMPLES)


@names
def test_kernel_against_inference(name):
    for case in SAMPLES[name]:
        types = infer_types(lookup(name), [type_of(x) for x in case.operands], case.attrs)
        given = lookup(name).kernel(*copy.deepcopy(case.operands), **case.attrs)
        assert given == () if not types else fits(types[0], given), case


@names
def test_only_what_it_declares_is_changed(name):
    for case in SAMPLES[name]:
        operands = copy.deepcopy(case.operands)
        lookup(name).kernel(*operands, **case.attrs)
        for i, (before, after) in enumerate(zip(case.operands, operands)):
            assert i in lookup(name).mutates or identical(before, after), case


@names
def test_engine_against_kernel(name, capsys):
    for case in SAMPLES[name]:
        with case_in_failure(f"{case}"):
            check_engine(name, case, capsys)


def check_engine(name, case, capsys):
    types = [type_of(x) for x in case.operands]
    b = Builder()
    with b.function("main", **{f"x{i}": t for i, t in enumerate(types)}) as args:
        op = b.block.append(Operation(name, args, case.attrs, infer_types(lookup(name), types, case.attrs)))
        result = op.results[0] if op.results else b.const(None)
        b.return_(b.block.append(Operation("tuple.new", [result, *args], {}, [TupleType()])).result)
    ours, theirs = copy.deepcopy(case.operands), copy.deepcopy(case.operands)
    got, *changed = compile_program(b.program)(*ours)
    printed = capsys.readouterr().out
    expected = lookup(name).kernel(*theirs, **case.attrs)
    assert identical(got, expected if op.results else None)
    assert identical(tuple(changed), theirs) and printed == capsys.readouterr().out


# --- scalars against Python -------------------------------------------------------------------------------------------

NUMBERS = (0, 1, -3, 2**70, True, False, 0.0, -2.5, 1e308, math.inf, math.nan)
BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "divmod": divmod,
    "lt": operator.lt,
    "ge": operator.ge,
    "eq": operator.eq,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}


def outcome(function, *operands):
    try:
        return function(*operands)
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("name", BINARY)
def test_binary_operators_against_python(name):
    definition = lookup(f"py.{name}")
    for x, y in itertools.product(NUMBERS, repeat=2):
        expected = outcome(BINARY[name], x, y)
        assert identical(outcome(definition.kernel, x, y), expected)
        if isinstance(expected, str):
            assert expected in definition.raises or expected == "TypeError"
            continue
        inferred = definition.infer(type_of(x), type_of(y))
        assert fits(inferred, expected), (x, y, inferred)


@pytest.mark.parametrize("x", [0, 2, -2, 2.0, -2.0, 0.0, True, 10**400])
def test_power_against_python(x):
    definition = lookup("py.pow")
    for y in (0, 3, -1, 0.5, -0.5, 2.0, False, 400):
        expected = outcome(operator.pow, x, y)
        if isinstance(expected, complex):
            with pytest.raises(ValueError, match="complex"):
                definition.kernel(x, y)
            continue
        assert identical(outcome(definition.kernel, x, y), expected), y
        if isinstance(expected, str):
            assert expected in definition.raises, y
        else:
            assert fits(definition.infer(type_of(x), type_of(y)), expected), y


@pytest.mark.parametrize(
    ("name", "types", "result"),
    [
        ("add", (INT, INT), INT),
        ("add", (BOOL, BOOL), INT),
        ("add", (INT, FLOAT), FLOAT),
        ("add", (NUMBER, INT), NUMBER),
        ("add", (NUMBER, FLOAT), FLOAT),
        ("add", (STR, STR), STR),
        ("mul", (STR, INT), STR),
        ("truediv", (INT, INT), FLOAT),
        ("pow", (INT, INT), NUMBER),
        ("and", (BOOL, BOOL), BOOL),
        ("and", (BOOL, INT), INT),
        ("lt", (NUMBER, INT), BOOL),
        ("neg", (BOOL,), INT),
        ("min", (INT, FLOAT), NUMBER),
        ("round", (FLOAT,), INT),
    ],
)
def test_result_classes(name, types, result):
    assert lookup(f"py.{name}").infer(*types) == result


@pytest.mark.parametrize(
    ("name", "types", "message"),
    [
        ("py.add", (INT, STR), "py.add takes Python numbers, not str"),
        ("py.lt", (INT, STR), "py.lt compares two numbers, two strings"),
        ("py.and", (INT, FLOAT), "py.and takes ints, not float"),
        ("py.item", (INT,), "py.item takes a tensor, not int"),
        ("py.item", (TensorType("complex64", ()),), "holds neither"),
        ("list.get", (ListType(INT), FLOAT), "a list index is an int, not float"),
        ("list.append", (TupleType((INT,)), INT), "list.append takes a list, not tuple<int>"),
        ("list.stack", (ListType(INT),), "list.stack takes a list of tensors"),
        ("dict.set", (DictType(), ListType(), INT), "a list can't be a key"),
        ("dict.new", (TensorType("int64", ()), INT), "a tensor can't be a key, as this int64\\[\\] is"),
    ],
)
def test_operands_that_do_not_fit(name, types, message):
    with pytest.raises(DTypeError, match=message):
        lookup(name).infer(*types)


def test_positions_that_do_not_exist():
    with pytest.raises(ShapeError, match="index 2 is outside a tuple of 2"):
        lookup("tuple.get").infer(TupleType((INT, INT)), index=2)
    with pytest.raises(ShapeError, match="axis 2 is outside a tensor of 2 axes"):
        lookup("py.dim").infer(TensorType("float32", (1, 2)), axis=2)
    with pytest.raises(DTypeError, match="has no field 'x'"):
        lookup("object.get").infer(ClassType("Net"), field="x")


def test_range_len():
    for start, stop, step in itertools.product(range(-4, 5), range(-5, 6), (-3, -2, -1, 1, 2, 3)):
        assert lookup("range.len").kernel(start, stop, step) == len(range(start, stop, step))


def test_range_len_of_step_zero():
    with pytest.raises(ValueError, match="must not be zero"):
        lookup("range.len").kernel(0, 1, 0)


@pytest.mark.parametrize("shape", [(0,), (2,), (2, 2)])
def test_truth_of_many_elements_is_refused(shape):
    with pytest.raises(ValueError, match="takes a tensor of one element, not one of shape"):
        lookup("py.truth").kernel(np.ones(shape))


def test_item_of_many_elements_is_refused():
    with pytest.raises(ValueError, match=r"not one of shape \[2\]"):
        lookup("py.item").kernel(np.ones(2))


# --- containers against Python ------------------------------------------------------------------------------------------


def test_exceptions_of_containers():
    for name, operands, error in [
        ("list.get", ([1], 1), IndexError),
        ("list.pop", ([],), IndexError),
        ("list.remove", ([1], 2), ValueError),
        ("list.index", ([1], 2), ValueError),
        ("list.stack", ([],), TypeError),
        ("list.stack", ([np.ones(1), np.ones(2)],), ShapeError),
        ("dict.get", ({}, "a"), KeyError),
        ("dict.pop", ({}, "a"), KeyError),
        ("set.remove", (set(), 1), KeyError),
        ("tuple.get_dynamic", ((1,), 3), IndexError),
    ]:
        assert error.__name__ in lookup(name).raises
        with pytest.raises(error):
            lookup(name).kernel(*operands)


def test_lists_of_unequal_elements_are_lists_of_sums():
    f32, i64 = TensorType("float32", ()), TensorType("int64", ())
    assert str(lookup("list.new").infer(INT, FLOAT)) == "list<number>"
    assert str(lookup("list.new").infer(f32, i64)) == "list<sum<float32[] | int64[]>>"
    assert str(lookup("list.new").infer(f32, NONE)) == "list<sum<none | float32[]>>"


def test_references_become_tensors():
    """What shared memory does, what was one object is one, and other objects are new."""
    whole = (Cell(np.arange(6.0)), np.arange(6).reshape(2, 3))
    row = (whole[0], whole[1][::-1, 1:])
    given = [whole, {"row": row}, whole]
    got = lookup("reference.tensors").kernel(given)
    assert got[0] is got[2] and got[0] is not given[0] and given[0] is whole
    np.testing.assert_array_equal(got[1]["row"], np.arange(6.0).reshape(2, 3)[::-1, 1:])
    assert np.shares_memory(got[0], got[1]["row"])
    alone = lookup("reference.tensors").kernel(given, copy=True)
    assert not np.shares_memory(alone[0], alone[1]["row"])


# --- text ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [[1, "a", None], (1,), (), {"a": [1.5]}, {1}, "it's", 2.5, True, None])
def test_text_of_python_values(value):
    assert native_repr(value) == repr(value)
    assert native_format(value) == f"{value}" and native_format(value, conversion="r") == f"{value!r}"


def test_text_of_objects_and_tensors():
    assert native_repr(Record.of("Point", ("x", "y"), (1, 2))) == "Point(x=1, y=2)"
    assert native_format(np.array(1.25, "float32"), ".1f") == "1.2"
    before = set_tensor_formatter(lambda array: f"<{array.shape[0]}>")
    try:
        assert native_repr([np.ones(2)]) == "[<2>]"
    finally:
        set_tensor_formatter(before)
