"""torch.no_grad and its kin, autocast, and questions such as torch.jit.is_scripting, in PyTorch code that is converted."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402

to_static = dy2st.torch.to_static


def gradient(function):
    x = torch.ones(3, requires_grad=True)
    found = function(x)
    if found.requires_grad:
        found.sum().backward()
    return x.grad, found.detach()


def under_no_grad(x):
    with torch.no_grad():
        y = x * 2
    return y + x


@torch.no_grad()
def decorated(x):
    return x * 2


def inference(x):
    with torch.inference_mode():
        return x * 2


def nested(x):
    with torch.no_grad():
        with torch.enable_grad():
            y = x * 3
        z = x * 2
    with torch.set_grad_enabled(False):
        w = x * 5
    return y + z + w


def called(x):
    torch.set_grad_enabled(False)
    y = x * 2
    torch.set_grad_enabled(True)
    return y + x


def asked_inside(x):
    with torch.no_grad():
        return x * 2 if torch.is_grad_enabled() else x * 3


def autocast_off(x):
    with torch.autocast("cpu", enabled=False):
        y = x.float() * 2
    with torch.amp.autocast("cuda", enabled=False):
        return y + 1


@pytest.mark.parametrize("function", [under_no_grad, decorated, inference, nested, called, asked_inside, autocast_off])
def test_gradients_are_torchs(function):
    (mine, found), (theirs, right) = gradient(to_static(function)), gradient(function)
    torch.testing.assert_close(found, right)
    assert (mine is None) == (theirs is None)
    if mine is not None:
        torch.testing.assert_close(mine, theirs)


def test_the_mode_of_the_call_is_asked_anew():
    def asked(x):
        return x * 2 if torch.is_grad_enabled() else x * 3

    net, x = to_static(asked), torch.ones(2)
    assert net(x).tolist() == [2, 2]
    with torch.no_grad():
        assert net(x).tolist() == [3, 3]
    assert net(x).tolist() == [2, 2]


def test_autocast_is_refused():
    def cast(x):
        with torch.autocast("cpu"):
            return x @ x

    with pytest.raises(ConversionError, match="autocast"):
        to_static(cast)(torch.ones(2, 2))
    with pytest.raises(ConversionError, match="autocast"), torch.autocast("cpu"):
        to_static(decorated)(torch.ones(2))


def test_questions_are_answered_as_for_a_tensor():
    def asking(x):
        assert not torch.jit.is_scripting() and not torch.jit.is_tracing() and not torch.compiler.is_compiling()
        assert isinstance(x, torch.Tensor) and torch.is_tensor(x) and type(x) is torch.Tensor
        assert isinstance(x.shape, torch.Size) and isinstance(x, int | torch.Tensor) and not isinstance(x, torch.nn.Parameter)
        assert x.is_floating_point() and x.dtype.is_floating_point and not x.is_cuda and x.device == torch.device("cpu")
        assert torch.finfo(x.dtype).max > 1 and hasattr(x, "sum") and not hasattr(x, "foo") and getattr(x, "foo", None) is None
        return x + len(x.shape)

    assert to_static(asking)(torch.ones(2)).tolist() == [2, 2]
