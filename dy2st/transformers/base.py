"""What the transformers share: walks over the code that they rewrite, and the table of expression rewrites."""

from collections.abc import Callable

import gast

from .marks import IS_GENERATOR
from .straight import Straight

POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")
FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
LOOPS = (gast.While, gast.For)
TRIES = (gast.Try, gast.TryStar)

REWRITES: dict[type, Callable] = {}


def rewrites(*node_types):
    """Registers a function `node -> node (or, for a statement, a list of statements)` for these node types.

    It is called after the node's children were rewritten.
    """
    def register(rewrite):
        REWRITES.update(dict.fromkeys(node_types, rewrite))
        return rewrite
    return register


# Functions and classes, whose blocks are none of the statement's own, and the commonest simple statements.
WITHOUT_BLOCKS = {*FUNCTIONS, gast.ClassDef, Straight, gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.Return}


def blocks(statement) -> list[list]:
    """The statement lists inside a compound statement, in source order; none for functions and classes."""
    if type(statement) in WITHOUT_BLOCKS:
        return []
    if isinstance(statement, gast.Match):
        return [case.body for case in statement.cases]
    lists = [getattr(statement, "body", []), *(handler.body for handler in getattr(statement, "handlers", [])),
             getattr(statement, "orelse", []), getattr(statement, "finalbody", [])]
    return [block for block in lists if isinstance(block, list) and block]


class BlockRewriter:
    """Rewrites lists of statements, the inner ones first: a subclass says which statements stand for one."""

    def block(self, statements):
        """What stands for these statements."""
        result = []
        for node in statements:
            for inner in blocks(node):
                inner[:] = self.block(inner)
            result.extend(self.statement(node))
        return result

    def statement(self, node):
        """What stands for one statement, whose own blocks are rewritten already."""
        raise NotImplementedError


ENDS = {gast.Name, gast.Constant}      # half of all nodes, with no code below them
WITHOUT_NEW_CODE = {*ENDS, Straight}
NO_CODE = {"ctx", "op", "ops", "id", "attr", "kind", "type_comment"}
_fields_of: dict[type, tuple[str, ...]] = dict.fromkeys(ENDS, ())


def child_fields(node) -> tuple[str, ...]:
    """The fields that may hold further code."""
    fields = _fields_of.get(type(node))
    if fields is None:
        fields = _fields_of[type(node)] = tuple(field for field in node._fields if field not in NO_CODE)
    return fields


def children(node) -> list:
    """The direct child nodes, in the order of the fields."""
    nodes: list = []
    if type(node) in ENDS:
        return nodes
    parts = node.__dict__
    for field in child_fields(node):
        value = parts.get(field)
        if type(value) is list:
            nodes.extend([item for item in value if isinstance(item, gast.AST)])
        elif isinstance(value, gast.AST):
            nodes.append(value)
    return nodes


def walk(node):
    """The node and every node below, in source order."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        if type(current) not in ENDS:
            pending.extend(reversed(children(current)))


class Visitor:
    """Calls `visit_<type>` where the class has it, `other` elsewhere."""

    methods: dict[type, Callable]

    def __init_subclass__(cls):
        cls.methods = {}

    def visit(self, node, *args):
        method = self.methods.get(type(node))
        if method is None:
            method = self.methods[type(node)] = getattr(type(self), "visit_" + type(node).__name__, type(self).other)
        return method(self, node, *args)

    def visit_all(self, nodes):
        for node in nodes:
            self.visit(node)

    def other(self, node):
        for child in children(node):
            self.visit(child)


def own_nodes(node):
    """The nodes below a function that run in its own frame: not those of inner functions and classes."""
    pending = list(node.body) if isinstance(node.body, list) else [node.body]
    while pending:
        current = pending.pop()
        yield current
        if isinstance(current, FUNCTIONS):
            pending.extend(default for default in (*current.args.defaults, *current.args.kw_defaults) if default)
            pending.extend(getattr(current, "decorator_list", ()))
        elif isinstance(current, gast.ClassDef):
            pending.extend([*current.decorator_list, *current.bases, *(k.value for k in current.keywords)])
        elif type(current) not in ENDS:
            pending.extend(children(current))


def is_generator(function: gast.AST) -> bool:
    known = IS_GENERATOR.of(function)
    if known is None:
        known = any(isinstance(node, (gast.Yield, gast.YieldFrom)) for node in own_nodes(function))
        IS_GENERATOR.set(function, known)
    return known


def is_rewritten(function) -> bool:
    """Generators and coroutines are left as they are: their body can't be cut into functions."""
    return not isinstance(function, gast.AsyncFunctionDef) and not is_generator(function)


def rewritten_functions(function):
    """The function itself, its inner functions and lambdas, without generators and coroutines; outer ones first."""
    if not is_rewritten(function):
        return
    yield function
    for inner in own_nodes(function):
        if isinstance(inner, (gast.FunctionDef, gast.Lambda)):
            yield from rewritten_functions(inner)


def locate(node, origin):
    """Gives a new node the position of the one that it stands for."""
    parts = origin.__dict__
    node.__dict__.update([(key, parts[key]) for key in POSITION if key in parts])
    return node


def locate_at_start(node, origin):
    """Gives a new node the position where a statement begins: Pythons disagree on which of its lines a long call is."""
    start = origin.__dict__
    if "lineno" in start:
        line, column = start["lineno"], start["col_offset"]
        node.__dict__.update(lineno=line, col_offset=column, end_lineno=line, end_col_offset=column)
    return node


def rewrite_body(function):
    """Applies the table of rewrites to a function's body, in place; generators and coroutines stay as they are."""
    if is_rewritten(function):
        function.body = _rewritten_list(function.body) if isinstance(function.body, list) else rewritten(function.body)


def rewritten(node):
    """What the table makes of a node, children first; class bodies stay as they are."""
    kind = type(node)
    if kind in FUNCTIONS:
        _rewrite_children(node.args)
        if kind is not gast.Lambda:
            node.decorator_list = _rewritten_list(node.decorator_list)
        rewrite_body(node)
    elif kind is gast.ClassDef:
        _rewrite_children(node, ("body",))
    elif kind not in WITHOUT_NEW_CODE:
        _rewrite_children(node)
    rewrite = REWRITES.get(kind)
    if rewrite is None:
        return node
    new = rewrite(node)
    for item in new if isinstance(new, list) else (new,):
        if item is not node and getattr(item, "lineno", None) is None:
            locate(item, node)
    return new


def _rewrite_children(node, skipped=()):
    for field in child_fields(node):
        if field in skipped:
            continue
        value = getattr(node, field, None)
        if isinstance(value, gast.AST):
            new = rewritten(value)
            if new is not value:
                setattr(node, field, new)
        elif isinstance(value, list) and value:
            setattr(node, field, _rewritten_list(value))


def _rewritten_list(nodes):
    result = []
    for node in nodes:
        new = rewritten(node) if isinstance(node, gast.AST) else node
        result.extend(new) if isinstance(new, list) else result.append(new)
    return result
