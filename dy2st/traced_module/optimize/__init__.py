"""Built-in optimisations of traced modules: small pieces of surgery that leave the results as they are."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

from ..module import TracedModule
from .fold_scale import backward_fold_scale
from .fuse_add_mul import fuse_add_mul
from .fuse_conv_bn import fuse_conv_bn

PASSES: dict[str, Callable[[TracedModule], None]] = {
    "FuseConvBn": fuse_conv_bn,
    "FuseAddMul": fuse_add_mul,
    "BackwardFoldScale": backward_fold_scale,
}
_NEEDS = {"BackwardFoldScale": ("FuseConvBn",)}


def optimize(module: TracedModule, enabled_pass: str | Sequence[str] = ("FuseConvBn",)) -> TracedModule:
    """A copy of `module`, which shares no tensor with it, after the passes of these names, in the order of the table.

    enabled_pass: one name, or several. FuseConvBn folds batch norms into the convolutions before them, FuseAddMul merges
    additions or multiplications of constants in a row, BackwardFoldScale folds multiplications behind a convolution into it (and
    runs FuseConvBn first). TypeError: no TracedModule. ValueError: there is no such pass.
    """
    if not isinstance(module, TracedModule):
        raise TypeError(f"optimize takes a TracedModule, not {type(module).__name__}: trace it first")
    names = [enabled_pass] if isinstance(enabled_pass, str) else list(enabled_pass)
    wanted = {needed for name in names for needed in (*_NEEDS.get(_known(name), ()), _known(name))}
    made = copy.deepcopy(module)
    for name, run in PASSES.items():
        if name in wanted:
            run(made)
    return made


def _known(name: str) -> str:
    found = next((known for known in PASSES if known.lower() == str(name).lower()), None)
    if found is None:
        raise ValueError(f"there is no pass {name!r}; there are {', '.join(PASSES)}")
    return found
