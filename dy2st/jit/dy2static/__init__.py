"""`dy2st.jit.dy2static`: the helpers that converted code calls, for who reads or writes such code. Re-exports only."""

from ...runtime.convert import (  # noqa: F401
    convert_assert,
    convert_call,
    convert_ifelse,
    convert_logical_and,
    convert_logical_not,
    convert_logical_or,
    convert_while_loop,
)
from ..static_function import StaticFunction  # noqa: F401
