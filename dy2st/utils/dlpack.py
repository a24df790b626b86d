"""`dy2st.utils.dlpack`: what models import from `paddle.utils.dlpack`. Re-exports only."""

from ..api.dlpack import from_dlpack, to_dlpack  # noqa: F401
