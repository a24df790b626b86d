"""The order of the transformers.

Jumps become flags first, while `if` and `while` are still statements; then names are analysed; then expressions are
rewritten; last, from the inside out, control flow becomes functions.
"""

from __future__ import annotations

import gast

from dy2st.errors import ConversionError

# Importing these fills the table of expression rewrites.
from . import (  # noqa: F401
    assert_raise,
    attributes,
    calls,
    compare,
    comprehensions,
    displays,
    fstrings,
    inplace,
    iterables,
    logical,
    subscripts,
    ternary,
)
from .analysis.plan import Planner, unbound_reads
from .analysis.scope import scope_of
from .base import TRIES, is_generator, rewrite_body, rewritten_functions, walk
from .builders import JST
from .comprehensions import name_binding_parts
from .container_operators import mark_container_operators
from .control_flow import ControlFlowRewriter
from .declarations import declare_hinted
from .displays import mark_holders
from .early_exit import nest_early_exits
from .generators import GeneratorProtocol, push_items
from .handlers import protect_handlers
from .jumps import JumpLowering
from .keyword_dicts import note_keyword_dicts
from .logs import log_step
from .long_chains import cut_long_chains
from .match_ import rewrite_matches
from .naming import Naming, identifiers
from .numpy_reads import read_tensors
from .own_names import ASKING, spell_out_names
from .plain_bodies import PlainBodies
from .private_names import is_private, mangle_private_names
from .properties import mark_properties
from .refinement import refine_checked
from .resumable import has_to_be_resumable, make_resumable
from .returns import return_none_at_the_end
from .super_calls import explicit_super
from .type_hints import strip_type_hints
from .unbound import mark_captures, mark_unbound
from .walrus import hoist_assignments
from .with_ import nest_managers


def rewrite(function, nodes, filename: str, class_name: str | None = None, properties=frozenset(), careful="",
            resumable=None, typed=False, unbound=frozenset(), outside=False) -> GeneratorProtocol | None:
    """Rewrites the tree of one function, of these nodes, in place; its control flow, calls and stores go through `_jst` then.

    unbound: variables of functions around it that may have no value. outside: it may be called where nothing is staged, as the
    functions inside it may. The result says how a generator is called.
    """
    used, kinds = identifiers(nodes), set(map(type, nodes))
    refuse_unknown(function, used, filename)
    prepare(function, nodes, used, class_name, typed)
    log_step(1, function)
    nodes = list(walk(function))
    mark_container_operators(nodes, careful)
    mark_properties(nodes, properties)
    mark_captures(function, unbound)
    mark_holders(function, nodes)
    naming, protocol = Naming(used), None
    if is_generator(function):
        resumable = has_to_be_resumable(function) if resumable is None else resumable
        protocol = (make_resumable if resumable else push_items)(function, naming, filename)
    log_step(2, function)
    plain = PlainBodies()
    for each in list(rewritten_functions(function)):
        if outside or each is not function:
            plain.keep(each)
        if isinstance(each, gast.FunctionDef):
            plan_statements(each, kinds, naming)
    log_step(3, function)
    rewrite_body(function)
    log_step(4, function)
    if isinstance(function, gast.FunctionDef):
        ControlFlowRewriter(naming).function(function)
    plain.finish()
    log_step(5, function)
    return protocol


def prepare(function, nodes, used, class_name, typed):
    """Removes what the function can't have outside of its class, and writes out what Python adds there."""
    if not isinstance(function, gast.Lambda):
        function.decorator_list = []
    if typed:
        declare_hinted(function)
        refine_checked(function)
    strip_type_hints(function, nodes)
    if class_name and any(map(is_private, used)):
        mangle_private_names(function, class_name)
        used.update(identifiers(walk(function)))
    note_keyword_dicts(function)
    if "super" in used:
        explicit_super(function)
    if used.intersection(ASKING):
        spell_out_names(function)
    if "numpy" in used and not typed:
        read_tensors(function, list(walk(function)))


def plan_statements(function, kinds, naming):
    """Turns jumps into flags and plans the parameters and results of every generated function."""
    if gast.Match in kinds:
        rewrite_matches(function, naming)
    cut_long_chains(function.body, naming)
    nest_managers(function.body)
    scope = scope_of(function)
    user_locals = scope.locals      # dead code makes names local too
    if gast.NamedExpr in kinds:
        name_binding_parts(function, naming)
        hoist_assignments(function, naming)
        scope = scope_of(function)
    return_none_at_the_end(function)
    nest_early_exits(function)
    reads = unbound_reads(scope)
    jumps = JumpLowering(function, naming)
    jumps.lower()
    planner = Planner(function, naming.generated, user_locals, reads, jumps.returns.flag)
    mark_unbound(planner)
    if kinds.intersection({gast.With, *TRIES}):
        protect_handlers(function, naming)


def refuse_unknown(function, used, filename):
    if isinstance(function, gast.AsyncFunctionDef):
        raise ConversionError(f"'async def {function.name}' can't be converted: write it as a plain function",
                              filename, function.lineno)
    if isinstance(function, gast.Lambda) and is_generator(function):
        raise ConversionError("a lambda with a yield can't be converted: write it as a function", filename, function.lineno)
    if JST in used:
        raise ConversionError(f"the name '{JST}' belongs to rewritten code; use another one", filename, function.lineno)
