"""`iter(z) is z` of iterators; the text and the equality of slices; caches of methods of objects that the call makes."""

from __future__ import annotations

import functools

import pytest

import dy2st as paddle


class Kept:
    def __init__(self):
        self.calls = 0

    @functools.lru_cache
    def twice(self, k):
        self.calls += 1
        return k * 2


def iterators_of_known_length(x, k):
    made = (zip([1, 2], [3, 4]), enumerate([1]), map(abs, [1]), filter(None, [1]), reversed([1, 2]), (i for i in [1]), iter([1]))
    return [iter(one) is one for one in made]


def iterators_of_values(x, k):
    made = (zip([x], [k]), enumerate([x]), map(lambda t: t * k, [x]), filter(None, [k]), reversed([x, x]), (x for _ in range(k)))
    return [iter(one) is one for one in made]


def gone_on_with(x, k):
    pairs = zip([k, k + 1, k + 2], [1, 2, 3])
    first = next(iter(pairs))
    return [first, *[a * b for a, b in iter(pairs)], len(list(pairs))]


def numbered(x, k):
    items = enumerate([k, k * 2], k)
    again = iter(items)
    return [next(items), next(again), list(items)]


def texts_of_slices(x, k):
    return [repr(slice(k, k + 2)), str(slice(k)), f"{slice(1, k)}", f"{slice(None, k, 2)!r}", repr([slice(k)]), "%s" % slice(k)]


def equal_slices(x, k):
    one, other = slice(k, 4), slice(3, 4)
    return [
        one == slice(k, 4),
        one == other,
        one != slice(k, 5),
        one == slice(k, None),
        one == 4,
        one.start + 1,
        one.stop,
        one.step,
    ]


def a_cache_of_a_new_object(x, k):
    one, other = Kept(), Kept()
    found = one.twice(1) + one.twice(1) + one.twice(2) + other.twice(1)
    return [found, one.calls, other.calls]


def a_cache_of_a_new_class(x, k):
    class Inner:
        calls = 0

        @functools.cache
        def get(self, key):
            self.calls += 1
            return key + 1

    made = Inner()
    return [made.get(1) + made.get(1), made.calls]


FUNCTIONS = [
    iterators_of_known_length,
    iterators_of_values,
    gone_on_with,
    numbered,
    texts_of_slices,
    equal_slices,
    a_cache_of_a_new_object,
    a_cache_of_a_new_class,
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_s_33_as_in_plain_python(function):
    @paddle.jit.to_static
    def static(x, k):
        return function(x, int(k))

    x = paddle.ones([1])
    for k in (3, 4, 3):
        found = paddle.utils.map_structure(plain, static(x, paddle.to_tensor(k)))
        assert found == paddle.utils.map_structure(plain, function(x, k))


def plain(value):
    return value.item() if isinstance(value, paddle.Tensor) else value
