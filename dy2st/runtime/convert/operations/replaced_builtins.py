"""Built-in functions that are replaced in `builtins`: those that staging itself calls by name are refused."""

from __future__ import annotations

import builtins
from typing import Any

from ....errors import ConversionError
from ...recorder.recorder import Recorder

FOR_USERS = "__import__ breakpoint exit help input open print quit".split()  # no code of staging calls what stands there
STAGINGS_OWN = {name: held for name, held in vars(builtins).items() if callable(held) and name not in FOR_USERS}


def refuse_replaced(rec: Recorder, table: dict, name: Any, item: Any) -> None:
    """ConversionError where a store replaces a built-in function that staging calls: it would call the user's from then on."""
    if table is vars(builtins) and item is not STAGINGS_OWN.get(name, item):
        raise ConversionError(
            f"{rec.here()}: builtins.{name} = ... replaces what staging itself calls; define a {name} in your module, or replace "
            "it outside of the function"
        )
