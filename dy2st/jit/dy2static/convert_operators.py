"""`dy2st.jit.dy2static.convert_operators`: what converted code calls for statements and operators. Re-exports only."""

from ...runtime.convert import (  # noqa: F401
    convert_assert,
    convert_ifelse,
    convert_logical_and,
    convert_logical_not,
    convert_logical_or,
    convert_while_loop,
)
