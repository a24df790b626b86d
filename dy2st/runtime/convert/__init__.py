# ruff: noqa: F401
"""What generated code meets when it runs, under the one name `_jst`: each transformer's run-time half, file by file.

Every function here is plain Python's own meaning as long as nothing is being staged.
"""

from ...ops.dispatch import RECORDERS
from ..heap.markers import Unbound, no_value
from .builtins.frames import convert_frame_behind, looking
from .builtins.introspection import convert_class, convert_globals, convert_namespace
from .builtins.matching import is_instance, is_mapping, is_sequence, items_beside, items_between, positional
from .builtins.text import convert_format, convert_percent
from .calls.calls import convert_call
from .calls.star_calls import convert_keywords, convert_star_call
from .calls.with_ import convert_with, keep_entered
from .iteration.collecting import convert_dict, convert_merge, convert_set, convert_star
from .iteration.compare import convert_compare, convert_in, convert_is, convert_is_not, convert_not_in
from .iteration.comprehensions import convert_dictcomp, convert_genexp, convert_listcomp, convert_setcomp
from .iteration.cursor_positions import items_of, returned_by
from .iteration.entries import convert_iter
from .iteration.loops import convert_while_loop
from .iteration.unpacking import convert_unpack
from .operations.access import at, convert_inplace, inplace, new
from .operations.casts import convert_numpy, number_of, numbers_of
from .operations.declarations import declared, refined
from .operations.ifelse import convert_assert, convert_ifelse, convert_ifexp, convert_raise
from .operations.logical import convert_logical_and, convert_logical_not, convert_logical_or
from .operations.names import bound, convert_locals
from .operations.operators import convert_operator, convert_unary
from .operations.structures import convert_eq, convert_ne
from .operations.try_ import convert_try
