"""`match` with every kind of pattern, on subjects known while staging and on subjects known only when the Program runs."""

from __future__ import annotations

import dataclasses
import enum
import warnings
from collections import OrderedDict

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import assert_agrees, functions_of


@dataclasses.dataclass
class Point:
    a: object
    b: object


class Named:
    def __init__(self, name, size):
        self.name, self.size = name, size


class Kind(enum.Enum):
    RED = 1
    BLUE = 2


def literals(x, n):
    match n:
        case 0:
            return x
        case 1 | 2:
            y = x + 1
        case k if k > 3:
            y = x * k
        case _:
            y = -x
    return y


def of_a_shape(x, n):
    match x.shape[0]:
        case 3:
            out = "three"
        case 0 | 1:
            out = "few"
        case m:
            out = m
    return out


def texts(x, n):
    mode = "sum"
    if n > 1:
        mode = "mean"
    match mode:
        case "sum":
            return x.sum()
        case "mean":
            return x.mean()


def no_case(x, n):
    y = 0
    match n:
        case 1:
            y = 10
        case 4:
            y = 40
    return y


def dotted_values(x, n):
    found = []
    for kind in Kind:
        match kind:
            case Kind.RED:
                found.append(x.sum() > n)
            case Kind.BLUE:
                found.append(n)
    return found


def sequences(x, n):
    items = [i for i in range(n)]
    match items:
        case []:
            return x, "none"
        case [one]:
            return x + one, "one"
        case [first, *rest] if len(rest) > 2:
            return str(first), rest
        case [first, second]:
            return "two", first + second * 2


def starred_in_the_middle(x, n):
    items = [i * 10 for i in range(n)]
    match items:
        case [0, *_, 30]:
            return "ends"
        case [0, *middle, last]:
            return middle, last
        case _:
            return len(items)


def tuples(x, n):
    match n, x.sum():
        case 0, _:
            return "zero"
        case 1, s:
            return s
        case k, s if s > 0:
            return k, s
        case (k, s):
            return s * k


def nested(x, n):
    match (n, [x, {"k": n}]):
        case (0, [t, {"k": _}]):
            return t
        case (m, [t, {"k": k}]) if m > 1:
            return t * k
        case (_, [_, dict() as d]):
            return d["k"], "one"


def mappings(x, n):
    config = {"kind": "scale", "by": n}
    if n > 1:
        config["shift"] = x
    match config:
        case {"kind": "scale", "shift": s, **rest}:
            return s, len(rest)
        case {"kind": "scale", "by": 0}:
            return "nothing"
        case {"by": k}:
            return x * k


def rest_of_a_mapping(x, n):
    match {"a": x, "b": n, "c": 3}:
        case {"a": t, **rest} if n > 1:
            return t, rest
        case {"z": _}:
            return "z"
        case {**everything}:
            return everything


def classes(x, n):
    match Point(n, x):
        case Point(0, t):
            return t
        case Point(a=1, b=t):
            return t + 1
        case Point(k, t) if k > 2:
            return t * k
        case Point():
            return "point"


def plain_class(x, n):
    shapes = [Named("square", n), Named("line", 2), Point(1, 2), 5, "text", None, x]
    found = []
    for shape in shapes:
        match shape:
            case Named(name="square", size=0):
                found.append("empty")
            case Named(name="square", size=s) | Point(a=s):
                found.append(s)
            case Named(name=name):
                found.append(name)
            case int(i):
                found.append(i + n)
            case str() as text:
                found.append(text)
            case None:
                found.append("none")
            case paddle.Tensor():
                found.append(shape.sum())
    return found


def optional(x, n):
    y = None
    if n > 1:
        y = x
    match y:
        case None:
            return "none"
        case t:
            return t * 2


def int_or_text(x, n):
    v = 5 if n > 1 else "five"
    match v:
        case int():
            return v + 1
        case str(s):
            return s


