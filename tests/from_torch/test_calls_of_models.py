"""Calls that whole models make: keywords by path, texts with numbers in them, modules that are moved, logged messages."""

from __future__ import annotations

import logging
import warnings
from functools import lru_cache

import pytest

torch = pytest.importorskip("torch")

import torch.nn.functional as F  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402

logger = logging.getLogger("models")


@lru_cache
def warning_once(self, text):
    self.warning(text)


logging.Logger.warning_once = warning_once


def attention(q, k, m):
    options = {}
    if m.sum() > 0:
        options["enable_gqa"] = True
    else:
        k = k.repeat_interleave(2, 1)
    return F.scaled_dot_product_attention(q, k, k, **options)


def named(x, m):
    made = [f"part {i}" for i in m.long()]
    return x + (1 if made[0] == "part 1" else 2), f"{m[1]:.1f}" == "0.5"


def logged(x):
    if x.sum() > 0:
        logger.warning_once("positive")
        x = x * 2
    return x


class Moved(torch.nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.linear, self.dtype = torch.nn.Linear(3, 2), dtype

    def forward(self, x):
        self.linear = self.linear.to(self.dtype).to("cpu")
        return self.linear(x)


def same(function, *args):
    torch.testing.assert_close(dy2st.torch.to_static(function)(*args), function(*args))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_keyword_that_only_one_path_gives(sign):
    same(attention, torch.randn(2, 4, 3, 5), torch.randn(2, 2, 3, 5), torch.tensor([sign]))


def test_a_number_in_a_text():
    for m in (torch.tensor([1.0, 0.5]), torch.tensor([2.0, 0.25])):
        assert dy2st.torch.to_static(named)(torch.zeros(2), m)[0].tolist() == named(torch.zeros(2), m)[0].tolist()
        assert bool(dy2st.torch.to_static(named)(torch.zeros(2), m)[1]) == named(torch.zeros(2), m)[1]


def test_a_message_on_a_path_is_left_out_with_a_warning():
    with pytest.warns(dy2st.errors.Dy2stWarning, match="this message is given once in a process, on a path"):
        found = dy2st.torch.to_static(logged)(torch.ones(2))
    assert found.tolist() == [2.0, 2.0]


def test_a_module_that_is_moved_to_where_it_is():
    net = Moved(torch.float32)
    same(net, torch.ones(4, 3))
    with pytest.raises(ConversionError, match="would change the module's own tensors"):
        dy2st.torch.to_static(Moved(torch.float64))(torch.ones(4, 3))


def test_products_of_groups_of_rows():
    def grouped(x, w, ends):
        return torch._grouped_mm(x, w.transpose(1, 2), offs=ends)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(grouped, torch.randn(8, 16), torch.randn(3, 4, 16), torch.tensor([2, 2, 8], dtype=torch.int32))
