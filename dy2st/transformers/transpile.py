"""`transpile(fn)`: the rewritten source of a function, and functions made from it."""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import inspect
import sys
import types
import weakref

import gast

from dy2st.annotations import copy_description
from dy2st.converted_code import FUTURE_FLAGS, codes_in, note_converted, note_part
from dy2st.errors import ConversionError
from dy2st.garbage import without_collections
from dy2st.silenced import READ, silenced

from .access_paths import access_paths
from .analysis.scope import scope_of
from .base import POSITION, walk
from .builders import JST
from .gast_trees import ast_to_gast, gast_to_ast
from .logs import log_result, log_source
from .marks import IS_GENERATOR, UNBOUND_CAPTURES
from .naming import PART
from .origin import Row, annotate, homes_of, rows_of
from .pipeline import rewrite
from .plain_bodies import both_bodies
from .properties import property_names
from .rebound import rebound_names
from .source import find_function
from .split_paths import split_paths
from .unparse import text_and_tree

DEEP_TREE = 20_000      # recursion limit: long `elif` chains and long sums are deep trees


class Transpiled:
    """The rewritten form of one code object.

    tree                 the rewritten ast, at the user's lines; the running code is compiled from it and plain bodies
    source               the text of that tree, which people review
    generator            how a generator function is called; None for other functions
    users_lines, first   the lines of the user's function, and the number of the first
    access_paths         attribute chains that the user's code reads: (root, kind, attributes)
    rebound              the names that the bodies of loops surely rebind: their code objects, each with `{name: how}`
    """

    def __init__(self, function, careful: str, resumable: bool | None, typed: bool, loads: frozenset[str], outside: bool,
                 splits: frozenset[int]):
        code = function.__code__
        definition = find_function(function)
        self.users_lines, self.first = definition.lines, definition.node.lineno
        tree = ast_to_gast(definition.node, every_operator=careful == "objects")
        IS_GENERATOR.set(tree, bool(code.co_flags & inspect.CO_GENERATOR))
        log_source(function, definition.node)
        split_paths(tree, splits)
        scope = scope_of(tree)
        nodes = list(walk(tree))
        self.access_paths = access_paths(scope, nodes, code.co_freevars)
        unbound = _unbound_captures.get(id(code), frozenset()).intersection(code.co_freevars)
        self.generator = rewrite(tree, nodes, code.co_filename, definition.class_name, property_names(function) | loads, careful,
                                 resumable, typed, unbound, outside)
        plain: list[tuple] = []
        self.tree = gast_to_ast(tree, tuple(getattr(definition.node, name) for name in POSITION), plain)
        if isinstance(self.tree, ast.Lambda):
            self.tree = ast.copy_location(ast.Expr(self.tree), self.tree)
        with both_bodies(plain):
            compiled = _compile(self.tree, code)
        self.code = _named_as(code, compiled, getattr(code, "co_qualname", function.__qualname__))
        self.rebound = _by_body(rebound_names(tree), compiled, self.code)
        note_converted(self.code, code)
        _keep_captures(nodes, self.code)
        log_result(lambda: self.source)

    @functools.cached_property
    def _text(self) -> tuple[str, ast.Module]:
        """The text and what it parses to: made for readers only."""
        with _big_trees():
            return text_and_tree(self.tree)

    @property
    def source(self) -> str:
        return self._text[0]

    def annotated(self) -> str:
        """The source with the user's comments and blank lines, and with the numbers of the user's lines as comments."""
        return annotate(self.rows(), self.users_lines, self.first)

    def rows(self) -> list[Row]:
        """The lines of the same text, without the numbers: each tells which line of the user's it came from."""
        text, module = self._text
        return rows_of(text, homes_of(module.body[0], self.tree), self.users_lines, self.first)

    def instantiate(self, function, jst) -> types.FunctionType:
        """The rewritten `function`: same globals, cells and defaults, with `_jst` bound to `jst`."""
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        cells[JST] = types.CellType(jst)
        closure = tuple(cells[name] for name in self.code.co_freevars)
        instance = types.FunctionType(self.code, function.__globals__, function.__name__, function.__defaults__, closure)
        instance.__kwdefaults__ = function.__kwdefaults__
        instance.__dict__.update(function.__dict__)
        copy_description(instance, function)
        return instance


Key = tuple[int, str, bool | None, bool, frozenset[str], bool, frozenset[int]]
_transpiled: dict[Key, tuple[weakref.ref, Transpiled]] = {}
_unbound_captures: dict[int, frozenset[str]] = {}      # of the inner functions of rewritten code, while these live


def transpile(function, careful: str = "", resumable: bool | None = None,
              typed: bool = False, loads: frozenset[str] = frozenset(), outside: bool = False,
              splits: frozenset[int] = frozenset()) -> Transpiled:
    """The rewritten form of a plain Python function; functions with the same code object share one.

    careful: of "containers", operators that may be between sets are converted even where the function doesn't mention one;
        of "objects", all operators are.
    resumable: whether a generator may be left, and asked again later; None: if its `yield`s want that.
    typed: hints of local variables count, and checks against None refine variables.
    loads: loads of attributes of these names are converted, as those of properties are.
    outside: it is called where nothing is staged, and has a plain body for that (`plain_bodies`), as inner functions have.
    splits: the lines of `if`s that take the statements after them into both branches (`split_paths`).

    Raises SourceUnavailableError where the source can't be found and ConversionError for what can't be converted.
    """
    if not isinstance(function, types.FunctionType):
        raise ConversionError(f"transpile takes a plain Python function, not {type(function).__name__} {function!r}")
    code = function.__code__
    key = (id(code), careful, resumable, typed, loads, outside, splits)  # by identity: equal code may stand in two files
    known = _transpiled.get(key)
    if known is None or known[0]() is not code:
        with _big_trees():
            result = Transpiled(function, careful, resumable, typed, loads, outside, splits)
        known = (weakref.ref(code, functools.partial(_forget, _transpiled, key)), result)
        _transpiled[key] = known
    return known[1]


