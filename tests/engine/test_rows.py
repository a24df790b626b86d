"""Lists that are only stacked: the same bits as plain Python gives, and items computed into the result where nothing can tell."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import jit
from dy2st.runtime.engine.executable import compile_program
from dy2st.static import InputSpec


def running_sum(x):
    h, rows = x[0] * 0.5, []
    for t in range(x.shape[0]):
        h = dy2st.tanh(x[t]) + h
        rows.append(h)
    return dy2st.stack(rows)


def nothing_carried(x):
    rows = []
    for t in range(x.shape[0]):
        rows.append(x[t] * 2.0)
    return dy2st.stack(rows)


def one_before(x):
    """Each turn reads what the turn before the last computed."""
    last = h = x[0]
    rows = []
    for t in range(x.shape[0]):
        last, h = h, last * 0.5 + x[t]
        rows.append(h)
    return dy2st.stack(rows)


def two_lists(x):
    sums, products, h = [], [], x[0]
    for t in range(x.shape[0]):
        h = h + x[t]
        sums.append(h)
        products.append(h * x[t])
    return dy2st.stack(sums) - dy2st.stack(products)


def nested(x):
    columns = []
    for i in range(x.shape[0]):
        rows, h = [], x[i]
        for t in range(x.shape[0]):
            h = h * x[t] + 0.25
            rows.append(h)
        columns.append(dy2st.stack(rows).sum(0) + h)
    return dy2st.stack(columns)


COMPUTED_IN_ROWS = [running_sum, nothing_carried, one_before, two_lists, nested]


def gives_the_last_one(x):
    h, rows = x[0], []
    for t in range(x.shape[0]):
        h = h + x[t]
        rows.append(h)
    return dy2st.stack(rows), h


def gives_a_view_of_the_last_one(x):
    h, rows = x[0], []
    for t in range(x.shape[0]):
        h = h + x[t]
        rows.append(h)
    return dy2st.stack(rows), h.reshape([-1])[1:]


def writes_the_result(x):
    h, rows = x[0], []
    for t in range(x.shape[0]):
        h = h + x[t]
        rows.append(h)
    y = dy2st.stack(rows)
    y[:] = 7.0
    return y * h


def writes_the_item(x):
    h, rows = x[0], []
    for t in range(x.shape[0]):
        h = h + x[t]
        rows.append(h)
        h[0] = 3.0
    return dy2st.stack(rows)


def writes_the_last_item(x):
    h, rows = x[0], []
    for t in range(x.shape[0]):
        h = h + x[t]
        rows.append(h)
    h[:] = 2.0
    return dy2st.stack(rows)


def stacks_twice(x):
    rows = []
    for t in range(x.shape[0]):
        rows.append(x[t] + 1.0)
    a, b = dy2st.stack(rows), dy2st.stack(rows)
    a[0] = 0.0
    return a - b


def along_another_axis(x):
    rows = []
    for t in range(x.shape[0]):
        rows.append(x[t] + 1.0)
    return dy2st.stack(rows, axis=-1)


def also_reads_one(x):
    rows = []
    for t in range(x.shape[0]):
        rows.append(x[t] + 1.0)
    return dy2st.stack(rows) * rows[-1]


def also_another_list(x):
    rows, kept = [], []
    for t in range(x.shape[0]):
        h = x[t] + 1.0
        rows.append(h)
        kept.append(h)
    kept[0][0] = 9.0
    return dy2st.stack(rows)


def backwards(x):
    rows = []
    for t in range(x.shape[0] - 1, -1, -1):
        rows.append(x[t] + 1.0)
    return dy2st.stack(rows[::-1])


def only_some(x):
    rows = [x[0] * 1.0]
    for t in range(x.shape[0]):
        if x[t].sum() > 0:
            rows.append(x[t] * 2.0)
    return dy2st.stack(rows)


OTHERWISE = [
    gives_the_last_one, gives_a_view_of_the_last_one, writes_the_result, writes_the_item, writes_the_last_item,
    stacks_twice, along_another_axis, also_reads_one, also_another_list, backwards, only_some,
]  # fmt: skip


def given(turns: int) -> dy2st.Tensor:
    return dy2st.to_tensor(np.random.RandomState(turns).randn(turns, 3, 4).astype("float32"))


def arrays(result) -> list[np.ndarray]:
    return [tensor.numpy() for tensor in (result if isinstance(result, tuple) else (result,))]


def source_of(function, turns: int | None) -> str:
    static = jit.to_static(function, input_spec=[InputSpec([turns, 3, 4])])
    return compile_program(static.concrete_program.main_program).source


def same_bits(a, b) -> bool:
    return all(x.shape == y.shape and x.tobytes() == y.tobytes() for x, y in zip(arrays(a), arrays(b), strict=True))


@pytest.mark.parametrize("function", [*COMPUTED_IN_ROWS, *OTHERWISE], ids=lambda function: function.__name__)
@pytest.mark.parametrize("turns", [1, 2, 6, 100])
@pytest.mark.parametrize("known", [True, False], ids=["known", "open"])
def test_same_bits_as_plain_python(function, turns, known):
    static = jit.to_static(function, input_spec=[InputSpec([turns if known else None, 3, 4])])
    for _ in range(2):  # what a call gives is no other call's
        first, again = static(given(turns)), static(given(turns))
        assert same_bits(first, function(given(turns)))
        for array in arrays(first):
            array[...] = 0
        assert same_bits(again, function(given(turns)))


@pytest.mark.parametrize("function", COMPUTED_IN_ROWS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("turns", [None, 100])
def test_items_are_computed_into_rows(function, turns):
    assert "out=next(" in source_of(function, turns)


@pytest.mark.parametrize("function", OTHERWISE, ids=lambda function: function.__name__)
def test_items_that_others_may_hold_are_not(function):
    assert "out=next(" not in source_of(function, None)


@pytest.mark.parametrize("function", [running_sum, nothing_carried], ids=lambda function: function.__name__)
def test_no_turn_is_plain_pythons_error(function):
    static = jit.to_static(function, input_spec=[InputSpec([None, 3, 4])])
    with pytest.raises(Exception) as plain:
        function(given(0))
    with pytest.raises(type(plain.value), match=str(plain.value).splitlines()[0][:30]):
        static(given(0))


def test_there_is_no_list():
    source = source_of(running_sum, None)
    assert ".append(" not in source and "list_stack([])" in source
