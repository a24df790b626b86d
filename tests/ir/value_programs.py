"""Hand-built Programs over values: scalars, tensors, sums, containers, cells, state, names."""

from __future__ import annotations

import math

import numpy as np
from ir.cases import Call, Raises, case, f32, increased, less

from dy2st.ir.builder import Builder
from dy2st.ir.core import Loc
from dy2st.ir.native import UNBOUND, Atom, Instance, Record

# --- scalars and constants --------------------------------------------------------------------------------------------

NUMBERS = (True, False, 0, -1, 2**70, -(2**700), 0.1, -0.0, 1e300, math.inf, -math.inf, math.nan)
SCALARS = (*NUMBERS, "", 'a "b"\n\\c\u2028é\x00', None)


@case(Call((), SCALARS))
def constants(b: Builder) -> None:
    with b.function("main"):
        values = [b.const(v) for v in SCALARS]
        b.return_(b.op("tuple.new", *values, types=f"tuple<{', '.join(str(v.type) for v in values)}>"))


@case(Call((2, 3), 17), Call((-(10**20), 0), -(10**20)))
def int_arithmetic(b: Builder) -> None:
    with b.function("main", x="int", y="int") as (x, y):
        b.return_(b.op("py.add", x, b.op("py.mul", y, b.const(5), types="int"), types="int"))


@case(Call((0.5, "a"), (0.5, "a", True)))
def every_scalar_passes_through(b: Builder) -> None:
    with b.function("main", x="float", s="str") as (x, s):
        b.return_(b.op("tuple.new", x, s, b.const(True), types="tuple<float, str, bool>"))


@case(Call((3,), 3), Call((-3,), -1.5))
def number_follows_the_path(b: Builder) -> None:
    with b.function("main", x="int") as (x,):
        small = b.op("py.lt", x, b.const(0), types="bool")
        half = b.const(2)
        result = b.if_(small, lambda: b.op("py.truediv", x, half, types="float"), lambda: x, types="number")
        b.return_(result)


@case(Call((Atom("torch.relu"),), True), Call((Atom("math.sin"),), False))
def atoms_compare_by_text(b: Builder) -> None:
    with b.function("main", f='sum<atom<"math.sin"> | atom<"torch.relu">>') as (f,):
        b.return_(b.op("py.eq", f, b.atom("torch.relu"), types="bool"))


# --- tensors ----------------------------------------------------------------------------------------------------------


@case(Call((f32(1, 2),), f32(4, 6)))
def tensor_and_parameter(b: Builder) -> None:
    with b.function("main", x="float32[2]") as (x,):
        w = b.param("linear.weight", f32(3, 4))
        b.path = "linear"
        b.return_(b.op("add", x, w, types="float32[2]"))


@case(Call((f32(1, 2, 3, 4), 2), np.array([[1, 2], [3, 4]], np.float32)))
def attribute_that_depends_on_an_operand(b: Builder) -> None:
    with b.function("main", x="float32[n]", k="int") as (x, k):
        b.return_(b.op("reshape", x, shape=[k, 2], types="float32[?,2]"))


@case(Call((f32(1, 2),), f32(2, 4)), Call((f32(1, 0),), f32(3, 2)))
def a_buffer_written_in_place(b: Builder) -> None:
    """What one call adds to the buffer, the next one finds."""
    with b.function("main", x="float32[2]") as (x,):
        total = b.param("total", f32(0, 0), kind="buffer")
        b.op("add_", total, x)
        b.return_(b.op("add", total, x, types="float32[2]"))


@case(lambda: Call((f32(1, 2, 3, 4),), f32(2, 4, 6, 8), after=(f32(2, 4, 6, 8),)))
def a_write_through_a_view(b: Builder) -> None:
    with b.function("main", x="float32[4]") as (x,):
        view = b.op("reshape", x, shape=[2, 2], types="float32[2,2]")
        b.op("add_", view, view)
        b.return_(x)