def can_split(function: types.FunctionType, line: int) -> bool:
    """Whether the statements after the `if` on a line of a function can be moved into both branches."""
    with _big_trees():
        return split_paths(ast_to_gast(find_function(function).node), [line])


def _forget(known: dict, key: Key, _: object) -> None:
    known.pop(key, None)


@contextlib.contextmanager
def _big_trees():
    """Room for deep trees of thousands of nodes."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEP_TREE))
    try:
        with without_collections():
            yield
    finally:
        sys.setrecursionlimit(limit)


def _compile(tree, code) -> types.CodeType:
    """The code object of the function, compiled where `_jst` and the real function's free variables are free."""
    names = list(dict.fromkeys([JST, *code.co_freevars]))     # rewritten code has it already
    if isinstance(tree, ast.Expr):
        statement = ast.copy_location(ast.Return(tree.value), tree)
        name = code.co_name
    else:
        # Under its own name it would be a variable of `outer`, and a function that calls itself would no longer find the global.
        statement, name = copy.copy(tree), f"{JST}_{code.co_name}"
        statement.name = name
    arguments = ast.arguments([], [ast.copy_location(ast.arg(name), tree) for name in names], None, [], [], None, [])
    outer = ast.copy_location(ast.FunctionDef("outer", arguments, [statement], [], None, None), tree)
    outer.type_params = []  # type: ignore[attr-defined]  # Python 3.12 and later
    module = ast.Module([outer], [])
    with silenced(Warning, READ):
        compiled = compile(module, READ, "exec", flags=code.co_flags & FUTURE_FLAGS, dont_inherit=True)
    outer_code = next(const for const in compiled.co_consts if isinstance(const, types.CodeType))
    inner = next(const for const in outer_code.co_consts if isinstance(const, types.CodeType) and const.co_name == name)
    return inner.replace(co_name=code.co_name)


def _named_as(code, compiled, qualname: str) -> types.CodeType:
    """Generated parts go by the name of the user's function: tracebacks and profilers show names that the user knows."""
    return _renamed(compiled, code.co_filename, code.co_name, qualname, f"outer.<locals>.{JST}_{code.co_name}")


def _renamed(code, file: str, name: str, qualname: str, compiled_as: str) -> types.CodeType:
    """The code object under these names. A class body has its `__qualname__` among its constants."""
    inside = ".<locals>." if code.co_flags & inspect.CO_OPTIMIZED else "."
    inner, texts = [], {compiled_as: qualname}
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            is_part = PART.fullmatch(const.co_name)
            is_global = getattr(const, "co_qualname", None) == const.co_name     # what `global` declares; Python 3.10 doesn't say
            prefix, compiled_prefix = ("", "") if is_global else (f"{qualname}{inside}", f"{compiled_as}{inside}")
            known_as = (name, qualname) if is_part else (const.co_name, f"{prefix}{const.co_name}")
            before = f"{compiled_prefix}{const.co_name}"
            texts[before] = known_as[1]      # Python 3.10 has the names of functions among the texts, too
            const = _renamed(const, file, *known_as, before)
            if is_part:
                note_part(const)
        inner.append(const)
    names = {"co_name": name, "co_qualname": qualname} if sys.version_info >= (3, 11) else {"co_name": name}
    consts = tuple(texts.get(const, const) if type(const) is str else const for const in inner)
    return code.replace(co_filename=file, co_consts=consts, **names)


def _by_body(rebound, compiled, renamed) -> list[tuple[types.CodeType, dict]]:
    """The names that the bodies of loops rebind, with the code objects of these bodies in place of their names."""
    codes: dict[str, list[types.CodeType]] = {body: [] for body in rebound}
    for part, code in zip(codes_in(compiled), codes_in(renamed)):
        if part.co_name in codes:
            codes[part.co_name].append(code)
    return [(code, {name: codes[how][copy] if how in codes else how for name, how in names.items()})
            for body, names in rebound.items() for copy, code in enumerate(codes[body])]


def _keep_captures(nodes: list[gast.AST], code: types.CodeType) -> None:
    """Remembers which variables of the rewritten function may have no value when an inner one, rewritten later, reads them."""
    marked: dict[str, frozenset] = {}
    for node in nodes:
        if isinstance(node, gast.FunctionDef):
            marked[node.name] = marked.get(node.name, frozenset()).union(UNBOUND_CAPTURES.of(node))
    for inner in codes_in(code):
        if marked.get(inner.co_name):
            _unbound_captures[id(inner)] = marked[inner.co_name]
            weakref.finalize(inner, _unbound_captures.pop, id(inner), None)
