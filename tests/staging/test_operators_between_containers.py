"""Operators between containers, texts and numbers of two kinds give what plain Python gives: the same value, or its exception."""

import array
import itertools
import linecache
import operator
import random
import re
import warnings
from collections import ChainMap, Counter, OrderedDict, UserList, UserString, defaultdict, deque

import pytest
from support.sampling import SEED, amount

import dy2st as paddle
from dy2st.errors import ConversionError, StagedValueError

X = paddle.to_tensor([1.0])
MADE = {
    "list": lambda: [1], "tuple": lambda: (1,), "deque": lambda: deque([1]), "UserList": lambda: UserList([1]),
    "UserString": lambda: UserString("a"), "str": lambda: "a", "bytes": lambda: b"a", "bytearray": lambda: bytearray(b"a"),
    "array": lambda: array.array("l", [1]), "set": lambda: {1}, "frozenset": lambda: frozenset([1]), "dict": lambda: {"a": 1},
    "Counter": lambda: Counter("a"), "OrderedDict": lambda: OrderedDict(a=1), "ChainMap": lambda: ChainMap({"a": 1}),
    "defaultdict": lambda: defaultdict(int, a=1), "keys": lambda: {"a": 1}.keys(), "items": lambda: {"a": 1}.items(),
    "range": lambda: range(2), "int": lambda: 2, "float": lambda: 1.5, "None": lambda: None,
}  # fmt: skip
SYMBOLS = ["+", "*", "-", "|", "&", "^", "<=", "==", "in", "+=", "*=", "-=", "|=", "&=", "^="]
# Whose exceptions are worded by another function of C than the one that runs here.
WORDED_OTHERWISE = {("|=", "OrderedDict"), ("|=", "defaultdict"), ("|=", "dict"), ("&=", "Counter")}
WORDED_OTHERWISE |= {(symbol, kind) for symbol in ("*", "*=", "<=") for kind in MADE}
WRITTEN = {"deque", "Counter", "OrderedDict", "UserList", "keys"}
PAIRS = [pair for pair in itertools.product(MADE, MADE) if not WRITTEN.isdisjoint(pair)]


def on_a_path(kind, x):
    """An object of a kind that a path changes; of a kind that is never changed, one of two."""
    if kind == "str":
        return "a" if x.sum() > 0 else "b"
    if kind == "tuple":
        return (1,) if x.sum() > 0 else (2, 3)
    if kind == "int":
        return 2 if x.sum() > 0 else 3
    if kind in ("keys", "items"):
        table = {"a": 1}
        if x.sum() > 0:
            table["k"] = 2
        return getattr(table, kind)()
    held = MADE[kind]()
    if x.sum() > 0:
        if kind in ("list", "deque"):
            held.append(2)
        elif kind == "set":
            held.add(2)
        else:
            held["k"] = 2
    return held


ON_PATHS = ["list", "tuple", "deque", "str", "set", "dict", "Counter", "OrderedDict", "defaultdict", "keys", "items", "int"]
KNOWN = "MADE[{!r}]()"
STAGED = "on_a_path({!r}, x)"
SOURCE = """
def function(x):
    a, b = {left}, {right}
    try:
        {statement}
    except Exception as error:
        return "raised", type(error).__name__, str(error)
    return result
"""


def function_of(symbol, left, right):
    in_place = symbol.endswith("=") and symbol not in ("<=", "==")
    statement = f"a {symbol} b; result = a" if in_place else f"result = a {symbol} b"
    source = SOURCE.format(left=left, right=right, statement=statement)
    name = f"<operators {hash(source)}>.py"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace = {"MADE": MADE, "on_a_path": on_a_path}
    exec(compile(source, name, "exec"), namespace)
    return namespace["function"]


