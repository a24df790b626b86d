"""The names of dy2st.func. Written by `python tests/support/stubs.py`."""

from dy2st.func.functional import functionalize as functionalize
from dy2st.func.gradient import grad as grad
from dy2st.func.programs import make_program as make_program
