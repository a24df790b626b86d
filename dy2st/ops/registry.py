"""What an operator is: one `OpDef`, made by one `define(...)`, holding everything that is known about it."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import import_module
from typing import Any

from ..dtypes import BFLOAT16_USED
from ..errors import ConversionError, DTypeError, OperatorError, ShapeError
from ..ir.core import UNKNOWN, Operation
from ..ir.flows import Flows, Under
from ..ir.types import TensorType, Type
from . import dispatch
from .element_kinds import without
from .families import FAMILIES, HOMES
from .open_lengths import fits
from .signatures import attribute_names, misfit
from .wording import worded

__all__ = ["NO_SHARING", "OPERATORS", "UNKNOWN", "OpDef", "View", "define", "infer_types", "lookup", "view_of"]


@dataclass(eq=False)
class View:
    """How the results of an operator share the memory of operand 0, the base.

    copy: name of the operator that gives the same elements in memory of its own.
    scatter: name of the operator that writes a new view value back into the base: scatter(base, view, **attrs) -> base. Without
        one, what the view shows can't be written through it.
    restore: (type of the base, attrs) -> (name, attributes) of the view operator that makes the base of a view of all of it; or
        None.
    keeps_order: (attributes) -> whether the view of a base in row-major order lies in row-major order.
    may_copy: whether the result is a copy where the base's memory can't be walked in that way (in row-major order it can).
    of_memory: whether the view follows places in memory rather than elements: the base must lie in row-major order.
    """

    copy: str
    scatter: str | None = None
    restore: Callable[..., Any] | None = None
    keeps_order: Callable[[dict[str, Any]], bool] = lambda attrs: False
    may_copy: bool = False
    of_memory: bool = False


@dataclass(eq=False, repr=False)
class OpDef:
    """One operator.

    name: unique; Python operators carry a family prefix (`list.append`).
    kernel(*operands, **attrs): native values in, native values out (a tuple for several results).
    infer(*types, **attrs): operand types in, result type out (a tuple of types for several results, () for none).
    grad(ctx, *output_gradients): one gradient or None per operand, written with operators; None = not differentiable.
    template: Python expression over `{0}`, `{1}`, ..., `{attr}`, `{=1}` (the number 1 in the dtype of operand 0) and `np`, which
        an engine may inline instead of calling the kernel; or a callable (attrs, names, types) -> expression or None (= call
        the kernel), where `names` are the source texts of all operands and `types` their types, those that a `Ref` leaf of
        `attrs` stands for included.
    out: the kernel takes `out=`, an array of the result's shape and dtype, which may be one of its operands.
    out_apart: `out` should be none of its operands: a copy of that one would be made first.
    view: how the results share the memory of operand 0; None: they have memory of their own.
    flows: which references to objects it hands on (`ir.flows`), or a function of the Operation that gives them.
    indices: numbers of operands that are ints for which Python takes anything with `__index__`: a tensor of one element will do.
    store: name of the operator that puts another value in place of the element that this one reads:
        store(*operands, element, **attrs).
    mutates: indices of operands that are written in place.
    functional: name of the operator that computes what a mutation leaves: a result for each operand of `mutates`.
    reads: whether the result depends on mutable memory (lists, cells) beyond tensors.
    shape_only: indices of operands of which only the shape and dtype matter, not the values.
    like: indices of operands that only give the result its shape: no gradient flows to them.
    grad_ignores: indices of operands whose values the gradient rule doesn't read (at most their shape and dtype).
    grad_of_some: whether the gradient rule takes None for a result that no gradient arrives at, instead of zeros.
    raises: names of the exceptions that well-typed operands can still raise.
    safe_on: (type of operand 0) -> whether it raises none of them; None: no type rules them out.
    row_major: whether results lie in memory in row-major order: always (True), where operands do (None), not surely (False).
    random, io, allocates: draws random numbers; does input or output; makes a new mutable object.
    calls_python: calls a Python function that the process knows by name, so that no file may hold it.
    located: (location, *operands, **attrs): the kernel where the line of the Operation is known, and the calls around it.
    onnx: (builder, *operands, **attrs) -> the results as values of a graph (`dy2st.graphs.lowering.writer`), attributes that only
        the Program knows among them; or a text that says why there is no form in ONNX; None: nobody has said.
    onnx_complex: the same where an operand or a result is complex (`lowered.complexes`).
    """

    name: str
    kernel: Callable[..., Any]
    infer: Callable[..., Any]
    grad: Callable[..., Any] | None = None
    template: str | Callable[[dict[str, Any], list[str], list[Type]], str | None] | None = None
    out: bool = False
    out_apart: bool = False
    view: View | None = None
    flows: Flows | Callable[[Operation], Flows] = ()
    indices: tuple[int, ...] = ()
    store: str | None = None
    mutates: tuple[int, ...] = ()
    functional: str | None = None
    reads: tuple[int, ...] = ()
    shape_only: tuple[int, ...] = ()
    like: tuple[int, ...] = ()
    grad_ignores: tuple[int, ...] = ()
    grad_of_some: bool = False
    raises: tuple[str, ...] = ()
    safe_on: Callable[[Any], bool] | None = None
    row_major: bool | None = None
    random: bool = False
    io: bool = False
    allocates: bool = False
    calls_python: bool = False
    located: Callable[..., Any] | None = None
    onnx: Callable[..., Any] | str | None = None
    onnx_complex: Callable[..., Any] | None = None

    def __call__(self, /, *operands: Any, **attrs: Any) -> Any:
        """Bind the operator in the current mode; in float32, where operands of float16 or bfloat16 take that."""
        mode = dispatch.current_mode()
        if mode.widens and (self.is_widened or BFLOAT16_USED or mode.records):
            return _half().widened(self, operands, attrs, mode.bind)
        return mode.bind(self, operands, attrs)

    @cached_property
    def is_widened(self) -> bool:
        """Whether it computes in float32 where operands are of float16."""
        return _half().is_widened(self)

    @cached_property
    def attributes(self) -> frozenset[str]:
        """The names of the attributes that a call may have."""
        return attribute_names(self.kernel, self.infer)

    def check_attributes(self, names: Iterable[str]) -> None:
        """OperatorError where the operator has no such attribute: NumPy's functions take more than a Program may say."""
        if not self.attributes.issuperset(names):
            unknown = reprlib.repr(next(name for name in names if name not in self.attributes))
            raise OperatorError(f"{self.name} has no attribute {unknown}; it has {', '.join(sorted(self.attributes)) or 'none'}")

    def misfit(self, count: int, names: Collection[str]) -> str:
        """Why this can't be called with `count` operands by position and attributes of these names; "" where it can."""
        if isinstance(self.template, str) and f"{{{count}}}" in self.template:
            return f"takes more than {count} operands"
        if unknown := [name for name in names if name not in self.attributes]:
            return f"has no attribute {unknown[0][:60]!r}"
        return misfit(self.kernel, self.infer, count, names)

    @cached_property
    def incoming(self) -> Flows:
        """The flows into operand 0, where these are the same for every Operation."""
        return () if callable(self.flows) else tuple(flow for flow in self.flows if flow.target.of == 0)

    @cached_property
    def is_keyed(self) -> bool:
        """Whether it reads what lies in a dict, operand 0, under a key, operand 1."""
        return not callable(self.flows) and any(isinstance(slot, Under) for f in self.flows for slot in f.source.slots)

    @property
    def pure(self) -> bool:
        """No effect, and the same operands give the same result."""
        return not (self.mutates or self.reads or self.raises or self.random or self.io or self.allocates)

    def may_raise(self, op: Operation) -> frozenset[str]:
        """The names of the exceptions that an Operation of this operator, whose operands are well typed, can still raise."""
        declared = () if self.safe_on is not None and self.safe_on(op.operands[0].type) else self.raises
        return frozenset(declared if fits(op) else (*declared, "ShapeError"))

    def __repr__(self) -> str:
        return f"<operator {self.name}>"


