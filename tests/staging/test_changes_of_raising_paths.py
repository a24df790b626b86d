"""A grid: whatever a path changes before or while an exception leaves it is what plain Python would have changed."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import Dy2stError

from .agreement import NUMBER, VECTOR

COUNT, LISTS = 0, {"listed": [0]}


class Kept:
    made = 0


@dataclass(frozen=True)
class Frozen:
    width: int = 1


class Owner:
    def __init__(self):
        self.known, self.listed, self.named, self.members, self.tensor = 1, [1], {"a": 1}, {1}, paddle.zeros([1])


# --- what is changed ---------------------------------------------------------------------------------------------------------


def new_attribute(owner, k):
    owner.left = 1


def new_attribute_of_the_program(owner, k):
    owner.left = k


def one_of_two_new_attributes(owner, k):
    if k > 100:
        owner.left = 1
    else:
        owner.right = 2


def new_list(owner, k):
    owner.left = [k]


def new_object(owner, k):
    owner.left = Frozen(2)


def known_attribute(owner, k):
    owner.known = k


def deleted_attribute(owner, k):
    del owner.known


def appended(owner, k):
    owner.listed.append(k)


def new_key(owner, k):
    owner.named["b"] = k


def key_of_the_program(owner, k):
    owner.named[k] = 2


def new_member(owner, k):
    owner.members.add(k)


def known_global(owner, k):
    global COUNT
    COUNT = COUNT + 1


def new_global(owner, k):
    global FRESH
    FRESH = 1


def list_of_a_global(owner, k):
    LISTS["listed"].append(k)


def known_class_attribute(owner, k):
    Kept.made += 1


def new_class_attribute(owner, k):
    Kept.fresh = 1


def written_tensor(owner, k):
    owner.tensor.add_(paddle.ones([1]))


def replaced_tensor(owner, k):
    owner.tensor = owner.tensor + 1


CHANGES = [
    new_attribute, new_attribute_of_the_program, one_of_two_new_attributes, new_list, new_object, known_attribute,
    deleted_attribute, appended, new_key, key_of_the_program, new_member, known_global, new_global, list_of_a_global,
    known_class_attribute, new_class_attribute, written_tensor, replaced_tensor,
]  # fmt: skip


# --- how it is raised --------------------------------------------------------------------------------------------------------


def at_times(k):
    [0, 1][k + 1]


def at_times_and_always(k):
    [0, 1][k]
    raise IndexError("always")


def by_a_frozen_object(k):
    Frozen().width = [0, 1][k]


def on_both_paths(k):
    [0, 1][k]
    if k > 100:
        raise IndexError(k)
    raise KeyError(k)


RAISES = [at_times, at_times_and_always, by_a_frozen_object, on_both_paths]


# --- where it is changed -----------------------------------------------------------------------------------------------------


class Manager:
    def __init__(self, *held):
        self.held = held

    def __enter__(self):
        return self

    def __exit__(self, *error):
        change, owner, k = self.held
        change(owner, k)


def in_exit(owner, k, change, raises):
    with Manager(change, owner, k):
        raises(k)


def in_finally(owner, k, change, raises):
    try:
        raises(k)
    finally:
        change(owner, k)


def in_a_handler_that_raises_again(owner, k, change, raises):
    try:
        raises(k)
    except LookupError:
        change(owner, k)
        raise


def in_a_handler_that_raises_another(owner, k, change, raises):
    try:
        raises(k)
    except LookupError as error:
        change(owner, k)
        raise ValueError(1) from error


def before(owner, k, change, raises):
    change(owner, k)
    raises(k)


def under_a_condition(owner, k, change, raises):
    if k >= 0:
        change(owner, k)
        raises(k)
    owner.known = 5


def in_a_loop(owner, k, change, raises):
    for i in range(k + 3):
        if i == 2:
            change(owner, k)
            raises(k)


PLACES = [
    in_exit, in_finally, in_a_handler_that_raises_again, in_a_handler_that_raises_another, before, under_a_condition, in_a_loop,
]  # fmt: skip


class Net(paddle.nn.Layer):
    def __init__(self, change, raises, place):
        super().__init__()
        self.owner, self.change, self.raises, self.place = Owner(), change, raises, place

    def forward(self, x, n):
        self.place(self.owner, int(n), self.change, self.raises)
        return x


def told(value):
    """A value in plain words, whether a number came back as one or as a tensor."""
    if isinstance(value, paddle.Tensor):
        return told(value.tolist())
    if isinstance(value, list | tuple | set):
        return [told(item) for item in value]
    if isinstance(value, dict):
        return {told(key): told(item) for key, item in value.items()}
    return value


def answers(net, call):
    """What each call raises, and what it leaves."""
    globals().update(COUNT=0, LISTS={"listed": [0]})
    globals().pop("FRESH", None)
    Kept.made = 0
    if "fresh" in vars(Kept):
        del Kept.fresh
    for k in (0, 1):
        raised = ""
        try:
            call(paddle.to_tensor([1.0]), paddle.to_tensor(k))
        except Dy2stError:
            raise
        except Exception as error:
            raised = repr(error)
        yield raised, told(vars(net.owner)), COUNT, told(LISTS), globals().get("FRESH"), Kept.made, getattr(Kept, "fresh", None)


@pytest.mark.long
@pytest.mark.parametrize("change, raises, place", sampled(itertools.product(CHANGES, RAISES, PLACES), 12))
def test_changes_are_those_of_plain_python(change, raises, place):
    plain = Net(change, raises, place)
    expected = list(answers(plain, plain))
    net = Net(change, raises, place)
    assert list(answers(net, paddle.jit.to_static(net, input_spec=[VECTOR, NUMBER]))) == expected
