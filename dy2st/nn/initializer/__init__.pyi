"""The names of dy2st.nn.initializer. Written by `python tests/support/stubs.py`."""

from dy2st.nn.initializer import distributions as distributions
from dy2st.nn.initializer import everywhere as everywhere
from dy2st.nn.initializer import patterns as patterns
from dy2st.nn.initializer.distributions import Assign as Assign
from dy2st.nn.initializer.distributions import Constant as Constant
from dy2st.nn.initializer.distributions import Initializer as Initializer
from dy2st.nn.initializer.distributions import KaimingNormal as KaimingNormal
from dy2st.nn.initializer.distributions import KaimingUniform as KaimingUniform
from dy2st.nn.initializer.distributions import Normal as Normal
from dy2st.nn.initializer.distributions import TruncatedNormal as TruncatedNormal
from dy2st.nn.initializer.distributions import Uniform as Uniform
from dy2st.nn.initializer.distributions import XavierNormal as XavierNormal
from dy2st.nn.initializer.distributions import XavierUniform as XavierUniform
from dy2st.nn.initializer.distributions import calculate_gain as calculate_gain
from dy2st.nn.initializer.distributions import fans as fans
from dy2st.nn.initializer.everywhere import set_global_initializer as set_global_initializer
from dy2st.nn.initializer.patterns import Bilinear as Bilinear
from dy2st.nn.initializer.patterns import Dirac as Dirac
from dy2st.nn.initializer.patterns import Orthogonal as Orthogonal
