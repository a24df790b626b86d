"""The names of dy2st.utils. Written by `python tests/support/stubs.py`."""

from dy2st.utils import dlpack as dlpack
from dy2st.utils import imports as imports
from dy2st.utils import nests as nests
from dy2st.utils.imports import try_import as try_import
from dy2st.utils.nests import flatten as flatten
from dy2st.utils.nests import map_structure as map_structure
from dy2st.utils.nests import pack_sequence_as as pack_sequence_as
