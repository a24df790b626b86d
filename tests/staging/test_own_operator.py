"""An operator on lists is defined in one place: the recorder, the rules and the analyses know what it takes in and gives."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st.errors import DTypeError, VerifyError
from dy2st.ir.effects import EffectAnalysis
from dy2st.ir.flows import ITEM, gives, takes_in
from dy2st.ir.parser import parse_program
from dy2st.ir.types import INT, ListType
from dy2st.ir.verify import verify
from dy2st.jit import to_static
from dy2st.ops.python.lists import listing
from dy2st.ops.registry import OPERATORS, OpDef


def _swap_type(list_, index, item):
    if not isinstance(list_, ListType) or index != INT:
        raise DTypeError(f"list.swap takes a list and an int, not {list_} and {index}")
    return listing((list_.elem, item)).elem


def _swap(list_, index, item):
    before, list_[index] = list_[index], item
    return before


swap = OpDef(
    "list.swap",
    kernel=_swap,
    infer=_swap_type,
    flows=(*takes_in(ITEM, 2), *gives(ITEM)),
    indices=(1,),
    mutates=(0,),
    reads=(0,),
    raises=("IndexError",),
)


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(OPERATORS._defined, "list.swap", swap)


def swapped(item, count):
    """What was at each place of a list, whose items are of another kind afterwards."""
    items, out = [1, 2, 3], []
    i = count * 0
    while i < count:
        out.append(swap(items, i, item * 2))
        i = i + 1
    return items, out


def test_a_list_is_known_to_hold_what_is_put_in():
    static = to_static(swapped)
    items, out = static(paddle.to_tensor([1.0]), paddle.to_tensor(2))
    assert [x if isinstance(x, int) else x.tolist() for x in items] == [[2.0], [2.0], 3] and out == [1, 2]
    (op,) = [op for op in static.concrete_program.program.walk() if op.name == "list.swap"]
    assert str(op.operands[0].type) == "list<sum<int | float32[1]>>"
    assert str(op.result.type) == "sum<int | float32[1]>"


def test_what_comes_out_is_what_was_in_there():
    def renamed(n):
        rows = [[1.0], [2.0]]
        kept = rows[n]
        swap(rows, n, [3.0]).append("the same list")
        return kept[n + 1] + "!"

    assert to_static(renamed)(paddle.to_tensor(0)) == "the same list!"


def swap_once(elem: str, stored: str):
    return parse_program(f"""
def main(%l: list<{elem}>, %i: int, %x: {stored}) -> {elem}:
  %y = list.swap %l, %i, %x : {elem}
  return %y
""")


def test_effects():
    program = swap_once("float32[]", "float32[]")
    effects, op = EffectAnalysis(program, OPERATORS), program.entry.block.ops[0]
    list_, _, stored = op.operands
    assert effects.effects_of(op).raises == {"IndexError"} and not effects.can_remove(op)
    assert effects.may_alias(list_, stored) and effects.may_alias(list_, op.result)


def test_what_is_stored_must_fit():
    verify(swap_once("float", "float"), OPERATORS)
    with pytest.raises(VerifyError, match="stores str in list<float>"):
        verify(swap_once("float", "str"), OPERATORS)