@case(Call((f32(1, 2),), f32(1, 2)), Call((np.float32(3).reshape(()),), np.float32(3).reshape(())))
def unknown_rank(b: Builder) -> None:
    with b.function("main", x="float32[*]") as (x,):
        b.return_(x)


@case(
    Call((np.zeros((2, 3), np.float32),), (2, 3)),
    Call((np.zeros((0, 3), np.float32),), (0, 3)),
)
def dims_are_ints(b: Builder) -> None:
    with b.function("main", x="float32[n,?]") as (x,):
        dims = [b.op("py.dim", x, axis=k, types="int") for k in (0, 1)]
        b.return_(b.op("tuple.new", *dims, types="tuple<int, int>"))


# --- cells and state --------------------------------------------------------------------------------------------------


@case(Call((4,), 6))
def a_cell_changed_in_a_loop(b: Builder) -> None:
    with b.function("main", n="int") as (n,):
        total = b.cell(b.const(0), name="total")

        def body(i):
            b.set(total, b.op("py.add", b.get(total), i, types="int"))
            return increased(b, i)

        b.while_([b.const(0)], lambda i: less(b, i, n), body)
        b.return_(b.get(total))


@case(Call((True,), 3), Call((False,), UNBOUND))
def an_empty_cell_reads_as_unbound(b: Builder) -> None:
    with b.function("main", flag="bool") as (flag,):
        cell = b.cell(type="sum<int | unbound>", name="y")
        b.if_(flag, lambda: b.set(cell, b.const(3)), lambda: ())
        b.return_(b.get(cell))


@case(Call((), 1), Call((), 2), Call((), 3))
def state_counts_calls(b: Builder) -> None:
    b.declare_state("calls", "int", 0)
    with b.function("main"):
        calls = increased(b, b.state_get("calls"))
        b.state_set("calls", calls)
        b.return_(calls)


@case(Call((1,), raises=Raises("ZeroDivisionError", ..., ZeroDivisionError)), Call((0,), 2))
def state_written_before_an_exception_stays(b: Builder) -> None:
    b.declare_state("calls", "int", 0)
    with b.function("main", fail="int") as (fail,):
        calls = increased(b, b.state_get("calls"))
        b.state_set("calls", calls)
        b.op("py.floordiv", calls, b.op("py.sub", b.const(1), fail, types="int"), types="int")
        b.return_(calls)


@case(Call((5,), [5]), Call((6,), [5, 6]))
def state_names_share_one_list(b: Builder) -> None:
    shared: list = []
    b.declare_state("net.history", "list<int>", shared)
    b.declare_state("net.log", "list<int>", shared)
    with b.function("main", x="int") as (x,):
        b.op("list.append", b.state_get("net.log"), x)
        b.return_(b.op("list.copy", b.state_get("net.history"), types="list<int>"))


STATE_VALUES = {
    "dict": ("dict<str, list<float>>", {"a b": [0.5, math.inf], "": []}),
    "set": ("set<int>", {3, 1, 2}),
    "sequence": ("sequence<int>", (3, 1, 2)),
    "tuple": ("tuple<int, tuple<str>>", (1, ("x",))),
    "record": ("tuple Point<x: int, y: float>", Record.of("Point", ("x", "y"), (1, 2.0))),
    "object": ("class net.Net{size: int, name: str}", Instance("net.Net", size=3, name="n")),
    "atom": ('atom<"net.helper">', Atom("net.helper")),
    "maybe": ("sum<int | unbound>", UNBOUND),
    "none": ("none", None),
    "hidden": ("float32[2,2]", np.array([[1.5, math.nan], [0, -1]], np.float32)),
    "phase": ("complex64[2]", np.array([1j, 2], np.complex64)),
}


@case(Call((), tuple(v for _, v in STATE_VALUES.values())))
def state_of_every_type(b: Builder) -> None:
    for name, (type_, value) in STATE_VALUES.items():
        b.declare_state(name, type_, value)
    with b.function("main"):
        values = [b.state_get(name) for name in STATE_VALUES]
        b.return_(b.op("tuple.new", *values, types=f"tuple<{', '.join(str(v.type) for v in values)}>"))


