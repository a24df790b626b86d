"""What torch keeps for the whole process, such as the default dtype: it is followed where it is asked, and never set."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch

import dy2st.torch
from dy2st.errors import ConversionError


@pytest.fixture(autouse=True)
def kept():
    threads = torch.get_num_threads()
    yield
    torch.set_default_dtype(torch.float32)
    torch.set_num_threads(threads)


MADE = {
    "zeros": lambda x: torch.zeros(2) + x,
    "a quotient of ints": lambda x: x / 2,
    "a mean": lambda x: (x / 1).mean(),
    "a number": lambda x: torch.tensor(1.5) * x,
    "a list": lambda x: torch.tensor([x[0], 1.5]),
    "drawn": lambda x: torch.rand(2),
    "a root": lambda x: x.sqrt(),
    "linspace": lambda x: torch.linspace(0, 1, 3),
    "full": lambda x: torch.full((2,), 1.5),
    "a legacy tensor": lambda x: torch.Tensor([1, 2]),
    "a scalar beside ints": lambda x: x * 1.5,
    "where": lambda x: torch.where(x > 0, 1.5, 0.0),
    "a scalar": lambda x: torch.as_tensor(2.5),
    "complex": lambda x: torch.complex(torch.tensor(1.0), torch.tensor(2.0)),
    "asked": lambda x: x.double() if torch.get_default_dtype() == torch.float64 else x,
}


@pytest.mark.parametrize("name", MADE)
def test_a_default_dtype_that_changes_between_calls(name):
    function, x = MADE[name], torch.ones(2, dtype=torch.int64)
    net = dy2st.torch.to_static(function)
    for dtype in (torch.float32, torch.float64, torch.float32):
        torch.set_default_dtype(dtype)
        assert net(x).dtype == function(x).dtype
    assert dy2st.get_default_dtype() == "float32"


def test_an_answer_that_changes_between_calls():
    net = dy2st.torch.to_static(lambda x: x + torch.get_num_threads())
    for count in (1, 2, 1):
        torch.set_num_threads(count)
        assert net(torch.zeros(1)).item() == count


ACTING = {
    "set_default_dtype": lambda x: torch.set_default_dtype(torch.float64),
    "set_num_threads": lambda x: torch.set_num_threads(1),
    "get_rng_state": lambda x: torch.get_rng_state(),
    "fork_rng": lambda x: torch.random.fork_rng(),
    "save": lambda x: torch.save(x, "x.pt"),
    "load": lambda x: torch.load("x.pt"),
    "set_printoptions": lambda x: torch.set_printoptions(precision=2),
}


@pytest.mark.parametrize("name", ACTING)
def test_what_acts_on_the_process_is_refused(name):
    with pytest.raises(ConversionError, match=f"{name} would act once.*outside of the function"):
        dy2st.torch.to_static(ACTING[name])(torch.zeros(1))


def test_gradients_that_are_left_turned_off_are_refused():
    def function(x):
        torch.set_grad_enabled(False)
        return x * 2

    with pytest.raises(ConversionError, match="turns gradients off"):
        dy2st.torch.to_static(function)(torch.zeros(1))
    assert torch.is_grad_enabled()


INSTEAD = {
    "cuda": lambda x: x.cuda(),
    "numpy": lambda x: x.numpy(),
    "backward": lambda x: x.backward(),
    "data_ptr": lambda x: x.data_ptr(),
}


@pytest.mark.parametrize("name", INSTEAD)
def test_what_has_no_counterpart_says_what_to_write(name):
    with pytest.raises(ConversionError, match=rf"torch.Tensor.{name} has no counterpart: .*(leave it out|call it|convert)"):
        dy2st.torch.to_static(INSTEAD[name])(torch.zeros(1))
