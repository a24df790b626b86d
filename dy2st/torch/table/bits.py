"""Functions of the bits of integers, and logic of bools."""

from __future__ import annotations

from typing import Any

import dy2st as api

from .pointwise import binary, kind, unary
from .rows import refused, row


def _of_bits(name: str, function: Any) -> Any:
    """The function, refused for what has no bits."""

    def compute(*operands: Any) -> Any:
        if kind(operands[0]) not in ("bool", "int"):
            raise refused(f"{name} takes integers or bools, not {operands[0].type.dtype}")
        return function(*operands)

    return compute


binary("bitwise_and", _of_bits("bitwise_and", lambda a, b: a & b), special="and")
binary("bitwise_or", _of_bits("bitwise_or", lambda a, b: a | b), special="or")
binary("bitwise_xor", _of_bits("bitwise_xor", lambda a, b: a ^ b), special="xor")
unary("bitwise_not", _of_bits("bitwise_not", lambda x: ~x))
row("Tensor.__invert__")(_of_bits("~", lambda input: ~input))


def _width(x: Any) -> int:
    return int(api.iinfo(x.type.dtype).bits)


def _left(a: Any, b: Any) -> Any:
    """Nothing is left by a shift over the whole width, or by a negative number of places."""
    if kind(a) == "bool":
        raise refused("bools can't be shifted; cast them to an integer dtype first")
    is_within = (b >= 0) & (b < _width(a))
    return api.where(is_within, api.bitwise_left_shift(a, api.where(is_within, b, api.zeros_like(b))), api.zeros_like(a))


def _right(a: Any, b: Any) -> Any:
    """Copies of the sign come in; only they are left by a shift over the whole width."""
    if kind(a) == "bool":
        raise refused("bools can't be shifted; cast them to an integer dtype first")
    most = api.full_like(b, _width(a) - 1)
    found = api.bitwise_right_shift(a, api.where((b < 0) | (b > most), most, b))
    return api.where(b > most, api.zeros_like(a), found) if a.type.dtype == "uint8" else found


binary("bitwise_left_shift", _of_bits("bitwise_left_shift", _left), special="lshift")
binary("bitwise_right_shift", _of_bits("bitwise_right_shift", _right), special="rshift")