def shown(value):
    """A result with the classes of all that it holds; a staged number comes back as a tensor."""
    if isinstance(value, paddle.Tensor):
        value = value.item() if value.size == 1 else value.numpy().tolist()
    if isinstance(value, (list, tuple, deque, UserList)):
        return type(value).__name__, [shown(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted(map(repr, value))
    if isinstance(value, (dict, ChainMap)):
        return type(value).__name__, [(k, shown(v)) for k, v in value.items()]
    return type(value).__name__, repr(value)


def worded(found):
    """A result, or an exception in words that leave open whether `+` or `+=` is written: one of several values is asked `+`.

    From Python 3.14 on, code of Python's library that is given what stands for a deque may say `collections.collections.deque`.
    """
    told = str(shown(found)).replace("'collections.collections.", "'collections.")
    return re.sub(r"type\(s\) for (\S+?)=?:", r"type(s) for \1:", told.replace("\\'collections.collections.", "\\'collections."))


def answer(function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(X)


def check(symbol, left, right, kinds, may_refuse):
    if symbol == "in" and kinds == ("set", "set") and may_refuse:
        return  # a set that only the Program knows isn't looked up in another one, as a frozenset: that is a DTypeError
    function = function_of(symbol, left, right)
    expected = answer(function)
    try:
        found = answer(paddle.jit.to_static(function))
    except (ConversionError, StagedValueError) as error:
        assert may_refuse or "keeps or returns it" in str(error), (symbol, left, right)
        return
    if (symbol, kinds[0]) in WORDED_OTHERWISE and isinstance(expected, tuple) and expected[0] == "raised":
        assert found[0] == "raised"
    else:
        assert worded(found) == worded(expected), (symbol, left, right)


def some(pairs, symbol):
    """Some of the pairs; each symbol has others, and each day."""
    return random.Random(f"{symbol} {SEED}").sample(pairs, amount(40, 6))


@pytest.mark.long
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_known(symbol):
    for left, right in some(PAIRS, symbol):
        check(symbol, KNOWN.format(left), KNOWN.format(right), (left, right), may_refuse=False)


@pytest.mark.long
@pytest.mark.parametrize("symbol", ["+", "|", "+=", "|=", "-=", "in"])
def test_staged(symbol):
    for left, right in some([*itertools.product(ON_PATHS, MADE)], symbol):
        check(symbol, STAGED.format(left), KNOWN.format(right), (left, right), may_refuse=True)
    for left, right in some([*itertools.product(MADE, ON_PATHS)], symbol):
        check(symbol, KNOWN.format(left), STAGED.format(right), (left, right), may_refuse=True)


KEPT = {
    "deque and UserList": ("+", "deque", "UserList"),
    "UserList and deque": ("+", "UserList", "deque"),
    "list and UserList": ("+=", "list", "UserList"),
    "list and Counter": ("+", "list", "Counter"),
    "Counter and dict": ("+=", "Counter", "dict"),
    "Counter and list": ("+=", "Counter", "list"),
    "list and keys": ("|", "list", "keys"),
    "set and keys": ("|=", "set", "keys"),
    "set and list": ("|=", "set", "list"),
    "a number in items": ("in", "int", "items"),
    "str and list": ("+", "str", "list"),
}


@pytest.mark.parametrize(("symbol", "left", "right"), KEPT.values(), ids=KEPT)
def test_pairs_that_were_wrong(symbol, left, right):
    check(symbol, KNOWN.format(left), KNOWN.format(right), (left, right), may_refuse=False)
    if left in ON_PATHS:
        check(symbol, STAGED.format(left), KNOWN.format(right), (left, right), may_refuse=right == "UserList")


@pytest.mark.parametrize("kind", ["list", "set", "dict", "Counter", "deque"])
def test_an_operator_that_changes_keeps_the_object(kind):
    def function(x):
        held = on_a_path(kind, x)
        same = held
        if kind in ("list", "deque"):
            held += MADE[kind]()
        else:
            held |= MADE[kind]()
        return same is held, len(same)

    found, expected = paddle.jit.to_static(function)(X), function(X)
    assert (bool(found[0]), int(found[1])) == expected


def test_the_functions_of_operator():
    def function(x):
        return operator.add(deque([1]), UserList([1])).data, operator.or_({1}, {"a": 1}.keys())

    assert shown(paddle.jit.to_static(function)(X)) == shown(function(X))


def test_bytes_and_arrays_have_a_number():
    def function(x):
        n = int(x.sum())
        return n in b"\x01", n in bytearray(b"\x02"), n in array.array("l", [1]), n in frozenset([2]), n not in b"\x01"

    assert [bool(found) for found in paddle.jit.to_static(function)(X)] == [True, False, True, False, False]


def test_a_number_that_is_no_byte():
    function = paddle.jit.to_static(lambda x: int(x.sum()) in b"a")
    with pytest.raises(ValueError, match=re.escape("byte must be in range(0, 256)")):
        function(paddle.to_tensor([300.0]))


def test_what_a_library_has_made_of_a_list_on_a_path():
    def function(x):
        return UserList([5]) + on_a_path("list", x)

    assert shown(paddle.jit.to_static(function)(X)) == shown(function(X))


def test_a_frozenset_beside_a_set_on_a_path_is_refused_in_words():
    with pytest.raises(ConversionError, match=r"write set\(value\)"):
        paddle.jit.to_static(lambda x: frozenset([1, 2]) - on_a_path("set", x))(X)


def test_a_counter_beside_a_dict_on_a_path():
    def function(x):
        return Counter("ab") | on_a_path("dict", x)

    assert shown(paddle.jit.to_static(function)(X)) == shown(function(X))


class Own:
    """An object with attributes."""

    def __init__(self, w):
        self.w = w


@pytest.mark.parametrize("read", [vars, lambda own: own.__dict__], ids=["vars", "__dict__"])
def test_attributes_of_a_changed_argument_are_refused_in_words(read):
    def function(x, layers):
        if x.sum() > 0:
            layers.append(layers[0])
        return read(layers[0])["w"]

    with pytest.raises(ConversionError, match="vars"):
        paddle.jit.to_static(function)(X, [Own(1), Own(2)])
