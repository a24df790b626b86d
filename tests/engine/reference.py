"""A tiny interpreter of Programs, for comparison: it walks the Operations and calls kernels, always on boxed native values."""

from __future__ import annotations

import builtins
import sys
from typing import Any

import numpy as np

from dy2st.ir.core import Block, Operation, Program, Ref
from dy2st.ir.native import UNBOUND, Atom, Cell, matches
from dy2st.ir.types import TensorType
from dy2st.ops.registry import lookup


class Interpreter:
    """Runs one Program; parameters and state live on between calls."""

    def __init__(self, program: Program):
        self.program = program
        self.parameters = {name: p.data for name, p in program.parameters.items()}
        self.state = {name: s.value for name, s in program.state.items()}
        self.classes: dict[str, type] = {}

    def __call__(self, *inputs: Any) -> Any:
        with np.errstate(all="ignore"):
            return self.call(next(iter(self.program.functions)), inputs)

    def call(self, name: str, inputs: tuple) -> Any:
        block = self.program.functions[name].block
        return self.block(block, dict(zip(block.args, inputs)))[0]

    def block(self, block: Block, env: dict) -> list:
        for op in block.ops:
            if op.name in ("yield", "return"):
                return [env[v] for v in op.operands]
            results = self.operation(op, env)
            env.update(zip(op.results, results))
        return []

    def operation(self, op: Operation, env: dict) -> list:
        core = getattr(self, "do_" + op.name.replace(".", "_"), None)
        values = [env[v] for v in op.operands]
        return core(op, values, env) if core else self.operator(op, values)

    def operator(self, op: Operation, values: list) -> list:
        attrs = {k: _resolved(v, values) for k, v in op.attrs.items()}
        given = lookup(op.name).kernel(*values[: op.n_positional], **attrs)
        results = list(given) if len(op.results) != 1 else [given]
        return [np.asarray(r) if isinstance(v.type, TensorType) else r for r, v in zip(results, op.results)]

    def do_const(self, op, values, env):
        return [op.attrs["value"]]

    def do_atom(self, op, values, env):
        return [Atom(**op.attrs)]

    def do_param(self, op, values, env):
        return [self.parameters[op.attrs["name"]]]

    def do_if(self, op, values, env):
        return self.block(op.blocks[0 if values[0] else 1], dict(env))

    def do_while(self, op, values, env):
        condition, body = op.blocks
        while self.block(condition, {**env, **dict(zip(condition.args, values))})[0]:
            values = self.block(body, {**env, **dict(zip(body.args, values))})
        return values

    def do_try(self, op, values, env):
        handlers = op.attrs.get("handlers") or []
        try:
            return self.block(op.blocks[0], dict(env))
        except BaseException as error:
            for names, block in zip(handlers, op.blocks[1:]):
                if any(c.__name__ in names for c in type(error).__mro__):
                    return self.block(block, dict(env))
            raise
        finally:
            if len(op.blocks) > 1 + len(handlers):
                self.block(op.blocks[-1], dict(env))

    def do_raise(self, op, values, env):
        if not op.attrs:
            if values:
                raise values[0]
            raise
        raise self.do_exception_new(op, values, env)[0]

    def do_exception_new(self, op, values, env):
        name = op.attrs["exception"]
        cls = getattr(builtins, name, None) or self.classes.setdefault(name, type(name, (Exception,), {}))
        fields = op.attrs.get("fields", [])
        error = cls(*values[: len(values) - len(fields)])
        vars(error).update(zip(fields, values[len(values) - len(fields) :]))
        return [error]

    def do_caught(self, op, values, env):
        return [sys.exc_info()[1]]

    def do_caught_is(self, op, values, env):
        return [any(c.__name__ in op.attrs["exceptions"] for c in type(values[0]).__mro__)]

    def do_caught_text(self, op, values, env):
        return [(repr if op.attrs["repr"] else str)(values[0])]

    def do_caught_args(self, op, values, env):
        return [values[0].args]

    def do_caught_field(self, op, values, env):
        return [vars(values[0])[op.attrs["name"]]]

    def do_call(self, op, values, env):
        return [self.call(op.attrs["function"], tuple(values))]

    def do_cell_new(self, op, values, env):
        return [Cell(*values)]

    def do_cell_get(self, op, values, env):
        return [values[0].value]

    def do_cell_set(self, op, values, env):
        values[0].value = values[1]
        return []

    def do_state_get(self, op, values, env):
        return [self.state[op.attrs["name"]]]

    def do_state_set(self, op, values, env):
        self.state[op.attrs["name"]] = values[0]
        return []

    def do_sum_make(self, op, values, env):
        return values

    def do_sum_get(self, op, values, env):
        return values

    def do_sum_tag(self, op, values, env):
        return [next(i for i, t in enumerate(op.operands[0].type.alternatives) if matches(t, values[0]))]

    def do_unbound(self, op, values, env):
        return [UNBOUND]

    def do_undef(self, op, values, env):
        return [None]


def _resolved(attr: Any, values: list) -> Any:
    if isinstance(attr, Ref):
        return values[attr.index]
    if isinstance(attr, (list, tuple)):
        return type(attr)(_resolved(a, values) for a in attr)
    return {k: _resolved(a, values) for k, a in attr.items()} if isinstance(attr, dict) else attr


def identical(a: Any, b: Any) -> bool:
    """Equal natives of the same classes, dtypes and shapes; nan equals nan."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)) or (a.dtype, a.shape) != (b.dtype, b.shape):
            return False
        return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if type(a) is not type(b):
        return False
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(identical, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(identical(a[k], b[k]) for k in a)
    if isinstance(a, Cell):
        return identical(a.value, b.value)
    if hasattr(a, "fields"):
        return a.cls == b.cls and identical(a.fields, b.fields)
    return a == b or (a != a and b != b)


def arrays_in(value: Any) -> list[np.ndarray]:
    """The arrays of a native value, in order."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, (tuple, list)):
        return [array for part in value for array in arrays_in(part)]
    return []
