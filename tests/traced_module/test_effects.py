"""Writes in place, through views and in sublayers: compile and optimize keep what an output needs."""

import copy

import pytest
from traced_module.models import images, layer, same, tensor

import dy2st
import dy2st.nn.functional as F
from dy2st import nn
from dy2st import traced_module as tm


class Writes(nn.Layer):
    def forward(self, x):
        x[0] = 7
        return x.sum()


class Views(nn.Layer):
    def forward(self, x):
        return x[0]


def nested_views(self, x):
    y = x.clone()
    y[0][1:][:] = 3
    return y


def write_between(self, x):
    y = x.clone()
    z = y * 2
    y[0] = 1
    return z + y * 3


def aliases(self, x):
    y = x * 2
    z = y.reshape([-1])
    z.add_(dy2st.ones([1]))
    y.multiply_(dy2st.full([1], 3.0))
    return z, y


def sublayer_writes(self, x):
    y = x * 1
    self.writes(y)
    return y


def view_from_a_sublayer(self, x):
    y = x * 1
    self.views(y)[:] = 9
    return y


def operand_that_is_returned(self, x):
    y = x * 1
    v = self.same(y)
    v[0] = 9
    return y + v


def writes_the_input(self, x):
    x[0] = 5
    return x * 2


def conv_is_written_through_a_view(self, x):
    y = self.conv(x)
    y[:, 0][:] = 1.0
    return F.relu(y) * 2


@pytest.mark.parametrize("forward", [
    nested_views, write_between, aliases, sublayer_writes, view_from_a_sublayer, operand_that_is_returned, writes_the_input,
    conv_is_written_through_a_view,
])  # fmt: skip
def test_what_is_written_counts(forward):
    net = layer(forward, writes=Writes(), views=Views(), same=nn.Identity(), conv=nn.Conv2D(3, 4, 3))
    example, other = (images(1, 6), images(2, 6)) if "conv" in forward.__name__ else (tensor(2, 3), tensor(4, 3))
    traced = tm.trace_module(net, example)
    compiled, flat = copy.deepcopy(traced), traced.flatten()
    compiled.graph.compile()
    flat.graph.compile()
    optimized = tm.optimize(flat, ["FuseConvBn", "FuseAddMul", "BackwardFoldScale"])
    for module in (traced, compiled, flat, optimized):
        for _ in range(2):
            same(module(other.clone()), net(other.clone()), 1e-5)
