"""Which inputs of an operator are of one dtype. Numbers and arrays among them take that of the tensors that they meet."""

from __future__ import annotations

_OWN: dict[str, tuple[int, ...]] = {  # operator -> the inputs that have a dtype of their own: places, lengths, conditions
    "Compress": (1,), "CumProd": (1,), "CumSum": (1,), "DFT": (1, 2), "Expand": (1,), "Gather": (1,), "GatherElements": (1,), "GatherND": (1,),
    "Pad": (1, 3), "Pow": (1,), "Reshape": (1,), "ScatterElements": (1,), "ScatterND": (1,), "Slice": (1, 2, 3, 4), "Split": (1,),
    "Squeeze": (1,), "Tile": (1,), "TopK": (1,), "Trilu": (1,), "Unsqueeze": (1,), "Where": (0,), "BitShift": (),
}  # fmt: skip


def own_places(operator: str) -> tuple[int, ...]:
    """The places of inputs that aren't of the dtype of the others."""
    return (1,) if operator.startswith("Reduce") else _OWN.get(operator, ())
