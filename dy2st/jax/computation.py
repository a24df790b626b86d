"""A Program as a computation that JAX traces: arrays of leaves go in and come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ..errors import VerifyError
from ..graphs.lowering import coercion
from ..graphs.lowering.faults import FINE, ErrorEntry
from ..graphs.lowering.leaves import Leaf, leaves_of
from ..graphs.lowering.values import Array
from ..graphs.ports import Port, error_entry, port_of_result
from ..graphs.preparing import Prepared
from ..ir.core import Program
from ..ir.types import INT, TensorType, TupleType, Type
from ..ops.registry import OPERATORS
from ..passes import Pipeline
from ..passes.copying import copied
from .lowering.codes import heard
from .lowering.forms import Form
from .lowering.items import Forms, form_of, results_of
from .lowering.says import Say, now, says
from .lowering.walk import JaxWalk
from .lowering.writer import JaxWriter

_FEW = 64  # elements of a constant that a computation knows
_NARROWER = Pipeline.of("narrower", "shapes", "constants", "simplify", "dead_code", "shapes")


@dataclass
class Found:
    """What a trace gives. arrays: those of all leaves, each with the number of its rows, or None, where it has room for more.
    Of a list whose items have shapes of their own, a list of such pairs is in the array's place.

    forms: what is known of each before it is there. ports: what they stand for. errors: the exceptions that the port of the role
    "error" may tell of. texts: those that have a number in the arrays.
    """

    arrays: list[tuple[Any, Any]] = field(default_factory=list)
    forms: list[Form | Forms] = field(default_factory=list)
    ports: list[Port] = field(default_factory=list)
    errors: list[ErrorEntry] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)


class Computation:
    """Computes a Program with arrays of JAX.

    ready: the Program without writes and without a heap. draws, says: whether it draws random numbers, and prints.
    constants: the parameters that are captured constants of few elements; where they are known, so is what they tell.
    unread: the names of state that holds something before a call which nobody reads.
    """

    def __init__(self, ready: Prepared):
        self.ready = ready
        self.inputs = [
            Port(x.type, [], x.original, "value" if x.kind == "input" else x.kind, x.name) for x in ready.interface.inputs
        ]
        self.draws = any(OPERATORS[op.name].random for op in ready.program.walk() if op.name in OPERATORS)
        read = {value for op in ready.program.walk() for value in op.operands}
        entered = zip(ready.interface.inputs, ready.program.entry.block.args)
        self.unread = {x.name for x, value in entered if x.kind == "state" and value not in read}
        self.says = any(map(says, ready.program.walk()))
        self.constants = {name for name, x in ready.program.parameters.items() if x.kind == "constant" and x.data.size <= _FEW}

    def __call__(
        self,
        parameters: Mapping[str, Any],
        inputs: Sequence[Sequence[Any]],
        capacity: int,
        key: Any = None,
        say: Say = now,
        x32: bool = False,
    ) -> Found:
        """Compute with the arrays of parameters and of the leaves of each input; a tuple has rows, and how many are there.

        capacity: of lists that a loop grows. key: what random numbers follow from, where it draws any. say: what is given the
        functions that print. x32: whether 64 bits become 32.
        """
        program, fits = self._narrowed(inputs)
        g = JaxWriter(capacity, key, say if self.says else None, x32)
        walk = JaxWalk(g, program, parameters, fits)
        given = [self._given(g, port.type, leaves) for port, leaves in zip(self.inputs, inputs)]
        with jax.numpy_dtype_promotion("strict"), heard() as texts:
            (returned,) = walk.block(program.entry.block, given)
            found = self._found(g, returned)
        found.texts = texts
        return found

    def _given(self, g: JaxWriter, type_: Type, arrays: Sequence[Any]) -> list[Any]:
        """The leaves of one input."""
        is_number = len(arrays) == 1 and not isinstance(type_, TensorType)

        found: list[Any] = []
        for leaf, x in zip(leaves_of(type_), arrays):
            is_text = element_of(leaf) == "string"
            if isinstance(x, list):
                found.append(g.listed([g.made(item, is_text=is_text) for item in x]))
            else:
                data, count = x if isinstance(x, tuple) else (x, None)
                found.append(g.made(data, is_number, count, is_text=is_text))
        return found

    def _found(self, g: JaxWriter, returned: Any) -> Found:
        found, interface = Found(), self.ready.interface
        types = [result.type for result in interface.outputs]
        is_one = len(types) == 1 and types[0] == returned.type
        told: Any = None
        for result, part in zip(interface.outputs, [returned.leaves] if is_one else coercion.split(returned.leaves, types)):
            if result.kind == "error":
                (told,) = part
            else:
                port, hint = port_of_result(result)
                found.ports.append(replace(port, leaves=[f"{hint}.{k}" for k in range(len(part))]))
                found.arrays += map(results_of, part)
                found.forms += map(form_of, part)
        self._errors(g, told, found)
        return found

    def _errors(self, g: JaxWriter, told: Any, found: Found) -> None:
        errors = [error_entry(record) for record in self.ready.interface.errors]
        code = jnp.asarray(0, "int64") if told is None else jnp.asarray(told.data)
        if g.errors:
            fault = jnp.asarray(g.code())
            code = lax.select(fault == FINE, code, fault + len(errors))
        found.ports.append(Port(INT, ["error"], INT, "error", ""))
        found.arrays.append((code, None))
        found.forms.append(Form((), code.dtype, 0, False, None))
        found.errors = [*errors, *g.errors]

    def _narrowed(self, inputs: Sequence[Sequence[Any]]) -> tuple[Program, bool]:
        """A copy of the Program that knows the shapes of its inputs; the Program and False where these don't fit somewhere."""
        types = [_with_shapes(x.type, iter(leaves)) for x, leaves in zip(self.ready.program.entry.block.args, inputs)]
        if types == [x.type for x in self.ready.program.entry.block.args]:
            return self.ready.program, True
        program = copied(self.ready.program)
        for value, type_ in zip(program.entry.block.args, types):
            value.type = type_
        try:
            return _NARROWER.run(program, fresh=True), True
        except VerifyError:
            return self.ready.program, False


def element_of(leaf: Leaf) -> str:
    """The dtype of the elements of a leaf."""
    type_ = leaf.row if leaf.is_column else leaf.type
    assert isinstance(type_, Array)
    return type_.dtype


def _with_shapes(type_: Type, leaves: Any) -> Type:
    """The type with the shapes of these leaves."""
    if isinstance(type_, TensorType) and len(leaves_of(type_)) == 1:
        return TensorType(type_.dtype, tuple(next(leaves).shape))
    if isinstance(type_, TupleType):
        return type_.with_parts([_with_shapes(part, leaves) for part in type_.elems])
    for _ in leaves_of(type_):
        next(leaves)
    return type_
