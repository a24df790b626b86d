"""What only Python knows, and staging leaves as it is: iterators of CPython's own, classes with odd metaclasses."""

from __future__ import annotations

import copy
import itertools
import weakref

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError


class Unhashed(type):
    __hash__ = None

    def __eq__(cls, other):
        return cls is other


class Made(metaclass=Unhashed):
    def three(self):
        return 3


class Slotted:
    __slots__ = ("a",)


class Odd(dict):
    def __iter__(self):
        return iter(["none"])

    def keys(self):
        return ["none"]


def positions():
    return next(itertools.islice(Made.three.__code__.co_positions(), 1, None))


def of_an_unhashed_class():
    return Made().three()


def odd_dict():
    return "%s" % (Odd(a=1),), f"{len(Odd(a=1))}", sorted(map(str, [Odd(a=1)]))


def bytes_of_a_generator():
    return bytes(v for v in range(5)), frozenset(v for v in (1, 2)), bytes(map(abs, [1, -2]))


def copied_slots():
    made = Slotted()
    made.a = [1]
    copied = copy.deepcopy([made])
    copied[0].a.append(2)
    return made.a, copied[0].a


def referent_gone():
    made = Slotted2()
    proxy = weakref.proxy(made)
    return proxy.value


class Slotted2:
    value = 3


def sorted_classes():
    class Sorted(type):
        def __lt__(cls, other):
            return cls.__name__ < other.__name__

        def __eq__(cls, other):
            return cls.__name__ == other.__name__

    class B(metaclass=Sorted):
        pass

    class A(metaclass=Sorted):
        pass

    return A < B, B < A, A == B


class Amount:
    def __init__(self, value):
        self.value = value

    def __int__(self):
        return self.value

    def __float__(self):
        return float(self.value)


class Place:
    def __index__(self):
        return 7


def numbers_of_objects():
    return int(Amount(3)), float(Amount(2)), int(Place()), float(Place()), int("12", 3), [*range(Place())]


def test_a_number_of_an_object_follows_the_tensor():
    def numbers(x):
        amount = Amount(int(x.sum()))
        return x * int(amount), x * (float(amount) / 2)

    static = paddle.jit.to_static(numbers)
    for given in ([1.0, 2.0], [3.0, 4.0]):
        x = paddle.to_tensor(given)
        assert [y.tolist() for y in static(x)] == [y.tolist() for y in numbers(x)]


def test_what_an_object_says_is_no_number():
    for function, cast in ((lambda: int(Amount("a")), "__int__ returned non-int"), (lambda: int(Amount(1.0)), "non-int")):
        for called in (function, paddle.jit.to_static(function)):
            with pytest.raises(TypeError, match=cast):
                called()


FUNCTIONS = [numbers_of_objects, positions, odd_dict, bytes_of_a_generator, copied_slots, referent_gone, sorted_classes]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_in_plain_python(function):
    assert paddle.jit.to_static(function)() == function()


def test_bytes_of_numbers_that_a_tensor_gives():
    with pytest.raises(ConversionError, match="known only when the Program runs"):
        paddle.jit.to_static(lambda n: bytes(int(n) + v for v in range(2)))(paddle.to_tensor(3))


def test_a_class_that_cannot_be_hashed():
    with pytest.raises(ConversionError, match="Made can't be hashed, since its metaclass Unhashed has an __eq__ and no __hash__"):
        paddle.jit.to_static(of_an_unhashed_class)()
