"""Clocks, random numbers and files: a Program for one call is staged with their answers; one that is kept refuses them."""

from __future__ import annotations

import os
import random
import time
import uuid
import warnings

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, Dy2stWarning
from dy2st.static import InputSpec

X = paddle.to_tensor([1.0, 2.0])


class Model:
    def __init__(self):
        self.calls = 0

    def drawn(self, x):
        self.calls += 1
        items = list(range(5))
        random.shuffle(items)
        chosen = random.sample(items, 3)
        chosen.append(random.randrange(10))
        by = random.choice(chosen)
        if x.sum() > 0:
            x = x * by
        return x, chosen, np.random.randint(0, 9, 2).tolist()


def written_and_read(x, folder):
    path = os.path.join(folder, "made")
    with open(path, "w") as file:
        for i in range(3):
            print(i, file=file)
    found = []
    with open(path) as file:
        for line in file:
            try:
                found.append(int(line) + 1)
            except ValueError:
                found.append(line)
    return x * len(found), found, sorted(os.listdir(folder))


def quiet(function, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Dy2stWarning)
        return function(*args)


def test_random_numbers_are_those_of_plain_python():
    found = []
    for make in (lambda method: method, paddle.jit.to_static):
        random.seed(3)
        np.random.seed(3)
        model = Model()
        function = make(model.drawn)
        given = [quiet(function, X) for _ in range(3)]
        found.append(([(x.tolist(), *rest) for x, *rest in given], random.random(), np.random.rand(), model.calls))
    assert found[0] == found[1]


def test_a_file_is_written_and_read_at_each_call(tmp_path):
    static = paddle.jit.to_static(written_and_read)
    for _ in range(2):
        x, found, names = quiet(static, X, str(tmp_path))
        assert x.tolist() == [3.0, 6.0] and found == [1, 2, 3] and names == ["made"]
        os.remove(tmp_path / "made")


def test_each_call_asks_anew_and_a_warning_tells():
    static = paddle.jit.to_static(lambda x: (x, time.time_ns(), uuid.uuid4()))
    with pytest.warns(Dy2stWarning, match="staged anew at each call.*measure outside the function"):
        first = static(X)
    second = static(X)
    assert first[1] < second[1] and first[2] != second[2] and not static.program_cache


def test_a_program_that_is_kept_refuses_them():
    with pytest.raises(ConversionError, match="a call of time can't become part of a Program"):
        paddle.jit.to_static(lambda x: x * time.time(), input_spec=[InputSpec([2])]).concrete_program


def in_a_branch(x):
    if x.sum() > 0:
        x = x * random.random()
    return x


def test_refused_where_a_tensor_decides():
    with pytest.raises(ConversionError, match="a call of random can't become part of a Program"):
        paddle.jit.to_static(in_a_branch)(X)
