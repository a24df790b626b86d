"""Hints of local variables, which declare types in `jit.script`.

    x: Dict[str, int] = {}   ->   x = _jst.declared({}, "Dict[str, int]")
"""

import gast

from . import builders as build
from .base import walk
from .unparse import unparse


def declare_hinted(function):
    """Lets the value of each hinted assignment pass through `_jst.declared`."""
    for node in walk(function):
        if isinstance(node, gast.AnnAssign) and node.value is not None:
            hint = build.constant(unparse(node.annotation).strip())
            node.value = gast.copy_location(build.jst_call("declared", node.value, hint), node.value)
