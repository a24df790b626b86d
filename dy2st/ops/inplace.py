"""Writing in place: how an element-wise operator with `out=` becomes the operator that writes into its first operand."""

from __future__ import annotations

from typing import Any

import numpy as np

from .registry import OpDef, define
from .rules import infer_in_place


def define_in_place(functional: OpDef) -> OpDef:
    """The operator `<name>_`, which leaves in operand 0 what `functional` computes."""
    compute = functional.kernel
    takes_out = functional.out

    def kernel(x: np.ndarray, *others: Any, **attrs: Any) -> tuple:
        if takes_out:
            compute(x, *others, out=x, **attrs)
        else:
            np.copyto(x, compute(x, *others, **attrs))
        return ()

    kernel.__wrapped__ = compute  # type: ignore[attr-defined]  # whose parameters it takes
    name = f"{functional.name}_"
    return define(
        name,
        kernel=kernel,
        infer=infer_in_place(name, functional.infer),
        mutates=(0,),
        functional=functional.name,
        random=functional.random,
        raises=functional.raises,
    )
