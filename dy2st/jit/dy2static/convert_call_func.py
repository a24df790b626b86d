"""`dy2st.jit.dy2static.convert_call_func`: how calls are converted. Re-exports only."""

from ...runtime.convert.calls.calls import convert_call  # noqa: F401
from ...runtime.convert.calls.skipped import ignore_module as add_ignore_module  # noqa: F401
