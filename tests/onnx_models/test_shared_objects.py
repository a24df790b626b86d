"""Sets, lists beside tuples, shared variables and aliases that loops replace: a Session gives what plain Python gives."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from property.compare import raised

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

from onnx_models.comparable import values

import dy2st as paddle
import dy2st.onnx
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

SPECS = [InputSpec([None], "float32", "x"), InputSpec([], "int64", "n")]
CALLS = [([1.0, -2.0, 3.0], 3), ([0.5], 0), ([], 5), ([-1.0, 4.0], 1), ([2.0] * 5, 7)]


def grown_set(x, n):
    seen = set()
    for i in range(n):
        seen.add(i * i % 5)
        if i % 3 == 2:
            seen.discard(i)
    return [k in seen for k in range(9)], len(seen)


def sets_of_sets(x, n):
    a, b = {1, 2, 3}, {3, 4}
    if n > 2:
        a.add(7)
        b.update([n + 0 if False else 1, 7])
    found = a | b, a & b, a - b, a ^ b
    return [len(s) for s in found], [[k in s for k in range(10)] for s in found], a.isdisjoint(b), b.isdisjoint({9})


def texts_and_bools(x, n):
    words, flags = {"a", "b"}, set()
    if n % 2:
        words.add("c")
        flags.add(True)
    flags.add(bool(n > 4))
    kept = words.copy()
    words.clear()
    return len(kept), "c" in kept, len(words), True in flags, False in flags


def list_or_tuple(x, n):
    if n > 4:
        return [1, 2, x]
    if n > 2:
        return x, 1
    if n > 0:
        return x, [x], 2
    return [1.5]


def list_or_tuple_later(x, n):
    found = None
    if n > 2:
        found = [1, 2]
    elif n > 0:
        found = (3, [4])
    if isinstance(found, list):
        found.append(5)
    return found


def lists_or_tuples_in_lists(x, n):
    rows = []
    for i in range(n):
        rows.append([i, i] if i % 2 else (i, [i]))
    for row in rows:
        if isinstance(row, list):
            row.append(9)
    return rows


def counter_of_closure(x, n):
    count = 0
    counters = []

    def more(k):
        nonlocal count
        count = count + k
        return count

    for i in range(n):
        counters.append(more(i))
    return counters, count


def replaced_alias(x, n):
    first = [0]
    last = first
    for i in range(n):
        if i % 2:
            last = [i]
        last.append(10 + i)
    last.append(99)
    first.append(77)
    return first, last


def given_alias(x, n):
    first, last = [0], [1]
    for i in range(n):
        last.append(i)
        if i == 2:
            last = first
        first.append(-i)
    last.append(50)
    return first, last


def alias_of_object(x, n):
    class_ = Box(1.0)
    other = class_
    for i in range(n):
        if x.sum() > i:
            other = Box(float(i))
        other.add(2.0)
        class_.add(0.5)
    return class_.total, other.total


def alias_of_tensor(x, n):
    y = x * 1.0
    z = y
    for i in range(n):
        if i % 2:
            z = z * 2.0
        y += 1.0
        z += i
    return y, z


def tensors_in_a_list(x, n):
    y = x * 1.0
    rows = [y]
    for i in range(n):
        rows.append(y if i % 2 else y * 2.0)
    y += 1.0
    return rows, y


def tensors_in_a_dict(x, n):
    y = x * 1.0
    found = {"y": y, "z": None}
    counts = {"n": 0}
    for i in range(n):
        found["z"] = y if i % 2 else y * 2.0
        counts["n"] = i
    y += 1.0
    return found, y, counts, [found["y"]]


def nested_loops(x, n):
    rows = kept = [[0]]
    for i in range(n):
        for k in range(i):
            if k == 1:
                rows = [[i, k]]
            rows.append([k])
        kept.append([i])
    return rows, kept


class Box:
    def __init__(self, total):
        self.total = total

    def add(self, k):
        self.total = self.total + k


FUNCTIONS = [
    grown_set,
    sets_of_sets,
    texts_and_bools,
    list_or_tuple,
    list_or_tuple_later,
    lists_or_tuples_in_lists,
    counter_of_closure,
    replaced_alias,
    given_alias,
    alias_of_object,
    alias_of_tensor,
    tensors_in_a_list,
    tensors_in_a_dict,
    nested_loops,
]


def told(function, call):
    try:
        return values(function(*(paddle.to_tensor(np.asarray(x, t)) for x, t in zip(call, ("float32", "int64")))))
    except Exception as error:
        return raised(error)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_session_gives_what_plain_python_gives(function, tmp_path):
    static = paddle.jit.to_static(copy.copy(function), input_spec=SPECS)
    session = dy2st.onnx.Session(dy2st.onnx.export(static, tmp_path / "model"))
    answers = [told(function, call) for call in CALLS]
    assert [told(session, call) for call in CALLS] == answers
    assert not any(isinstance(answer, tuple) and answer[:1] == ("raised",) for answer in answers)


def order_of_a_set(x, n):
    return [i + 1 for i in {3, int(n)}]


def set_of_floats(x, n):
    return len({1.5, float(n)})


def alias_kept_in_a_list(x, n):
    row = [1]
    rows = []
    for _ in range(n):
        rows.append(row)
    row.append(2)
    return rows


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (order_of_a_set, "the order of a set's items has no counterpart: keep a list"),
        (set_of_floats, "compares bools, ints or texts, not items of the type float"),
        (alias_kept_in_a_list, "is changed here, after its items were copied"),
    ],
)
def test_what_has_no_counterpart_is_refused_in_words(function, words, tmp_path):
    with pytest.raises(ConversionError, match=words):
        dy2st.onnx.export(paddle.jit.to_static(function, input_spec=SPECS), tmp_path / "model")
    assert not [*tmp_path.iterdir()]
