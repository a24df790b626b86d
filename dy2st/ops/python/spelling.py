"""`py.spell`: built-ins that turn one number or text known only at run time into another: `hex`, `oct`, `bin`, `chr`, `ord`.

`ascii` is here what it makes of a `repr`.
"""

from __future__ import annotations

import builtins
from typing import Any

from ...errors import DTypeError
from ...ir.types import BOOL, INT, NUMBER, STR, Type
from ..registry import define
from .text import escaped

SPELLINGS: dict[str, tuple[tuple[Type, ...], Type]] = {
    **dict.fromkeys(("hex", "oct", "bin", "chr"), ((INT, BOOL, NUMBER), STR)),
    "ord": ((STR,), INT),
    "ascii": ((STR,), STR),
}
"""What each takes, and what it gives."""


def _result(operand: Type, name: str) -> Type:
    taken, result = SPELLINGS[name]
    if operand not in taken:
        raise DTypeError(f"{name} takes {' or '.join(map(str, taken))}, not {operand}")
    return result


def _spell(value: Any, name: str) -> Any:
    return escaped(value) if name == "ascii" else getattr(builtins, name)(value)


spell = define("py.spell", kernel=_spell, infer=_result, raises=("ValueError", "TypeError"))
