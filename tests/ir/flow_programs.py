"""Hand-built Programs over control: if, while, raise, try, calls."""

from __future__ import annotations

from ir.cases import Call, Raises, case, f32, increased, less

from dy2st.ir.builder import Builder
from dy2st.ir.types import parse_type

# --- if ---------------------------------------------------------------------------------------------------------------


@case(Call((True, f32(1, -2)), f32(2, -4)), Call((False, f32(1, -2)), f32(1, -2)))
def if_yields(b: Builder) -> None:
    with b.function("main", flag="bool", x="float32[2]") as (flag, x):
        b.return_(b.if_(flag, lambda: b.op("add", x, x, types="float32[2]"), lambda: x))


@case(Call((True,), 1), Call((False,), raises=Raises("ValueError", ("flag is", False), ValueError)))
def if_with_a_branch_that_raises(b: Builder) -> None:
    with b.function("main", flag="bool") as (flag,):
        one = b.const(1)
        b.return_(b.if_(flag, lambda: one, lambda: b.raise_("ValueError", b.const("flag is"), flag)))


@case(Call((1, 2), (2, 1)), Call((2, 1), (2, 1)))
def if_with_two_results(b: Builder) -> None:
    with b.function("main", x="int", y="int") as (x, y):
        high, low = b.if_(b.op("py.lt", x, y, types="bool"), lambda: (y, x), lambda: (x, y))
        b.return_(b.op("tuple.new", high, low, types="tuple<int, int>"))


@case(*(Call((n,), min(n, 30)) for n in (0, 1, 29, 30, 40)))
def thirty_nested_ifs(b: Builder) -> None:
    def level(k: int):
        if k == 30:
            return b.const(30)
        return b.if_(b.op("py.gt", n, b.const(k), types="bool"), lambda: level(k + 1), lambda: b.const(k))

    with b.function("main", n="int") as (n,):
        b.return_(level(0))


# --- while ------------------------------------------------------------------------------------------------------------


@case(Call((5,), 10), Call((0,), 0), Call((-1,), 0))
def while_counts(b: Builder) -> None:
    with b.function("main", n="int") as (n,):
        zero = b.const(0)
        _, total = b.while_(
            [zero, zero], lambda i, _: less(b, i, n), lambda i, t: (increased(b, i), b.op("py.add", t, i, types="int"))
        )
        b.return_(total)


@case(Call((3, f32(1, 2)), f32(8, 16)), Call((0, f32(1, 2)), f32(1, 2)))
def while_carries_a_tensor(b: Builder) -> None:
    with b.function("main", n="int", x="float32[2]") as (n, x):
        carried = b.while_(
            [b.const(0), x], lambda i, _: less(b, i, n), lambda i, y: (increased(b, i), b.op("add", y, y, types="float32[2]"))
        )
        b.return_(carried[1])


@case(Call((10,), 4), Call((2,), 2))
def while_with_a_break_flag(b: Builder) -> None:
    """Ends at n, or as soon as i squared exceeds 10."""
    with b.function("main", n="int") as (n,):

        def cond(i, stop):
            return b.if_(stop, lambda: b.const(False), lambda: less(b, i, n))

        def body(i, stop):
            over = b.op("py.gt", b.op("py.mul", i, i, types="int"), b.const(10), types="bool")
            return b.if_(over, lambda: i, lambda: increased(b, i)), over

        b.return_(b.while_([b.const(0), b.const(False)], cond, body)[0])


@case(Call((2,), 2**8))
def eight_nested_loops(b: Builder) -> None:
    def level(depth: int, total):
        if depth == 8:
            return increased(b, total)
        return b.while_([b.const(0), total], lambda i, _: less(b, i, n), lambda i, t: (increased(b, i), level(depth + 1, t)))[1]

    with b.function("main", n="int") as (n,):
        b.return_(level(0, b.const(0)))


@case(Call((3,), (4, 3, 2)), Call((0,), (1, 0, -1)))
def while_swaps_what_it_carries(b: Builder) -> None:
    """The next values are read before any is written."""
    with b.function("main", n="int") as (n,):
        x, y, z = b.const(1), b.const(0), b.const(-1)
        _, x, y, z = b.while_(
            [b.const(0), x, y, z], lambda i, *_: less(b, i, n), lambda i, x, y, z: (increased(b, i), increased(b, x), x, y)
        )
        b.return_(b.op("tuple.new", x, y, z, types="tuple<int, int, int>"))


