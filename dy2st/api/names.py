# ruff: noqa: F401, F403
"""The functions, dtypes and classes that `dy2st` itself offers: all that `import dy2st` puts off until one of them is used."""

from .. import dtypes as _dtypes
from ..dtypes import DType as dtype
from ..dtypes import get_default_dtype
from ..runtime.tensors.tensor import Tensor
from .aliases import *
from .assembling import *
from .attributes import *
from .autograd import *
from .compare import *
from .complex_numbers import *
from .conversions import *
from .counting import *
from .creation import *
from .diagonals import *
from .distributions import *
from .dlpack import *
from .factors import eigvalsh
from .flags import *
from .gathering import *
from .in_place import *
from .joining import *
from .limits import *
from .linalg import *
from .making import *
from .manipulation import *
from .math import *
from .memory import *
from .modes import *
from .norms import dist, norm
from .order import *
from .pairs import *
from .parts import *
from .picking import *
from .placing import *
from .products import *
from .random import *
from .reduce import *
from .running import *
from .slicing import *
from .solving import cholesky, inverse
from .special import *
from .windows import *

del globals()["tensor"]  # a module that is called as this function is: tensor.py
globals().update(_dtypes.DTYPES)  # dy2st.float32, dy2st.int64, dy2st.bool ...
globals().update({name: _dtypes.DTYPES[found] for name, found in _dtypes.OTHER_NAMES.items()})
