"""A list behind a copy of an object's attributes is the object's own: a change on one path is seen by all names, or refused."""

from __future__ import annotations

import copy

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, StagedValueError


class Part:
    value = 1


class Options:
    def __init__(self):
        self.items, self.a, self.b, self.part = [1], 2, 3, Part()


def by_a_method(o, x):
    copied = vars(o).copy()
    if x.sum() > 0:
        copied["items"].append(1)
    return x * len(copied["items"])


def by_a_dict(o, x):
    copied = dict(vars(o))
    if x.sum() > 0:
        copied["part"].value = 7
    return x * copied["part"].value


def by_copy(o, x):
    copied = copy.copy(o)
    if x.sum() > 0:
        copied.items = [9]
    else:
        copied.items.append(7)
    return x * len(copied.items)


def by_deep_copy(o, x):
    copied = copy.deepcopy(o)
    if x.sum() > 0:
        copied.items.append(3)
    return x * len(copied.items)


def by_an_operator(o, x):
    copied = o.__dict__ | {"other": 1}
    if x.sum() > 0:
        copied["items"].append(1)
    return x * len(o.items)


def by_a_display(o, x):
    copied = {**vars(o)}
    if x.sum() > 0:
        copied["items"].append(1)
        copied["items"] = []
    return x * len(copied["items"])


def into_another_object(o, x):
    made = Part()
    vars(made).update(vars(o))
    if x.sum() > 0:
        made.items.append(7)
        made.a = 9
    return x * made.a


def by_its_values(o, x):
    for value in vars(o).values():
        if isinstance(value, list) and x.sum() > 0:
            value.append(1)
    return x * len(o.items)


def by_a_staged_key(o, x):
    return x * vars(o)[["a", "b"][int(x.sum() > 0)]]


def by_a_staged_key_of_a_copy(o, x):
    return x * dict(vars(o))["a" if x.sum() > 0 else "b"]


def stored_by_a_staged_key(o, x):
    vars(o)[["a", "b"][int(x.sum() > 0)]] = 5
    return x * o.a * o.b


BODIES = [
    by_a_method, by_a_dict, by_copy, by_deep_copy, by_an_operator, by_a_display, into_another_object, by_its_values,
    by_a_staged_key, by_a_staged_key_of_a_copy, stored_by_a_staged_key,
]  # fmt: skip


@pytest.mark.parametrize("signs", [(1, -1, 1), (-1, 1, -1)])
@pytest.mark.parametrize("body", BODIES)
def test_every_name_sees_the_change(body, signs):
    def seen(is_static):
        options = Options()
        call = (lambda x: body(options, x)) if not is_static else paddle.jit.to_static(lambda x: body(options, x))
        for sign in signs:
            result = call(paddle.to_tensor([1.0, 2.0]) * sign)
            yield result.tolist(), list(options.items), options.a, options.b, options.part.value, list(vars(options))

    plain = list(seen(False))
    try:
        assert list(seen(True)) == plain
    except (ConversionError, StagedValueError) as error:
        assert "staged_key" in body.__name__ or body is by_deep_copy, error
