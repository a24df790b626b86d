"""A loop over a union, such as a list or tuple, reads a list itself, which may change meanwhile; its iterator has a class."""

from __future__ import annotations

import numpy as np
import pytest

from dy2st import jit, onnx

from .agreement import NUMBER, VECTOR, assert_agrees, functions_of, outcome


def a_list_or_tuple_grows(x, n):
    v = [1, 2] if x.sum() > 0 else (3, 4, 5)
    count = 0
    for a in v:
        count = count + a
        if isinstance(v, list) and count < 10:
            v.append(1)
    return count, len(v)


def one_of_two_lists_shrinks(x, n):
    v = [1, 2] if x.sum() > 0 else [3, 4, 5]
    count = 0
    for a in v:
        count = count + a
        if a > 1:
            v.remove(a)
    return count, v


def a_list_of_texts_grows_or_a_tuple_of_numbers_is_iterated(x, n):
    v = ["p", "q"] if x.sum() > 0 else (1, 2.5)
    count = 0
    for _ in v:
        count = count + 1
        if count < 4 and isinstance(v, list):
            v.append("z")
    return count, list(v)


def a_list_of_tensors_grows(x, n):
    v = [x, x * 2] if x.sum() > 0 else (x,)
    total = x
    for k, a in enumerate(v):
        total = total + a
        if k == 0 and isinstance(v, list):
            v.append(x * 5)
    return total


def items_are_stored(x, n):
    v = [1, 2, 4] if x.sum() > 0 else (3, 4, 5)
    out = []
    for a in v:
        out.append(a)
        if isinstance(v, list):
            v[2] = 9
    return out


def a_list_changes_between_two_items(x, n):
    v = [1, 2, 4] if x.sum() > 0 else (3, 4, 5, 6)
    it = iter(v)
    first = next(it)
    if isinstance(v, list):
        v.insert(0, 7)
    return first, next(it), list(it)


def a_dict_or_list_grows(x, n):
    v = [1, 2] if x.sum() > 0 else {3: 4, 5: 6}
    count = 0
    for a in v:
        count = count + a
        if isinstance(v, dict):
            v[9] = count
        elif count < 10:
            v.append(1)
    return count, len(v)


def a_set_or_dict_grows(x, n):
    v = {1, 2} if x.sum() > 0 else {3: 4, 5: 6}
    count = 0
    for a in v:
        count = count + a
        if isinstance(v, set) and n > 1:
            v.add(count)
    return count


def a_dict_or_set_changes_between_two_items(x, n):
    v = {1: 2, 3: 4} if x.sum() > 0 else {3, 4}
    it = iter(v)
    first = next(it)
    if isinstance(v, dict) and n > 1:
        v.pop(3)
    return first, next(it)


def a_list_changes_while_it_is_reversed(x, n):
    v = [1, 2] if x.sum() > 0 else (3, 4)
    out, it = [], reversed(v)
    for item in reversed(v):
        out.append(item)
        if isinstance(v, list):
            v[0] = 8
    return out, list(it)


def lazy_iterators_of_a_list_that_grows(x, n):
    v = [1, 2] if x.sum() > 0 else (3, 4)
    iterators = enumerate(v), zip(v, "abc"), map(lambda item: item * 2, v), (item + 1 for item in v)
    if isinstance(v, list):
        v.append(9)
    return [list(it) for it in iterators]


def reversed_bytes(x, n):
    it = reversed(b"abc")
    k = next(it)
    if x.sum() > 0:
        k = k + next(it)
    return k, list(it)


def reversed_text_or_bytes(x, n):
    v = "abc" if x.sum() > 0 else b"xy"
    it = reversed(v)
    return next(it), next(it), next(it, 5)


def classes_of_iterators(x, n):
    v = [1, 2] if x.sum() > 0 else {3: 4}
    it, back = iter(v), reversed(v)
    first = next(it), next(back)
    known = type(iter([])), type(reversed([]))
    return (
        first, type(it).__name__, type(back).__name__, type(it) is known[0], isinstance(it, known[0]), isinstance(back, known[1])
    )  # fmt: skip


def classes_of_reversed(x, n):
    found = [type(reversed(v)).__name__ for v in ([1, 2], (1, 2), "ab", {1: 2}, range(3), {1: 2}.keys())]
    back = reversed([x, x])
    return found, next(back), type(back).__name__


def no_such_attribute(x, n):
    it = iter([1, 2] if x.sum() > 0 else (3, 4))
    first = next(it)
    try:
        return it.missing
    except AttributeError as error:
        return first, str(error)


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda function: function.__name__)
def test_agrees(function):
    calls = [(np.array(x, np.float32), np.int64(0)) for x in ([1, 1], [-1, -1], [3, 1, 1])]
    assert_agrees(function, calls=calls)


@pytest.mark.parametrize("function", [a_list_or_tuple_grows, a_list_of_tensors_grows, items_are_stored, a_dict_or_list_grows])
def test_agrees_in_onnx_runtime(function, tmp_path):
    pytest.importorskip("onnxruntime")
    onnx.export(jit.to_static(function, input_spec=[VECTOR, NUMBER]), tmp_path / "f.onnx")
    session = onnx.Session(tmp_path / "f.onnx")
    for x in ([1, 1], [-1, -1]):
        call = (np.array(x, np.float32), np.int64(0))
        assert repr(outcome(session, call)) == repr(outcome(function, call))
