"""After an exception the engine leaves in the state what plain Python leaves, also where the call prints or draws numbers."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the engine needs the extra 'jax'")

import dy2st as paddle
from dy2st import jit, nn
from dy2st.static import InputSpec


class Keeper(nn.Layer):
    """Counts in a number, a buffer and a list; `end` may raise in the middle."""

    def __init__(self, before, end):
        super().__init__()
        self.before, self.end = before, end
        self.calls, self.sums = 0, []
        self.register_buffer("total", paddle.zeros([3]))

    def forward(self, x):
        self.calls += 1
        self.total += x
        self.sums.append(x.sum())
        noise = self.before(x)
        self.end(x, self.calls)
        self.calls += 10
        self.total += 10
        return x + noise * 0


def nothing(x):
    return x


def printed(x):
    print("sum", float(x.sum()))
    return x


def drawn(x):
    return paddle.rand([3]) + nn.functional.dropout(x)


def both(x):
    return printed(x) + drawn(x)


def raises(x, calls):
    if x.sum() < 0:
        raise RuntimeError(f"call {calls} is negative")


def asserts(x, calls):
    assert x.sum() >= 0, "negative"


def beyond(x, calls):
    return x[(x.sum() < 0).astype("int64") * 7]


def pops(x, calls):
    rows = [x]
    if x.sum() < 0:
        rows.pop()
    return rows.pop()


CASES = [(before, end) for before in (nothing, printed, drawn, both) for end in (raises, asserts)]
CASES += [(before, end) for before in (nothing, printed) for end in (beyond, pops)]


@pytest.mark.parametrize(("before", "end"), CASES)
def test_state_is_that_of_plain_python(before, end, capsys):
    plain, static = Keeper(before, end), Keeper(before, end)
    run, seen = jit.to_static(static, input_spec=[InputSpec([3], "float32", "x")], backend="jax"), []
    for call in (plain, run):
        for sign in (1, -1, -2, 1):
            try:
                call(paddle.to_tensor(np.ones(3, "float32") * sign))
            except (RuntimeError, AssertionError, IndexError) as error:
                print(type(error).__name__, str(error).partition("\n")[0])
        seen.append(capsys.readouterr().out)
    assert seen[1] == seen[0]
    assert ("Error" in seen[0]) and (static.calls, len(static.sums)) == (plain.calls, 4)
    np.testing.assert_array_equal(static.total, plain.total)
    np.testing.assert_array_equal(paddle.stack(static.sums), paddle.stack(plain.sums))
