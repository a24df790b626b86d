"""A Program run operator by operator on the tape, so that gradients flow through all that eager code could do.

It walks the Operations and binds each operator of tensors in the current mode: writes in place, views, `try`, containers and
recursion have the gradients that plain Python's have, at eager speed. What a Program holds between operators is in native form,
with Tensors in the place of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..dtypes import has_gradient
from ..errors import Dy2stError
from ..ir.core import Block, Operation, Program, fill_refs
from ..ir.native import UNBOUND, Atom, Cell, matches
from ..ir.types import ScalarType, SumType, TensorType
from ..ops.python.adjoints import sum_of, zero_like
from ..ops.registry import OpDef, lookup
from .engine.exceptions import ExceptionClasses, args_of, caught, chained, field_of, made_error, repr_of, text_of
from .engine.explained import as_torch_says
from .heap.natives import Mirror
from .recorder.hooks import register_hook
from .tensors.grad_mode import is_grad_enabled, no_grad
from .tensors.tensor import Tensor
from .where.faults import as_the_user, is_fault
from .where.tracebacks import lead_through, note_line

_PLAIN = (TensorType, ScalarType)


class TapedMirror(Mirror):
    """Live values and native ones, where Tensors stay Tensors."""

    def _leaf(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return value
        native = super()._leaf(value)
        return self._twin(value, Tensor(native)) if isinstance(native, np.ndarray) else native


SAID = ("io.print", "io.log", "io.warn")  # without a result
_SPREAD = {"list.stack": "stack", "list.concat_tensors": "concat"}  # the operator on the list's items


class Taped:
    """Runs one Program.

    parameters: name -> the Tensor that `param` gives; state: name -> the value of the Program's Python state; both are read and
    written in place. is_silent: whether nothing is printed, logged or warned of, as an earlier run has done that.
    """

    def __init__(
        self,
        program: Program,
        parameters: Mapping[str, Tensor],
        state: dict[str, Any],
        exceptions: Mapping[str, type[BaseException]] | None = None,
        objects: Mapping[str, Any] | None = None,
        is_silent: bool = False,
    ):
        self.is_silent = is_silent
        self.program, self.parameters, self.state, self.objects = program, parameters, state, objects or {}
        self.exceptions = ExceptionClasses(program, exceptions)

    def run(self, function: str, inputs: list) -> Any:
        """The result of a Function; a failure carries the user's line."""
        block = self.program.functions[function].block
        return self.block(block, dict(zip(block.args, inputs)))[0]

    def block(self, block: Block, env: dict) -> list:
        """Run a Block; what it yields or returns."""
        for op in block.ops:
            values = [env[v] for v in op.operands]
            if op.name in ("yield", "return"):
                return values
            if self.is_silent and op.name in SAID:
                continue
            try:
                results = CORE[op.name](self, op, values, env) if op.name in CORE else operate(op, values)
            except Exception as error:
                told = as_torch_says(error, op) if self.program.errors else error
                _lead_through(op, told)
                raise told  # not bare: before Python 3.11 that brings back the traceback that was there before
            env.update(zip(op.results, results))
        raise AssertionError("a Block that doesn't end")

    def call(self, op: Operation, values: list, env: dict) -> list:
        return [self.run(op.attrs["function"], values)]

    def if_(self, op: Operation, values: list, env: dict) -> list:
        return self.block(op.blocks[0 if values[0] else 1], env)

    def while_(self, op: Operation, values: list, env: dict) -> list:
        condition, body = op.blocks
        while True:
            env.update(zip(condition.args, values))
            if not self.block(condition, env)[0]:
                return values
            env.update(zip(body.args, values))
            values = self.block(body, env)

    def try_(self, op: Operation, values: list, env: dict) -> list:
        handlers = op.attrs.get("handlers") or []
        try:
            return self.block(op.blocks[0], env)
        except BaseException as error:  # in a Program staged here, `except:` catches what it catches in Python
            if is_fault(error):
                raise
            for names, block in zip(handlers, op.blocks[1:]):
                if isinstance(error, tuple(self.exceptions[n] for n in names)):
                    return self.block(block, env)
            raise
        finally:
            if op.attrs.get("finally"):
                self.block(op.blocks[-1], env)

    def raise_(self, op: Operation, values: list, env: dict) -> list:
        if not op.attrs.get("exception"):
            if values:
                raise chained(values[0], **({"cause": values[1]} if op.attrs.get("cause") else {}))
            raise  # noqa: PLE0704 - what the handler around it caught
        raise self.exception(op, values, env)[0]

    def exception(self, op: Operation, values: list, env: dict) -> list:
        """The exception that a `raise` or `exception.new` makes."""
        values = list(values)
        links = {name: values.pop() for name in ("cause", "context") if op.attrs.get(name)}
        fields = op.attrs.get("fields", [])
        count = len(values) - len(fields)
        cls = self.exceptions[op.attrs["exception"]]
        made = made_error(cls, dict(zip(fields, values[count:])), *values[:count]) if fields else as_the_user(cls, *values)
        return [chained(made, **dict(reversed(links.items())))]

    def is_caught(self, op: Operation, values: list, env: dict) -> list:
        return [isinstance(values[0], tuple(self.exceptions[n] for n in op.attrs["exceptions"]))]

    def gradient_hook(self, op: Operation, values: list, env: dict) -> list:
        name = op.attrs["hook"]
        if name not in self.objects:
            where = "which a saved model doesn't hold; train the model that it was saved from"
            raise Dy2stError(f"the hook {name} is Python code, {where}")
        register_hook(values[0], self.objects[name])
        return []

    def gradient_check(self, op: Operation, values: list, env: dict) -> list:
        if is_grad_enabled() and not all(x.stop_gradient for x in values):
            raise RuntimeError(op.attrs["message"])
        return []

    def param(self, op: Operation, values: list, env: dict) -> list:
        return [self.parameters[op.attrs["name"]]]

    def state_get(self, op: Operation, values: list, env: dict) -> list:
        return [self.state[op.attrs["name"]]]

    def state_set(self, op: Operation, values: list, env: dict) -> list:
        if self.state[op.attrs["name"]] is UNBOUND:
            del self.state[op.attrs["name"]]  # a new attribute comes last
        self.state[op.attrs["name"]] = values[0]
        return []


