"""`dy2st.jit.dy2static`: the helpers that converted code calls, for who reads or writes such code. Re-exports only."""

from .convert_call_func import convert_call  # noqa: F401
from .convert_operators import (  # noqa: F401
    convert_assert,
    convert_ifelse,
    convert_logical_and,
    convert_logical_not,
    convert_logical_or,
    convert_while_loop,
)
from .program_translator import ProgramTranslator, StaticFunction, convert_to_static  # noqa: F401
