"""Attributes of a tuple, frozenset or list of a subclass that two names lead to: both see a store, or it is refused in words."""

from __future__ import annotations

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError


class Row(tuple):
    pass


class Kinds(frozenset):
    pass


class Items(list):
    pass


class Holder:
    def __init__(self, cls):
        self.one, self.other = cls([1, 2]), cls([3])
        self.one.size, self.other.size = 0, 100
        self.same = self.one


def on_a_path(h, x):
    if x.sum() > 0:
        h.one.size = 5
    return x * h.same.size


def added(h, x):
    if x.sum() > 0:
        h.one.new = 1
    return x * 2 if hasattr(h.same, "new") else x


def deleted(h, x):
    if x.sum() > 0 and hasattr(h.one, "size"):
        del h.one.size
    else:
        h.same.size = 9
    return x * 2 if hasattr(h.same, "size") else x


def of_one_of_two(h, x):
    p = h.one if x.sum() > 0 else h.other
    p.size = 3
    return x * h.same.size * h.other.size


def of_an_item(h, x):
    [h.one, h.other][int(x.sum() > 0)].size = 4
    return x * h.same.size * h.other.size


def in_a_new_list(h, x):
    h.all = [h.one]
    if x.sum() > 0:
        h.all[0].size = 8
    return x * h.same.size


def in_a_new_dict(h, x):
    h.named = {"a": h.one}
    if x.sum() > 0:
        h.named["a"].size = 6
    return x * h.same.size


def in_a_tuple(h, x):
    h.both = (h.one, 1)
    if x.sum() > 0:
        h.both = (h.other, 2)
    h.both[0].size = 6
    return x * h.same.size * h.other.size


def a_tensor(h, x):
    vars(h.one)["size"] = x.sum()
    return x * h.same.size


def counted(h, x):
    h.one.size += 1
    if x.sum() > 0:
        h.same.size += 10
    return x * h.one.size


BODIES = [
    on_a_path, added, deleted, of_one_of_two, of_an_item, in_a_new_list, in_a_new_dict, in_a_tuple, a_tensor, counted
]  # fmt: skip
CASES = [(body, cls, is_given) for body in BODIES for cls in (Row, Kinds, Items) for is_given in (True, False)]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.* staged anew at each call")
@pytest.mark.parametrize(("body", "cls", "is_given"), sampled(CASES, 6))
@pytest.mark.parametrize("signs", [(1, -1, 1), (-1, 1, -1)])
def test_both_names_see_what_is_stored(body, cls, is_given, signs):
    def seen(is_static):
        holder = Holder(cls)
        if is_given:
            static = paddle.jit.to_static(body) if is_static else body
            call = lambda x: static(holder, x)  # noqa: E731
        else:
            call = paddle.jit.to_static(lambda x: body(holder, x)) if is_static else lambda x: body(holder, x)
        for sign in signs:
            result = call(paddle.to_tensor([1.0, 2.0]) * sign)
            sizes = [float(getattr(each, "size", -1)) for each in (holder.one, holder.same, holder.other)]
            yield result.tolist(), sizes, hasattr(holder.one, "new"), holder.one is holder.same

    plain = list(seen(False))
    try:
        assert list(seen(True)) == plain
    except ConversionError as error:
        assert any(words in str(error) for words in ("is stored, ", "known only when", "would give the same one"))
