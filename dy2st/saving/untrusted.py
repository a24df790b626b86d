"""Reading JSON that anybody may have written: every surprise is a ModelFileError that says where and what."""

from __future__ import annotations

import json
import math
from typing import Any

from ..errors import ModelFileError

MAX_TEXT = 1 << 28  # bytes of one JSON file


def parse_json(data: bytes | str, what: str) -> Any:
    """The value of a JSON text without duplicate keys and without nan or infinity."""
    if len(data) > MAX_TEXT:
        raise ModelFileError(f"{what} is {len(data)} bytes long; the limit is {MAX_TEXT}")
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError:
        raise ModelFileError(f"{what} is nested too deeply") from None
    except ValueError as error:  # UnicodeDecodeError and JSONDecodeError among them
        raise ModelFileError(f"{what} is not valid JSON: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(n for n in names if names.count(n) > 1)!r} stands twice in one object")
    return found


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is not a JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is too large for a number")
    return value


def expect(value: Any, kind: type, where: str) -> Any:
    """`value` where it is exactly of `kind`."""
    if type(value) is not kind:
        raise ModelFileError(f"{where}: expected {_KINDS.get(kind, kind.__name__)}, found {brief(value)}")
    return value


_KINDS = {dict: "an object", list: "a list", str: "a text", int: "an integer", bool: "true or false"}


def expect_keys(value: Any, required: set[str], optional: set[str], where: str) -> dict[str, Any]:
    """An object with all the required keys, and no others than the optional ones."""
    found = expect(value, dict, where)
    if missing := required - found.keys():
        raise ModelFileError(f"{where}: lacks {', '.join(sorted(missing))}")
    if unknown := found.keys() - required - optional:
        raise ModelFileError(f"{where}: has the unknown key {', '.join(sorted(map(brief, unknown)))}")
    return found


def brief(value: Any) -> str:
    """A value in at most 60 characters, without walking all of a large one."""
    if isinstance(value, (dict, list)):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return f"an integer of {value.bit_length()} bits"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
