"""`x.requires_grad` of arguments and parameters is known; in between it may follow the path, and is refused there."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402


class Net(torch.nn.Module):
    def __init__(self, asks):
        super().__init__()
        torch.manual_seed(0)
        self.asks, self.linear = asks, torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.asks(self, x)


def of_an_argument(net, x):
    return x * 2 if x.requires_grad else x * 3


def of_a_parameter(net, x):
    return net.linear(x) if net.linear.weight.requires_grad else x


def of_a_result(net, x):
    h = net.linear(x)
    return h * 2 if h.requires_grad else h


def of_what_a_branch_leads_to(net, x):
    """A parameter is added on every path."""
    h = x
    if x.sum() > 0:
        h = x * 2
    h = h + net.linear.bias
    return h * 2 if h.requires_grad else h


@pytest.mark.parametrize("asks", [of_an_argument, of_a_parameter, of_a_result, of_what_a_branch_leads_to])
@pytest.mark.parametrize("requires", [False, True])
def test_it_is_known(asks, requires):
    net, x = Net(asks), torch.ones(3, 2, requires_grad=requires)
    found, expected = dy2st.torch.to_static(net)(x), net(x)
    torch.testing.assert_close(found, expected)
    assert found.requires_grad == expected.requires_grad


def of_a_branch(net, x):
    h = x
    if x.sum() > 0:
        h = net.linear(x)
    return h * 2 if h.requires_grad else h


def of_a_loop(net, x):
    h = x
    for row in x:
        if row.sum() > 0:
            h = h + net.linear(row)
    return h * 2 if h.requires_grad else h


def of_an_item(net, x):
    items = [x, net.linear(x)]
    h = items[x.argmax()]
    return h * 2 if h.requires_grad else h


@pytest.mark.parametrize("asks", [of_a_branch, of_a_loop, of_an_item])
def test_it_may_follow_the_path(asks):
    with pytest.raises(ConversionError, match="requires_grad of a tensor isn.t known while staging where a branch"):
        dy2st.torch.to_static(Net(asks))(torch.ones(3, 2))


def test_layers_of_torch_ask_in_loops():
    """To take a faster way, which a Program doesn't have."""

    class Stacked(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)

        def forward(self, x):
            turns = 0
            while x.sum() < 5 and turns < 3:
                x, turns = self.layer(x), turns + 1
            return x

    net, x = Stacked().eval(), torch.randn(1, 3, 4)
    torch.testing.assert_close(dy2st.torch.to_static(net)(x), net(x))
