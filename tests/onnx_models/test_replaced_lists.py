"""Lists on attributes that a call replaces: the caller's old list, and the new one, are those of plain Python."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.errors import EngineError

pytest.importorskip("onnxruntime", reason="the engine needs the extra 'onnx'")


class Keeper(nn.Layer):
    def __init__(self):
        super().__init__()
        self.xs = [paddle.ones([2]), paddle.zeros([2])]

    def made_anew(self, x):
        self.xs = [y * 2 + x for y in self.xs]
        return self.xs[0]

    def put_back(self, x):
        self.xs.append(x)
        self.xs = self.xs
        return x

    def made_anew_and_grown(self, x):
        ys = [x]
        ys.append(x + 1)
        self.xs = ys
        self.xs.append(x + 2)
        return x

    def grown_before(self, x):
        self.xs.append(x)
        self.xs = [x]
        return x

    def grown_behind_one_path(self, x):
        if x.sum() > 3:
            self.xs = [x]
        self.xs.append(x)
        return x

    def old_or_new_grown(self, x):
        old = self.xs
        self.xs = [x, x]
        ys = old if x.sum() > 3 else [x, x]
        ys.append(x)
        return x

    def in_a_loop(self, x):
        for _ in range(int(x[0])):
            self.xs = [y * 2 for y in self.xs]
            self.xs.append(x)
        return x


def seen(net, method, first):
    """What a caller sees who has kept the list from before each call."""
    found = []
    for number in (first, 5.0, 1.0):
        before = net.xs
        try:
            with paddle.no_grad():
                method(paddle.to_tensor(np.asarray([number, 1], "float32")))
        except EngineError:
            return "refused"
        found.append((before is net.xs, [x.tolist() for x in before], [x.tolist() for x in net.xs]))
    return found


METHODS = [name for name in vars(Keeper) if not name.startswith("_") and name != "forward"]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("first", [1.0, 5.0])
def test_the_caller_sees_what_plain_python_leaves(name, first):
    plain, given = Keeper(), Keeper()
    static = jit.to_static(getattr(given, name), backend="onnxruntime")
    wanted, found = seen(plain, getattr(plain, name), first), seen(given, static, first)
    if name in ("made_anew", "put_back", "made_anew_and_grown"):
        assert found == wanted
    else:
        assert found in (wanted, "refused")
