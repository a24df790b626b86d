"""`py.torch_text`: a tensor as PyTorch prints it, `tensor([1., 2.])`. The rules are those of torch's `_tensor_str`.

All elements have one width. Floats without fractions end in a dot; where the largest is far from the smallest, all are written
with an exponent. Of a tensor of more than `threshold` elements, `edgeitems` from each end of each axis are shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...ir.types import STR, Type
from ..registry import define
from ..rules import need_tensor
from .lowered.texts import of_constants
from .text import check_widths

HEAD = "tensor("
UNNAMED = ("int64", "bool")  # dtypes that a text with elements doesn't name, beside the default ones


@dataclass(frozen=True)
class Style:
    """What torch.set_printoptions sets, and the dtype of floats that isn't named."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None
    default: str = "float32"

    def names(self, dtype: str, is_empty: bool) -> bool:
        """Whether the text names this dtype."""
        if is_empty:
            return dtype != self.default
        default_complex = "complex128" if self.default == "float64" else "complex64"
        return dtype not in (*UNNAMED, self.default, default_complex)


class Numbers:
    """How the elements of one tensor are written, in one width."""

    def __init__(self, shown: np.ndarray, style: Style):
        self.precision, self.is_floating = style.precision, shown.dtype.kind not in "iub"
        self.is_whole = self.is_scientific = False
        flat = shown.reshape(-1)
        if self.is_floating:
            flat = flat[np.isfinite(flat) & (flat != 0)]
            self._choose(flat.astype("float64"), style)
        self.width = max([1, *(len(self._written(x)) for x in flat.tolist())])

    def _choose(self, finite: np.ndarray, style: Style) -> None:
        """Exponents, whole numbers, or decimals: by the finite elements that aren't 0."""
        self.is_whole = bool((finite == np.ceil(finite)).all())
        if finite.size:
            least, most = np.abs(finite).min(), np.abs(finite).max()
            self.is_scientific = bool(most / least > 1000.0 or most > 1e8 or (least < 1e-4 and not self.is_whole))
            if style.sci_mode is not None:
                self.is_scientific = style.sci_mode

    def _written(self, x: float) -> str:
        if not self.is_floating:
            return str(x)
        if self.is_scientific:
            return f"{x:.{self.precision}e}"
        if self.is_whole:
            return f"{x:.0f}." if math.isfinite(x) else f"{x:.0f}"
        return f"{x:.{self.precision}f}"

    def __call__(self, x: float) -> str:
        return self._written(x).rjust(self.width)


def text(
    x: np.ndarray, precision: int = 4, threshold: float = 1000, edgeitems: int = 3, linewidth: int = 80,
    sci_mode: bool | None = None, default: str = "float32",
) -> str:  # fmt: skip
    """The text of a tensor, of any shape and dtype, in the style of these fields."""
    check_widths(precision, edgeitems)
    chosen = Style(precision, threshold, edgeitems, linewidth, sci_mode, default)
    notes = []
    if not x.size and x.ndim != 1:
        notes.append(f"size={x.shape}")
    if chosen.names(x.dtype.name, not x.size):
        notes.append(f"dtype=torch.{x.dtype.name}")
    return _noted(HEAD + (_elements(x, chosen) if x.size else "[]"), notes, chosen.linewidth)


def _noted(found: str, notes: list[str], linewidth: int) -> str:
    """The text with its notes, on the last line where they have a place there."""
    length = len(found) - found.rfind("\n") + 1
    for note in notes:
        breaks = length + len(note) + 2 > linewidth
        found += f",\n{' ' * len(HEAD)}{note}" if breaks else f", {note}"
        length = len(HEAD) + len(note) if breaks else length + len(note) + 2
    return f"{found})"


def _elements(x: np.ndarray, style: Style) -> str:
    x = x.astype("float32") if x.dtype.name in ("float16", "bfloat16") else x
    is_cut = x.size > style.threshold
    shown = _edges(x, style.edgeitems) if is_cut else x
    width, write = _writer(shown, style)
    edge = style.edgeitems if is_cut else None
    if not x.ndim:
        return write(x.item())
    return _rows(x, len(HEAD), edge, lambda row, indent: _row(row, indent, edge, width, write, style.linewidth))


def _edges(x: np.ndarray, edge: int) -> np.ndarray:
    """What is shown of a tensor that is cut."""
    for axis, length in enumerate(x.shape):
        if length > 2 * edge:
            x = np.take(x, [*range(edge), *range(length - edge, length)], axis)
    return x


def _writer(shown: np.ndarray, style: Style) -> tuple[int, Callable]:
    """The width of an element, and what writes one."""
    if shown.dtype.kind != "c":
        write = Numbers(shown, style)
        return write.width, write
    real, imag = Numbers(shown.real, style), Numbers(shown.imag, style)

    def both(z: complex) -> str:
        second = f"{imag(z.imag)}j".lstrip()
        return f"{real(z.real)}{'' if second[0] in '+-' else '+'}{second}"

    return real.width + imag.width + 1, both


def _rows(x: np.ndarray, indent: int, edge: int | None, row: Callable) -> str:
    """The text of a tensor of at least one axis: rows in brackets."""
    if x.ndim == 1:
        return row(x, indent)
    parts = _shown(x, edge, lambda part: _rows(part, indent + 1, edge, row), "...")
    between = ",".ljust(x.ndim, "\n") + " " * (indent + 1)
    return f"[{between.join(parts)}]"


def _row(x: np.ndarray, indent: int, edge: int | None, width: int, write: Callable, linewidth: int) -> str:
    """The text of a tensor of one axis, in lines."""
    items = _shown(x, edge, lambda value: write(value.item()), " ..." if edge else "...")
    per_line = max(1, (linewidth - indent) // (width + 2))
    lines = [", ".join(items[k : k + per_line]) for k in range(0, len(items), per_line)]
    return f"[{(',' + chr(10) + ' ' * (indent + 1)).join(lines)}]"


def _shown(x: np.ndarray, edge: int | None, write: Callable, between: str) -> list[str]:
    """The texts of the parts of a tensor, of the first and last `edge` where it is cut."""
    if edge is None or len(x) <= 2 * edge:
        return [write(part) for part in x]
    return [*map(write, x[:edge]), between, *map(write, x[len(x) - edge :])]


def _infer(x: Type, **_: object) -> Type:
    need_tensor("py.torch_text", x)
    return STR


torch_text = define("py.torch_text", kernel=text, infer=_infer, onnx=of_constants(text))
