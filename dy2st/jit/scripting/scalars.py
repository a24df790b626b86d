"""The types without parts that hints may name: their Python classes, and what they are called."""

from __future__ import annotations

from typing import Any

from ...ir.types import BOOL, FLOAT, INT, NONE, STR, Type

SCALARS: dict[Any, Type] = {int: INT, float: FLOAT, bool: BOOL, str: STR, None: NONE, type(None): NONE}
PYTHON_CLASSES: dict[Type, type] = {INT: int, FLOAT: float, BOOL: bool, STR: str}
NAMES: dict[Type, str] = {INT: "int", FLOAT: "float", BOOL: "bool", STR: "str", NONE: "None"}