# --- sums -------------------------------------------------------------------------------------------------------------


@case(Call((3,), 4), Call((None,), 0))
def sum_as_an_optional(b: Builder) -> None:
    with b.function("main", x="sum<none | number>") as (x,):
        given = b.op("py.eq", b.tag(x), b.const(1), types="bool")
        one = b.const(1)
        b.return_(b.if_(given, lambda: b.op("py.add", b.take(x, 1), one, types="number"), lambda: b.const(0)))


@case(Call((True,), 7), Call((False,), None))
def sum_made_on_two_paths(b: Builder) -> None:
    kinds = "sum<none | int>"
    with b.function("main", flag="bool") as (flag,):
        b.return_(b.if_(flag, lambda: b.make(kinds, 1, b.const(7)), lambda: b.make(kinds, 0, b.const(None))))


@case(Call((True,), 3), Call((False,), raises=Raises("UnboundLocalError", ("y",), UnboundLocalError)))
def unbound_on_one_path(b: Builder) -> None:
    with b.function("main", flag="bool") as (flag,):
        cell = b.cell(type="sum<int | unbound>", name="y")
        b.if_(flag, lambda: b.set(cell, b.const(3)), lambda: ())
        y = b.get(cell)
        bound = b.op("py.eq", b.tag(y), b.const(0), types="bool")
        b.return_(b.if_(bound, lambda: b.take(y, 0), lambda: b.raise_("UnboundLocalError", b.const("y"))))


@case(Call((True, f32(1, 2)), f32(1, 2)), Call((False, f32(1, 2)), UNBOUND))
def unbound_as_a_value(b: Builder) -> None:
    with b.function("main", flag="bool", x="float32[2]") as (flag, x):
        b.return_(b.if_(flag, lambda: x, b.unbound))


@case(Call((True, 3), 4), Call((False, 3), -1))
def a_value_that_no_path_reads(b: Builder) -> None:
    """As after an early return: `found` counts only where `done` is false."""
    with b.function("main", flag="bool", x="int") as (flag, x):
        found, done = b.if_(flag, lambda: (increased(b, x), b.const(False)), lambda: (b.undef("int"), b.const(True)))
        b.return_(b.if_(done, lambda: b.const(-1), lambda: found))


EVERY_KIND = (
    "sum<float32[*] | int64[*] | number | str | none | list<int> | dict<str, int> | set<int> | tuple<int> | tuple<int, int> | "
    'tuple P<x: int> | class A{x: int} | class B{x: int} | atom<"a"> | atom<"b"> | unbound>'
)
KIND_VALUES = (
    *(f32(1, 2), np.array(3), 4, "s", None, [1], {"k": 1}, {1}, (1,), (1, 2)),
    *(Record.of("P", ("x",), (1,)), Instance("A", x=1), Instance("B", x=1), Atom("a"), Atom("b"), UNBOUND),
)


@case(*(Call((value,), (tag, value)) for tag, value in enumerate(KIND_VALUES)))
def sum_of_every_kind(b: Builder) -> None:
    with b.function("main", x=EVERY_KIND) as (x,):
        b.return_(b.op("tuple.new", b.tag(x), x, types=f"tuple<int, {EVERY_KIND}>"))


@case(Call((0,), None), Call((3,), 2))
def sum_carried_by_a_loop(b: Builder) -> None:
    with b.function("main", n="int") as (n,):
        carried = b.while_(
            [b.const(0), b.const(None)],
            lambda i, _: less(b, i, n),
            lambda i, _: (increased(b, i), i),
            types=["int", "sum<int | none>"],
        )
        b.return_(carried[1])


