"""Reading JSON that anybody may have written: every surprise is a ModelFileError that says where and what."""

from __future__ import annotations

import json
import math
from typing import Any

from ..config import file_limits
from ..errors import ModelFileError
from ..pytree import nodes


def parse_json(data: bytes | str, what: str) -> Any:
    """The value of a JSON text without duplicate keys and without nan or infinity, within `config.file_limits`."""
    within("text_bytes", len(data), f"{what}: bytes of text")
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        within("values", sum(map(text.count, ",[{")), f"{what}: values")  # one more than there are, at least
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError:
        raise ModelFileError(f"{what} is nested too deeply") from None
    except ModelFileError:
        raise
    except ValueError as error:  # UnicodeDecodeError and JSONDecodeError among them
        raise ModelFileError(f"{what} is not valid JSON: {cut(str(error), 200)}") from None


def within(limit: str, count: int, what: str) -> None:
    """ModelFileError where a file asks for more than `config.file_limits` grants."""
    granted = getattr(file_limits, limit)
    if count > granted:
        raise ModelFileError(
            f"{what}: {count}, more than the limit of {granted}; if you trust the file, raise dy2st.config.file_limits.{limit}"
        )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for name, value in pairs:
        if name in table:
            raise ValueError(f"the key {brief(name)} stands twice in one object")
        table[name] = value
    return table


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is not a JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is too large for a number")
    return value


def tree_size(tree: Any) -> int:
    """The number of values in a JSON tree."""
    return sum(1 for _ in nodes(tree))


def expect(value: Any, kind: type, where: str) -> Any:
    """`value` where it is exactly of `kind`."""
    if type(value) is not kind:
        raise ModelFileError(f"{where}: expected {_KINDS.get(kind, kind.__name__)}, found {brief(value)}")
    return value


_KINDS = {dict: "an object", list: "a list", str: "a text", int: "an integer", bool: "true or false"}


def expect_keys(value: Any, required: set[str], optional: set[str], where: str) -> dict[str, Any]:
    """An object with all the required keys, and no others than the optional ones."""
    tree = expect(value, dict, where)
    if missing := required - tree.keys():
        raise ModelFileError(f"{where}: lacks {', '.join(sorted(missing))}")
    if unknown := tree.keys() - required - optional:
        raise ModelFileError(f"{where}: has the unknown key {brief(min(unknown))}")
    return tree


def brief(value: Any) -> str:
    """A value in at most 60 characters, without walking all of a large one."""
    if isinstance(value, (dict, list)):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return f"an integer of {value.bit_length()} bits"
    return cut(repr(value[:60]) if isinstance(value, str) else repr(value), 60)


def cut(text: str, length: int) -> str:
    """The text, or its beginning where it is longer."""
    return text if len(text) <= length else text[: length - 3] + "..."
