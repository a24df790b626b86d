"""`dy2st.jit.dy2static.convert_operators`: what converted code calls for statements and operators. Re-exports only."""

from ...runtime.convert.iteration.loops import convert_while_loop  # noqa: F401
from ...runtime.convert.operations.ifelse import convert_assert, convert_ifelse  # noqa: F401
from ...runtime.convert.operations.logical import convert_logical_and, convert_logical_not, convert_logical_or  # noqa: F401
