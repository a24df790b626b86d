"""`+=` and the like: on a list, they change an object that others may hold.

    y += v       ->    y = _jst.augmented("+=", y, v)
    o.a += v     ->    _jst.inplace(o).a += v
    x[i] += v    ->    _jst.inplace(x)[i] += v

Left as it is where no list, dict or set can be meant: `y += 1`, `y -= v` with a number, `y /= v`; unless objects of the user's
are known to say what it means. A `y` that may be unbound is checked first: `y = _jst.bound(y, "y")`.
"""

import gast

from . import builders as build
from .base import rewrites
from .marks import IS_CONVERTED_OPERATOR, MAY_BE_UNBOUND
from .unbound import checked

SYMBOLS = {gast.Add: "+=", gast.Sub: "-=", gast.Mult: "*=", gast.BitOr: "|=", gast.BitAnd: "&=", gast.BitXor: "^="}
OTHERS = {gast.Div: "/=", gast.FloorDiv: "//=", gast.Mod: "%=", gast.Pow: "**=", gast.MatMult: "@=", gast.LShift: "<<=",
          gast.RShift: ">>="}  # which no container has


@rewrites(gast.AugAssign)
def rewrite_inplace(node: gast.AugAssign) -> gast.stmt | list[gast.stmt]:
    symbol = SYMBOLS.get(type(node.op)) or OTHERS[type(node.op)]
    stays = (symbol not in SYMBOLS.values() or _is_number(node.value, symbol)) and not IS_CONVERTED_OPERATOR.of(node)
    if not isinstance(node.target, gast.Name):
        if not stays:
            node.target.value.func.attr = "inplace"      # it is `_jst.at(o)`
        return node
    name = node.target.id
    may_be_unbound = MAY_BE_UNBOUND.of(node.target)
    if stays:
        return [build.assign(name, checked(name)), node] if may_be_unbound else node
    value = checked(name) if may_be_unbound else build.load(name)
    return build.assign(name, build.jst_call("augmented", build.constant(symbol), value, node.value))


def _is_number(value, symbol) -> bool:
    """Whether the right side is a number with which no container has this operator: a list times an int is one."""
    if not isinstance(value, gast.Constant) or isinstance(value.value, (str, bytes, type(None))):
        return False
    return symbol != "*=" or isinstance(value.value, float)
