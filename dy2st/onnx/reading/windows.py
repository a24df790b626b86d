"""The windows of convolutions and poolings: their borders, and how many there are along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import ConversionError
from ...ops.padding import pad
from ...runtime.tensors.tensor import Tensor


@dataclass(frozen=True)
class Windows:
    """Along each spatial axis of [N, C, *lengths]: the kernel, strides, dilations, and the border (before, after)."""

    lengths: list[Any]
    kernel: list[int]
    strides: list[int]
    dilations: list[int]
    borders: list[tuple[Any, Any]]
    ceil_mode: bool = False

    @property
    def reaches(self) -> list[int]:
        """How many elements a window spans."""
        return [d * (k - 1) + 1 for k, d in zip(self.kernel, self.dilations)]

    def counts(self) -> list[Any]:
        """How many windows there are. With `ceil_mode` a last one may hang over the end, if it starts before that."""
        return [self._count(at) for at in range(len(self.kernel))]

    def _count(self, at: int) -> Any:
        before, after = self.borders[at]
        room, stride = self.lengths[at] + before + after - self.reaches[at], self.strides[at]
        if not self.ceil_mode:
            return room // stride + 1
        count = -(-room // stride) + 1
        return count - ((count - 1) * stride >= self.lengths[at] + before) * 1

    def overhang(self) -> list[Any]:
        """How far the last windows reach beyond the borders."""
        found: list[Any] = []
        for at, count in enumerate(self.counts()):
            before, after = self.borders[at]
            over = (count - 1) * self.strides[at] + self.reaches[at] - (self.lengths[at] + before + after)
            found.append(over * ((over > 0) * 1) if self.ceil_mode else 0)
        return found

    @property
    def has_known_borders(self) -> bool:
        return all(isinstance(n, int) for border in self.borders for n in border)

    def bordered(self, x: Tensor, value: Any) -> Tensor:
        """x with its borders, and as much more as the last windows need."""
        pairs = [[before, after + over] for (before, after), over in zip(self.borders, self.overhang())]
        if all(isinstance(n, int) and n == 0 for pair in pairs for n in pair):
            return x
        return pad(x, pads=[[0, 0], [0, 0], *pairs], mode="constant", value=value)


def windows_of(
    x: Tensor, kernel: Sequence[Any], strides: list[int] | None, dilations: list[int] | None, pads: list[int] | None,
    auto_pad: str, ceil_mode: int = 0,
) -> Windows:  # fmt: skip
    """The windows that a node's attributes tell of. ConversionError: the shape of the kernel isn't known."""
    rank, lengths = len(kernel), x.shape[2:]
    if not all(isinstance(k, int) for k in kernel):
        raise ConversionError("the shape of the kernel has to be known while the model is loaded")
    if min(*kernel, *(strides or []), *(dilations or []), 1) < 1:
        raise ConversionError(f"a kernel {list(kernel)} with strides {strides} and dilations {dilations} has no windows")
    if any(given is not None and len(given) != rank * k for given, k in ((strides, 1), (dilations, 1), (pads, 2))):
        told = f"strides {strides}, dilations {dilations} and pads {pads}"
        raise ConversionError(f"{told} don't go together with a kernel {list(kernel)}")
    strides, dilations = strides or [1] * rank, dilations or [1] * rank
    if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        borders = [
            _same(n, k, s, d, auto_pad == "SAME_UPPER") for n, k, s, d in zip(lengths, kernel, strides, dilations)
        ]
    elif auto_pad == "VALID" or not pads:
        borders = [(0, 0)] * rank
    else:
        borders = list(zip(pads[:rank], pads[rank:]))
    return Windows(lengths, list(kernel), strides, dilations, borders, bool(ceil_mode))


def _same(length: Any, kernel: int, stride: int, dilation: int, upper: bool) -> tuple[Any, Any]:
    """The border with which there are as many windows as strides fit into the length; the odd element before or after."""
    needed = (-(-length // stride) - 1) * stride + dilation * (kernel - 1) + 1 - length
    needed = needed * ((needed > 0) * 1)
    half = needed // 2
    return (half, needed - half) if upper else (needed - half, half)
