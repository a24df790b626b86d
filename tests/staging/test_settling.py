"""What makes staging begin again, in places where nothing but the whole function could be seen to begin."""

import pytest

from .agreement import assert_agrees, functions_of


def new_key_in_the_condition_of_a_while(x, n):
    d = {}

    def goes_on(i):
        d["i"] = x * i
        return n > i

    i = 0
    while goes_on(i):
        i += 1
    return i, d["i"]


def new_attribute_in_the_condition_of_a_while(x, n):
    class Note:
        pass

    note = Note()

    def goes_on(i):
        note.i = i
        return n > i

    i = 0
    while goes_on(i):
        i += 1
    return i, note.i


def new_key_in_the_condition_after_a_break(x, n):
    d = {}

    def enough(i):
        d["i"] = i
        return n > 2

    for i in [1, 2, 3]:
        if enough(i):
            break
    return d["i"]


@pytest.mark.parametrize("function", functions_of(globals()))
def test_agrees_with_plain_python(function):
    assert_agrees(function)