@cache
def _half() -> Any:
    from . import half  # which needs operators

    return half


class Operators(Mapping[str, OpDef]):
    """Every operator by name. Looking one up imports the module that defines it; counting or walking them imports all."""

    def __init__(self) -> None:
        self._defined: dict[str, OpDef] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._defined or name in HOMES

    def __getitem__(self, name: str) -> OpDef:
        if name not in self._defined and name in HOMES:
            import_module(f"{__package__}.{HOMES[name]}")
        return self._defined[name]

    def get(self, name: str, default: Any = None) -> Any:
        return self._defined.get(name) or (self[name] if name in HOMES else default)

    def __iter__(self) -> Iterator[str]:
        for module in FAMILIES:
            import_module(f"{__package__}.{module}")
        return iter(self._defined)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def add(self, operator: OpDef) -> None:
        """Note an operator that a module defines. ValueError: there is one of this name."""
        if operator.name in self._defined:
            raise ValueError(f"operator {operator.name!r} is defined twice")
        self._defined[operator.name] = operator


OPERATORS = Operators()
_SHARED = ("list", "dict", "set", "object", "adjoint", "container", "reference")
NO_SHARING = "a graph shares no memory; lists, dicts, sets and objects have become values before, where nobody shares them"


def define(
    name: str, kernel: Callable[..., Any], in_words: bool = False, refuses: tuple[str, ...] = (), **parts: Any
) -> OpDef:
    """Register an operator; its name must be new, and stand in `families.py`.

    refuses: kinds of elements that it doesn't take, of `element_kinds`.
    in_words: whatever NumPy makes of numbers that don't fit is an error of dy2st that names the operator.
    """
    if name.partition(".")[0] in _SHARED:
        parts.setdefault("onnx", NO_SHARING)
    if parts.get("onnx_complex") is not None:
        parts.setdefault("onnx", parts["onnx_complex"])
    if refuses:
        parts["infer"], kernel = without(refuses, name, parts["infer"], kernel)
    made = OpDef(name, worded(name, kernel) if in_words else kernel, **parts)
    OPERATORS.add(made)
    return made


