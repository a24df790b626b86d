"""NaN and infinity in images and positions, and batches without elements: what torch makes of them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

torch = pytest.importorskip("torch")
import torch.nn.functional as F  # noqa: E402
from torch.nn.utils.rnn import pack_padded_sequence  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

to_static = dy2st.torch.to_static
NAN, INF = float("nan"), float("inf")
_AROUND = ["zeros", "border", "reflection"]


def check(function: Any, *given: Any) -> None:
    """The same from torch, and from Programs of known and of open lengths."""
    wanted = function(*given)
    for static in statics(function, given):
        torch.testing.assert_close(static(*given), wanted, equal_nan=True)


def statics(function: Any, given: tuple) -> list[Any]:
    """Programs of known and of open lengths."""
    return [to_static(function), to_static(function, [InputSpec([None] * x.ndim, str(x.dtype)[6:]) for x in given])]


def image(*shape: int) -> Any:
    """Random numbers, with NaN and infinity among them."""
    made = torch.randn(*shape, generator=torch.Generator().manual_seed(0))
    made.view(-1)[0], made.view(-1)[-1], made.view(-1)[5] = NAN, INF, -INF
    return made


@pytest.mark.parametrize("sizes", [{"kernel_size": 3, "padding": 1, "stride": 2}, {"kernel_size": (2, 3), "dilation": (2, 1)}])
def test_windows_keep_their_elements_apart(sizes: dict) -> None:
    check(lambda x: F.unfold(x, **sizes), image(2, 2, 6, 7))
    check(lambda x: F.fold(F.unfold(x, **sizes), x.shape[2:], **sizes), image(2, 2, 6, 7))


def test_no_window_fits() -> None:
    static = to_static(lambda x: F.unfold(x, 3), [InputSpec([1, 1, None, 4])])
    with pytest.raises(RuntimeError, match="a window of 3 .* doesn't fit"):
        static(torch.ones(1, 1, 2, 4))


@pytest.mark.parametrize("mode, padding", [*product(["bilinear", "nearest", "bicubic"], _AROUND)])
def test_odd_positions(mode: str, padding: str) -> None:
    grid = torch.tensor([[[[NAN, NAN], [NAN, 0.0], [0.0, NAN], [INF, 0.0], [-INF, 0.0], [1e30, 0.0], [1.0, 1.0], [-3.0, 1.0]]]])
    sample = lambda x, grid: F.grid_sample(x, grid, mode=mode, padding_mode=padding, align_corners=False)  # noqa: E731
    check(sample, torch.arange(24.0).reshape(1, 2, 3, 4), grid)
    check(sample, image(1, 2, 3, 4), grid[:, :, -2:])
    check(sample, torch.ones(1, 1, 1, 1), grid)


@pytest.mark.parametrize("mode, padding", [*product(["bilinear", "nearest"], _AROUND)])
def test_odd_positions_in_volumes(mode: str, padding: str) -> None:
    grid = torch.tensor([[[[[NAN, NAN, NAN], [NAN, 0.0, 0.0], [0.0, NAN, 0.0], [INF, 0.0, 0.0], [0.5, 0.1, 0.0]]]]])
    sample = lambda x, grid: F.grid_sample(x, grid, mode=mode, padding_mode=padding, align_corners=False)  # noqa: E731
    check(sample, torch.arange(12.0).reshape(1, 1, 1, 3, 4), grid)


@pytest.mark.parametrize("shape", [(0, 3), (0, 3, 4), (2, 3, 0)])
def test_batch_norm_of_nothing_keeps_its_statistics(shape: tuple) -> None:
    def statistics(x):
        mean, var = torch.zeros(3), torch.ones(3)
        return F.batch_norm(x, mean, var, training=True), mean, var

    check(statistics, torch.zeros(shape))


def raised(function: Any, *given: Any) -> list[str]:
    """What torch raises, and what Programs of known and of open lengths do."""
    found = []
    for called in (function, *statics(function, given)):
        with pytest.raises(RuntimeError) as told:
            called(*given)
        found.append(str(told.value))
    return found


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
def test_quantile_of_nothing(name: str) -> None:
    assert len(set(raised(lambda x: getattr(torch, name)(x, 0.5, dim=1), torch.zeros(0, 3)))) == 1


@pytest.mark.parametrize("lengths, is_sorted", [([1, 3], True), ([3, 0], True), ([0, 1], False), ([-1, 2], False)])
def test_lengths_that_cannot_be_packed(lengths: list, is_sorted: bool) -> None:
    def packed(x, lengths):
        return pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=is_sorted).data

    assert len(set(raised(packed, torch.ones(2, 3, 1), torch.tensor(lengths)))) == 1


def test_index_reduce_of_another_dtype() -> None:
    def reduced(x):
        return torch.zeros(2, 3).index_reduce_(0, torch.arange(2), x, "amax")

    assert all(text.startswith("index_reduce_(): self ") for text in raised(reduced, torch.ones(2, 3, dtype=torch.float64)))


@pytest.mark.parametrize("reduce", ["sum", "prod", "mean", "amin", "amax"])
def test_infinity_scattered(reduce: str) -> None:
    index = torch.tensor([0, 1, 1, 2])

    def scattered(x):
        zeros = torch.zeros(4)
        return [zeros.scatter_reduce(0, index, y, reduce, include_self=here) for y in (x, -x) for here in (False, True)]

    check(scattered, torch.tensor([INF, -INF, -INF, NAN]))
    check(lambda x: torch.zeros(4).index_reduce(0, index, x, "amin", include_self=False), torch.tensor([INF, INF, INF, 1.0]))


def test_distances_and_slopes_of_odd_elements() -> None:
    for p in (0.0, 1.0, 2.0):
        check(lambda x: (torch.cdist(x, x, p), torch.pdist(x, p)), torch.tensor([[NAN, 1.0], [INF, 1.0], [0.0, 1.0], [0.5, 0.5]]))  # noqa: B023
    check(lambda x: torch.gradient(x, spacing=0.5)[0], torch.tensor([1.0, 4.0, -INF, 2.0, NAN, 1.0, 3.0]))


@pytest.mark.parametrize("mode", ["sum", "mean"])
def test_bags_keep_their_rows_apart(mode: str) -> None:
    table = torch.tensor([[1.0, 2.0], [NAN, 0.0], [3.0, 4.0], [INF, 1.0]])
    check(lambda x: F.embedding_bag(x, table, mode=mode), torch.tensor([[0, 2], [1, 0], [3, 2]]))
    bags = lambda x, starts: F.embedding_bag(x, table, starts, mode=mode, padding_idx=1)  # noqa: E731
    check(bags, torch.tensor([0, 2, 1, 3, 2]), torch.tensor([0, 2, 2, 4]))
    bags_to_the_last = lambda x, starts: F.embedding_bag(x, table, starts, mode=mode, include_last_offset=True)  # noqa: E731
    check(bags_to_the_last, torch.tensor([0, 2, 1]), torch.tensor([0, 2, 3]))
