"""The order of attributes that a call sets on an object from outside is that of plain Python."""

from __future__ import annotations

import itertools

import pytest

import dy2st as paddle


class Options:
    def __init__(self):
        self.first = 1

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.left = 1


def plainly(options, n):
    options.b = n
    options.a = 2


def in_a_with(options, n):
    with options:
        options.b = n
        for _ in range(3):
            if n == 1:
                break
            n = 1


def on_a_path(options, n):
    if n > 0:
        options.c = 1
    options.b = n
    options.a = 2


def set_again(options, n):
    options.b = n
    options.a = 1
    del options.b
    options.b = n + 1


CELLS = [*itertools.product([plainly, in_a_with, set_again], [False, True]), (on_a_path, False)]  # `vars` refuses `on_a_path`


@pytest.mark.parametrize(("change", "reads"), CELLS)
def test_new_attributes_are_in_the_order_of_their_stores(change, reads):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.options = Options()

        def forward(self, x, n):
            number = int(n)
            change(self.options, number)
            return x + number, list(vars(self.options)) if reads else None

    static, plain = paddle.jit.to_static(Net()), Net()
    for n in (3, 2, 1, 4):
        x = paddle.to_tensor([1.0])
        assert static(x, paddle.to_tensor(n))[1] == plain.forward(x, paddle.to_tensor(n))[1]
        assert list(vars(static.options)) == list(vars(plain.options))


@pytest.mark.parametrize("order", list(itertools.permutations("abc")))
def test_any_order(order):
    def function(x, n):
        for name in order:
            setattr(options, name, int(n))
        return x

    options = Options()
    static = paddle.jit.to_static(function)
    for n in (1, 2):
        static(paddle.to_tensor([1.0]), paddle.to_tensor(n))
        assert list(vars(options)) == ["first", *order]
