"""Sample inputs of every operator: each module here has `SAMPLES`, operator name -> list of samples."""

from __future__ import annotations

import importlib
import pkgutil

from dy2st.ops.registry import OPERATORS

from .sample import Sample


def collect() -> dict[str, list[Sample]]:
    """The samples of all modules; an operator may have some in several."""
    found: dict[str, list[Sample]] = {}
    for module in pkgutil.iter_modules(__path__):
        for name, samples in getattr(importlib.import_module(f"{__name__}.{module.name}"), "SAMPLES", {}).items():
            found.setdefault(name, []).extend(samples)
    for name, definition in OPERATORS.items():
        if definition.view is not None:
            found[definition.view.copy] = found[name]  # the operator that copies what a view shows takes what the view takes
    return found
