"""What generated code meets when it runs, under the one name `_jst`: each transformer's run-time half, file by file.

Every function here is plain Python's own meaning as long as nothing is being staged.
"""

from ..markers import Unbound, no_value
from .access import at, convert_inplace, inplace, new
from .calls import convert_call
from .casts import convert_numpy
from .collecting import convert_dict, convert_merge, convert_set, convert_star
from .compare import convert_compare, convert_in, convert_is, convert_is_not, convert_not_in
from .comprehensions import convert_dictcomp, convert_genexp, convert_listcomp, convert_setcomp
from .declarations import declared, refined
from .entries import convert_iter
from .ifelse import convert_assert, convert_ifelse, convert_ifexp, convert_raise
from .logical import convert_logical_and, convert_logical_not, convert_logical_or
from .loops import convert_while_loop
from .matching import is_instance, is_mapping, is_sequence, items_beside, items_between, positional
from .names import bound
from .operators import convert_operator, convert_unary
from .places import items_of, returned_by
from .star_calls import convert_keywords, convert_star_call
from .structures import convert_eq, convert_ne
from .text import convert_format, convert_percent
from .try_ import convert_try
from .unpacking import convert_unpack
from .with_ import convert_with

__all__ = [
    "Unbound",
    "at",
    "bound",
    "convert_assert",
    "convert_call",
    "convert_compare",
    "convert_eq",
    "convert_dict",
    "convert_dictcomp",
    "convert_format",
    "convert_genexp",
    "convert_ifelse",
    "convert_ifexp",
    "convert_in",
    "convert_is",
    "convert_is_not",
    "convert_inplace",
    "convert_iter",
    "convert_listcomp",
    "convert_logical_and",
    "convert_logical_not",
    "convert_logical_or",
    "convert_keywords",
    "convert_merge",
    "convert_set",
    "convert_ne",
    "convert_not_in",
    "convert_numpy",
    "convert_operator",
    "convert_percent",
    "convert_raise",
    "convert_setcomp",
    "convert_star",
    "convert_star_call",
    "convert_try",
    "convert_unary",
    "convert_unpack",
    "convert_while_loop",
    "convert_with",
    "declared",
    "inplace",
    "is_instance",
    "is_mapping",
    "is_sequence",
    "items_beside",
    "items_between",
    "items_of",
    "new",
    "no_value",
    "positional",
    "refined",
    "returned_by",
]
