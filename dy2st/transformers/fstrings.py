"""f-strings, and `%` on a text: values that are known only when the Program runs are formatted then.

    f"loss {v:.2f} at {i}"    ->    _jst.format("loss {:.2f} at {}", v, i)
    "%d of %d" % (i, n)       ->    _jst.percent("%d of %d", (i, n))
"""

import gast

from . import builders as build
from .base import locate, rewrites


@rewrites(gast.JoinedStr)
def rewrite_fstring(node):
    values: list = []
    template = "".join(_piece(part, values) for part in node.values)
    return build.jst_call("format", locate(build.constant(template), node), *values) if values else node


def _piece(part, values):
    """A part of the template; the value in it goes to `values`."""
    if isinstance(part, gast.Constant):
        return part.value.replace("{", "{{").replace("}", "}}")
    values.append(part.value)
    conversion = f"!{chr(part.conversion)}" if part.conversion > 0 else ""
    return "{" + conversion + _spec(part.format_spec, values) + "}"


def _spec(spec, values):
    """`:>{width}`: the values of the inner f-string, which is rewritten already, go to `values`."""
    if spec is None:
        return ""
    if isinstance(spec, gast.Call):
        template, *inner = spec.args
        values.extend(inner)
        return ":" + template.value
    return ":" + "".join(part.value for part in spec.values)


def is_percent(node) -> bool:
    return isinstance(node.op, gast.Mod) and isinstance(node.left, gast.Constant) and isinstance(node.left.value, str)


def rewrite_percent(node):
    return build.jst_call("percent", node.left, node.right)