@case(Call((True,), (1,)), Call((False,), (1, 2)))
def result_whose_arity_follows_the_path(b: Builder) -> None:
    with b.function("main", flag="bool") as (flag,):
        one, two = b.const(1), b.const(2)
        b.return_(
            b.if_(
                flag,
                lambda: b.op("tuple.new", one, types="tuple<int>"),
                lambda: b.op("tuple.new", one, two, types="tuple<int, int>"),
            )
        )


# --- lists, dicts, sets, tuples, objects ------------------------------------------------------------------------------


@case(Call((), ([1, 2], [1, 2])))
def two_names_for_one_list(b: Builder) -> None:
    with b.function("main"):
        items = b.op("list.new", b.const(1), types="list<int>")
        pair = b.op("tuple.new", items, items, types="tuple<list<int>, list<int>>")
        b.op("list.append", b.op("tuple.get", pair, index=1, types="list<int>"), b.const(2))
        b.return_(pair)


@case(lambda: Call(([], 1), [1, "a", None], after=([1, "a", None], 1)))
def list_of_a_sum(b: Builder) -> None:
    with b.function("main", items="list<sum<none | int | str>>", x="int") as (items, x):
        for value in (x, b.const("a"), b.const(None)):
            b.op("list.append", items, value)
        b.return_(items)


@case(Call((), []))
def list_of_nothing(b: Builder) -> None:
    with b.function("main"):
        b.return_(b.op("list.new", types="list<never>"))


@case(Call((2,), {"x": 2, "y": 3}), Call((0,), {"x": 0, "y": 1}))
def dict_of_ints(b: Builder) -> None:
    with b.function("main", x="int") as (x,):
        found = b.op("dict.new", b.const("x"), x, types="dict<str, int>")
        old = b.op("dict.get", found, b.const("x"), types="int")
        b.op("dict.set", found, b.const("y"), increased(b, old))
        b.return_(found)


@case(Call((2,), {1, 2}), Call((1,), {1}))
def set_of_ints(b: Builder) -> None:
    with b.function("main", x="int") as (x,):
        found = b.op("set.new", b.const(1), types="set<int>")
        b.op("set.add", found, x)
        b.return_(found)


@case(Call((Record.of("Point", ("x", "y"), (1, 2.5)),), Record.of("Point", ("x", "y"), (2, 2.5))))
def namedtuple(b: Builder) -> None:
    point = "tuple Point<x: int, y: float>"
    with b.function("main", p=point) as (p,):
        x = b.op("tuple.get", p, index=0, types="int")
        y = b.op("tuple.get", p, index=1, types="float")
        b.return_(b.op("tuple.new", increased(b, x), y, name="Point", fields=("x", "y"), types=point))


@case(lambda: Call((Instance("demo.Net", calls=1),), 2, after=(Instance("demo.Net", calls=2, last=0.5),)))
def object_changed_in_a_branch(b: Builder) -> None:
    with b.function("main", net="class demo.Net{calls: int, last: sum<float | unbound>}") as (net,):
        calls = b.op("object.get", net, field="calls", types="int")

        def change():
            b.op("object.set", net, increased(b, calls), field="calls")
            b.op("object.set", net, b.const(0.5), field="last")

        b.if_(b.op("py.gt", calls, b.const(0), types="bool"), change, lambda: ())
        b.return_(b.op("object.get", net, field="calls", types="int"))


# --- names and text ---------------------------------------------------------------------------------------------------


@case(Call((1,), 3))
def odd_names(b: Builder) -> None:
    with b.function('Net.<locals>.forward "x"', **{"self.x y": "int"}) as (x,):
        b.loc = Loc('a b#"c".py', 3, "<lambda>")
        b.path = "layers.0.weird name"
        for text in ("then:", "%x", "# no comment", "  def main():"):
            b.const(text, name=text)
        b.return_(b.call("helper-1", x, types="int"))
    with b.function("helper-1", **{"0": "int"}) as (x,):
        y = increased(b, x)
        y.name = "x_1"
        z = increased(b, y)
        z.name = "x"
        b.return_(z)
