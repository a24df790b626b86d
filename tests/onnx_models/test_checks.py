"""What Python raises in the middle of control flow, models tell: exported functions against plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dy2st as paddle

pytest.importorskip("onnx", reason="exported models need the extra 'onnx'")
pytest.importorskip("onnxruntime", reason="exported models need the extra 'onnx'")

from onnx_models.running import assert_same

from dy2st.onnx import Session, export


def native(value):
    """A result with arrays in place of Tensors and numbers: a Program gives Tensors for these."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(native, value))
    if isinstance(value, paddle.Tensor):
        return value.numpy()
    return np.asarray(value) if isinstance(value, int | float) else value


def outcome(function, args):
    try:
        return native(function(*args)), None
    except Exception as error:
        return None, (type(error), str(error))


@pytest.fixture
def agree(tmp_path):
    """`agree(function, *calls)`: the exported function gives or raises what it does as plain Python, for ints and floats."""

    def check(function, *calls):
        dtypes = ["int64" if isinstance(x, int) else "float64" for x in calls[0]]
        specs = [paddle.static.InputSpec(np.shape(x), dtype) for x, dtype in zip(calls[0], dtypes)]
        export(function, str(tmp_path / "model"), specs)
        session = Session(str(tmp_path / "model.onnx"))
        raised = 0
        for call in calls:
            args = [paddle.to_tensor(np.asarray(x, dtype)) for x, dtype in zip(call, dtypes)]
            expected, given = outcome(function, args), outcome(session, args)
            assert expected[1] == given[1], f"{call}: {given}, expected {expected}"
            raised += expected[1] is not None
            assert_same(expected[0], given[0], str(call))
        assert raised < len(calls), "no call compares a value"

    return check


def divided_on_one_side(a, b):
    n, m = int(a), int(b)
    if n > 0:
        found = n // m
    elif n == 0:
        found = m % 3
    else:
        found = n % m + 1
    return found


def test_a_check_on_one_side(agree):
    agree(divided_on_one_side, (7, 2), (7, 0), (0, 0), (0, 5), (-7, 2), (-7, 0), (-(2**63), -1), (7, -2))


def quotients(a, b):
    i, n, total = 0, int(a), 0
    while i < n:
        total += 100 // (int(b) - i)
        i += 1
    return total, i


def test_a_check_in_a_loop(agree):
    agree(quotients, (3, 5), (3, 2), (3, 0), (0, 0), (1000000, 1), (-3, 0))


def endless(a, b):
    step, i, n = int(a) // int(b), 0, int(a)
    while i < n:
        i += step
    return i


def test_a_loop_that_would_not_end_does_not_begin(agree):
    agree(endless, (10, 5), (10, 0), (0, 3))


def test_lengths_are_computed_with_and_not_checked(tmp_path):
    def merged(x):
        b, h, w = x.shape
        return x.reshape([b * h, w]).sum() / (b * h * w - 1 + h // 2)

    export(merged, str(tmp_path / "model"), [paddle.static.InputSpec([-1, -1, 4], "float32")])
    session = Session(str(tmp_path / "model.onnx"))
    assert [x.name for x in session.session.get_outputs()] == ["output"]
    assert_same(merged(paddle.ones([2, 3, 4])).numpy(), session(paddle.ones([2, 3, 4])).numpy(), "")


def nested(a, b):
    total = 0.0
    for i in range(int(a)):
        for j in range(int(b)):
            if (i + j) % 3 == 2:
                total += math.sqrt(4 - i * j)
            else:
                total -= 1 / (3 - j)
    return total


def test_checks_in_nested_loops(agree):
    agree(nested, (2, 2), (3, 3), (5, 3), (2, 5), (0, 9), (1, 4))


def first_of_two(a, b):
    x, y = float(a), float(b)
    root = math.sqrt(x)
    return root + math.log(y)


def test_the_first_exception_counts(agree):
    agree(first_of_two, (4.0, 1.0), (-1.0, 1.0), (4.0, 0.0), (-1.0, 0.0), (math.nan, 2.0), (math.inf, 2.0))


def guarded(a, b):
    n, m = int(a), int(b)
    return n // m if m != 0 and n // m > 1 else -1


def test_a_condition_guards(agree):
    agree(guarded, (7, 2), (7, 0), (1, 2))


def whole(a, b):
    return int(float(a)) + round(float(b)), math.floor(float(b)), math.ceil(float(a))


def test_floats_become_ints(agree):
    agree(whole, (2.7, 2.5), (-2.7, -0.5), (math.nan, 1.0), (1.0, math.inf), (0.5, 1.5))


def maybe(a, b):
    if a > 0:
        return None
    if b > 0:
        return a * 2, "text"
    return a / b if b < 0 else a - 3


def test_results_of_any_kind(agree):
    agree(maybe, (1.0, 1.0), (-1.0, 1.0), (-1.0, -2.0), (-1.0, 0.0))


def number(a, b):
    found = int(a)
    if b > 0:
        found = float(b)
    return found * 3 - 1, found > 2, max(found, 2), -found


def test_numbers_of_two_classes(agree):
    agree(number, (1, 2.5), (1, -2.5), (5, -1.0), (2**61, 0.0), (2, 2.0))


def collected(a, b):
    rows, n = [], int(a)
    for i in range(n):
        if i % 2 == 0:
            rows.append(i * i)
    rows.insert(1, int(b))
    rows[0] = rows[-1] + 1
    return rows, rows[int(b)], len(rows), int(b) in rows


def test_a_list_that_grows(agree):
    agree(collected, (6, 1), (6, 3), (6, 4), (6, -4), (6, -5), (0, 0), (1, 1))


def stack_of_numbers(a, b):
    stack = [int(a)]
    for _ in range(int(b)):
        stack.append(stack[-1] * 2)
        if stack[-1] > 20:
            stack.pop()
            stack.pop()
    return stack, stack.pop()


def test_a_stack(agree):
    agree(stack_of_numbers, (1, 3), (9, 2), (30, 1), (30, 2), (5, 9), (3, 0))


def in_order(a, b):
    items = [int(a), 3, int(b), -1]
    items.sort()
    names = sorted([(2.5, 1), (float(a), 2), (float(b), 3)], reverse=True)
    items.remove(int(b))
    return items, names, items.index(-1), items.count(3), sorted(range(3), key=lambda i: -items[i])


def test_lists_in_order(agree):
    agree(in_order, (1, 2), (3, 3), (5, -1), (-7, 0))


def slices(a, b):
    items = [10, 11, 12, 13, 14]
    i, j = int(a), int(b)
    part, back = items[i:j], items[j:i:-1]
    items[i:j] = [0]
    return part, back, items, items[::2], items[::-1]


def test_slices(agree):
    agree(slices, (1, 3), (3, 1), (-2, 5), (0, -1), (-9, 9), (7, 9))


def big(a, b):
    n, x = int(a), float(b)
    return n < x, n <= x, n == x, n > x, n >= x, n != x


def test_an_int_is_compared_with_a_float_exactly(agree):
    agree(big, (2**53 + 1, 2.0**53), (2**53, 2.0**53), (2**63 - 1, 2.0**63), (-(2**63), -(2.0**63)), (1, math.nan), (3, 2.5))


def pair(a, b):
    first, second = (int(a), float(b)), (2, 1.5)
    return first < second, first <= second, first == second, first > second, max(first[0], second[0]), first in [second, (1, 0.0)]


def test_tuples_are_compared(agree):
    agree(pair, (2, 1.5), (2, 1.0), (1, 0.0), (3, math.nan), (2, math.nan))
