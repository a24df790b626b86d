"""Texts of tensors and sizes: `print`, f-strings, `str` and messages of errors, as torch writes them."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

import dy2st
import dy2st.torch
from dy2st.errors import Dy2stWarning
from dy2st.ops.python.torch_text import text
from dy2st.static import InputSpec
from dy2st.torch.values import array_of

DTYPES = "float32 float32 float64 float16 bfloat16 int64 int32 uint8 bool complex64 complex128".split()


def random_tensor(r: random.Random) -> torch.Tensor:
    """Numbers of one magnitude, whole ones, zeros, nan and infinities."""
    shape = [r.choice([0, 1, 2, 3, 7, 12, 40]) for _ in range(r.randint(0, 3))]
    x = torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(r.randrange(99)))
    x = x * 10.0 ** r.choice([-6, -3, 0, 0, 2, 4, 9])
    x = r.choice([x, x, x.round(), x * (x > 0)])
    if r.random() < 0.2 and x.numel():
        x.view(-1)[r.randrange(x.numel())] = r.choice([float("nan"), float("inf"), -float("inf"), -0.0])
    dtype = r.choice(DTYPES)
    return (torch.complex(x, x.flip(-1) * r.choice([1, 100])) if "complex" in dtype and x.ndim else x).to(getattr(torch, dtype))


@pytest.fixture
def printing():
    yield torch.set_printoptions
    torch.set_printoptions(profile="default")


def test_random_tensors(printing):
    for seed in range(400):
        r = random.Random(seed)
        style = {
            "precision": r.choice([4, 2, 7]), "threshold": r.choice([1000, 5, 20]), "edgeitems": r.choice([3, 1, 2]),
            "linewidth": r.choice([80, 30, 120]), "sci_mode": r.choice([None, True, False]),
        }  # fmt: skip
        x = random_tensor(r)
        printing(**style)
        assert text(array_of(x), **style) == str(x), seed


class Told(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("known", torch.tensor([1.0, 0.5]))

    def forward(self, x):
        print(x, self.known, x.shape)
        rows = []
        while x.sum() > 1:
            rows.append(x)
            x = x / 2
        one = f"{x} {x.sum()} {x.sum():.3f} {x!r} {self.known} {self.known.sum()} {x.shape} {x.size(0)}"
        return one, str([x, (x,)]), str(rows), "%s %.2f" % (x, x.sum()), f"{x.dtype} {x.device} {list(x.shape)}", repr({"x": x})


@pytest.mark.parametrize("spec", [None, [InputSpec([None], "float32", "x")]])
def test_text_in_a_module(spec, capsys):
    module, x = Told(), torch.tensor([3.0, 2.0])
    net = dy2st.torch.to_static(module, spec)
    expected, printed = module(x), capsys.readouterr().out
    assert net(x) == expected
    assert capsys.readouterr().out == printed


def test_the_message_of_an_error():
    def function(x):
        if x.sum() > 1:
            raise ValueError(f"{x} of {x.shape}")
        return x

    with pytest.raises(ValueError, match=r"^tensor\(\[2., 3.\]\) of torch.Size\(\[2\]\)$"):
        dy2st.torch.to_static(function)(torch.tensor([2.0, 3.0]))


def test_a_format_that_a_tensor_takes_not():
    with pytest.raises(TypeError, match="unsupported format string passed to Tensor.__format__"):
        dy2st.torch.to_static(lambda x: f"{x:.2f}")(torch.ones(2))


def test_print_options_that_change_between_calls(printing):
    net, x = dy2st.torch.to_static(lambda x: str(x)), torch.tensor([1 / 3])
    assert net(x) == str(x)
    printing(precision=2)
    assert net(x) == str(x)


def test_a_text_without_its_grad_fn_is_told():
    module = torch.nn.Linear(2, 2)
    net = dy2st.torch.to_static(lambda x: (str(module(x)), str(module(x).detach())))
    with pytest.warns(Dy2stWarning, match="grad_fn.*x.detach"):
        found, detached = net(torch.ones(2))
    assert found == detached == str(module(torch.ones(2)).detach())
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("error")
        assert net(torch.ones(2))[0] == detached


def test_a_text_where_torch_is_absent(tmp_path):
    net = dy2st.torch.to_static(lambda x: f"{x * 2}", [InputSpec([None], "float32", "x")])
    dy2st.jit.save(net, tmp_path / "text")
    x = np.array([1.0, 1e-6], "float32")
    assert dy2st.jit.load(tmp_path / "text")(dy2st.to_tensor(x)) == str(torch.tensor(x) * 2)