@case(Call((5,), [0, 1, 4, 9, 16]), Call((0,), []))
def while_appends_to_a_list(b: Builder) -> None:
    with b.function("main", n="int") as (n,):
        squares = b.op("list.new", types="list<int>")

        def body(i):
            b.op("list.append", squares, b.op("py.mul", i, i, types="int"))
            return increased(b, i)

        b.while_([b.const(0)], lambda i: less(b, i, n), body)
        b.return_(squares)


# --- raise, try -------------------------------------------------------------------------------------------------------


@case(Call((4,), raises=Raises("TooBig", ("too big", 4), ValueError)), Call((1,), 1))
def raise_of_a_user_class(b: Builder) -> None:
    with b.function("main", x="int") as (x,):
        big = b.op("py.gt", x, b.const(3), types="bool")
        b.if_(big, lambda: b.raise_("TooBig", b.const("too big"), x, bases=["net.Base", "ValueError"]), lambda: ())
        b.return_(x)


@case(Call((), raises=Raises("RuntimeError", (), RuntimeError)))
def a_function_that_never_returns(b: Builder) -> None:
    with b.function("main"):
        b.raise_("RuntimeError")


@case(Call((6, 3), 2), Call((1, 0), -1))
def try_catches_an_operator(b: Builder) -> None:
    with b.function("main", x="int", y="int") as (x, y):
        b.return_(
            b.try_(lambda: b.op("py.floordiv", x, y, types="int"), {("ZeroDivisionError", "KeyError"): lambda: b.const(-1)})
        )


@case(
    Call((0,), "none"),
    Call((1,), "value"),
    Call((2,), "lookup"),
    Call((3,), raises=Raises("TypeError", ("passes",), TypeError)),
)
def try_takes_the_first_handler_that_fits(b: Builder) -> None:
    with b.function("main", k="int") as (k,):

        def throw(number: int, exception: str, orelse):
            hit = b.op("py.eq", k, b.const(number), types="bool")
            b.if_(hit, lambda: b.raise_(exception, b.const("passes")), lambda: orelse and orelse())

        def body():
            throw(1, "ValueError", lambda: throw(2, "KeyError", lambda: throw(3, "TypeError", None)))
            return b.const("none")

        handlers = {("ValueError",): lambda: b.const("value"), ("LookupError",): lambda: b.const("lookup")}
        b.return_(b.try_(body, handlers))


@case(Call((0,), 1), Call((5,), 2))
def handlers_see_cells_at_the_raise(b: Builder) -> None:
    with b.function("main", k="int") as (k,):
        seen = b.cell(b.const(0), name="seen")

        def body():
            b.set(seen, b.const(1))
            b.op("py.floordiv", b.const(1), k, types="int")
            b.set(seen, b.const(2))

        b.try_(body, {("ZeroDivisionError",): lambda: ()})
        b.return_(b.get(seen))


@case(Call((1,), ["body", "finally", "after"]), Call((0,), raises=Raises("ZeroDivisionError", ..., ZeroDivisionError)))
def finally_runs_on_every_path(b: Builder) -> None:
    with b.function("main", k="int") as (k,):
        log = b.op("list.new", types="list<str>")

        def note(text: str) -> None:
            b.op("list.append", log, b.const(text))

        def body() -> None:
            note("body")
            b.op("py.floordiv", k, k, types="int")

        b.try_(body, {}, final=lambda: note("finally"))
        note("after")
        b.return_(log)


@case(
    lambda: Call(([], 0), 3, after=(["inner finally", "outer handler"], 0)),
    lambda: Call(([], 1), 1, after=(["inner finally"], 1)),
)
def nested_try(b: Builder) -> None:
    with b.function("main", log="list<str>", k="int") as (log, k):

        def note(text: str) -> None:
            b.op("list.append", log, b.const(text))

        def inner():
            return b.try_(
                lambda: b.op("py.floordiv", b.const(1), k, types="int"),
                {("KeyError",): lambda: b.const(2)},
                final=lambda: note("inner finally"),
            )

        def handler():
            note("outer handler")
            return b.const(3)

        b.return_(b.try_(inner, {("ArithmeticError",): handler}))


@case(Call((0,), -1), Call((4,), 4))
def try_around_a_loop_that_raises(b: Builder) -> None:
    with b.function("main", n="int") as (n,):

        def step(i):
            b.op("py.floordiv", i, n, types="int")
            return increased(b, i)

        def body():
            return b.while_([b.const(0)], lambda i: b.op("py.lt", i, b.const(4), types="bool"), step)

        b.return_(b.try_(body, {("ZeroDivisionError",): lambda: b.const(-1)}))


