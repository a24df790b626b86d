"""Functions that PyTorch's database of operators doesn't have under each of their names, and arguments that it leaves out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

to_static = dy2st.torch.to_static


FUNCTIONS: dict[str, Callable] = {
    "vander": lambda x: (torch.vander(x[0]), torch.vander(x[0], 3), torch.vander(x[0], N=2, increasing=True)),
    "linalg.vander": lambda x: (torch.linalg.vander(x), torch.linalg.vander(x, N=2)),
    "frequencies": lambda x: (torch.fft.fftfreq(5, 0.5), torch.fft.rfftfreq(6) * x.sum()),
    "triangles": lambda x: (torch.tril_indices(3, 3), torch.triu_indices(2, 4, 1)),
    "topk of none": lambda x: (*x.topk(0), *x.topk(0, dim=0)),
    "unique_consecutive": lambda x: torch.unique_consecutive(x[:, 0], return_inverse=True, return_counts=True),
    "chunk": lambda x: (x.chunk(2), x.chunk(3, 1)),
    "a write into a chunk": lambda x: (x.chunk(2)[1].mul_(2), x),
    "in a tuple": lambda x: ((x > 0).any() in (True,), x.sum() in [], x.sum() in (1, 2), x.sum() in [x.sum()]),
    "lengths": lambda x: (x.size()[1:] + (2,), x.shape + x.shape, x.new_zeros(x.shape[:1] + (2,))),
}


@pytest.mark.parametrize("specs", [None, [InputSpec([None, 4])]], ids=["known", "open"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str, specs: Any) -> None:
    for count in (3, 2, 4):
        x = torch.arange(4.0 * count).reshape(count, 4) - 3
        wanted, given = FUNCTIONS[name](x.clone()), x.clone()
        found = to_static(FUNCTIONS[name], specs)(given)
        torch.testing.assert_close(found, wanted)
        assert [type(each) for each in found] == [type(each) for each in wanted]


@pytest.mark.parametrize("name", ["topk of none", "unique_consecutive", "chunk"])
def test_functions_of_nothing(name: str) -> None:
    x = torch.zeros(0, 4)
    for specs in (None, [InputSpec([None, 4])]):
        torch.testing.assert_close(to_static(FUNCTIONS[name], specs)(x), FUNCTIONS[name](x))


def test_fewer_chunks_than_asked_for_are_refused() -> None:
    static = to_static(lambda x: x.chunk(3), [InputSpec([None])])
    assert len(static(torch.ones(5))) == 3
    with pytest.raises(RuntimeError, match="chunk gives fewer parts than 3"):
        static(torch.ones(4))


@pytest.mark.parametrize("function", [torch.linspace, torch.logspace])
def test_ends_get_no_gradient(function: Callable) -> None:
    for called in (call := lambda x: function(x[0], x[1], 3), to_static(call)):
        assert not called(torch.ones(2, requires_grad=True)).requires_grad


@pytest.mark.parametrize("function", [torch.hann_window, lambda n: torch.tril_indices(n, n)])
def test_lengths_that_staging_has_to_know(function: Callable) -> None:
    with pytest.raises(ConversionError, match="is known only when the Program runs"):
        to_static(lambda x: function(x.shape[0]), [InputSpec([None])])(torch.ones(3))
