"""`trace` and `trace_module`: record what a function does with example inputs."""

from __future__ import annotations

import inspect
import types
import warnings
from typing import Any

from ... import pytree
from ...garbage import without_collections
from ...ir.core import Loc
from ...ir.functions import tidy
from ...ir.types import Type
from ...nn.before import Before
from ...nn.hooks import TABLES as HOOK_TABLES
from ...nn.layer import Layer
from ...ops import dispatch
from ...runtime.control.settle import settle
from ...runtime.outside.facts import Facts
from ...runtime.outside.roots import Roots
from ...runtime.recorder.recorder import Recorder
from ...runtime.recorder.unconverted_try import runs_the_model
from ...runtime.stage.results import as_result
from ...runtime.stage.settings import settings
from ...runtime.stage.stage import Namespace, StagedFunction
from ...runtime.tensors.borrowed import own
from ...runtime.tensors.call_hook import observing
from ...runtime.tensors.spec import ValueSpec, has_parts, is_leaf
from ...runtime.where.lines import SourceLoc
from ...runtime.where.running import working
from ...runtime.where.tracebacks import shows_users_frames
from ...undo import UndoLog
from ..interface.errors import ScriptError
from ..interface.layer_names import names_of
from ..scripting.classes import fields_of
from ..scripting.compiled_module import CompiledModule, copied_layer
from ..scripting.dtypes import general, tensors_in, with_dtypes
from ..scripting.function import ScriptFunction
from ..scripting.hints import Hints, of_value
from ..scripting.markers import enabled
from ..scripting.policy import ResolvedNames, ScriptPolicy
from ..scripting.signature import Signature, TypedParameter
from .check import Checker, copied
from .given import Given
from .traced_function import TracedFunction, kinds_of
from .tracer import Tracer, TracerWarning


@shows_users_frames
def trace(
    func: Any, example_inputs: Any, optimize: Any = None, check_trace: bool = True, check_inputs: list | None = None,
    check_tolerance: float = 1e-5,
) -> Any:  # fmt: skip
    """Record what a function, or the forward of a Layer, computes of example inputs.

    func: the function, or the Layer; the result is a ScriptFunction or a ScriptModule that computes the same.
    example_inputs: a tuple of Tensors, and of lists, tuples and dicts of them; or one Tensor. The trace runs the same operators
    for any inputs of these dtypes and numbers of axes. Branches and loops of Python are as the example took them. A TracerWarning
    points at a value that became a constant. Functions that `script` compiled keep their control flow.

    check_trace: run the trace and the function once more, and compare. check_inputs: a list of further inputs to check with;
    TracingCheckError where the function computes something else for them. check_tolerance: how close values have to be.
    `optimize` has no effect. RuntimeError: a method of a Layer, or a tensor from outside that is trained. ScriptError: examples
    that are no Tensors.
    """
    if not enabled() or isinstance(func, ScriptFunction):
        return func
    if isinstance(func, types.MethodType) and isinstance(func.__self__, Layer) and func.__name__ == "forward":
        func = func.__self__
    if isinstance(func, CompiledModule):
        return func
    if isinstance(func, Layer):
        checks = None if check_inputs is None else [{"forward": given} for given in check_inputs]
        return trace_module(func, {"forward": example_inputs}, optimize, check_trace, checks, check_tolerance)
    if isinstance(func, types.MethodType) and isinstance(func.__self__, Layer):
        raise RuntimeError(
            f"trace takes a function or a Layer; trace_module(layer, {{{func.__name__!r}: inputs}}) traces the method, with the "
            "layer's parameters as parameters"
        )
    made = traced(func, as_tuple(example_inputs), None)
    checker = Checker(func, made, lambda given: traced(func, given, None), check_tolerance, None)
    checker.check(check_trace, as_tuple(example_inputs), check_inputs)
    return made


@shows_users_frames
def trace_module(
    mod: Any, inputs: dict, optimize: Any = None, check_trace: bool = True, check_inputs: list[dict] | None = None,
    check_tolerance: float = 1e-5,
) -> Any:  # fmt: skip
    """Record several methods of the Layer `mod` into one ScriptModule, the result.

    inputs: the example inputs of each method, by its name. check_inputs: a list of dicts like `inputs`. The rest is as in
    `trace`: optimize, check_trace, check_tolerance, the errors.
    """
    if not enabled():
        return mod
    methods: dict[str, Any] = {}
    shadow = copied_layer(mod, Hints(fields_of))
    vars(shadow).update({table: {} for table in HOOK_TABLES})  # they are part of what is recorded
    for name, given in inputs.items():
        bound = mod if name == "forward" else getattr(mod, name)
        methods[name] = traced(bound, as_tuple(given), mod)
        methods[name].follow(shadow)
        wanted = None if check_inputs is None else [each[name] for each in check_inputs if name in each]
        checker = Checker(bound, methods[name], lambda x, f=bound: traced(f, x, mod), check_tolerance, mod)  # type: ignore[misc]
        checker.check(check_trace, as_tuple(given), wanted)
    return CompiledModule(shadow, methods)


def as_tuple(inputs: Any) -> tuple:
    """One input stands for a tuple of it."""
    return tuple(own(list(inputs))) if isinstance(inputs, tuple | list) else (own(inputs),)


