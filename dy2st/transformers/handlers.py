"""Exception handlers whose name other code reads too, which a parameter of the generated function would hide.

    except E as e:           except E as error_0:
        log(e)       ->          e = error_0
                                 try:
                                     log(e)
                                 finally:
                                     e = _jst.Unbound("e")
"""

import gast

from . import builders as build
from .base import TRIES, locate, own_nodes
from .unbound import unbound_value


def protect_handlers(function, naming):
    """Rewrites the handlers of one function, after its names were analysed."""
    for node in list(own_nodes(function)):
        for handler in node.handlers if isinstance(node, TRIES) else ():
            if getattr(handler, "shares_name", False) or getattr(handler, "unbinds", False):
                _unbind_after(handler, naming.fresh("error"))


def _unbind_after(handler, name):
    """Does what Python does at the end of `except E as e`, with a name that rewritten code can hand on."""
    user_name, handler.name = handler.name.id, build.store(name)
    restore = build.assign(user_name, build.load(name))
    cleared = build.assign(user_name, unbound_value(user_name))
    body = gast.Try(handler.body, [], [], [cleared])
    for node in (restore, cleared, body):
        locate(node, handler.body[0])
    handler.body = [restore, body]
