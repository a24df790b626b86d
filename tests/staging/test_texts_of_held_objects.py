"""What a container or an exception says of the objects that it holds: their classes say it, as in plain Python."""

import collections
import dataclasses
import enum
import fractions
import io
import itertools

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.static import InputSpec


class Colour(enum.Enum):
    RED = 1

    def __repr__(self):
        return f"<<{self.name.lower()}>>"

    def __str__(self):
        return "rouge"


class Plain(enum.Enum):
    ONE = 1


class Number(enum.IntEnum):
    THREE = 3


class Flags(enum.Flag):
    A = 1
    B = 2


class Own:
    def __init__(self, n):
        self.n = n

    def __repr__(self):
        return f"Own[{self.n}]"


@dataclasses.dataclass
class Data:
    n: object


class Failed(Exception):
    pass


HELD = {
    "Enum": Colour.RED, "plain Enum": Plain.ONE, "IntEnum": Number.THREE, "Flag": Flags.A | Flags.B, "object": Own(4),
    "class": Own, "built-in": len, "bytes": b"x", "complex": 1 + 2j, "fraction": fractions.Fraction(1, 2), "range": range(3),
    "frozenset": frozenset([1]), "dtype": np.dtype("float32"), "None": None, "exception": ValueError("x", 1),
    "tuple": (Colour.RED, Plain.ONE), "number": 3, "text": "s",
}  # fmt: skip
INPUTS = [paddle.to_tensor([1.0]), paddle.to_tensor([-1.0])]


def in_a_list(x, held):
    items = [held]
    if x.sum() > 0:
        items.append(Colour.RED)
    return str(items), f"{items}", "%s" % (items,), f"{items!r:>40}", repr({"k": items}), repr((items,))


def in_a_dict(x, held):
    items = {"a": held}
    if x.sum() > 0:
        items["b"] = [held]
    return str(items), repr([items])


def in_a_set(x, held):
    items = {Colour.RED}
    if x.sum() > 0:
        items.add(Plain.ONE)
        items.discard(Colour.RED)
    return str(items), [held] and repr([items])


def in_a_deque(x, held):
    items = collections.deque([held])
    if x.sum() > 0:
        items.append(Own(int(x.sum())))
    return str(items)


def made_on_a_path(x, held):
    items = [held]
    if x.sum() > 0:
        items.append(Own(int(x.sum())))
        items.append(Data(held))
    return str(items)


def in_a_loop(x, held):
    texts, items = [], []
    for value in x:
        texts.append(str(items))
        if value > 0:
            items.append(held)
        items.append(Colour.RED)
    return texts, str(items)


def of_an_exception(x, held):
    try:
        if x.sum() > 0:
            raise Failed("bad", held, [held], Own(int(x.sum())))
    except Failed as error:
        return str(error), repr(error), f"{error}", str(error.args), error.args[3].n


def of_its_only_argument(x, held):
    try:
        if x.sum() > 0:
            raise Failed(held)
        raise KeyError(held)
    except (Failed, KeyError) as error:
        return str(error), repr(error)


def of_several_kinds(x, held):
    try:
        if x.sum() > 0:
            raise Failed("bad", held)
        [][len(x)]
    except Exception as error:
        return str(error)


FUNCTIONS = [
    in_a_list, in_a_dict, in_a_set, in_a_deque, made_on_a_path, in_a_loop, of_an_exception, of_its_only_argument, of_several_kinds
]  # fmt: skip


def as_programs(function):
    static = paddle.jit.to_static(function, input_spec=[InputSpec([None])])
    file = io.BytesIO()
    paddle.jit.save(static, file)
    file.seek(0)
    return static, paddle.jit.load(file)


@pytest.mark.long
@pytest.mark.parametrize("held, function", sampled(itertools.product(HELD.values(), FUNCTIONS), 18))
def test_inside(function, held):
    def asked(x):
        return function(x, held)

    programs = as_programs(asked)
    for x in INPUTS:
        expected = asked(x)
        for program in programs:
            assert _plain(program(x)) == _plain(expected)


def _plain(value):
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value.item() if isinstance(value, paddle.Tensor) else value


RAISING = {
    "an argument": lambda held: Failed(held),
    "one of several": lambda held: Failed("bad", held, 3),
    "of Python's class": lambda held: ValueError("bad", held),
    "KeyError": lambda held: KeyError(held),
    "in a list": lambda held: LookupError("bad", [held], {"a": (held, 1)}),
}


@pytest.mark.long
@pytest.mark.parametrize("held, raised", sampled(itertools.product(HELD.values(), RAISING.values()), 12))
def test_outside(raised, held):
    def function(x):
        if x.sum() > 0:
            raise raised(held)
        return x

    expected = _texts_of_raised(function)
    for program in as_programs(function):
        assert _texts_of_raised(program) == expected


def _texts_of_raised(function):
    with pytest.raises(Exception) as caught:
        function(INPUTS[0])
    return type(caught.value).__name__, str(caught.value), repr(caught.value)


def test_what_lies_in_an_exception_is_changed_through_it():
    def function(x):
        items, own = [1], Own(1)
        try:
            if x.sum() > 0:
                raise Failed("bad", items, own)
            own.n = 2
        except Failed as error:
            error.args[1].append("a")
            error.args[2].n = 7.5
            error.args[2].n += 1
        return items, own.n

    static = paddle.jit.to_static(function)
    for x in INPUTS:
        assert _plain(static(x)) == _plain(function(x))


def _answer(function, x):
    try:
        return function(x)
    except Failed as error:
        return error.args


def different_lengths(x):
    if x.sum() > 2:
        raise Failed(Own(1), 2)
    raise Failed(Own(1))


def class_of_python(x):
    if x.sum() > 2:
        raise OSError(2, Own(1))
    raise OSError(3, Own(1))


REFUSED = {
    different_lengths: "follows the path",
    class_of_python: "in a way of its own",
}


@pytest.mark.parametrize(("raises", "words"), REFUSED.items())
def test_refused_in_words(raises, words):
    def function(x):
        try:
            if x.sum() > 0:
                raises(x)
        except Exception as error:
            return str(error)

    with pytest.raises(paddle.errors.ConversionError, match=words):
        paddle.jit.to_static(function)(INPUTS[0])