def traced(function: Any, inputs: tuple, owner: Layer | None) -> TracedFunction:
    """One function, recorded."""
    plain = function.forward if isinstance(function, Layer) else function
    plain = getattr(plain, "dygraph_function", plain)
    target: Any = inspect.unwrap(getattr(plain, "__func__", plain))
    if not isinstance(target, types.FunctionType):
        target = type(target).__call__
    hints = Hints(fields_of)
    signature = _signature(target, int(target is not plain), inputs, hints)
    kinds = kinds_of(signature, inputs)
    facts = Facts(Roots(target, owner), ScriptPolicy(hints, ResolvedNames()))
    facts.objects.update(hints.classes)
    facts.holds_state = False
    given = iter(kinds)
    types_ = [with_dtypes(p.type, given) for p in signature.parameters]
    names = [p.name for p in signature.parameters]
    before = Before()
    if owner is not None:
        before.keep_layer(owner)
    before.keep_reached(function)
    undo = UndoLog()
    undo.note(*settings())
    once = lambda: _trace_once(function, inputs, facts, names_of(owner), types_, names, before, undo)  # noqa: E731
    with undo, undo, working(f"tracing {signature.name}"):
        staged = settle(None, once, lambda: signature.name)
    _warn_of_changes(before.changed, "assigned", signature)
    _warn_of_changes(before.refilled, "changed", signature)
    _refuse_trainable(staged, owner, signature.loc)
    specs = {name: ValueSpec(type_, name) for name, type_ in zip(names, types_)}
    return TracedFunction(target, hints, signature, staged, specs, kinds)


@runs_the_model
def _trace_once(
    function: Any, inputs: tuple, facts: Facts, names: dict[int, str], types_: list[Type], parameters: list[str], before: Before,
    undo: UndoLog,
) -> StagedFunction:
    """Run the function once, recording; what it changes outside of it is put back."""
    facts.begin()
    rec = Recorder(facts, names, Namespace())
    values = rec.open_function("main", types_)
    undo.note(before.restore, rec.journal.rollback)
    rec.journal.savepoint()
    tracer = Tracer(rec, before)
    examples = [copied(x) for x in inputs]
    try:
        with dispatch.entered(rec):
            for value, name in zip(values, parameters):
                value.name = name
            given = Given()
            twins = [given.spread(rec.wrap(value), x) for value, x in zip(values, examples)]
        for x, twin in zip(examples, twins):
            tracer.pair(x, twin)
        with dispatch.entered(tracer), observing(tracer), without_collections():
            result = function(*examples)
        with dispatch.entered(rec):
            given.store_changes(tracer)
            twin = tracer.tree(result)
            _note_births(rec, twin)
            rec.emit("return", [rec.lower(as_result(rec, twin, {}))])
    finally:
        tracer.release()
        rec.journal.rollback()
        before.restore()
    tidy(rec.program)
    rec.heap.elements.settle(rec.program)
    state = {slot.name: slot for slot in facts.state.values()}
    return StagedFunction(rec.program, rec.tensors, state, rec.objects, facts.texts, rec.exceptions, facts.guards)


def _note_births(rec: Recorder, tree: Any) -> None:
    """The containers of a result are those of the recording."""
    if not is_leaf(tree) and has_parts(tree):
        for _, part in pytree.parts_of(tree):
            _note_births(rec, part)
        rec.new(tree)


def _signature(target: Any, skip: int, inputs: tuple, hints: Hints) -> Signature:
    """Parameters of the types of the examples."""
    code = target.__code__
    loc = SourceLoc(code.co_filename, code.co_firstlineno, code.co_name)
    names = list(code.co_varnames[skip : code.co_argcount])
    names += [f"input_{i}" for i in range(len(names), len(inputs))]
    parameters = []
    for name, value in zip(names, inputs):
        type_ = of_value(hints, value)
        if type_ is None or not any(True for _ in tensors_in(type_)):
            raise ScriptError(f"{loc}: the example input {name} is a {type(value).__name__}; a trace takes Tensors, and lists, "
                              "tuples and dicts of them")  # fmt: skip
        parameters.append(TypedParameter(name, general(type_), inspect.Parameter.empty))
    return Signature(target.__qualname__, parameters, None, loc)


def _warn_of_changes(names: set[str], how: str, signature: Signature) -> None:
    """What a function stores outside of it happens in no call of its trace."""
    if names:
        loc, text = signature.loc, f"is {how}, which a trace doesn't record: its calls find what is there now; use script"
        text = f"{signature.name}: {', '.join(sorted(names))} {text}"
        warnings.warn_explicit(text, TracerWarning, loc.file, loc.line)


def _refuse_trainable(staged: StagedFunction, owner: Layer | None, loc: Loc) -> None:
    """A Tensor that is trained can't become a constant of the trace."""
    own = {id(t) for t in owner.parameters()} if owner is not None else set()
    for tensor in staged.tensors.values():
        if not tensor.stop_gradient and id(tensor) not in own:
            raise RuntimeError(
                f"{loc}: Cannot insert a Tensor that requires grad as a constant. Consider making it a parameter or input, or "
                "detaching the gradient"
            )
