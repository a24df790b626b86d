"""Members of the user's enums that a tensor chooses, combines and compares: constants, whose operators change nothing."""

from __future__ import annotations

from enum import Enum, Flag, IntEnum, IntFlag, auto

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

from .agreement import as_programs, functions_of, outcome
from .paths import assert_agrees_on_all_paths, in_two_dtypes


class Mode(Enum):
    LOW = "low"
    HIGH = "high"

    def flipped(self):
        return Mode.HIGH if self is Mode.LOW else Mode.LOW


class Level(IntEnum):
    NONE = 0
    SOME = 1


class Perm(Flag):
    READ = auto()
    WRITE = auto()
    BOTH = READ | WRITE


def members_chosen(x, n):
    mode = Mode.LOW if n > 1 else Mode.HIGH
    for _ in range(n):
        mode = mode.flipped()
    return mode.name, mode.value, mode is Mode.LOW, mode in (Mode.LOW,), {Mode.LOW: 1}.get(mode, 2)


def flags_combined(x, n):
    perm = Perm.READ if n > 1 else Perm.WRITE
    if n > 2:
        perm |= Perm.WRITE
        perm = perm & ~Perm.READ
    return perm.value, bool(perm & Perm.WRITE), Perm.READ in perm, bool(perm ^ Perm.BOTH)


def levels_in_a_branch(x, n):
    level, k = Level.SOME, 0
    if n > 1:
        level = Level.NONE
        k = Level.SOME + 1
    if level:
        k = k + 1
    return k, level.name


class Sized(Enum):
    SMALL = "s"
    LARGE = 2
    BIG = 2


class Forgiving(Enum):
    ONE = 1

    @classmethod
    def _missing_(cls, value):
        return cls.ONE


def r_07_members_by_value(x, n):
    k = int(n)
    level = Level(min(1, max(0, k)))
    try:
        sized = Sized(k if n > 2 else "s")
    except ValueError as e:
        return level.name, str(e), Level(1).name, Perm(3).value, Forgiving(5).value
    return level.name, sized.name, Mode("low").value


def r_07_no_member_has_this_value(x, n):
    return Sized(int(n)).name


def numbers_with_members(x, n):
    k = int(n)
    level = Level.SOME if n > 2 else Level.NONE
    return (k < Level.SOME, Level.SOME < k, k + Level.SOME, Level.SOME * k, k == Level.SOME, Level.NONE != k,
            level > 0, level + k, k in (Level.NONE, Level.SOME))


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda function: function.__name__)
def test_agrees(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def chosen(x):
    return Mode.LOW if x.sum() > 1 else Mode.HIGH


def one_and_a_tensor(x):
    return Perm.READ | Perm.WRITE, x


@pytest.mark.parametrize("value", [0.5, 2.0])
def test_e_14_a_member_chosen_by_a_tensor_is_the_result(value):
    x = paddle.to_tensor(np.array([value], np.float32))
    static = paddle.jit.to_static(chosen)
    assert static(x) is chosen(x)
    assert paddle.jit.to_static(one_and_a_tensor)(x)[0] is Perm.BOTH


class Word(str, Enum):
    YES = "y"


class Pair(Enum):
    ONE = (1, 2.5)


def members_returned(x):
    low = x.sum() > 1
    return (
        Mode.LOW if low else Mode.HIGH,
        [Level.SOME, Perm.READ | Perm.WRITE],
        {"a": Word.YES, "b": Pair.ONE},
        None if low else Level.NONE,
        Perm.READ if low else (Perm.WRITE, Mode.LOW),
    )


def test_r_07_members_are_results_of_saved_functions():
    """A file knows no classes: what stands for a member equals it, and is told and hashed as it is."""
    static, loaded = as_programs(members_returned, [InputSpec([None])])
    for x in (paddle.to_tensor([0.5]), paddle.to_tensor([2.0])):
        plain, given = members_returned(x), loaded(x)
        assert plain == static(x) == given and static(x)[0] is plain[0]
        assert given == plain and hash(given[0]) == hash(plain[0]) and {plain[0]: 7}[given[0]] == 7
        assert given[0] != Mode.HIGH or plain[0] is Mode.HIGH
        assert (given[0].name, given[0].value, repr(given[0])) == (plain[0].name, plain[0].value, repr(plain[0]))
        assert given[1][0] + 1 == 2 and given[2]["a"].upper() == "Y" and given[2]["b"].value == (1, 2.5)
        assert all(type(value).__module__ != __name__ for value in (given[0], *given[1], *given[2].values()))


def test_r_07_a_loaded_member_in_another_recording_is_refused():
    """Nobody there could tell it from the members that the recording knows."""
    _, loaded = as_programs(chosen, [InputSpec([None])])
    with pytest.raises(ConversionError, match=r"returns a member of the enum Mode.*return the member's name or value"):
        paddle.jit.to_static(lambda x: loaded(x) == Mode.HIGH)(paddle.to_tensor([0.5]))


def test_a_member_that_is_a_number_among_numbers_is_refused():
    """`count` would tell the member from the equal number."""
    static = paddle.jit.to_static(lambda n: [1, int(n)].count(Level.SOME))
    with pytest.raises(ConversionError, match="among it a Level, which says itself what equals it"):
        static(paddle.to_tensor(1))


class Spoken(Enum):
    HIGH = 1

    def __str__(self):
        return f"spoken {self.value}"

    def __repr__(self):
        return f"Spoken({self.value})"


class Bits(IntFlag):
    LOW = 1
    TOP = 2


class Refused(Exception):
    """Its text is that of its argument."""


SAID = [Mode.LOW, Level.SOME, Perm.READ | Perm.WRITE, Word.YES, Pair.ONE, Spoken.HIGH, Bits.LOW | Bits.TOP]


@pytest.mark.parametrize("member", SAID, ids=str)
def test_the_text_of_an_exception_with_a_member_is_that_of_the_member(member):
    def handled(x, n):
        try:
            if n == 1:
                raise ValueError(member)
            if n == 2:
                raise Refused(member if x.sum() > 0 else Mode.HIGH)
            if n == 3:
                raise KeyError(member.name, member.value)
        except Exception as e:
            return str(e)
        return ""

    def raising(x, n):
        if n == 1:
            raise ValueError(member)
        if n == 2:
            raise Refused(member)
        if n == 3:
            raise Refused(member if x.sum() > 0 else Mode.HIGH)
        return str(member), x

    for function in (handled, raising):
        programs = as_programs(function)
        for numbers in ([1.0, 2.0], [-1.0]):
            for n in (0, 1, 2, 3):
                call = np.array(numbers, np.float32), np.int64(n)
                expected = outcome(function, call)
                assert [outcome(program, call) for program in programs] == [expected, expected]


@pytest.mark.parametrize("member", SAID, ids=str)
def test_a_loaded_member_is_spelled_as_its_class_spells_it(member):
    _, loaded = as_programs(lambda x: (member, Mode.LOW), [InputSpec([None])])
    for given, plain in zip(loaded(paddle.to_tensor([0.5])), (member, Mode.LOW)):
        assert (str(given), repr(given)) == (str(plain), repr(plain)) and given == plain
