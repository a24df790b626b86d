"""A grid: what a path changes of an argument before or while an exception leaves it is what plain Python would have changed."""

from __future__ import annotations

import itertools

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import Dy2stError

from .test_changes_of_raising_paths import CHANGES, PLACES, RAISES, Owner, told


class Held:
    """What a change of `Owner.known` finds in place of an owner: a container, with what is in it."""

    def __init__(self):
        self.known, self.named, self.listed, self.nested = 1, {"a": 1, "b": 2}, [1, 2], {"rows": [[1], [2]]}


def known_key(held, k):
    held.named["a"] += 1


def known_key_of_the_program(held, k):
    held.named["a"] += k


def deleted_key(held, k):
    held.named.pop("b", None)


def known_item(held, k):
    held.listed[0] += 1


def appended(held, k):
    held.listed.append(k)


def appended_and_taken(held, k):
    held.listed.append(k)
    held.listed.pop(0)


def nested_row(held, k):
    held.nested["rows"][0].append(1)


def nested_rows(held, k):
    held.nested["rows"] = [row[::-1] for row in held.nested["rows"]]


CONTAINERS = [
    known_key, known_key_of_the_program, deleted_key, known_item, appended, appended_and_taken, nested_row, nested_rows,
]  # fmt: skip


class Parts:
    """The containers of a `Held`, as the function finds them among its arguments."""

    def __init__(self, named, listed, nested):
        self.known, self.named, self.listed, self.nested = 1, named, listed, nested


def of_containers(change, raises, place):
    def function(x, n, named, listed, nested):
        place(Parts(named, listed, nested), int(n), change, raises)
        return x

    return function, lambda held: (held.named, held.listed, held.nested)


def of_an_object(change, raises, place):
    def function(x, n, owner):
        place(owner, int(n), change, raises)
        return x

    return function, lambda owner: (owner,)


def answers(function, arguments, owner):
    """What each call raises, and what it leaves of its arguments."""
    for k in (0, 1, -1):
        raised = ""
        try:
            function(paddle.to_tensor([1.0]), paddle.to_tensor(k), *arguments(owner))
        except Dy2stError:
            raise
        except Exception as error:
            raised = repr(error)
        yield raised, told(vars(owner))


def check(make, kind, case):
    function, arguments = make(*case)
    expected = list(answers(function, arguments, kind()))
    assert list(answers(paddle.jit.to_static(function), arguments, kind())) == expected


@pytest.mark.long
@pytest.mark.parametrize("case", sampled(itertools.product(CONTAINERS, RAISES, PLACES), 10))
def test_a_changed_container(case):
    check(of_containers, Held, case)


OF_THE_OWNER = [change for change in CHANGES if "global" not in change.__name__ and "class" not in change.__name__]


@pytest.mark.long
@pytest.mark.parametrize("case", sampled(itertools.product(OF_THE_OWNER, RAISES, PLACES), 10))
def test_a_changed_object(case):
    check(of_an_object, Owner, case)
