"""`py.spell`: built-ins that turn one number or text known only at run time into another: `hex`, `oct`, `bin`, `chr`, `ord`.

`ascii` is here what it makes of a `repr`.
"""

from __future__ import annotations

from ...errors import DTypeError
from ...ir.types import BOOL, INT, NUMBER, STR, Type
from ...tables import Table
from ..registry import define
from .lowered.texts import of_constants
from .text import escaped

_TYPES = Table("spelling", {
    **dict.fromkeys(("hex", "oct", "bin", "chr"), ((INT, BOOL, NUMBER), STR)),
    "ord": ((STR,), INT),
    "ascii": ((STR,), STR),
})  # fmt: skip
"""What each takes, and what it gives."""

_SPELLINGS = Table("spelling", {"hex": hex, "oct": oct, "bin": bin, "chr": chr, "ord": ord, "ascii": escaped})


def _result(operand: Type, name: str) -> Type:
    taken, result = _TYPES[name]
    if operand not in taken:
        raise DTypeError(f"{name} takes {' or '.join(map(str, taken))}, not {operand}")
    return result


def _spell(value: object, name: str) -> object:
    return _SPELLINGS[name](value)


spell = define("py.spell", kernel=_spell, infer=_result, raises=("ValueError", "TypeError"), onnx=of_constants(_spell))
