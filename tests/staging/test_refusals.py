"""What can't become a Program is refused at the user's line, in words; nothing is baked in silently."""

from __future__ import annotations

import array
import datetime
import heapq
import itertools
import pathlib

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, Dy2stError
from dy2st.static import InputSpec

X = InputSpec([None], "float32", "x")


def foreign_container(x):
    d = array.array("q")
    if x.sum() > 0:
        d.append(1)
    return len(d)


def foreign_function(x):
    heap = []
    if x.sum() > 0:
        heapq.heappush(heap, 1)
    return len(heap)


def shape_of_any_length(x):
    lengths = [1]
    for v in x:
        lengths.append(2)
    if x.sum() > 0:
        return paddle.zeros(lengths)
    return x


def axis_of_the_input(x):
    axis = -1
    if x.sum() > 0:
        axis = 0
    return paddle.stack([x, x], axis)


def iterator(x):
    numbers = itertools.permutations((1, 2))
    if x.sum() > 0:
        return x * next(numbers)[0]
    return x


def array_item(x):
    a = np.zeros(3)
    if x.sum() > 0:
        a[0] = 5
    return float(a[0])


def clock(x):
    return x * datetime.datetime.now().microsecond


def file(x):
    return x * len(pathlib.Path(__file__).read_text())


def generator_result(x):
    return (v for v in [x])


@pytest.mark.parametrize(
    "function",
    [
        foreign_container,
        foreign_function,
        shape_of_any_length,
        axis_of_the_input,
        iterator,
        array_item,
        clock,
        file,
    ],
    ids=lambda f: f.__name__,
)
def test_refused_at_the_line(function):
    with pytest.raises(Dy2stError) as caught:
        paddle.jit.to_static(function, input_spec=[X]).concrete_program
    first = function.__code__.co_firstlineno
    line = int(str(caught.value).split(f"{pathlib.Path(__file__).name}:")[1].split(":")[0])
    assert first < line < first + 12


def test_iterators_are_no_results():
    with pytest.raises(ConversionError, match="iterator"):
        paddle.jit.to_static(generator_result, input_spec=[X]).concrete_program