ODD = "exception<OverflowError(str, int){code: int} | ZeroDivisionError(str, int){code: int}>"


@case(
    Call((0,), ("odd 0", True, ("odd", 0), 7)),
    Call((1,), raises=Raises("OverflowError", ("odd", 1), OverflowError)),
    Call((2,), ("fine", False, ("", 2), 0)),
)
def a_handler_asks_what_it_caught(b: Builder) -> None:
    with b.function("main", k="int") as (k,):

        def throw(exception: str):
            fields = {"exception": exception, "bases": [], "fields": ["code"]}
            b._append("raise", [b.const("odd"), k, b.const(7)], (), fields)

        def is_(number: int):
            return b.op("py.eq", k, b.const(number), types="bool")

        def result(text, known, args, code):
            return b.op("tuple.new", text, known, args, code, types="tuple<str, bool, tuple<str, int>, int>")

        def body():
            b.if_(is_(0), lambda: throw("ZeroDivisionError"), lambda: b.if_(is_(1), lambda: throw("OverflowError"), lambda: ()))
            args = b.op("tuple.new", b.const(""), k, types="tuple<str, int>")
            return result(b.const("fine"), b.const(False), args, b.const(0))

        def handler():
            error = b.op("caught", types=ODD)
            known = b.op("caught.is", error, exceptions=["ZeroDivisionError"], types="bool")
            b.if_(known, lambda: (), b.raise_again)
            args = b.op("caught.args", error, types="tuple<str, int>")
            b.op("caught.text", error, repr=False, types="str")
            return result(b.const("odd 0"), known, args, b.op("caught.field", error, name="code", types="int"))

        b.return_(b.try_(body, {("ArithmeticError",): handler}))


@case(Call((0,), "fine"), Call((1,), raises=Raises("OverflowError", ("odd", 1), OverflowError)))
def what_was_caught_is_kept_and_raised(b: Builder) -> None:
    with b.function("main", k="int") as (k,):

        def throw():
            fields = {"exception": "OverflowError", "bases": [], "fields": ["code"]}
            b._append("raise", [b.const("odd"), k, b.const(7)], (), fields)

        def body():
            b.if_(b.op("py.eq", k, b.const(1), types="bool"), throw, lambda: ())
            fields = {"exception": "ZeroDivisionError", "bases": [], "fields": ["code"]}
            return b._append("exception.new", [b.const("odd"), k, b.const(0)], [parse_type(ODD)], fields)

        error = b.try_(body, {("ArithmeticError",): lambda: b.op("caught", types=ODD)})
        known = b.op("caught.is", error, exceptions=["OverflowError"], types="bool")
        b.if_(known, lambda: b._append("raise", [error], ()), lambda: ())
        b.return_(b.const("fine"))


# --- functions --------------------------------------------------------------------------------------------------------


@case(Call((5,), 120), Call((0,), 1))
def recursion(b: Builder) -> None:
    with b.function("main", n="int") as (n,):

        def more():
            below = b.call("main", increased(b, n, -1), types="int")
            return b.op("py.mul", n, below, types="int")

        b.return_(b.if_(b.op("py.le", n, b.const(1), types="bool"), lambda: b.const(1), more))


@case(Call((7,), False), Call((8,), True))
def mutual_recursion(b: Builder) -> None:
    for name, other, at_zero in (("even", "odd", True), ("odd", "even", False)):
        with b.function(name, n="int") as (n,):
            done = b.op("py.eq", n, b.const(0), types="bool")
            b.return_(
                b.if_(done, lambda: b.const(at_zero), lambda: b.call(other, increased(b, n, -1), types="bool"))  # noqa: B023
            )


@case(lambda: Call(([1],), [1, 9], after=([1, 9],)))
def a_callee_changes_its_argument(b: Builder) -> None:
    with b.function("main", items="list<int>") as (items,):
        b.call("append_nine", items, types=())
        b.return_(items)
    with b.function("append_nine", items="list<int>") as (items,):
        b.op("list.append", items, b.const(9))
        b.return_(b.const(None))


@case(Call((len,), len))
def a_function_passes_through(b: Builder) -> None:
    with b.function("main", f="function<(list<int>) -> int>") as (f,):
        b.return_(f)
