"""What staging would change from outside, and then never again, is refused (S-12); what is made inside is free.

Some of it can be done in a call: `test_one_call.py`.
"""

from __future__ import annotations

import bisect
import heapq
import io

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import assert_agrees, functions_of

HEAP, ITEMS, TEXT, BYTES = [3, 5], iter([1, 2, 3]), io.StringIO(), bytearray()


class Number:
    def __init__(self, k):
        self.k = k

    def __add__(self, other):
        return Number(self.k + other.k)


def s_12_made_here(x, n):
    heap, items, text, data = [3, 5], iter([1, 2]), io.StringIO(), bytearray()
    heapq.heappush(heap, 1)
    bisect.insort(heap, 4)
    text.write("x")
    data.append(1)
    return heap, next(items), text.getvalue(), data.hex(), (Number(1) + Number(n)).k


def s_12_only_read(x, n):
    return heapq.nlargest(1, HEAP), bisect.bisect(HEAP, 4), TEXT.getvalue(), BYTES.hex(), (Number(1) + Number(n)).k


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_free(function):
    assert_agrees(function)


def looped():
    for item in ITEMS:
        return item


def unpacked():
    a, b, c = ITEMS
    return a


@pytest.mark.parametrize("change", [
    looped, unpacked, lambda: list(ITEMS), lambda: [*ITEMS], lambda: {i for i in ITEMS}, lambda: sum(i for i in ITEMS),
    lambda: dict(zip("ab", ITEMS)), lambda: sorted(ITEMS), lambda: 2 in ITEMS, lambda: [].extend(ITEMS),
    lambda: list(map(str, ITEMS)),
    lambda: [line for line in TEXT], lambda: "".join(ITEMS), lambda: heapq.nsmallest(1, ITEMS),
    lambda: heapq.heappush(HEAP, 1), lambda: heapq.heappop(HEAP), lambda: bisect.insort(HEAP, 4), lambda: next(ITEMS),
    lambda: TEXT.write("x"), lambda: TEXT.read(), lambda: BYTES.append(1), lambda: BYTES.extend(b"a"), lambda: BYTES.clear(),
])  # fmt: skip
def test_s_12_refused(change):
    def function():
        change()
        return (Number(1) + Number(2)).k

    with pytest.raises(ConversionError, match="from outside .*while staging, and then never again"):
        paddle.jit.to_static(function).get_concrete_program()
    assert (HEAP, TEXT.getvalue(), BYTES, ITEMS.__length_hint__()) == ([3, 5], "", bytearray(), 3)