def lookup(name: str) -> OpDef:
    """The operator called `name`; KeyError names it."""
    try:
        return OPERATORS[name]
    except KeyError:
        raise KeyError(f"there is no operator {name!r}") from None


def view_of(name: str) -> View | None:
    """How what the operation `name` gives shares its operand's memory; None where it doesn't."""
    definition = OPERATORS.get(name)
    return None if definition is None else definition.view


def infer_types(definition: OpDef, types: list, attrs: dict[str, Any]) -> tuple:
    """The result types for operand types and attributes whose dynamic leaves are `UNKNOWN`.

    ConversionError: inference computes with an attribute that only the Program knows. ShapeError: a length would be negative.
    """
    if not attrs:
        return _inferred(definition, tuple(types))
    try:
        found = _as_tuple(definition.infer(*types, **attrs))
    except TypeError as error:
        unknown = [name for name, value in attrs.items() if _is_unknown(value)]
        if isinstance(error, DTypeError) or not unknown:
            raise
        raise ConversionError(
            f"{definition.name}: {' and '.join(unknown)} is known only when the Program runs, and has to be known while staging; "
            "write an if for each value that it may have"
        ) from error
    for type_ in found:
        if isinstance(type_, TensorType) and any(type(dim) is int and dim < 0 for dim in type_.shape or ()):
            raise ShapeError(f"{definition.name}: a length is negative, in the shape {list(type_.shape or ())} of the result")
    return found


def _is_unknown(value: Any) -> bool:
    """Whether an attribute, or a part of it, is known only when the Program runs."""
    if isinstance(value, (list, tuple)):
        return any(map(_is_unknown, value))
    return value is UNKNOWN


@lru_cache(maxsize=4096)
def _inferred(definition: OpDef, types: tuple) -> tuple:
    """Without attributes; remembered, since a Program asks the same again and again."""
    return _as_tuple(definition.infer(*types))


def _as_tuple(result: Any) -> tuple:
    return result if isinstance(result, tuple) else (result,)