def number_or_list(x, n):
    v = n if x.sum() > 0 else [n, 1]
    match v:
        case [a, b]:
            return "pair", a + b
        case int() | paddle.Tensor():
            return x
        case _:
            return "other"


def alternatives_that_bind(x, n):
    match (n, x):
        case (0, t) | (1, t):
            return t
        case (k, _):
            return "many", k


def guard_that_fails_leaves_names(x, n):
    k = -1
    match (n, 7):
        case (k, seven) if k > 1:
            y = x * seven
        case _:
            y = x
    return y, k


def in_a_loop(x, n):
    total = 0
    for i in range(n):
        match i % 3:
            case 0:
                continue
            case 1:
                total = total + i
            case _:
                if total > 2:
                    break
                total = total * 2
    return total


def subject_evaluated_once(x, n):
    calls = []

    def subject():
        calls.append(1)
        return n

    match subject():
        case 0:
            return "zero", calls
        case 1 | 2:
            return "few", calls
        case many:
            return many, calls


def subject_rebound(x, n):
    match n:
        case 0:
            n = 5
        case n if n > 1:
            n = n * 2
    return n


def tuples_of_any_length(x, n):
    items = []
    for i in range(n):
        items.append(i)
    match tuple(items):
        case ():
            return "none"
        case (a,):
            return "one", a
        case (a, _, *rest):
            return a, rest


def a_tuple_that_grows(x, n):
    u = ()
    for i in range(n):
        u = u + (i,)
        match u:
            case (0,):
                x = x + 1
            case (0, 1):
                x = x * 2
            case (0, _, *between, 3):
                x = x - len(between)
    return x


def a_range_that_the_input_bounds(x, n):
    match range(n):
        case []:
            return "none"
        case [a]:
            return "one", a
        case [a, *between, z]:
            return a, between, z


def an_attribute_on_one_path(x, n):
    named = Named("a", 1)
    if n > 1:
        named.extra = n
    match named:
        case Named(extra=e):
            return e
        case Named(name=a, size=b):
            return a, b


def an_attribute_in_some_turns(x, n):
    named = Named("a", 1)
    for i in range(n):
        named = Named("b", i)
        if i == 1:
            named.extra = 7
    match named:
        case Named(size=k, extra=e):
            return k, e
        case Named(size=k):
            return k


def what_is_no_sequence(x, n):
    text, seen = "ab", set()
    for i in range(n):
        text += "c"
        seen.add(i)
    found = []
    for subject in (text, seen, enumerate([1, 2])):
        match subject:
            case [*_]:
                found.append("sequence")
            case str() | set():
                found.append("text or set")
            case _:
                found.append("else")
    return found


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_agrees(function)


def too_many_positions(x, n):
    match Point(x, n):
        case Point(a, b, c):
            return a, b, c


def test_what_python_raises():
    with pytest.raises(TypeError, match=r"Point\(\) accepts 2 positional sub-patterns \(3 given\)"):
        paddle.jit.to_static(too_many_positions)(paddle.ones([2]), paddle.to_tensor(1))


@pytest.mark.parametrize("base", [dict, OrderedDict])
@pytest.mark.parametrize("name", ["get", "__contains__", "__getitem__", "keys", "__len__", "other"])
def test_what_a_mapping_says_of_its_items_is_asked_once_or_refused(base, name):
    own = {} if name == "other" else {name: lambda self, *args: getattr(base, name)(self, *args)}
    subject = type("Own", (base,), own)(a=3)

    def matched(x):
        match subject:
            case {"a": value}:
                return x * value
            case _:
                return x

    if name in ("get", "__contains__", "__getitem__"):
        with pytest.raises(ConversionError, match=f"whose class has its own {name}; match dict"):
            paddle.jit.to_static(matched)(paddle.ones([1]))
    else:
        assert paddle.jit.to_static(matched)(paddle.ones([1])).tolist() == matched(paddle.ones([1])).tolist() == [3]
