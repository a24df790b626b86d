"""Classes that the function makes, and what Python asks a class for, not its object: special methods, generic aliases."""

from __future__ import annotations

import enum
import functools

import pytest

from .agreement import assert_agrees, functions_of

LATEST = None


class Counted(type):
    def __len__(cls):
        return 3

    def __getitem__(cls, index):
        return index + 1

    def __setattr__(cls, name, value):
        if name == "fixed":
            raise AttributeError(f"{name} is fixed")
        super().__setattr__(name, value)


class Base(metaclass=Counted):
    fixed = 1

    def __init_subclass__(cls, size=0):
        cls.size = size

    def __len__(self):
        return 4


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def attributes_deleted_and_stored(x, n):
    class A:
        k, j = 1, 2

    class B(A):
        pass

    B.items = [1]
    B.items.append(n)
    del A.k
    A.j = 3
    return hasattr(A, "k"), B.j, B.items


def stored_on_one_path(x, n):
    class A:
        k = 1

    if n > 1:
        A.k = 2
    return A.k


def members_of_an_enum_deleted(x, n):
    class Season(enum.Enum):
        SPRING = 1

        def next(self):
            return 2

    found = [hasattr(Season, "next")]
    del Season.next
    found.append(hasattr(Season, "next"))
    try:
        del Season.SPRING
    except AttributeError:
        found.append(len(Season))
    return found


def kept_in_a_global(x, n):
    global LATEST

    class Made:
        k = 4

    LATEST = Made
    return LATEST.k + n


def length_and_items_of_a_class(x, n):
    return len(Base), len(Base()), Base[1], len(Colour), Colour["RED"].value, bool(Base)


def generic_aliases(x, n):
    return str(list[int]), str(dict[str, int])


def made_by_type(x, n):
    made = type(Base)("Made", (Base,), {"k": 5}, size=2)
    return made.size, made.k, type("Plain", (), {"k": 6}).k


def store_refused_by_the_class(x, n):
    try:
        Base.fixed = 2
    except AttributeError as error:
        return str(error), Base.fixed


def store_refused_on_one_path(x, n):
    found = 0
    if n > 1:
        try:
            Base.fixed = 2
        except AttributeError:
            found = 1
    return found, Base.fixed


def special_method_of_an_object_that_has_no_name(x, n):
    class A:
        go = staticmethod(functools.partial(max, 3))  # from Python 3.14 on, a partial is a method, too
        __call__ = staticmethod(functools.partial(max, 4))

    return A().go(n), A()(2)


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_classes(function):
    assert_agrees(function)
