"""Operators on Python values: staged scalars, lists, tuples, dicts, sets, objects, text; in Python's own meaning.

Operands and results are in native form (`dy2st.ir.native`). Importing this package registers all of them.
"""

from __future__ import annotations

from . import (
    adjoints,
    containers,
    convert,
    copies,
    dicts,
    lists,
    math,
    objects,
    output,
    ranges,
    references,
    scalars,
    sequences,
    sets,
    spelling,
    strings,
    tensors,
    tuples,
    words,
)

__all__ = [
    "adjoints",
    "containers",
    "convert",
    "copies",
    "dicts",
    "lists",
    "math",
    "objects",
    "output",
    "ranges",
    "references",
    "scalars",
    "sequences",
    "sets",
    "spelling",
    "strings",
    "tensors",
    "tuples",
    "words",
]
