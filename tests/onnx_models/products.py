"""Products of transposed matrices and vectors in ONNX Runtime, with the optimisations that it has by itself, against NumPy.

    python tests/onnx_models/products.py            # counts of the whole grid
    python tests/onnx_models/products.py --write    # the same, into docs/grids.md

A cell is how many axes each factor has, which of them a transpose has exchanged, what lies between the transpose and the
product, how the product is spelled, the dtype, and fixed or dynamic dimensions.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

if __name__ == "__main__":
    sys.path[:0] = map(str, (Path(__file__).parents[1], Path(__file__).parents[2]))

import numpy as np
from support.sections import write_section

import dy2st as paddle
from dy2st.static import InputSpec

COMMAND = "python tests/onnx_models/products.py --write"
ORDERS: dict[int, dict[str, tuple[int, ...]]] = {  # by the number of axes: how a transpose exchanges them
    1: {"": (0,)},
    2: {"": (0, 1), "T": (1, 0)},
    3: {"": (0, 1, 2), "T": (0, 2, 1), "first": (1, 0, 2), "reversed": (2, 1, 0)},
    4: {"": (0, 1, 2, 3), "T": (0, 1, 3, 2), "rotated": (1, 2, 3, 0)},
}
BETWEEN = {
    "": lambda x: x,
    "scaled": lambda x: x * 2,
    "shifted": lambda x: x + 1,
    "relu": paddle.nn.functional.relu,
    "cast": lambda x: x.astype("float64" if "32" in str(x.dtype) else "float32"),
}
DTYPES = ("float32", "float64", "int64", "float16")
SPELLINGS = ("@", "flags", "einsum")


class Cell(NamedTuple):
    """Ranks and orders of the factors, what lies between, the spelling, the dtype, whether dimensions are dynamic."""

    ranks: tuple[int, int]
    orders: tuple[str, str]
    between: str
    spelling: str
    dtype: str
    is_dynamic: bool

    def __str__(self) -> str:
        factors = "@".join(f"{rank}{order and '.'}{order}" for rank, order in zip(self.ranks, self.orders))
        parts = (factors, self.between, self.spelling, self.dtype, "dynamic" if self.is_dynamic else "")
        return "-".join(part for part in parts if part)


def cells() -> list[Cell]:
    """The whole grid."""
    factors = [
        (ranks, orders) for ranks in product(ORDERS, ORDERS) for orders in product(ORDERS[ranks[0]], ORDERS[ranks[1]])
        if max(ranks) > 1
    ]  # fmt: skip
    every = (Cell(*factor, *more) for factor in factors for more in product(BETWEEN, SPELLINGS, DTYPES, (False, True)))
    return [
        cell for cell in every
        if (cell.dtype == "float32" or cell.between == "" or cell.between == "cast" and cell.dtype != "int64")
        and (cell.spelling != "einsum" or max(cell.ranks) <= 3 and cell.dtype != "float16")
        and (cell.spelling != "flags" or cell.orders != ("", ""))
    ]  # fmt: skip


def arrays(cell: Cell) -> list[np.ndarray]:
    """Factors that fit after they are transposed: 4 rows, 3 in between, 5 columns."""
    draw, found = np.random.default_rng(crc32(str(cell).encode())), []
    for rank, order, ends in zip(cell.ranks, cell.orders, ((4, 3), (3, 5))):
        last = ends if rank > 1 else (3,)
        turned = [2] * (rank - len(last)) + [*last]
        shape = [0] * rank
        for place, axis in enumerate(ORDERS[rank][order]):
            shape[axis] = turned[place]
        found.append(draw.integers(-9, 9, shape).astype(cell.dtype))
    return found


def computed(cell: Cell, x: Any, y: Any) -> Any:
    """The product, in Paddle's names."""
    x, y, flags = _transposed(cell, 0, x), _transposed(cell, 1, y), [False, False]
    if cell.spelling == "flags":
        flags = [cell.ranks[k] > 1 for k in (0, 1)]
        x, y = (paddle.transpose(z, _swapped(cell.ranks[k])) if flags[k] else z for k, z in enumerate((x, y)))
    x, y = BETWEEN[cell.between](x), BETWEEN[cell.between](y)
    if cell.spelling == "einsum":
        return paddle.einsum(_equation(cell.ranks), x, y)
    return paddle.matmul(x, y, *flags) if any(flags) else x @ y


def _transposed(cell: Cell, which: int, x: Any) -> Any:
    order = ORDERS[cell.ranks[which]][cell.orders[which]]
    return x if order == tuple(range(len(order))) else paddle.transpose(x, [*order])


def _swapped(rank: int) -> list[int]:
    return [*range(rank - 2), rank - 1, rank - 2]


def _equation(ranks: tuple[int, int]) -> str:
    left, right = ("ab"[2 - max(n - 2, 0):] for n in ranks)
    first, second = left + ("ik" if ranks[0] > 1 else "k"), right + ("kj" if ranks[1] > 1 else "k")
    return f"{first},{second}->{max(left, right, key=len)}{first[-2:-1]}{second[-1:] if ranks[1] > 1 else ''}"


def differs(cell: Cell) -> str:
    """How ONNX Runtime's product differs from NumPy's; "" where it doesn't."""
    given = arrays(cell)
    shapes = [[None] * x.ndim if cell.is_dynamic else [*x.shape] for x in given]
    specs = [InputSpec(shape, cell.dtype) for shape in shapes]
    static = paddle.jit.to_static(lambda x, y: computed(cell, x, y), input_spec=specs, backend="onnxruntime")
    found = static(*map(paddle.to_tensor, given)).numpy()
    x, y = (np.transpose(z, ORDERS[rank][order]) for z, rank, order in zip(given, cell.ranks, cell.orders))
    change = {"scaled": lambda z: z * 2, "shifted": lambda z: z + 1, "relu": lambda z: np.maximum(z, 0)}
    wanted = np.matmul(*(change.get(cell.between, lambda z: z)(z).astype("float64") for z in (x, y)))
    if found.shape != wanted.shape:
        return f"{list(found.shape)}, expected {list(wanted.shape)}"
    return "" if np.array_equal(found, wanted) else f"{found.tolist()}, expected {wanted.tolist()}"


def main() -> None:
    """Print the counts, or write them into the docs."""
    counts: Counter[str] = Counter()
    grid = cells()
    for cell in grid:
        reason = differs(cell)
        counts["wrong" if reason else "equal"] += 1
        if reason:
            print(f"{cell}: {reason}")
    text = f"{len(grid):,} cells: {counts['equal']:,} equal, 0 refused, {counts['wrong']} wrong."
    print(text)
    if "--write" in sys.argv:
        write_section("grids.md", COMMAND, text)


if __name__ == "__main__":
    main()
