"""torch.autograd.Function in converted code: results, and the gradients that its own backward gives."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402


class Through(torch.autograd.Function):
    """Rounded, with the gradient of what isn't."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Scaled(torch.autograd.Function):
    """A tensor, a parameter and a number; a gradient that is three times the derivative."""

    @staticmethod
    def forward(ctx, x, weight, scale):
        ctx.save_for_backward(x, weight)
        ctx.scale = scale
        return x * weight * scale

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return 3 * gradient * weight * ctx.scale, 3 * gradient * x * ctx.scale if ctx.needs_input_grad[1] else None, None


class Parts(torch.autograd.Function):
    """Two results, one without a gradient; the context is set up apart from the forward."""

    @staticmethod
    def forward(x):
        largest = x.max(1)
        return largest.values, largest.indices

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.shape = x.shape
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(output[1])

    @staticmethod
    def backward(ctx, gradient, _):
        (places,) = ctx.saved_tensors
        return torch.zeros(ctx.shape).scatter(1, places[:, None], 2 * gradient[:, None])


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))

    def forward(self, x):
        y = Scaled.apply(x, self.weight, 2.0)
        if y.sum() > 0:
            y = Through.apply(y) + x
        values, places = Parts.apply(y)
        return values * 2, places


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_results_and_gradients_are_those_of_torch(sign):
    net = Net()
    static = dy2st.torch.to_static(net)
    found = []
    for call in (net, static):
        net.weight.grad = None
        x = (sign * torch.tensor([[1.2, 0.3, 2.6], [-0.7, 1.4, 0.8]])).requires_grad_()
        values, places = call(x)
        (values * torch.tensor([1.0, 2.0])).sum().backward()
        found.append([values, places, x.grad, net.weight.grad])
    torch.testing.assert_close(found[1], found[0])
    assert not found[1][1].requires_grad


def test_tensors_in_a_list_are_refused():
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, pair):
            return pair[0] + pair[1]

    with pytest.raises(dy2st.errors.ConversionError, match="give each by itself"):
        dy2st.torch.to_static(lambda x: Both.apply([x, x]))(torch.ones(2))
