"""A method that takes in an iterable which fails between two items leaves what plain Python leaves, and raises the same."""

from collections import Counter, OrderedDict, defaultdict, deque

import pytest

import dy2st as paddle

INPUTS = [paddle.to_tensor([1.0]), paddle.to_tensor([-1.0])]


def failing():
    yield 7
    yield 8
    raise ValueError("failing")


def failing_pairs():
    yield 7, 70
    yield 8, 80
    raise ValueError("failing")


class Iterated:
    def __iter__(self):
        return failing()


class Keyed:
    def keys(self):
        return ["p", "q"]

    def __getitem__(self, key):
        if key == "q":
            raise KeyError("q!")
        return 5


ITEMS = {
    "unhashable first": lambda: [[1], 2], "unhashable between": lambda: [7, [1], 8], "generator": failing, "class": Iterated,
    "None": lambda: None, "a number": lambda: 3, "nothing wrong": lambda: [7, 8],
}  # fmt: skip
PAIRS = {
    "generator": failing_pairs, "too short": lambda: [(7, 70), (8,)], "no pair": lambda: [(7, 70), 8], "mapping": Keyed,
    "too long": lambda: [(7, 70), (1, 2, 3)], "None": lambda: None, "nothing wrong": lambda: [(7, 70), (8, 80)],
}  # fmt: skip
MADE = {
    "set": lambda: {1, 2}, "list": lambda: [1, 2], "deque": lambda: deque([1, 2]), "dict": lambda: {1: 1, 2: 2},
    "Counter": lambda: Counter([1, 1, 2]), "OrderedDict": lambda: OrderedDict({1: 1, 2: 2}),
    "defaultdict": lambda: defaultdict(int, {1: 1, 2: 2}),
}  # fmt: skip


def grown(kind, x):
    made = MADE[kind]()
    if x.sum() > 0:
        if kind in ("list", "deque"):
            made.append(4)
        elif kind == "set":
            made.add(4)
        else:
            made[4] = 4
    return made


def in_place_or(made, other):
    made |= other
    return made


def in_place_add(made, other):
    made += other
    return made


def minus(made, other):
    made.difference_update(other)


def twice(made, other):
    made.update([20], other, [30])


def named(made, other):
    made.update(other, z=1)


USES = [
    *[(kind, use, ITEMS) for kind, use in [
        ("set", lambda made, other: made.update(other)), ("set", twice), ("set", minus), ("set", in_place_or),
        ("list", lambda made, other: made.extend(other)), ("list", in_place_add),
        ("deque", lambda made, other: made.extend(other)), ("deque", lambda made, other: made.extendleft(other)),
        ("deque", in_place_add), ("Counter", lambda made, other: made.update(other)),
    ]],
    *[(kind, use, PAIRS) for kind in ("dict", "OrderedDict", "defaultdict") for use in
      (lambda made, other: made.update(other), in_place_or, named)],
]  # fmt: skip


def plain(value):
    if isinstance(value, paddle.Tensor):
        return value.item()
    if isinstance(value, set):
        return sorted(map(repr, value))
    if isinstance(value, dict):
        return [(key, plain(held)) for key, held in value.items()]
    return [plain(held) for held in value] if isinstance(value, (list, tuple, deque)) else value


@pytest.mark.parametrize("is_staged", [True, False])
@pytest.mark.parametrize("kind, use, others", USES, ids=[f"{n}-{kind}" for n, (kind, _, _) in enumerate(USES)])
def test_what_stays(kind, use, others, is_staged):
    for name, other in others.items():

        def function(x, other=other):
            made = grown(kind, x) if is_staged else MADE[kind]()
            raised = ""
            try:
                use(made, other())
            except (TypeError, ValueError, KeyError) as error:
                raised = str(error)
            return made, raised

        static = paddle.jit.to_static(function)
        for x in INPUTS:
            (left, said), (expected, words) = static(x), function(x)
            assert (plain(left), said != "") == (plain(expected), words != ""), name
            if kind in ("list", "dict", "deque") and name not in ("None", "a number"):
                assert said == words, name
