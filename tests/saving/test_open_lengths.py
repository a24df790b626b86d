"""P-02: a model that was called with an example, and has no InputSpec, is saved for all lengths that make no difference."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

import dy2st
from dy2st import jit, nn
from dy2st.errors import Dy2stWarning
from dy2st.static import InputSpec

RANDOM = np.random.default_rng(2)


def tensor(*shape):
    return dy2st.to_tensor(RANDOM.standard_normal(shape).astype("float32"))


def saved(path, function, *example):
    static = jit.to_static(function)
    static(*example)
    jit.save(static, str(path / "model"))
    return jit.load(str(path / "model"))


def plain(value):
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value.numpy().tolist()


def shapes(loaded):
    return [spec.shape for spec in loaded.input_spec]


# --- open --------------------------------------------------------------------------------------------------------------


def branching(x, y):
    if x.mean() > 0:
        x = x * y
    return x.sum(0), x.reshape([-1])


def of_one_length(x, y):
    b, c = x.shape
    return x.reshape([-1, c, 1]) + y


def unpacked(x, y):
    rows = []
    for row in x:
        rows.append(row * 2)
    return rows, y


def of_a_list(xs, y):
    return [x + y for x in xs]


def that_fails(x, y):
    if y.sum() > 1000:
        dy2st.reshape(x, [2, 3])
    return x.reshape([2, -1])


@pytest.mark.parametrize(
    "function, example, others, expected",
    [
        (branching, [(2, 3), (3,)], [[(5, 1), (1,)], [(1, 4), (4,)]], [(-1, -1), (-1,)]),
        (of_one_length, [(2, 3), (3, 1)], [[(4, 3), (1, 1)], [(1, 3), (3, 6)]], [(-1, 3), (-1, -1)]),
        (unpacked, [(2, 3), (2, 2)], [[(2, 7), (1, 4)]], [(2, -1), (-1, -1)]),
        (that_fails, [(2, 3), (1,)], [[(4, 4), (2,)]], [(-1, -1), (-1,)]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_p_02_other_lengths(function, example, others, expected, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loaded = saved(tmp_path, function, *(tensor(*shape) for shape in example))
    assert shapes(loaded) == expected
    for others in (example, *others):
        given = [tensor(*shape) for shape in others]
        assert plain(loaded(*given)) == plain(function(*given))


def test_p_02_inside_containers(tmp_path):
    loaded = saved(tmp_path, of_a_list, [tensor(2), tensor(2)], tensor(1))
    given = [tensor(5), tensor(3)], tensor(1)
    assert shapes(loaded) == [(-1,)] * 3
    assert plain(loaded(*given)) == plain(of_a_list(*given))


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear, self.norm, self.last = nn.Linear(3, 3), nn.BatchNorm1D(3), None

    def forward(self, x):
        if self.training:
            x = x.reshape([x.shape[0], 3])
        self.last = self.norm(self.linear(x))
        return self.last


def test_p_02_both_modes_have_a_say(tmp_path):
    net = jit.to_static(Net())
    net.eval()
    net(tensor(4, 3))
    with pytest.warns(Dy2stWarning, match=r"x.shape\[0\] is 4 \(.*: x = x.reshape\(\[x.shape\[0\], 3\]\)\)"):
        jit.save(net, str(tmp_path / "net"))
    assert shapes(jit.load(str(tmp_path / "net"))) == [(4, -1)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jit.save(net, str(tmp_path / "net"), one_mode=True)
    loaded, x = jit.load(str(tmp_path / "net")), tensor(7, 3)
    np.testing.assert_allclose(loaded(x).numpy(), Net.forward(net, x).numpy(), rtol=1e-5)


def test_p_02_a_wrong_length_is_told_as_in_plain_python(tmp_path):
    net = nn.Linear(3, 2)
    loaded = saved(tmp_path, net, tensor(2, 3))
    assert loaded(tensor(9, 3)).shape == [9, 2]
    with pytest.raises(ValueError) as expected:
        net(tensor(2, 4))
    with pytest.raises(ValueError) as error:
        loaded(tensor(2, 4))
    assert type(error.value) is type(expected.value)


# --- fixed -------------------------------------------------------------------------------------------------------------


def asking(x, y):
    b, t = x.shape
    x = x.reshape([b, 1, t])
    for row in y:
        x = x + row
    return x


def test_p_02_the_lines_that_ask_for_lengths_are_told_at_save(tmp_path):
    with pytest.warns(Dy2stWarning) as told:
        loaded = saved(tmp_path, asking, tensor(2, 3), tensor(2, 3))
    (text,) = {str(warning.message) for warning in told}
    line = asking.__code__.co_firstlineno
    assert re.search(rf"x.shape\[0\] is 2, x.shape\[1\] is 3 \(\S*.py:{line + 1}: b, t = x.shape\)", text)
    assert re.search(rf"y.shape\[0\] is 2 \(\S*.py:{line + 3}: for row in y:\)", text)
    assert "InputSpec with None" in text
    assert shapes(loaded) == [(2, 3), (2, -1)]
    with pytest.raises(ValueError, match=r"x has shape \[3, 3\]; the model takes \[2, 3\]: .*None in the InputSpec"):
        loaded(tensor(3, 3), tensor(2, 3))


def test_p_02_an_input_spec_is_taken_as_it_is(tmp_path):
    path = str(tmp_path / "model")
    jit.save(jit.to_static(branching, input_spec=[InputSpec([2, 3]), InputSpec([None])]), path)
    assert shapes(jit.load(path)) == [(2, 3), (-1,)]
    jit.save(branching, path, input_spec=[InputSpec([None, 3]), InputSpec([3])])
    assert shapes(jit.load(path)) == [(-1, 3), (3,)]
