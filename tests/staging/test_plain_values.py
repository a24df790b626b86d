"""Ordinary Python values in rewritten code: unpackings, comprehensions and classes as in plain Python, to the exception."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import weakref

import pytest

import dy2st
from dy2st.errors import ConversionError

from .ordinary import answer_of, assert_as_in_python, rewritten


class Owner:
    pass


class Masked:
    __class__ = property(lambda self: Owner)


OWNER = Owner()
PROXY = weakref.proxy(OWNER)


def the_class_that_an_object_says():
    return PROXY.__class__ is Owner, type(PROXY) is Owner, Masked().__class__ is Owner, [].__class__


def stop_iteration_in_a_list_comprehension():
    return [next(iter([])) for _ in range(2)]


def stop_iteration_in_a_nested_comprehension():
    return {next(iter([])): j for i in range(2) for j in range(i + 1)}


def unhashable_items():
    return {[] for _ in range(1)}


def comprehensions_of_every_kind():
    pairs = [("a", 1), ("b", 2)]
    return [0 for _ in pairs], {k: v for k, v in pairs if v > 1}, {v for _, v in pairs}, list(x for x, *_ in pairs if x)


def nested_targets():
    a, (b, *c), [d] = 1, [2, 3, 4], "d"
    (e, f), *g = [(5, 6), 7]
    for h, (i, j) in [(8, (9, 10))]:
        pass
    return a, b, c, d, e, f, g, h, i, j


def too_many_items():
    items = "abc"
    a, b = items
    return a


def too_few_items():
    items = [1]
    a, b, *c = items
    return a


class Shout(str):
    def __str__(self):
        return "loud"


class Mode(str, enum.Enum):
    A = "a"


class Sorted(list):
    def sort(self):
        return "own"


class Bits(int):
    def bit_length(self):
        return "own"


class Merged(dict):
    def update(self, *args, **kwargs):
        dict.update(self, *args, **kwargs)


class Short(list):
    def __len__(self):
        return 1


class Backwards(list):
    def __iter__(self):
        return iter(["own"])


@dataclasses.dataclass
class Static:
    a: int

    @staticmethod
    def __post_init__():
        MADE.append("made")


class Module:
    __module__ = property(lambda self: "own")


MADE: list[str] = []


def s_11_unbound_methods_of_built_in_classes():
    values, merged = Sorted([3, 1, 2]), Merged()
    merged.update(a=1)
    return list.sort(values), values, int.bit_length(Bits(7)), Bits(7).bit_length(), merged, str.upper(Shout("a"))


def s_14_a_loop():
    def items():
        yield next(iter([]))

    try:
        for item in items():
            pass
    except StopIteration:
        return "StopIteration"
    except RuntimeError as error:
        return str(error), type(error.__cause__)


def s_14_one_by_one():
    def items():
        yield 1
        raise StopIteration(2)

    found = items()
    first = next(found)
    try:
        next(found)
    except RuntimeError as error:
        return first, str(error)


def s_14_the_consumer_stops():
    def items():
        yield from (1, 2)

    try:
        for item in items():
            raise StopIteration(item)
    except StopIteration as error:
        return error.value


def s_16_repeat_with_a_float():
    return [0 for _ in itertools.repeat(None, 2.5)]


def s_19_text_of_subclasses_of_str():
    word = Shout("a")
    spelled = [f"{word}", "%s" % word, str(word), f"{word:>4}", "".join([word]), "-".join((word, "b")), word + "b", "%r" % word]
    return spelled, [f"{Mode.A}", "%s" % Mode.A, "{}".format(Mode.A), f"{Mode.A!s}", "".join([Mode.A])]


def s_20_list_subclasses_are_iterated_as_lists():
    short, backwards = Short([1, 2, 3]), Backwards([1, 2])
    a, b, c = short
    in_loop = [item for item in short]
    return in_loop, [*short], max(short), list(short), len(short), (a, b, c), [x for x in backwards], [*backwards], max(backwards)


def e_05_a_static_post_init():
    return Static(1).a


def e_05_a_module_that_is_a_property():
    return Module().__module__, isinstance(Module(), Module)


AS_IN_PYTHON = [
    s_11_unbound_methods_of_built_in_classes, s_14_a_loop, s_14_one_by_one, s_14_the_consumer_stops, s_16_repeat_with_a_float,
    s_19_text_of_subclasses_of_str, s_20_list_subclasses_are_iterated_as_lists, e_05_a_static_post_init,
    e_05_a_module_that_is_a_property,
    the_class_that_an_object_says, stop_iteration_in_a_list_comprehension, stop_iteration_in_a_nested_comprehension,
    unhashable_items, comprehensions_of_every_kind, nested_targets, too_many_items, too_few_items,
]  # fmt: skip


@pytest.mark.parametrize("case", AS_IN_PYTHON, ids=lambda case: case.__name__)
def test_plain_values_are_as_in_plain_python(case):
    assert_as_in_python(case)


def endless_items():
    numbers = itertools.count()
    try:
        a, b = numbers
    except ValueError as error:
        return str(error), next(numbers)


def a_generator_expression_asks_at_once():
    try:
        later = (x for x in 5)
    except TypeError as error:
        return str(error)
    return later


@pytest.mark.parametrize("case", [endless_items, a_generator_expression_asks_at_once], ids=lambda case: case.__name__)
def test_an_iterator_is_asked_when_python_asks_it(case):
    assert answer_of(rewritten(case)) == answer_of(case)


def test_a_loop_over_a_list_that_grows_ends_where_pythons_does():
    def growing():
        items, met = [1, 2], []
        for item in items:
            met.append(item)
            if len(items) < 5:
                items.append(item * 10)
        return met

    assert rewritten(growing)() == growing() == dy2st.jit.to_static(growing)()


def test_e_05_a_lambda_that_yields_is_refused_in_words():
    def yielding():
        return list((lambda: (yield))())

    assert rewritten(yielding)() == yielding() == [None]
    with pytest.raises(ConversionError, match="write it as a function"):
        dy2st.jit.to_static(yielding)()
