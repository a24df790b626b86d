"""`zip` and `itertools` over objects of the user's: each is asked for as many items as plain Python asks it for."""

import itertools

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")


class Given:
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return iter(range(1, self.count + 1))


class Yielded(Given):
    def __iter__(self):
        return self.items()

    def items(self):
        for i in range(self.count):
            yield i + 1


class Stepped(Given):
    def __init__(self, count):
        super().__init__(count)
        self.asked = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.asked += 1
        if self.asked > self.count:
            raise StopIteration
        return self.asked


USES = {
    "islice": lambda cls: sum(itertools.islice(cls(5), 3)),
    "chain": lambda cls: sum(itertools.chain(cls(5), cls(2))),
    "from_iterable": lambda cls: sum(itertools.chain.from_iterable([cls(2), cls(3)])),
    "accumulate": lambda cls: list(itertools.accumulate(cls(4)))[-1],
    "pairwise": lambda cls: sum(a * b for a, b in itertools.pairwise(cls(4))),
    "takewhile": lambda cls: sum(itertools.takewhile(lambda v: v < 3, cls(6))),
    "cycle": lambda cls: sum(itertools.islice(itertools.cycle(cls(2)), 5)),
    "zip_longest": lambda cls: sum(a + b for a, b in itertools.zip_longest(cls(2), cls(3), fillvalue=1)),
    "product": lambda cls: len(list(itertools.product(cls(2), cls(3)))),
    "zip": lambda cls: sum(a * b for a, b in zip([1, 2, 3], cls(5))),
    "zip of two": lambda cls: sum(a * b for a, b in zip(cls(3), cls(4))),
    "zip the other way": lambda cls: sum(a * b for a, b in zip(cls(3), [1, 2, 3, 4])),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("cls", [Given, Yielded, Stepped], ids=lambda cls: cls.__name__)
def test_they_give_the_same_items(cls, use):
    def function(x):
        return x * use(cls)

    static = paddle.jit.to_static(function)
    for number in (1.0, -2.0):
        x = paddle.to_tensor([number])
        assert static(x).tolist() == function(x).tolist()


def test_zip_leaves_the_rest_of_an_iterator():
    def function(x):
        stepped = Stepped(9)
        return x * sum(a * b for a, b in zip([1, 2], stepped)) + stepped.asked

    for number in (1.0, -2.0):
        x = paddle.to_tensor([number])
        assert paddle.jit.to_static(function)(x).tolist() == function(x).tolist()


def test_one_that_counts_in_staged_control_flow_is_refused_with_what_to_write():
    def numbered(x, given):
        total = x
        if x.sum() > 0:
            for i, v in enumerate(given()):
                total = total * v + i
        return total

    with pytest.raises(ConversionError, match=r"such as enumerate.*give that list\(...\) of it"):
        paddle.jit.to_static(lambda x: numbered(x, lambda: Stepped(2)))(paddle.ones([1]))
    listed = paddle.jit.to_static(lambda x: numbered(x, lambda: list(Stepped(2))))
    assert listed(paddle.ones([1])).tolist() == numbered(paddle.ones([1]), lambda: Stepped(2)).tolist()
