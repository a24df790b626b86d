# ruff: noqa: F401
"""What generated code meets when it runs, under the one name `_jst`: each transformer's run-time half, file by file.

Every function here is plain Python's own meaning as long as nothing is being staged.
"""

from ...ops.dispatch import RECORDERS
from ..heap.markers import Unbound, no_value
from .builtins.frames import convert_frame_behind as frame_behind
from .builtins.frames import looking
from .builtins.introspection import convert_class as class_of
from .builtins.introspection import convert_globals as globals
from .builtins.introspection import convert_namespace as namespace_of
from .builtins.matching import is_instance, is_mapping, is_sequence, items_beside, items_between, positional
from .builtins.text import convert_format as format
from .builtins.text import convert_percent as percent
from .calls.calls import convert_call as call
from .calls.star_calls import convert_keywords as keywords
from .calls.star_calls import convert_star_call as star_call
from .calls.with_ import convert_with as with_
from .calls.with_ import keep_entered
from .iteration.collecting import convert_dict as dict
from .iteration.collecting import convert_merge as merge
from .iteration.collecting import convert_set as set
from .iteration.collecting import convert_star as star
from .iteration.compare import convert_compare as compare
from .iteration.compare import convert_in as in_
from .iteration.compare import convert_is as is_
from .iteration.compare import convert_is_not as is_not
from .iteration.compare import convert_not_in as not_in
from .iteration.comprehensions import convert_dictcomp as dictcomp
from .iteration.comprehensions import convert_genexp as genexp
from .iteration.comprehensions import convert_listcomp as listcomp
from .iteration.comprehensions import convert_setcomp as setcomp
from .iteration.cursor_positions import items_of, returned_by
from .iteration.entries import convert_iter as iter
from .iteration.loops import convert_while_loop
from .iteration.unpacking import convert_unpack as unpack
from .operations.access import at, inplace, new
from .operations.access import convert_inplace as augmented
from .operations.casts import convert_numpy as numpy
from .operations.casts import number_of, numbers_of
from .operations.declarations import declared, refined
from .operations.ifelse import convert_assert as assert_
from .operations.ifelse import convert_ifelse
from .operations.ifelse import convert_ifexp as ifexp
from .operations.ifelse import convert_raise as raise_
from .operations.logical import convert_logical_and as and_
from .operations.logical import convert_logical_not as not_
from .operations.logical import convert_logical_or as or_
from .operations.names import bound
from .operations.names import convert_locals as locals
from .operations.operators import convert_operator as operator
from .operations.operators import convert_unary as unary
from .operations.structures import convert_eq as eq
from .operations.structures import convert_ne as ne
from .operations.try_ import convert_try as try_
