"""The order of attributes that a call sets on an object from outside is that of plain Python."""

from __future__ import annotations

import itertools

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError


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


def in_two_orders(o, n):
    if n > 0:
        o.a = n
        o.b = 2
    else:
        o.b = 1
        o.a = 2


def set_before_on_one_path(o, n):
    if n > 0:
        o.a = 1
    o.b = n
    o.a = 2


def deleted_on_one_path(o, n):
    if n > 0:
        del o.first
        o.first = n
    o.b = 1


def in_a_loop(o, n):
    i = 0
    while i < n:
        if i > 1:
            o.a = i
        else:
            o.b = i
        i = i + 1


def caught(o, n):
    try:
        if n > 0:
            o.a = 1
            raise ValueError
        o.b = 2
        o.a = 3
    except ValueError:
        o.b = 4


def by_functions(o, n):
    (in_two_orders if n > 0 else plainly)(o, n)


def of_a_new_object(o, n):
    made = Options()
    in_two_orders(made, n)
    o.made = made


def of_objects_in_a_list(o, n):
    for each in o.all:
        in_two_orders(each, n)


def read_after(o, n):
    in_two_orders(o, n)
    o.names = list(vars(o))


def read_on_each_path(o, n):
    if n > 0:
        o.a = 1
        o.b = 2
        o.names = list(vars(o))
    else:
        o.b = 1
        o.a = 2
        o.names = list(vars(o))


def read_after_one_path(o, n):
    set_before_on_one_path(o, n)
    o.names = list(vars(o))


def spelled(held):
    if isinstance(held, list):
        return [*map(spelled, held)]
    return [(name, spelled(each)) for name, each in vars(held).items()] if isinstance(held, Options) else held


ON_PATHS = [
    in_two_orders, set_before_on_one_path, deleted_on_one_path, in_a_loop, caught, by_functions, of_a_new_object,
    of_objects_in_a_list, read_after, read_on_each_path, read_after_one_path,
]  # fmt: skip


@pytest.mark.parametrize(("numbers", "is_new"), [((3, -1, 3), False), ((-1, 3, -1), True)])
@pytest.mark.parametrize("change", ON_PATHS)
def test_the_order_is_that_of_the_path(change, numbers, is_new):
    def seen(is_static):
        def function(x, n):
            change(options, int(n))
            return x

        options = Options()
        options.second, options.all = 2, [Options(), Options()]
        call = paddle.jit.to_static(function) if is_static else function
        for n in numbers:
            call(paddle.to_tensor([1.0]), paddle.to_tensor(n))
            yield spelled(options)
            for name in {"a", "b", "names", "made"}.intersection(vars(options)) if is_new else ():
                delattr(options, name)

    plain = list(seen(False))
    try:
        assert list(seen(True)) == plain
    except ConversionError as error:
        assert change.__name__.startswith("read_") and "vars(x) of an object" in str(error)


def test_staging_leaves_the_order_of_attributes_alone():
    @paddle.jit.to_static
    def function(x):
        if x.sum() > 0:
            del options.first
            options.first = 2
        return x

    options = Options()
    options.second = 2
    function(paddle.to_tensor([-1.0]))
    assert list(vars(options)) == ["first", "second"]
