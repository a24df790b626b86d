"""Mixed precision has no effect on the CPU, as in Paddle, and says so."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import amp, nn, optimizer
from dy2st.errors import Dy2stWarning

X = dy2st.to_tensor(np.eye(2, dtype="float32"))


def forward(x, w):
    with amp.auto_cast(dtype="bfloat16"):
        y = x @ w
    return y.tanh()


def test_auto_cast_computes_in_the_dtype_of_the_tensors():
    with pytest.warns(Dy2stWarning, match="no effect on the CPU"):
        assert forward(X, X).dtype == "float32"
    with pytest.warns(Dy2stWarning, match="no effect on the CPU"):
        found = dy2st.jit.to_static(forward)(X, X)
    np.testing.assert_array_equal(found.numpy(), X.tanh().numpy())
    with amp.auto_cast(enable=False):
        assert not amp.is_autocast_enabled()


def test_a_training_step_as_it_is_written_for_accelerators():
    net = nn.Linear(2, 2)
    net, opt = amp.decorate(net, optimizer.SGD(0.1, net.parameters()), level="O2", dtype="bfloat16")
    with pytest.warns(Dy2stWarning, match="GradScaler"):
        scaler = amp.GradScaler()
    before = net.weight.numpy().copy()
    loss = net(X).sum()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    opt.clear_grad()
    np.testing.assert_allclose(net.weight.numpy(), before - 0.1, rtol=1e-6)
    assert not scaler.is_enable() and scaler.state_dict() == {}


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match="level is O0"), amp.auto_cast(level="O3"):
        pass
    with pytest.raises(ValueError, match="'float16' or 'bfloat16'"):
        amp.decorate(nn.Linear(1, 1), dtype="float64")
    with pytest.raises(ValueError, match="in common"), amp.auto_cast(custom_white_list={"exp"}, custom_black_list={"exp"}):
        pass
