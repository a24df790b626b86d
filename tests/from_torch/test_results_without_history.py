"""Whether a result requires a gradient: what was detached doesn't, wherever it has been kept in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


class Keeping(nn.Module):
    """keep: puts a tensor somewhere in the module, and gives what is there."""

    def __init__(self, keep: Callable):
        super().__init__()
        self.linear, self.keep = nn.Linear(4, 2), keep
        self.last, self.by_name, self.seen = torch.zeros(2), {}, []

    def forward(self, x):
        y = self.linear(x)
        return y, self.keep(self, y.detach()), self.keep(self, y)


def in_attribute(module: Any, y: Any) -> Any:
    module.last = y
    return module.last * 2


def in_dict(module: Any, y: Any) -> Any:
    module.by_name["y"] = y
    return module.by_name["y"].mean()


def in_list(module: Any, y: Any) -> Any:
    module.seen.append(y.mean())
    return module.seen[-1]


def in_short_list(module: Any, y: Any) -> Any:
    if len(module.seen) > 1:
        module.seen.pop(0)
    module.seen.append(y.mean())
    return torch.stack(module.seen)


def in_no_place(module: Any, y: Any) -> Any:
    return y.mean()


def followed(module: Any, called: Any) -> tuple[list, list]:
    """Which results require a gradient, and the gradient of a parameter by those."""
    results = called(torch.arange(8.0).reshape(2, 4))
    sum(x.sum() for x in results if x.requires_grad).backward()
    return [x.requires_grad for x in results], module.linear.weight.grad.tolist()


@pytest.mark.parametrize("specs", [None, [InputSpec([None, 4])]], ids=["known", "open"])
@pytest.mark.parametrize("keep", [in_attribute, in_dict, in_list, in_short_list, in_no_place])
def test_results_require_a_gradient_as_in_torch(keep: Callable, specs: Any) -> None:
    torch.manual_seed(0)
    plain = Keeping(keep)
    module = Keeping(keep)
    module.load_state_dict(plain.state_dict())
    assert followed(module, dy2st.torch.to_static(module, specs)) == followed(plain, plain)


class Detaching(Keeping):
    def forward(self, x):
        y = self.linear(x)
        return y, self.keep(self, y.detach())


@pytest.mark.parametrize("keep", [in_attribute, in_dict, in_list, in_short_list, in_no_place])
def test_what_keeps_only_detached_tensors_gives_plain_ones(keep: Callable) -> None:
    module = Detaching(keep)
    static = dy2st.torch.to_static(module)
    for _ in range(3):
        assert [x.requires_grad for x in static(torch.ones(2, 4))] == [True, False]
