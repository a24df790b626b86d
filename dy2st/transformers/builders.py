"""Small builders for the syntax that the transformers write.

Every builder returns a fresh node without positions; `gast_to_ast` gives it that of the user's code around it.
"""

import gast

JST = "_jst"
LOAD, STORE, PARAM = gast.Load(), gast.Store(), gast.Param()


def name_node(name: str, context) -> gast.Name:
    """A Name as gast's constructor makes it. That is slow, and there is one for every name in the code."""
    node = gast.Name.__new__(gast.Name)
    node.__dict__.update(id=name, ctx=context, annotation=None, type_comment=None)
    return node


def load(name: str) -> gast.Name:
    return name_node(name, LOAD)


def store(name: str) -> gast.Name:
    return name_node(name, STORE)


def constant(value) -> gast.Constant:
    return gast.Constant(value, None)


def attribute(value, name: str) -> gast.Attribute:
    return gast.Attribute(value, name, LOAD)


def call(function, *args) -> gast.Call:
    return gast.Call(function, list(args), [])


def jst(name: str) -> gast.Attribute:
    """`_jst.name`"""
    return attribute(load(JST), name)


def jst_call(name: str, *args) -> gast.Call:
    """`_jst.name(args)`"""
    return call(jst(name), *args)


def thunk(body) -> gast.Lambda:
    """`lambda: body`"""
    return gast.Lambda(arguments(), body)


def negation(value) -> gast.UnaryOp:
    return gast.UnaryOp(gast.Not(), value)


def disjunction(names) -> gast.AST:
    """`a`, or `a or b or c`"""
    values = [load(name) for name in names]
    return values[0] if len(values) == 1 else gast.BoolOp(gast.Or(), values)


def assign(target, value) -> gast.Assign:
    target = store(target) if isinstance(target, str) else target
    return gast.Assign([target], value, None)


def statement(value) -> gast.Expr:
    return gast.Expr(value)


def branch(test, body, orelse=()) -> gast.If:
    return gast.If(test, list(body), list(orelse))


def arguments(names=(), defaults=()) -> gast.arguments:
    return gast.arguments(
        args=[name_node(name, PARAM) for name in names],
        posonlyargs=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=list(defaults))


def function(name: str, params, body, defaults=()) -> gast.FunctionDef:
    """`def name(params): body`, where each name of `defaults` is a further parameter that holds its present value."""
    args = arguments([*params, *defaults], [load(default) for default in defaults])
    return gast.FunctionDef(name, args, list(body) or [gast.Pass()], [], None, None, [])


def pack(names, context=LOAD):
    """`y` for one name, `(a, y)` for several."""
    nodes = [name_node(name, context) for name in names]
    return nodes[0] if len(nodes) == 1 else gast.Tuple(nodes, context)
