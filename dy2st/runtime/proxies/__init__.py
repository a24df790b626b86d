# ruff: noqa: F401
"""Python values that are known only at run time: staged scalars, lists, tuples, dicts, sets and sums.

A proxy stands for a Value of the Program and records an operation for whatever is done with it. Staged scalars do not
subclass int or float: code that needs the number now (`range` of C, a format string, a NumPy call) must fail, at the user's
line, rather than see a made-up one.
"""

from .base import SpelledLate, Staged, as_index, index_operand, own_index, recorder
from .containers import StagedContainer
from .dicts import StagedDict
from .lists import StagedList, as_flag
from .number_kinds import deciding_number, exact_index, on_kinds
from .scalars import (
    PYTHON_CLASS,
    SCALAR_PROXIES,
    StagedBool,
    StagedFloat,
    StagedInt,
    StagedNumber,
    StagedScalar,
    StagedStr,
    as_own,
    by_position,
)
from .sets import StagedSet
from .sums import StagedSum, SumMethod
from .tuples import StagedTuple
