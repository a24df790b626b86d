"""A function-level graph of a model: trace, walk, watch, cut, sew, flatten, optimise, run, save."""

from ..errors import TraceError, TraceWarning  # noqa: F401
from .builtin import register_as_builtin  # noqa: F401
from .calls import CallFunction, CallMethod  # noqa: F401
from .control import If, Raise, While  # noqa: F401
from .expr import Constant, Expr, GetAttr, Input  # noqa: F401
from .files import load, save  # noqa: F401
from .functions import wrap  # noqa: F401
from .graph import InternalGraph  # noqa: F401
from .module import TracedModule  # noqa: F401
from .node import ModuleNode, Node, NumberNode, TensorNode, ValueNode  # noqa: F401
from .operators import Operator  # noqa: F401
from .optimize import optimize  # noqa: F401
from .select import BaseFilter, ExprFilter, NodeFilter  # noqa: F401
from .tracing import trace_module  # noqa: F401
from .translated import from_translated  # noqa: F401
