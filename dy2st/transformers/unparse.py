"""Source text of a syntax tree: astor's writer, whose pieces `wrapping` breaks into lines, completed for what it lacks.

Added: `match`, `except*`, type parameters and aliases, f-strings of every Python version, parentheses that newer
grammars need. Functions inside functions get no blank lines around them: generated code is read as one piece.
"""

import ast
import copy

from dy2st.silenced import parsed, silenced

from .gast_trees import gast_to_ast
from .wrapping import wrapped

with silenced(DeprecationWarning, "astor.", "ast."):
    from astor.code_gen import SourceGenerator, set_precedence
    from astor.op_util import Precedence

LINE_WIDTH = 120


def unparse(tree) -> str:
    """The text of a gast (or ast) tree; parsing it gives the tree back."""
    return text_and_tree(gast_to_ast(tree) if type(tree).__module__.startswith("gast") else tree)[0]


def text_and_tree(tree) -> tuple[str, ast.Module]:
    """The text of an ast tree, and that text parsed. Where astor's text would differ from the tree, Python's own writer helps."""
    tree = tree if isinstance(tree, (ast.stmt, ast.Module)) else ast.Expr(tree)
    text = wrapped(astor_pieces(tree), LINE_WIDTH).strip("\n") + "\n"
    try:
        tree_of_text = parsed(text)
        if same_shape(tree_of_text.body, tree.body if isinstance(tree, ast.Module) else [tree]):
            return text, tree_of_text
    except SyntaxError:
        pass
    text = ast.unparse(ast.fix_missing_locations(_writable(tree))) + "\n"
    return text, parsed(text)


def astor_pieces(tree) -> list[str]:
    writer = Writer(" " * 4)
    writer.visit(tree)
    return [*writer.result, "\n"]


UNCOMPARED = {"ctx", "type_comment", "kind", "str"}  # of a t-string, the text of an expression
_compared: dict[type, list[str]] = {}


def same_shape(left, right) -> bool:
    """Whether two trees are equal but for positions and contexts."""
    pending = [(left, right)]
    while pending:
        left, right = pending.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, ast.AST):
            fields = _compared.get(type(left))
            if fields is None:
                fields = _compared[type(left)] = [field for field in left._fields if field not in UNCOMPARED]
            pending.extend([(getattr(left, field, None), getattr(right, field, None)) for field in fields])
        elif isinstance(left, list):
            if len(left) != len(right):
                return False
            pending.extend(zip(left, right))
        elif left != right and left == left:
            return False
    return True


