"""Effects and aliases of small Programs."""

import numpy as np
import pytest
from ir.programs import by_name

from dy2st import ops  # noqa: F401
from dy2st.ir.builder import Builder
from dy2st.ir.effects import EffectAnalysis
from dy2st.ops.registry import OPERATORS

T = "float32[4]"


def analyse(fill, **params):
    """Build `main` and analyse it; `fill(b, *args)` returns what the test wants to ask about."""
    b = Builder()
    with b.function("main", **params) as args:
        found = fill(b, *args)
        b.return_(b.const(None))
    return EffectAnalysis(b.program, OPERATORS), found


def view(b, x):
    return b.op("reshape", x, shape=[2, 2], types="float32[2,2]")


def test_views_alias_their_base_and_results_do_not():
    def fill(b, x):
        fresh = b.op("add", x, x, types=T)
        return x, view(b, x), fresh, view(b, fresh)

    e, (x, x_view, fresh, fresh_view) = analyse(fill, x=T)
    assert e.may_alias(x, x_view) and e.may_alias(fresh, fresh_view)
    assert not e.may_alias(x, fresh) and not e.may_alias(x_view, fresh_view)
    assert e.memory_of(x_view) == {("outside",)} == e.memory_of(x)


def test_arguments_may_be_one_array_and_parameters_are_not():
    def fill(b, x, y):
        return x, y, b.param("v", np.zeros(4, np.float32)), b.param("w", np.zeros(4, np.float32)), b.param("w")

    e, (x, y, v, w, w_again) = analyse(fill, x=T, y=T)
    assert e.may_alias(x, y) and e.may_alias(x, w)
    assert not e.may_alias(v, w) and e.may_alias(w, w_again)
    assert e.memory_of(w) == {("param", "w")}


def test_scalars_hold_no_memory():
    e, (n, items) = analyse(lambda b, n, items: (n, items), n="int", items="list<int>")
    assert not e.may_alias(n, items) and not e.may_alias(n, n)


def test_containers_alias_what_they_hold():
    def fill(b, x):
        made = b.op("add", x, x, types=T)
        other = b.op("add", x, x, types=T)
        items = b.op("list.new", types=f"list<{T}>")
        b.op("list.append", items, made)
        return made, other, items, b.op("list.get", items, b.const(0), types=T)

    e, (made, other, items, element) = analyse(fill, x=T)
    assert e.may_alias(made, items) and e.may_alias(made, element)
    assert not e.may_alias(other, items) and not e.may_alias(other, element)


def test_an_object_whose_type_names_no_fields_aliases_what_it_is_made_of():
    def fill(b, x):
        made = b.op("add", x, x, types=T)
        box = b.op("object.new", made, cls="Box", fields=["v"], types="class Box")
        return made, b.op("object.get", box, field="v", types=T)

    e, (made, field) = analyse(fill, x=T)
    assert e.may_alias(made, field)


def test_a_new_list_of_scalars_is_its_own():
    def fill(b, items):
        return items, b.op("list.copy", items, types="list<int>"), b.op("tuple.new", items, types="tuple<list<int>>")

    e, (items, copy, pair) = analyse(fill, items="list<int>")
    assert not e.may_alias(items, copy) and e.may_alias(items, pair)


def test_control_flow_and_calls_pass_aliases_on():
    def fill(b, c, x):
        fresh = b.op("add", x, x, types=T)
        either = b.if_(c, lambda: x, lambda: fresh)
        carried = b.while_([fresh], lambda y: c, lambda y: y)
        return x, fresh, either, carried

    e, (x, fresh, either, carried) = analyse(fill, c="bool", x=T)
    assert e.may_alias(either, x) and e.may_alias(either, fresh) and e.may_alias(carried, fresh)


def test_a_callee_that_writes_its_argument():
    program = by_name("a_callee_changes_its_argument").build()
    e = EffectAnalysis(program, OPERATORS)
    call = program.entry.block.ops[0]
    assert not e.can_remove(call)
    assert e.aliases.group(program.entry.block.args[0]) in e.effects_of(call).writes


def test_shared_state_aliases():
    program = by_name("state_names_share_one_list").build()
    e = EffectAnalysis(program, OPERATORS)
    log, history = (op.result for op in program.walk() if op.name == "state.get")
    assert e.may_alias(log, history)
    b = Builder()
    for name in ("a", "b"):
        b.declare_state(name, "list<int>", [])
    with b.function("main"):
        apart = [b.state_get(name) for name in ("a", "b", "a")]
        b.return_(b.const(None))
    e = EffectAnalysis(b.program, OPERATORS)
    assert e.may_alias(apart[0], apart[2]) and not e.may_alias(apart[0], apart[1])


@pytest.mark.parametrize(
    "name, removable",
    [("add", True), ("io.print", False), ("list.new", True), ("list.append", False), ("list.get", False), ("uniform", False)],
)
def test_can_remove(name, removable):
    def fill(b, x, items):
        operands = {"add": (x, x), "io.print": (x,), "list.append": (items, b.const(1)), "list.get": (items, b.const(0))}
        types = {"add": T, "list.new": "list<int>", "list.get": "int", "uniform": T}
        attrs = {"shape": [4], "dtype": "float32"} if name == "uniform" else {}
        b.op(name, *operands.get(name, ()), types=types.get(name, ()), **attrs)
        return b.block.ops[-1]

    if name not in OPERATORS:
        pytest.skip(f"{name} is not an operator here")
    e, op = analyse(fill, x=T, items="list<int>")
    assert e.can_remove(op) is removable


def test_a_loop_that_writes_only_what_it_made_can_go():
    def fill(b, n, outer):
        def body(i):
            own = b.op("list.new", types="list<int>")
            b.op("list.append", own, i)
            return i

        b.while_([n], lambda i: b.const(False), body)
        b.while_([n], lambda i: b.const(False), lambda i: b.op("list.append", outer, i) and i or i)
        return b.block.ops[-2:]

    e, (pure, writing) = analyse(fill, n="int", outer="list<int>")
    assert e.can_remove(pure) and not e.can_remove(writing)


def test_state_cells_and_raises_stay():
    for name in ("state_counts_calls", "if_with_a_branch_that_raises", "handlers_see_cells_at_the_raise"):
        program = by_name(name).build()
        e = EffectAnalysis(program, OPERATORS)
        for op in program.walk():
            if op.name in ("state.set", "cell.set", "raise"):
                assert not e.can_remove(op)
            if op.name == "if" and op.blocks[1].terminator.name == "raise":
                assert not e.can_remove(op) and "ValueError" in e.effects_of(op).raises


def test_an_unknown_operation_does_everything():
    e, op = analyse(lambda b, x: b.op("who.knows", x, types=T).owner, x=T)
    found = e.effects_of(op)
    assert found.io and found.random and found.raises and found.writes and not e.can_remove(op)
