"""Types as a file states them."""

from __future__ import annotations

from typing import Any

from ..errors import ModelFileError
from ..ir.rules import type_is_well_formed
from ..ir.types import Type, parse_type
from .untrusted import expect


def read_type(text: Any, where: str) -> Type:
    """The type of a text; ModelFileError where there is none, or it breaks a rule: types are compared before rules are asked."""
    try:
        type_ = parse_type(expect(text, str, where))
    except ModelFileError:
        raise
    except ValueError as error:
        raise ModelFileError(f"{where}: {error}") from None
    for problem in type_is_well_formed(type_):
        raise ModelFileError(f"{where}: {problem}")
    return type_