class Writer(SourceGenerator):
    """astor's writer, completed."""

    # Functions and classes

    def visit_FunctionDef(self, node, is_async=False):
        self.decorators(node, 0)
        self.statement(node, "async def " if is_async else "def ", node.name)
        self.type_params(node)
        self.write("(")
        self.visit_arguments(node.args)
        self.write(")")
        self.conditional_write(" -> ", node.returns)
        self.write(":")
        self.body(node.body)

    def visit_ClassDef(self, node):
        self.decorators(node, 0)
        self.statement(node, "class ", node.name)
        self.type_params(node)
        arguments = [*node.bases, *node.keywords]
        if arguments:
            self.write("(")
            self.comma_list(arguments)
            self.write(")")
        self.write(":")
        self.body(node.body)

    def visit_keyword(self, node):
        set_precedence(Precedence.Comma, node.value)
        self.write(node.arg + "=" if node.arg else "**", node.value)

    def visit_Lambda(self, node):
        with self.delimit(node) as delimiters:
            set_precedence(delimiters.p, node.body)
            arguments = node.args
            some = any((arguments.args, arguments.posonlyargs, arguments.vararg, arguments.kwonlyargs, arguments.kwarg))
            self.write("lambda " if some else "lambda")
            self.visit_arguments(arguments)
            self.write(": ", node.body)

    def type_params(self, node):
        if getattr(node, "type_params", None):
            self.write("[")
            self.comma_list(node.type_params)
            self.write("]")

    def type_param(self, node, prefix=""):
        self.write(prefix, node.name)
        self.conditional_write(": ", getattr(node, "bound", None))
        self.conditional_write(" = ", getattr(node, "default_value", None))

    def visit_TypeVar(self, node):
        self.type_param(node)

    def visit_TypeVarTuple(self, node):
        self.type_param(node, "*")

    def visit_ParamSpec(self, node):
        self.type_param(node, "**")

    def visit_TypeAlias(self, node):
        self.statement(node, "type ", node.name)
        self.type_params(node)
        self.write(" = ", node.value)

    # Statements

    def visit_TryStar(self, node):
        self.statement(node, "try:")
        self.body(node.body)
        for handler in node.handlers:
            self.statement(handler, "except* ", handler.type)
            self.conditional_write(" as ", handler.name)
            self.write(":")
            self.body(handler.body)
        self.else_body(node.orelse)
        if node.finalbody:
            self.statement(node, "finally:")
            self.body(node.finalbody)

    def visit_Match(self, node):
        set_precedence(Precedence.Comma, node.subject)
        self.statement(node, "match ", node.subject, ":")
        self.indentation += 1
        for case in node.cases:
            self.statement(case, "case ", case.pattern)
            self.conditional_write(" if ", case.guard)
            self.write(":")
            self.body(case.body)
        self.indentation -= 1

    # Patterns

    def visit_MatchValue(self, node):
        self.write(ast.unparse(node.value))

    def visit_MatchSingleton(self, node):
        self.write(repr(node.value))

    def visit_MatchSequence(self, node):
        self.write("[")
        self.comma_list(node.patterns)
        self.write("]")

    def visit_MatchMapping(self, node):
        pairs = [(ast.unparse(key), ": ", pattern) for key, pattern in zip(node.keys, node.patterns)]
        pairs += [("**", node.rest)] if node.rest else []
        self.write("{")
        self.separated(pairs)
        self.write("}")

    def visit_MatchClass(self, node):
        parts = [(pattern,) for pattern in node.patterns]
        parts += [(name, "=", pattern) for name, pattern in zip(node.kwd_attrs, node.kwd_patterns)]
        self.write(node.cls, "(")
        self.separated(parts)
        self.write(")")

    def visit_MatchStar(self, node):
        self.write("*", node.name or "_")

    def visit_MatchAs(self, node):
        if node.pattern is None:
            self.write(node.name or "_")
        else:
            self.write("(", node.pattern, " as ", node.name, ")")

    def visit_MatchOr(self, node):
        self.write("(")
        for index, pattern in enumerate(node.patterns):
            self.write(" | " if index else "", pattern)
        self.write(")")

    def separated(self, groups):
        for index, group in enumerate(groups):
            self.write(", " if index else "", *group)

    # Expressions

    def visit_JoinedStr(self, node):
        self.write(fstring(node))

    def visit_TemplateStr(self, node):
        self.write(ast.unparse(_writable(node)))


def _writable(tree):
    """A copy for Python's writer, which of a t-string writes the texts of its expressions in place of these, where it has them.

    A format that the runtime puts together is written as one of an f-string.
    """
    interpolation = vars(ast).get("Interpolation", ())  # new in Python 3.14
    if not any(isinstance(part, interpolation) for part in ast.walk(tree)):
        return tree
    tree = copy.deepcopy(tree)
    for part in ast.walk(tree):
        if isinstance(part, interpolation):
            part.str = None
            if isinstance(part.format_spec, ast.Call):
                part.format_spec = ast.JoinedStr([ast.FormattedValue(part.format_spec, -1, None)])
    return tree


def fstring(node) -> str:
    """An f-string; where quotes or backslashes forbid one (Python < 3.12), the equal call of `str.format`."""
    try:
        text = ast.unparse(node)
        if same_shape(ast.parse(text, mode="eval").body, node) and "\n" not in text:
            return text
    except (ValueError, SyntaxError):
        pass
    values: list = []
    template = _format_template(node, values)
    return f"{template!r}.format({', '.join(ast.unparse(value) for value in values)})"


def _format_template(node, values):
    parts = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(part.value.replace("{", "{{").replace("}", "}}"))
            continue
        values.append(part.value)
        conversion = f"!{chr(part.conversion)}" if part.conversion > 0 else ""
        spec = f":{_format_template(part.format_spec, values)}" if part.format_spec else ""
        parts.append("{" + conversion + spec + "}")
    return "".join(parts)
