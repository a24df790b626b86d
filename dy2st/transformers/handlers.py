"""Exception handlers whose name may be unbound afterwards, and handlers that would catch dy2st's own signals.

    except E as e:           except E as error_0:
        log(e)       ->          e = error_0
                                 try:
                                     log(e)
                                 finally:
                                     e = _jst.Unbound("e")

    except BaseException:    except _jst.Signal:
        log()        ->          raise
                             except BaseException:
                                 log()
"""

import gast

from . import templates as t
from .base import TRIES, locate, own_nodes
from .unbound import unbound_value


def protect_handlers(function, naming):
    """Rewrites the handlers of one function, after its names were analysed."""
    for node in list(own_nodes(function)):
        if not isinstance(node, TRIES):
            continue
        for handler in node.handlers:
            if getattr(handler, "unbinds", False):
                _unbind_after(handler, naming.fresh("error"))
        if any(_catches_everything(handler.type) for handler in node.handlers):
            node.handlers.insert(0, locate(_pass_signals(), node.handlers[0]))


def _unbind_after(handler, name):
    """Does what Python does at the end of `except E as e`, with a name that rewritten code can hand on."""
    user_name, handler.name = handler.name.id, t.store(name)
    restore = t.assign(user_name, t.load(name))
    cleared = t.assign(user_name, unbound_value(user_name))
    body = gast.Try(handler.body, [], [], [cleared])
    for node in (restore, cleared, body):
        locate(node, handler.body[0])
    handler.body = [restore, body]


def _catches_everything(kind) -> bool:
    if kind is None:
        return True
    if isinstance(kind, gast.Tuple):
        return any(_catches_everything(element) for element in kind.elts)
    return getattr(kind, "id", getattr(kind, "attr", None)) == "BaseException"


def _pass_signals():
    return gast.ExceptHandler(t.jst("Signal"), None, [gast.Raise(None, None)])