def _cell_set(taped: Taped, op: Operation, values: list, env: dict) -> list:
    values[0].value = values[1]
    return []


def _tag(taped: Taped, op: Operation, values: list, env: dict) -> list:
    type_ = op.operands[0].type
    assert isinstance(type_, SumType)
    return [tag_of(type_, values[0])]


def tag_of(type_: SumType, value: Any) -> int:
    """Which alternative of `type_` a value is; TypeError where it is none."""
    for i, alternative in enumerate(type_.alternatives):
        if matches(alternative, value, _is_tensor_of):
            return i
    raise TypeError(f"a {type(value).__name__} is no {type_}")


def _lead_through(op: Operation, error: Exception) -> None:
    """Let the traceback of an exception lead through the user's lines: of the Operation that failed, and of calls around it."""
    is_innermost = getattr(error, "dy2st_loc", None) is None
    if op.loc is not None and is_innermost:
        note_line(error, op.loc)
    if is_innermost or op.name == "call":
        lead_through(op.loc, error)


def _is_tensor_of(type_: TensorType, value: Any) -> bool:
    return isinstance(value, Tensor) and value.type.dtype == type_.dtype


CORE: dict[str, Callable[[Taped, Operation, list, dict], list]] = {
    "const": lambda taped, op, values, env: [op.attrs["value"]],
    "atom": lambda taped, op, values, env: [Atom(**op.attrs)],
    "unbound": lambda taped, op, values, env: [UNBOUND],
    "undef": lambda taped, op, values, env: [None],
    "param": Taped.param,
    "gradient_hook": Taped.gradient_hook,
    "gradient_check": Taped.gradient_check,
    "if": Taped.if_,
    "while": Taped.while_,
    "try": Taped.try_,
    "raise": Taped.raise_,
    "call": Taped.call,
    "cell.new": lambda taped, op, values, env: [Cell(*values)],
    "cell.get": lambda taped, op, values, env: [values[0].value],
    "cell.set": _cell_set,
    "state.get": Taped.state_get,
    "state.set": Taped.state_set,
    "sum.make": lambda taped, op, values, env: values,
    "sum.get": lambda taped, op, values, env: values,
    "sum.tag": _tag,
    "caught": lambda taped, op, values, env: [caught()],
    "exception.new": Taped.exception,
    "caught.is": Taped.is_caught,
    "caught.text": lambda taped, op, values, env: [(repr_of if op.attrs["repr"] else text_of)(values[0])],
    "caught.args": lambda taped, op, values, env: [args_of(values[0], op.result.type, is_tensor=_is_tensor_of)],
    "caught.field": lambda taped, op, values, env: [
        field_of(values[0], op.attrs["name"], op.result.type, is_tensor=_is_tensor_of)
    ],
}


def operate(op: Operation, values: list) -> list:
    """The results of an operator: on the tape where it computes, as it is where it only moves what containers hold."""
    attrs = fill_refs(op.attrs, values)
    plain = all(isinstance(v.type, _PLAIN) for v in (*op.operands, *op.results))
    given = apply(lookup(op.name), values[: op.n_positional], attrs, plain)
    return list(given) if len(op.results) > 1 else [given] if op.results else []


def apply(definition: OpDef, operands: list, attrs: dict[str, Any], plain: bool) -> Any:
    """What an operator gives; `plain`: all that goes in and comes out is tensors and Python scalars."""
    if definition.name in _SPREAD and operands[0]:
        definition, operands = lookup(_SPREAD[definition.name]), list(operands[0])
    elif not plain:
        return _in_containers(definition, operands, attrs)
    if definition.name == "detach":
        return _detached(definition, attrs.get("leaf", ""), *operands)
    return definition(*operands, **attrs)


@zero_like.register(Tensor)
def _(value: Tensor) -> Tensor:
    return Tensor(np.zeros_like(value._data))


@sum_of.register(Tensor)
def _(a: Tensor, b: Tensor) -> Tensor:
    return lookup("add")(a, b) if has_gradient(a.type.dtype) else a


def _detached(definition: OpDef, leaf: str, x: Tensor) -> Tensor:
    """`x` without its history; an input that the call makes a leaf is one."""
    if leaf == "input":
        return x
    with no_grad():
        found = definition(x)
    found.stop_gradient = not leaf
    return found


def _in_containers(definition: OpDef, operands: list, attrs: dict) -> Any:
    definition.check_attributes(attrs)
    given = as_the_user(definition.kernel, *operands, **attrs)
    boxed = lambda r: Tensor(np.asarray(r)) if isinstance(r, np.ndarray | np.generic) else r  # noqa: E731
    return tuple(map(boxed, given)) if type(given) is tuple else boxed(given)
