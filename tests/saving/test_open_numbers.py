"""R-07: a model that was called with an example is saved for other numbers in the lists, dicts and sets that it was given."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import jit, nn
from dy2st.static import InputSpec

X = dy2st.to_tensor([1.0, 2.0, 3.0])


def saved(path, function, *example):
    static = jit.to_static(function)
    static(*example)
    jit.save(static, str(path / "model"))
    return jit.load(str(path / "model"))


def plain(value):
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value.numpy().tolist() if isinstance(value, dy2st.Tensor) else value


def read_in_a_loop(x, numbers):
    total = 0
    for number in numbers:
        if number > 2:
            total = total + number
    return x.sum() * total, len(numbers), numbers[0], sum(numbers), 2 in numbers


def read_by_key(x, numbers):
    if "b" in numbers:
        x = x * numbers["b"]
    return x, sum(numbers.values()), sorted(numbers)


def read_within(x, numbers):
    return [sum(row) for row in numbers] + [x.sum() + len(numbers)]


def decides(x, numbers):
    return x if numbers[0] > 1 else x[:1]


def changed_on_one_path(x, numbers):
    if numbers[-1] > 3:
        numbers.append(len(numbers))
    return x.sum() + sum(numbers)


def shaped(x, numbers):
    return x.reshape(numbers).sum(0)


CASES = [
    (read_in_a_loop, [1, 2], ([3, 4, 5], [0], [2, 2])),
    (read_in_a_loop, [1.5, 4.0], ([0.5], [3.5, 2.0])),
    (read_by_key, {"a": 1}, ({"b": 2, "a": 3}, {"b": 4}, {})),
    (read_within, [[1], [2, 3]], ([[4, 5]], [[], [1]], [])),
    (decides, [1], ([2], [0, 5])),
    (changed_on_one_path, [1, 2], ([4], [1, 2, 3])),
]


@pytest.mark.parametrize("function, example, others", CASES, ids=lambda case: getattr(case, "__name__", ""))
def test_r_07_other_numbers_are_taken(function, example, others, tmp_path):
    loaded = saved(tmp_path, function, X, type(example)(example))
    for numbers in (example, *others):
        mine, theirs = type(numbers)(numbers), type(numbers)(numbers)
        assert plain(loaded(X, theirs)) == plain(function(X, mine))
        assert mine == theirs


def test_r_07_in_both_modes_of_a_layer(tmp_path):
    class Net(nn.Layer):
        def forward(self, x, numbers):
            return x * numbers[0] if self.training else x - numbers[0]

    net = jit.to_static(Net())
    net(X, [2, 1])
    jit.save(net, str(tmp_path / "model"))
    loaded = jit.load(str(tmp_path / "model"))
    assert plain(loaded(X, [3])) == [3.0, 6.0, 9.0]
    loaded.eval()
    assert plain(loaded(X, [3])) == [-2.0, -1.0, 0.0]


def unconverted(x, numbers):
    return x * dy2st.to_tensor(np.cumsum(numbers).astype("float32"))


def of_texts(x, numbers):
    return x * numbers["by"] if numbers["how"] == "times" else x


def of_a_tuple(x, numbers):
    return x * numbers[0]


CONSTANT = [
    (unconverted, [1, 2, 3], [1, 2, 4]),
    (of_texts, {"by": 2, "how": "times"}, {"by": 3, "how": "times"}),
    (shaped, [3, 1], [1, 3]),
    (of_a_tuple, (2, 3), (3, 3)),
]


@pytest.mark.parametrize("function, example, other", CONSTANT, ids=lambda case: getattr(case, "__name__", ""))
def test_what_must_be_known_stays_the_constant_of_the_example(function, example, other, tmp_path):
    loaded = saved(tmp_path, function, X, example)
    assert plain(loaded(X, example)) == plain(function(X, example))
    with pytest.raises(ValueError, match="the model was saved with the constant . in its place"):
        loaded(X, other)


def test_a_list_in_two_places_stays_a_constant(tmp_path):
    numbers = [1, 2]
    loaded = saved(tmp_path, lambda x, a, b: x * a[0] * b[1], X, numbers, numbers)
    with pytest.raises(ValueError, match="saved with the constant"):
        loaded(X, [1, 3], [1, 3])


def test_an_input_spec_says_what_is_constant(tmp_path):
    jit.save(jit.to_static(decides), str(tmp_path / "model"), input_spec=[InputSpec([3]), [2]])
    with pytest.raises(ValueError, match="saved with the constant 2"):
        jit.load(str(tmp_path / "model"))(X, [1])


def test_numbers_of_another_kind_are_refused(tmp_path):
    loaded = saved(tmp_path, decides, X, [1])
    with pytest.raises(TypeError, match=r"argument numbers is a list that isn't a list<int>, which the model takes"):
        loaded(X, [1.5])
