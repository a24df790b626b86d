"""Which inputs of an operator are of one dtype. Numbers and arrays among them take that of the tensors that they meet."""

from __future__ import annotations

_OF_PLACES = (
    "Compress CumProd CumSum Expand Gather GatherElements GatherND Pow Reshape ScatterElements ScatterND Split Squeeze Tile TopK "
    "Trilu Unsqueeze"
)
_OWN: dict[str, tuple[int, ...]] = {  # operator -> the inputs that have a dtype of their own: places, lengths, conditions
    **dict.fromkeys(_OF_PLACES.split(), (1,)),
    "DFT": (1, 2),
    "Pad": (1, 3),
    "Slice": (1, 2, 3, 4),
    "Where": (0,),
}


def own_places(operator: str) -> tuple[int, ...]:
    """The places of inputs that aren't of the dtype of the others."""
    return (1,) if operator.startswith("Reduce") else _OWN.get(operator, ())
