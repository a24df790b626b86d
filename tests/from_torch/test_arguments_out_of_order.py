"""Arguments whose elements lie in another order in memory, with gaps, or in a part of another tensor: what a write is seen in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


def numbers(*shape: int) -> Any:
    return torch.arange(float(torch.Size(shape).numel())).reshape(shape)


LAID: dict[str, Callable] = {
    "in order": lambda: numbers(3, 4),
    "a part": lambda: numbers(5, 4)[1:4],
    "permuted": lambda: numbers(4, 3).t(),
    "with gaps": lambda: numbers(3, 8)[:, ::2],
    "rows apart": lambda: numbers(6, 4)[::2],
}


def in_turns(x: Any) -> Any:
    for number in range(2):
        y = x.contiguous()
        y[number] += 1
    return x


WRITES: dict[str, Callable] = {
    "contiguous": lambda x: x.contiguous().add_(1),
    "contiguous of a part": lambda x: x[1:].contiguous().add_(1),
    "contiguous of a transpose": lambda x: x.t().contiguous().add_(1),
    "contiguous twice": lambda x: x.contiguous().contiguous().mul_(2),
    "reshape": lambda x: x.reshape(-1).add_(1),
    "reshape of a transpose": lambda x: x.t().reshape(-1).add_(1),
    "flatten": lambda x: x.flatten().add_(1),
    "ravel": lambda x: x.ravel().add_(1),
    "in turns": in_turns,
    "of what is computed": lambda x: (y := x * 2, y.contiguous().add_(1), y.t().reshape(-1).add_(2)),
    "nothing else is used": lambda x: (x * 2).contiguous().add_(1),
}


def called(function: Callable, x: Any) -> Any:
    return function(x), x


@pytest.mark.parametrize("specs", [None, [InputSpec([None, 4])]], ids=["known", "open"])
@pytest.mark.parametrize("name", WRITES)
def test_a_write_is_seen_as_in_torch_or_refused(name: str, specs: Any) -> None:
    static = dy2st.torch.to_static(WRITES[name], specs)
    for laid, make in LAID.items():
        try:
            found = called(static, make())
        except ConversionError as error:
            decided_by_length = specs is not None and "It gives a view or a copy" in str(error)  # a batch of 1 lies in order
            assert decided_by_length or ("isn't in order" in str(error) and laid not in ("in order", "a part")), laid
        else:
            torch.testing.assert_close(found, called(WRITES[name], make()))


@pytest.mark.parametrize("name", ["reshape", "flatten", "nothing else is used"])
def test_what_numpy_decides_as_torch_does_is_never_refused(name: str) -> None:
    static = dy2st.torch.to_static(WRITES[name])
    for make in LAID.values():
        torch.testing.assert_close(called(static, make()), called(WRITES[name], make()))


def test_contiguous_leaves_no_operator() -> None:
    static = dy2st.torch.to_static(lambda x: (x.contiguous() + 1).contiguous(), [InputSpec([None, 4])])
    assert [op.name for op in static.concrete_program.program.walk() if op.name == "getitem"] == []
