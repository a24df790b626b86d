"""`dy2st.jit.dy2static.logging_utils`: how much the conversion tells. Re-exports only."""

from ...transformers.logs import get_code_level, get_verbosity, set_code_level, set_verbosity  # noqa: F401
