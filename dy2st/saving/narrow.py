"""Parameters kept in two bytes an element: rounded to the nearest when they are saved, cast back when they are loaded.

    float16    11 bits of precision: relative error at most 2**-11 from 6.1e-5 up to 65504, absolute 2**-25 below
    bfloat16    8 bits of precision: relative error at most 2**-8, in the range of float32

bfloat16 is the upper half of a float32, so neither way needs a package that has its arrays.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..errors import ModelFileError
from ..ir.core import Program
from .untrusted import brief

WEIGHTS = "weights"  # in Info.extra: the dtype that parameters and buffers are kept in
CODES = {"float16": "F16", "bfloat16": "BF16"}  # in a safetensors file
WIDE = ("float32", "float64")


def check_weights(weights: str | None) -> None:
    """ValueError for what no parameters are kept in."""
    if weights is not None and weights not in CODES:
        raise ValueError(f"weights is 'float16', 'bfloat16' or None, which keeps them as they are, not {weights!r}")


def narrowed_names(program: Program) -> set[str]:
    """The parameters and buffers that are kept narrow: those wider than that, whose memory no constant shares."""
    exact = {memory_region(p.data) for p in program.parameters.values() if p.kind == "constant"}
    return {
        name
        for name, p in program.parameters.items()
        if p.kind != "constant" and p.data.dtype.name in WIDE and memory_region(p.data) not in exact
    }


def memory_region(array: np.ndarray) -> tuple:
    """What tells the memory of an array from that of others."""
    return (array.__array_interface__["data"][0], array.dtype.str, array.shape, array.strides)


def narrow(name: str, array: np.ndarray, weights: str) -> np.ndarray:
    """The array in this dtype, bfloat16 as its bits; ValueError where a number is too large for it."""
    with np.errstate(over="ignore"):
        given = array.astype("float16" if weights == "float16" else "float32")
    bits = given if weights == "float16" else _upper_halves(given)
    lost = np.isinf(widen(bits, "float32")) & np.isfinite(array)
    if lost.any():
        raise ValueError(
            f"weights={weights!r}: the parameter {name!r} holds {array[lost].flat[0]!r}, which is too large for {weights}; "
            "save it as it is, without `weights`" + (", or in bfloat16" if weights == "float16" else "")
        )
    return bits


def _upper_halves(array: np.ndarray) -> np.ndarray:
    """float32 rounded to bfloat16, half to even, as bits; nan stays nan."""
    bits = array.view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(array), (bits >> 16) | 0x40, rounded).astype(np.uint16)


def widen(array: np.ndarray, dtype: str) -> np.ndarray:
    """What `narrow` gave as numbers of this dtype, each exactly what was kept."""
    if array.dtype == np.uint16:
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(dtype)


def check_kept(kept: Mapping[str, str], codes: Mapping[str, str], weights: object) -> None:
    """ModelFileError unless what the parameter file casts back is kept in the dtype that the info file names."""
    code = next((code for dtype, code in CODES.items() if dtype == weights), None)
    for name, dtype in kept.items():
        if dtype not in WIDE or code is None or codes.get(name) != code:
            stored = codes.get(name, "nothing")
            raise ModelFileError(
                f"parameter {brief(name)} is {brief(stored)} that is to become {brief(dtype)}; the info file says that weights "
                f"are kept in {brief(weights)}"
            )
