"""Sequences in onnxruntime: operators on items of many types, of none at all, nested, and of tensors of open shapes."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

from onnx_models.running import Model, assert_same, of_one_operator

from dy2st.ir.types import BOOL, FLOAT, INT, NUMBER, STR, SequenceType, SumType, TensorType, TupleType
from dy2st.ops.registry import lookup

TENSOR = TensorType("float32", (2,))
OPEN = TensorType("float32", (None, 3))
EITHER = SumType((INT, STR))
ITEMS = {  # type of an item -> items of it
    "int": (INT, [3, 1, 2, 1, -5]),
    "float": (FLOAT, [2.5, -0.0, 0.0, 1e300, -1.0]),
    "bool": (BOOL, [True, False, True, True, False]),
    "str": (STR, ["b", "a", "", "a", "c"]),
    "number": (NUMBER, [1, 2.5, True, 1.0, 2**60]),
    "sum": (EITHER, [1, "a", 2, "b", 1]),
    "pair": (TupleType((INT, FLOAT)), [(1, 2.0), (0, 5.5), (1, 2.0), (0, -1.0), (7, 7.0)]),
    "nothing": (TupleType(()), [()] * 5),
    "tensor": (TENSOR, [np.full(2, k, np.float32) for k in range(5)]),
    "open": (OPEN, [np.full((k, 3), k, np.float32) for k in (2, 0, 1, 3, 1)]),
    "nested": (SequenceType(INT), [(1, 2), (), (3,), (4, 5, 6), ()]),
    "deep": (SequenceType(SequenceType(FLOAT)), [((1.0,), ()), (), ((2.0, 3.0),), ((), ()), ((4.0,),)]),
}
COMPARED = [name for name in ITEMS if name not in ("tensor", "open", "nested", "deep")]


def model(name: str, types: list, operands: tuple, **attrs) -> Model:
    """One operator on operands of these types."""
    rest = iter(types)
    program, _ = of_one_operator(name, operands, attrs, lambda _: next(rest), constants=())
    return Model(program)


def check(run: Model, name: str, *operands, **attrs) -> None:
    """The model gives, or raises, what the kernel does."""
    try:
        expected = lookup(name).kernel(*operands, **attrs)
    except Exception as error:
        with pytest.raises(type(error)) as found:
            run(*operands)
        assert str(found.value) == str(error) or "not in list" in str(error)  # which Python says with the value
        return
    assert_same(expected, run(*operands), f"{name}{operands}")


@pytest.mark.parametrize("kind", ITEMS)
@pytest.mark.parametrize("name", ["get", "delete"])
def test_at_an_index(kind, name):
    elem, items = ITEMS[kind]
    run = model(f"sequence.{name}", [SequenceType(elem), INT], (tuple(items), 0))
    for taken in (items, items[:1], []):
        for index in (0, 1, -1, 4, -5, 5, -6):
            if name == "get" or taken:
                check(run, f"sequence.{name}", tuple(taken), index)


@pytest.mark.parametrize("kind", ITEMS)
@pytest.mark.parametrize("name", ["set", "insert"])
def test_an_item_comes_in(kind, name):
    elem, items = ITEMS[kind]
    run = model(f"sequence.{name}", [SequenceType(elem), INT, elem], (tuple(items), 0, items[0]))
    for taken in (items, items[:1], []):
        for index in (0, 1, -1, 4, -5, 5, -6):
            check(run, f"sequence.{name}", tuple(taken), index, items[3])


@pytest.mark.parametrize("kind", ITEMS)
def test_append(kind):
    elem, items = ITEMS[kind]
    run = model("sequence.append", [SequenceType(elem), elem], (tuple(items), items[0]))
    for taken in (items, items[:1], []):
        check(run, "sequence.append", tuple(taken), items[2])


@pytest.mark.parametrize("kind", ITEMS)
@pytest.mark.parametrize("name", ["reverse", "len"])
def test_as_a_whole(kind, name):
    elem, items = ITEMS[kind]
    run = model(f"sequence.{name}", [SequenceType(elem)], (tuple(items),))
    for taken in (items, items[:1], []):
        check(run, f"sequence.{name}", tuple(taken))


@pytest.mark.parametrize("kind", ITEMS)
@pytest.mark.parametrize("name", ["repeat", "concat", "take"])
def test_of_two(kind, name):
    elem, items = ITEMS[kind]
    second = {"repeat": INT, "concat": SequenceType(elem), "take": SequenceType(INT)}[name]
    others = {"repeat": [0, 1, 3, -2], "concat": [tuple(items[:2]), ()], "take": [(1, 0, -1, 1), (), (5,)]}[name]
    run = model(f"sequence.{name}", [SequenceType(elem), second], (tuple(items), others[0]))
    for taken in (items, []):
        for other in others:
            check(run, f"sequence.{name}", tuple(taken), other)


@pytest.mark.parametrize("kind", ITEMS)
@pytest.mark.parametrize(
    "part", [{"start": 1}, {"start": -2, "stop": 9}, {"stop": -1, "step": 2}, {"step": -1}, {"start": 3, "step": -2}]
)
def test_slices(kind, part):
    elem, items = ITEMS[kind]
    run = model("sequence.slice", [SequenceType(elem)], (tuple(items),), **part)
    for taken in (items, items[:1], []):
        check(run, "sequence.slice", tuple(taken), **part)


@pytest.mark.parametrize("kind", COMPARED)
@pytest.mark.parametrize("name", ["index", "count", "contains", "remove"])
def test_search(kind, name):
    elem, items = ITEMS[kind]
    run = model(f"sequence.{name}", [SequenceType(elem), elem], (tuple(items), items[0]))
    for taken in (items, items[:1], items[1:3], []):
        check(run, f"sequence.{name}", tuple(taken), items[3])


@pytest.mark.parametrize("kind", ["int", "float", "bool", "pair"])
@pytest.mark.parametrize("reverse", [False, True])
def test_order(kind, reverse):
    elem, items = ITEMS[kind]
    for name in ("sequence.sort", "sequence.order"):
        run = model(name, [SequenceType(elem)], (tuple(items),), reverse=reverse)
        for taken in (items, items[:1], []):
            check(run, name, tuple(taken), reverse=reverse)


@pytest.mark.parametrize("kind", COMPARED)
@pytest.mark.parametrize("symbol", ["==", "!=", "<", "<=", ">", ">="])
def test_comparison(kind, symbol):
    elem, items = ITEMS[kind]
    if kind in ("str", "sum") and symbol not in ("==", "!="):
        return
    rows = [items, items[:2], items[1:], [], [*items[:3], items[0]]]
    run = model("container.compare", [SequenceType(elem)] * 2, (tuple(items),) * 2, symbol=symbol)
    for a in rows:
        for b in rows:
            check(run, "container.compare", tuple(a), tuple(b), symbol=symbol)


@pytest.mark.parametrize("kind", ["tensor", "open"])
@pytest.mark.parametrize("axis", [0, -1, 1])
@pytest.mark.parametrize("name", ["stack", "concat_tensors"])
def test_tensors_side_by_side(kind, axis, name):
    elem, items = ITEMS[kind]
    if kind == "tensor" and name == "concat_tensors" and axis == 1:
        return
    same = [items[2], items[4]] if kind == "open" else items
    run = model(f"sequence.{name}", [SequenceType(elem)], (tuple(same),), axis=axis)
    for taken in (same, same[:1], []):
        check(run, f"sequence.{name}", tuple(taken), axis=axis)


@pytest.mark.parametrize("dtype", ["float32", "int64", "float64"])
def test_numbers_become_a_tensor(dtype):
    run = model("sequence.to_tensor", [SequenceType(FLOAT)], ((1.5, 2.5),), dtype=dtype)
    check(run, "sequence.to_tensor", (1.5, -2.5, 3.0), dtype=dtype)
    nested = SequenceType(SequenceType(SequenceType(INT)))
    run = model("sequence.to_tensor", [nested], ((((1, 2),),),), dtype=dtype, rank=3)
    check(run, "sequence.to_tensor", (((1, 2), (3, 4), (5, 6)), ((7, 8), (9, 10), (11, 12))), dtype=dtype, rank=3)
    with pytest.raises(ValueError, match="form a rectangle"):
        run((((1, 2),), ((3,),)))
    with pytest.raises(ValueError, match="another rank"):
        run(())
