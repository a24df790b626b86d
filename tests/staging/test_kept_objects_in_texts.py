"""What text, indices and built-ins make of an object that a tensor chooses: what plain Python makes of it, or its exception."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import io
import itertools
import pathlib
from contextlib import redirect_stdout

import pytest
from support.sampling import sampled

import dy2st as paddle


class Mode(enum.Enum):
    LOW = 1
    HIGH = 2


class Whole(enum.IntEnum):
    A = 1
    B = 2


class Word(str, enum.Enum):
    P = "p"
    Q = "q"


class Text(str):
    pass


@dataclasses.dataclass
class Data:
    a: int = 1


def function():
    pass


OBJECTS = {
    "enum": (Mode.LOW, Mode.HIGH),
    "IntEnum": (Whole.A, Whole.B),
    "IntEnum or int": (Whole.A, 0),
    "str enum": (Word.P, Word.Q),
    "str subclass": (Text("p"), Text("q")),
    "dataclass": (Data(1), Data(2)),
    "OrderedDict": (collections.OrderedDict(a=1), None),
    "Counter": (collections.Counter("aab"), None),
    "classes": (int, str),
    "own class": (Data, None),
    "function": (function, None),
    "date": (datetime.date(2020, 1, 2), None),
    "Path": (pathlib.Path("a/b"), None),
    "Decimal": (decimal.Decimal("1.5"), None),
    "bytes": (b"ab", "cd"),
    "range": (range(3), None),
    "enum or text": (Mode.LOW, "abc"),
    "built-in": (len, function),
}


def subscripts(v):
    items, t = [1, 2, 3], paddle.arange(6).reshape([3, 2])
    items[v] = 9
    items[v] += 1
    del items[v]
    return str(items), [5, 6, 7][v], "abc"[v], t[v, 0], t[v:, 1]


USES = {
    "%s": lambda v: "m %s" % v,
    "%5.3s": lambda v: "m %s %5.3s|%*d" % (v, v, 4, 7),
    "%r": lambda v: "m %r %a" % (v, v),
    "%d": lambda v: "m %d" % v,
    "%.1f": lambda v: "%.1f|%x" % (v, v),
    "%(name)s": lambda v: "%(a)s" % {"a": v},
    "f-string": lambda v: f"{v} {v!r} {v!a} {v!s:>5}",
    "exception": lambda v: str(ValueError(v)) + repr(KeyError(v)) + str(KeyError(v, 1)),
    "print": lambda v: print(v, "and", [v]),
    "len": len,
    "callable": callable,
    "subscript": lambda v: v[0],
    "range": lambda v: list(range(v)),
    "join": lambda v: "-".join(["a", v]) + "".join((v, v)),
    "replace": lambda v: "apbqc".replace(v, "z"),
    "split": lambda v: "apbqc".split(v),
    "startswith": lambda v: "pq".startswith(v),
    "subscripts": subscripts,
    "shape": lambda v: paddle.zeros([v]),
    "multiply": lambda v: paddle.ones([1]) * v,
    "arithmetic": lambda v: v - paddle.ones([1]) / v,
}


def outcome(call, number):
    """The result or the exception, and what was printed."""
    with redirect_stdout(io.StringIO()) as out:
        try:
            found = call(paddle.to_tensor([number]))
        except Exception as error:
            found = type(error) if type(error) is not ValueError else str(error)
    parts = found if isinstance(found, tuple) else (found,)  # a number that only the Program knows is returned as a tensor
    return [x.tolist() if isinstance(x, paddle.Tensor) else x for x in parts], out.getvalue()


@pytest.mark.long
@pytest.mark.parametrize("use, name", sampled(itertools.product(USES, OBJECTS), 30))
@pytest.mark.filterwarnings("ignore")
def test_agrees_with_plain_python(name, use):
    a, b = OBJECTS[name]

    def chosen(x):
        return USES[use](a if x.sum() > 5 else b)

    def known(x):
        return USES[use](a)

    for function in (chosen, known):
        static = paddle.jit.to_static(function)
        for number in (9.0, 1.0):
            plain, staged = outcome(function, number), outcome(static, number)
            if plain[0] == [paddle.errors.DTypeError] or plain[0] == [TypeError]:
                assert staged[0][0] in (TypeError, paddle.errors.DTypeError)
            else:
                assert staged == plain


@pytest.mark.parametrize("number", [9.0, 1.0])
@pytest.mark.parametrize("bound", [2.0, True, None])
def test_bounds_of_a_range_are_ints_on_each_path(bound, number):
    def chosen(x):
        bounds = bound if x.sum() > 5 else 3
        return list(range(bounds)) + list(range(0, 7, bounds))

    assert outcome(paddle.jit.to_static(chosen), number) == outcome(chosen, number)


def test_callable_is_asked_of_the_one_that_was_chosen():
    def f(x):
        act = paddle.nn.functional.relu if x.sum() > 5 else None
        return x * (2 if callable(act) else 3)

    static = paddle.jit.to_static(f)
    assert [static(paddle.to_tensor([v])).item() for v in (1.0, 1.0, 9.0)] == [3.0, 3.0, 18.0]


def test_a_member_of_an_int_enum_leaves_the_dtype():
    x = paddle.ones([2])
    for found in (x * Whole.B, Whole.B + x, x**Whole.B, x / Whole.A, x.reshape([Whole.B, 1]), paddle.full([Whole.A], Whole.B)):
        assert found.dtype == paddle.float32
    assert (paddle.ones([2], "int64") * Whole.B).dtype == paddle.int64


def test_lengths_that_are_given_one_by_one_are_no_name():
    with pytest.raises(TypeError, match=r"write view\(\[-1, 2\]\)"):
        paddle.ones([2, 3]).view(-1, 2)
