"""Exception handlers whose name other code reads, too: a parameter of the generated function would hide it.

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
from .marks import NAME_OUTLIVES_HANDLER
from .naming import Naming
from .unbound import unbound_value


def protect_handlers(function: gast.FunctionDef, naming: Naming) -> None:
    """Rewrites the handlers of one function, after its names were analysed."""
    for node in list(own_nodes(function)):
        for handler in node.handlers if isinstance(node, TRIES) else ():
            if NAME_OUTLIVES_HANDLER.of(handler):
                _unbind_after(handler, naming.fresh("error"))


def _unbind_after(handler, name):
    """Unbinds the name at the end of `except E as e`, as Python does; it is a variable that rewritten code can hand on."""
    user_name, handler.name = handler.name.id, build.store(name)
    restore = build.assign(user_name, build.load(name))
    cleared = build.assign(user_name, unbound_value(user_name))
    body = gast.Try(handler.body, [], [], [cleared])
    for node in (restore, cleared, body):
        locate(node, handler.body[0])
    handler.body = [restore, body]
