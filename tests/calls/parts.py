"""What the grid of calls is made of: callers, callees, their forms, and what a callee does, as lines of source."""

from __future__ import annotations

from typing import NamedTuple


class Body(NamedTuple):
    """What a callee does. body: its lines; `state` is a tensor and `count` an int outside of it; use: how a caller calls `g`."""

    body: str
    use: str = "return g(x) + x"
    takes_list: bool = False


BODIES: dict[str, Body] = {
    "control flow": Body("if x.sum() > 0:\n    y = x * 2\nelse:\n    y = x - 1\nreturn y"),
    "tensor written": Body("{state}.add_(paddle.ones([3]))\nreturn x * {state}"),
    "attribute assigned": Body("{store}{count} = {count} + 1\nreturn x * {count}"),
    "list appended to": Body("xs.append(x * 2)\nreturn x + len(xs)", "xs = [x]\ny = g(x, xs)\nreturn y + xs[-1] * len(xs)", True),
    "alias written": Body("buf = x * 1\nrow = buf[0]\nbuf.add_(x)\nreturn row + x * 0"),
    "exception": Body("if x[0] > 4:\n    raise ValueError('too large')\nreturn x * 3"),
}

# The source before the callee: `function` and `Net` do the same.
SOURCE = """
import functools
from typing import List
import dy2st as paddle
from dy2st import func, jit, nn, traced_module
from dy2st.autograd import PyLayer
from dy2st.static import InputSpec

state, count = paddle.zeros([3]), 0
folder = None
def example():
    return paddle.to_tensor([1., 2., 3.])
def function({parameters}):
{body}
class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", paddle.zeros([3]))
        self.count = 0
    def forward(self, {parameters}):
{method_body}
class Outer(nn.Layer):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, {parameters}):
        return self.inner({arguments})
class Own(PyLayer):
    @staticmethod
    def forward(ctx, {parameters}):
{deep_body}
    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2
def total({parameters}):
    return function({arguments}).sum()
def gradient({parameters}):
    if x.stop_gradient:
        x = x.detach()
        x.stop_gradient = False
    return paddle.grad(total({arguments}), [x], create_graph=True)[0]
def called(made):
    made({examples})
    return made
def loaded(made):
    jit.save(called(made), folder + "/callee")
    return jit.load(folder + "/callee")
"""

# An expression that makes each callee, and what it is in plain Python.
CALLEES: dict[str, tuple[str, str]] = {
    "plain function": ("function", "function"),
    "Layer": ("Net()", "Net()"),
    "to_static function": ("jit.to_static(function)", "function"),
    "static layer": ("jit.to_static(Net())", "Net()"),
    "static sublayer": ("Outer(jit.to_static(Net()))", "Outer(Net())"),
    "ScriptFunction": ("jit.script(function)", "function"),
    "ScriptModule": ("jit.script(Net())", "Net()"),
    "traced function": ("jit.trace(function, ({examples},))", "function"),
    "traced layer": ("jit.trace(Net(), ({examples},))", "Net()"),
    "traced module": ("traced_module.trace_module(Net(), {examples})", "Net()"),
    "loaded function": ("loaded(jit.to_static(function))", "called(function)"),
    "loaded layer": ("loaded(jit.to_static(Net()))", "called(Net())"),
    "loaded ScriptFunction": ("loaded(jit.script(function))", "called(function)"),
    "loaded ScriptModule": ("loaded(jit.script(Net()))", "called(Net())"),
    "functionalized": ("func.functionalize(function)", "function"),
    "func.grad": ("func.grad(total)", "gradient"),
    "PyLayer": ("Own.apply", "function"),
}
FORMS: dict[str, str] = {
    "itself": "g = {made}",
    "partial": "g = functools.partial({made})",
    "decorated": "def decorate(inner):\n    def wrapper({parameters}):\n        return inner({arguments})\n    return wrapper\n"
    "g = decorate({made})",
}

_HOLDER = """
class Caller(nn.Layer):
    def __init__(self):
        super().__init__()
        self.g = g
    def forward(self, x):
{held_use}
"""
_CALLER = """
def caller(x):
{use}
"""

# The source of each caller, what makes it, what it is in plain Python, and what saves and loads it.
CALLERS: dict[str, tuple[str, str, str, str]] = {
    "eager": (_CALLER, "caller", "caller", ""),
    "to_static": (_CALLER, "jit.to_static(caller)", "caller", "jit.save"),
    "static layer": (_HOLDER, "jit.to_static(Caller())", "Caller()", "jit.save"),
    "script": (_CALLER, "jit.script(caller)", "caller", "jit.save"),
    "script of a layer": (_HOLDER, "jit.script(Caller())", "Caller()", "jit.save"),
    "trace": (_CALLER, "jit.trace(caller, example())", "caller", "jit.save"),
    "trace of a layer": (_HOLDER, "jit.trace(Caller(), example())", "Caller()", "jit.save"),
    "trace_module": (_HOLDER, "traced_module.trace_module(Caller(), example())", "Caller()", "paddle.save"),
    "functionalize": (_CALLER, "func.functionalize(caller)", "caller", "jit.save"),
    "func.grad": (
        _CALLER + "def summed(x):\n    return caller(x).sum()\ndef slope(x):\n    x = x.detach()\n    x.stop_gradient = False\n"
        "    return paddle.grad(summed(x), [x])[0]\n",
        "func.grad(summed)", "slope", "jit.save"),
    "PyLayer": (
        _CALLER + "class Calling(PyLayer):\n    forward = staticmethod(lambda ctx, x: caller(x))\n"
        "    backward = staticmethod(lambda ctx, gradient: gradient)\n", "Calling.apply", "caller", ""),
}  # fmt: skip
