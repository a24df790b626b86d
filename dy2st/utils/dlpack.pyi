"""The names of dy2st.utils.dlpack. Written by `python tests/support/stubs.py`."""

from dy2st.api.dlpack import from_dlpack as from_dlpack
from dy2st.api.dlpack import to_dlpack as to_dlpack
