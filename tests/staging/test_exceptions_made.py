"""Exceptions whose `__init__` is the user's: it is converted, so what it makes and formats may be known to the Program only."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle

from .agreement import UP, as_programs, functions_of, plain


class Fault(Exception):
    def __init__(self, code, where="net"):
        super().__init__(f"fault {code}" if code > 2 else "small", where)
        self.code, self.where = code, where


class Deep(Fault, LookupError):
    def __init__(self, code, *parts):
        super().__init__(code, "deep")
        self.extra = [code, *parts]


class Quiet(ValueError):
    """Its message is what it was made of."""

    def __init__(self, code, *, times=2):
        self.codes = [code] * times


class Kept(KeyError):
    made = 0

    def __init__(self, key):
        Kept.made += 1
        super().__init__(key)


def r_07_text_of_an_argument(x, n):
    if n > 0:
        raise Fault(int(n))
    return n


def r_07_list_made_in_a_branch(x, n):
    counts = []
    for i in range(n):
        counts.append(i)
    if n > 1:
        raise Deep(len(counts) + int(n), x.sum())
    return n


def r_07_raised_in_a_helper(x, n):
    def checked(value):
        if value > 2:
            raise Deep(value, 1)
        if value == 2:
            raise Quiet(value)
        return value

    try:
        return checked(int(n) + 1), "fine"
    except Fault as e:
        return e.code, e.extra, e.where, str(e)
    except Quiet as e:
        return e.codes, e.args


def r_07_made_and_not_raised(x, n):
    error = Deep(int(n))
    return error.extra, error.code, error.args, isinstance(error, LookupError)


def r_07_of_a_class(x, n):
    try:
        if n > 1:
            raise Kept(int(n))
    except KeyError as e:
        return e.args, str(e)
    return n


def outcome(function, arguments):
    try:
        return plain(function(*[paddle.to_tensor(a) for a in arguments]))
    except Exception as error:
        told = {name: repr(plain(value)) for name, value in vars(error).items() if name not in ("__notes__", "dy2st_loc")}
        return type(error).__name__, str(error), told


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees(function):
    programs = as_programs(function)
    for n in (0, 1, 2, 3, 4):
        arguments = UP, np.int64(n)
        expected = outcome(function, arguments)
        assert [outcome(program, arguments) for program in programs] == [expected, expected], n
