"""The second call of a Program is written as a function: it skips steps, never a check, and nobody sees that it is there."""

from __future__ import annotations

import sys
import threading
import traceback

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.static import InputSpec

ENDS_CLEAN = sys.version_info >= (3, 11)  # before, a `raise` adds the frame of the function that it stands in


def t(*values, dtype="float32", **settings):
    return paddle.to_tensor(np.array(values, dtype), **settings)


def twice(x, y):
    return x * 2 + y


def raising(x, y):
    if x.sum() > 0:
        raise ValueError("positive")
    return x


OTHERS = {
    "a shape": (t(1, 2, 3), t(1, 2, 3)),
    "a dtype": (t(1, 2, dtype="float64"), t(1, 2, dtype="float64")),
    "another dtype for one": (t(1, 2), t(1, 2, dtype="float64")),
    "no axes": (paddle.to_tensor(np.array(1, "float32")), t(1, 2)),
    "a number": (t(1, 2), 3.0),
    "an array": (t(1, 2), np.array([1, 2], "float32")),
    "a gradient": (t(1, 2, stop_gradient=False), t(1, 2)),
    "a parameter": (nn.Linear(1, 2).bias, t(1, 2)),
}


@pytest.mark.parametrize("spec", [None, [InputSpec([2], "float32")] * 2, [InputSpec([None], "float32")] * 2])
@pytest.mark.parametrize("case", OTHERS)
def test_arguments_of_another_kind_take_all_steps(case, spec):
    static, plain = jit.to_static(twice, input_spec=spec), (t(1, 2), t(3, 4))
    for given in (plain, plain, plain, OTHERS[case], plain, OTHERS[case]):
        expected = twice(*given)
        try:
            found = static(*given)
        except (TypeError, ValueError) as error:  # of a spec
            assert spec is not None and "twice" in str(error) or "argument" in str(error)
            continue
        assert found.dtype == expected.dtype and found.stop_gradient == expected.stop_gradient
        np.testing.assert_array_equal(found.numpy(), expected.numpy())


@pytest.mark.parametrize("given", [(), (t(1),), (t(1), t(1), t(1))])
def test_a_wrong_number_of_arguments_is_told_as_before(given):
    static = jit.to_static(twice)
    for _ in range(3):
        static(t(1, 2), t(3, 4))
    with pytest.raises(TypeError, match=r"twice\(x, y\): "):
        static(*given)


def test_keywords_take_all_steps():
    static = jit.to_static(twice)
    for _ in range(3):
        assert static(t(1, 2), t(3, 4)).tolist() == static(y=t(3, 4), x=t(1, 2)).tolist() == [5, 8]


def test_an_error_shows_the_users_lines_alone():
    static, seen = jit.to_static(raising), []
    for value in (-1.0, -1.0, -1.0, 1.0, 1.0):
        try:
            static(t(value), t(value))
        except ValueError as error:
            frames = [(frame.filename, frame.name) for frame in traceback.extract_tb(error.__traceback__)]
            seen.append([frame for frame in frames if ENDS_CLEAN or frame[0] == __file__])
    assert seen == [[(__file__, "test_an_error_shows_the_users_lines_alone"), (__file__, "raising")]] * 2


def test_gradients_are_recorded_where_they_are_wanted():
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(2, 2)

        def forward(self, x):
            return self.inner(x).sum()

    plain = Net()
    static = Net()
    static.set_state_dict(plain.state_dict())
    jit.to_static(static)
    for turn in range(8):
        x = t(turn, 1).reshape([1, 2])
        found = []
        for net in (plain, static):
            with paddle.set_grad_enabled(turn % 3 != 2):
                loss = net(x)
            assert loss.stop_gradient == (turn % 3 == 2)
            if not loss.stop_gradient:
                loss.backward()
            found.append((loss.item(), net.inner.weight.grad.numpy().tolist()))
            if turn == 4:
                net.inner.weight.stop_gradient = True
        assert found[0] == found[1]


def test_switching_staging_off_and_recording_are_noticed():
    static = jit.to_static(twice)
    x, y = t(1, 2), t(3, 4)
    for _ in range(3):
        static(x, y)
    outer = jit.to_static(lambda x, y: static(x, y) + 1)
    assert outer(x, y).tolist() == [6, 9]
    assert jit.trace(lambda x: static(x, x), x)(y).tolist() == [9, 12]
    jit.enable_to_static(False)
    try:
        assert static(x, y).tolist() == [5, 8]
    finally:
        jit.enable_to_static(True)


def test_its_source_is_shown():
    static = jit.to_static(twice)
    static(t(1, 2), t(3, 4))
    assert static.concrete_program.call_source == ""
    static(t(1, 2), t(3, 4))
    assert static.concrete_program.call_source.startswith("def call(args, kwargs):\n")
    assert "def hold(epoch):\n" in static.concrete_program.call_source


def test_threads_may_come_second_together():
    """Each thread makes the second call of a Program, which writes the function, for many Programs."""
    for _ in range(20):
        static, found = jit.to_static(lambda x, y: x * 2 + y), []
        static(t(1, 2), t(3, 4))
        start = threading.Barrier(4)

        def call(static=static, start=start, found=found):
            start.wait()
            found.append(static(t(1, 2), t(3, 4)).tolist())

        threads = [threading.Thread(target=call) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [[5, 8]] * 4
