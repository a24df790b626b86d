"""`assert` and `raise`, which a staged condition postpones to run time.

    assert c, m         ->    _jst.assert_(c, lambda: m)
    raise E(m) from c   ->    _jst.raise_(E(m), c)
    raise               ->    _jst.raise_()

Under `python -O` assertions vanish, as Python's own do.
"""

import gast

from . import builders as build
from .base import rewrites


@rewrites(gast.Assert)
def rewrite_assert(node):
    if not __debug__:
        return gast.Pass()
    message = [] if node.msg is None else [build.thunk(node.msg)]
    return build.statement(build.jst_call("assert_", node.test, *message))


@rewrites(gast.Raise)
def rewrite_raise(node):
    parts = [part for part in (node.exc, node.cause) if part is not None]
    return build.statement(build.jst_call("raise_", *parts))
