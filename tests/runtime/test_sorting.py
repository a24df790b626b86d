"""Sorting by comparisons asks what CPython asks, in its order: objects may say anything of each other."""

import random

from support.sampling import SEED

from dy2st.runtime.library.sorting import sort_by_comparing


class Key:
    def __init__(self, place, kind, less, asked):
        self.place, self.kind, self.less, self.asked = place, kind, less, asked

    def __lt__(self, other):
        self.asked.append((self.place, other.place))
        return self.less[self.kind][other.kind]


def tables(draw, kinds):
    """What is less: an order, one in which neighbours are equal, no order at all."""
    numbers = range(kinds)
    yield [[i < j for j in numbers] for i in numbers]
    yield [[i < j - 1 for j in numbers] for i in numbers]
    yield [[draw.random() < 0.4 for _ in numbers] for _ in numbers]


def test_the_questions_and_the_result_are_those_of_python():
    draw = random.Random(int(SEED))
    for _ in range(500):
        kinds = draw.randint(1, 5)
        for less in tables(draw, kinds):
            asked: list[tuple[int, int]] = []
            keys = [Key(place, draw.randrange(kinds), less, asked) for place in range(draw.randint(0, 12))]
            reverse = draw.random() < 0.3
            expected, of_python = sorted(keys, reverse=reverse), asked.copy()
            asked.clear()
            items, own = list(keys), list(keys)
            sort_by_comparing(items, own, lambda a, b: a < b, reverse)
            assert items == expected and asked == of_python
