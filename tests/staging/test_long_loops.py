"""Long loops over parts that differ: no loop of the Program can stand for them, so they are unrolled."""

import cProfile
import pstats

import pytest

import dy2st as paddle
from dy2st.config import limits
from dy2st.static import InputSpec


class Part:
    def __init__(self, number):
        self.number = number

    def __call__(self, x):
        return x * 2 + self.number if self.number % 2 else x - self.number * 0.5


class Parts:
    """Gives its parts by an iterator, as torch.nn.Sequential does."""

    def __init__(self):
        self.by_name = {str(number): Part(number) for number in range(120)}

    def __iter__(self):
        return iter(self.by_name.values())


PARTS = Parts()
LIST = list(PARTS)


def generated():
    yield from LIST


def over_an_iterator(x):
    for part in PARTS:
        x = part(x) % 7
    return x


def over_a_generator(x):
    for part in generated():
        x = part(x) % 7
    return x


def over_numbers(x):
    for i in range(len(LIST)):
        x = LIST[i](x) % 7
    return x


def while_there_are_more(x):
    i = 0
    while i < len(LIST):
        x = LIST[i](x) % 7
        i += 1
    return x


def while_a_name_is_known(x):
    count = 0
    while (name := str(count)) in PARTS.by_name:
        x = PARTS.by_name[name](x) % 7
        count += 1
    return x


def found_one_after_another(x):
    for number in (part.number for part in PARTS):
        x = PARTS.by_name[str(number)](x) % 7
    return x


@pytest.mark.parametrize("function", [
    over_an_iterator, over_a_generator, over_numbers, while_there_are_more, while_a_name_is_known, found_one_after_another
])  # fmt: skip
def test_each_is_unrolled_past_the_limit(function, monkeypatch):
    monkeypatch.setattr(limits, "unroll_operations", 100)
    static = paddle.jit.to_static(function, input_spec=[InputSpec([2], "float32", "x")])
    x = paddle.to_tensor([1.5, 2.0])
    assert static(x).tolist() == function(x).tolist()
    assert "while" not in {op.name for op in static.concrete_program.program.walk()}


def left_by_a_break(x):
    for _ in range(1000):
        x = (x * 2 + 1) % 7
        if x.sum() > 11:
            break
    return x


def test_a_loop_that_the_program_leaves_is_told_long_by_its_first_turn():
    static = paddle.jit.to_static(left_by_a_break, input_spec=[InputSpec([2], "float32", "x")])
    with cProfile.Profile() as profile:
        static.concrete_program  # noqa: B018
    recorded = sum(count for (_, _, name), (count, *_) in pstats.Stats(profile).stats.items() if name == "_record_plain")
    assert 5 < recorded < 100  # an operation for each; until the limit they were more than 500
    for values in ([1.5, 2.0], [0.0, 0.25], [6.0, 6.0]):
        x = paddle.to_tensor(values)
        assert static(x).tolist() == left_by_a_break(x).tolist()
