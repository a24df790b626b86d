"""`a, b = ...` of anything that gives items: how many there are may be known only when the Program runs."""

from __future__ import annotations

import pytest

import dy2st as paddle

from .agreement import COUNTS, UP, assert_agrees, functions_of


def count(n):
    for i in range(n):
        yield i


def pair(x):
    yield x
    yield x + 1


def doubled(n):
    found = []
    for i in range(n):
        found.append(i * 2)
    return found


def half(n):
    if n > 2:
        return [n, 1]
    return 1, n


def of_a_generator(x, n):
    a, b = pair(x)
    first, *rest = pair(n)
    return a, b, first, rest


def of_a_generator_of_open_length(x, n):
    a, b, c, d = count(n)
    return a + b + c + d


def of_a_generator_with_a_star(x, n):
    a, *rest, last = count(n)
    return a, rest, last


def of_a_generator_expression(x, n):
    a, b, c, d = (i * 2 for i in range(n))
    return a, b, c, d


def of_map_and_filter(x, n):
    a, b = map(lambda v: v * 2, [n, n + 1])
    c, *d = filter(lambda v: v > 1, [n, n + 1, 5])
    return a, b, c, d


def of_filter_of_open_length(x, n):
    a, b = filter(lambda v: v > 1, [n, 0, n + 1])
    return a, b


def of_sorted_zip_and_reversed(x, n):
    a, b = sorted([n, 2])
    c, d, e = sorted(count(3))
    f, g = zip([n, 1], [2, 3])
    h, i = reversed([n, 4])
    (j, k), (m, o) = enumerate([n, 7])
    return a, b, c, d, e, f, g, h, i, j, k, m, o


def of_sorted_of_open_length(x, n):
    a, b = sorted(doubled(n))
    return a, b


def of_reversed_of_open_length(x, n):
    a, b, c, d = reversed(doubled(n))
    return a, b, c, d


def of_dict_views(x, n):
    table = {"a": n, "b": n + 1}
    if n > 1:
        table["b"] = n + 7
    a, b = table
    c, d = table.values()
    (e, f), (g, h) = table.items()
    i, j = table.keys()
    return a, b, c, d, e, f, g, h, i, j


def of_a_result(x, n):
    a, b = doubled(n)
    return a, b


def of_a_result_caught(x, n):
    try:
        a, b = doubled(n)
    except ValueError as error:
        return str(error), 0, 0
    return "found", a, b


def of_a_result_of_one(x, n):
    a, = doubled(n)
    [b] = doubled(n)
    return a, b


def of_a_result_that_is_a_list_or_a_tuple(x, n):
    a, b = half(n)
    return a, b


def of_a_range(x, n):
    a, b, c, d = range(n)
    return a, b, c, d


def of_an_iterator(x, n):
    a, b = iter([n, 2])
    it = iter([n, 2, 3])
    first = next(it)
    c, d = it
    return a, b, first, c, d


def of_the_rows_of_a_computed_tensor(x, n):
    a, b, c = x.abs()
    d, e = (x * n)[:2]
    return a, b, c, d, e


def in_a_loop(x, n):
    total = 0
    for i in range(n):
        a, b = pair(i)
        total = total + a * b
    return total


def of_items_of_a_list(x, n):
    pairs = []
    for i in range(n):
        pairs.append(list(count(2)))
    total = 0
    for a, b in pairs:
        total = total + a + b
    return total


def to_several_targets(x, n):
    a = b, c = doubled(n)
    d, e = f, g = pair(n), x
    h = (i, j), k = [[n, 1], x]
    return a, b, c, d is f, g, e, h, i, j, k


def to_attributes_and_items(x, n):
    found = [0, 0]
    found[0], found[1] = pair(n)
    return found


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    assert_agrees(function, calls=[*COUNTS, (UP, COUNTS[2][1] - 2), (UP[:2], COUNTS[1][1])])


NO_SEQUENCES = {
    "an int": "2",
    "None": "None",
    "an object": "Nothing()",
    "an int that the Program knows": "int(n) + 1",
    "a 0-d tensor": "x.sum()",
    "a truth": "x.sum() > 0",
}


@pytest.mark.parametrize("targets", ["a, b", "a,", "a, *b", "[a]"])
@pytest.mark.parametrize("value", NO_SEQUENCES.values(), ids=NO_SEQUENCES)
def test_what_gives_no_items_is_told_as_plain_python_tells_it(value, targets, tmp_path):
    file = tmp_path / "unpacks.py"
    file.write_text(f"class Nothing:\n    pass\n\ndef f(x, n):\n    {targets} = {value}\n    return x\n")
    names = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    x, n = paddle.to_tensor([1.0]), paddle.to_tensor(2)
    with pytest.raises(TypeError) as plain:
        names["f"](x, n)
    with pytest.raises(TypeError) as found:
        paddle.jit.to_static(names["f"])(x, n)
    assert str(plain.value) in str(found.value)
