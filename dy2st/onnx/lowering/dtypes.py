"""Which dtype a node computes in, where onnxruntime's CPU has no kernel for that of its operands.

A wider dtype gives the same elements: integers wrap in both, and what is computed of float16 in float32 and rounded once more is
what float16 gives (one operator at a time), as bfloat16 does anyway. Nothing stands in for float32 and float64.
"""

from __future__ import annotations

from ...graphs.lowering.refusal import InexpressibleError
from .kernels import KERNELS

_WIDER = {
    "bool": ("uint8", "int32", "int64"),
    "uint8": ("int32", "int64"),
    "int8": ("int32", "int64"),
    "int16": ("int32", "int64"),
    "int32": ("int64",),
    "float16": ("float32",),
    "bfloat16": ("float32",),
}


def computed_in(operator: str, parameter: str, dtype: str, declared: frozenset[str]) -> str:
    """The dtype in which a node computes for a type parameter that is to be `dtype`. InexpressibleError: there is none.

    declared: the dtypes that the operator takes in the model's opset.
    """
    kernels = KERNELS.get((operator, parameter), declared) & declared
    if dtype in kernels:
        return dtype
    for wider in _WIDER.get(dtype, ()):
        if wider in kernels:
            return wider
    there_are = ", ".join(sorted(kernels))
    raise InexpressibleError(f"onnxruntime computes {operator} for {there_are}, not for {dtype}; cast to one of them")
