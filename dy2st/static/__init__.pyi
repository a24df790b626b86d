"""The names of dy2st.static. Written by `python tests/support/stubs.py`."""

from dy2st.api.build_strategy import BuildStrategy as BuildStrategy
from dy2st.runtime.tensors.spec import InputSpec as InputSpec
from dy2st.static import nn as nn
