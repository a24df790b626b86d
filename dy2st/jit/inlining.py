"""A finished Program becomes part of the one that is being recorded: a traced or loaded function called from compiled code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import ConversionError
from ..ir.core import Block, Operation, Program, Ref, map_leaves
from ..ops.registry import lookup
from ..runtime.loop import Loop
from ..runtime.staging import stage_if
from ..runtime.static import Recorder, current_recorder
from ..runtime.tensor import Tensor


def inlined(program: Program, function: str, inputs: list, tensors: Mapping[str, Tensor]) -> Any:
    """What a Function gives, recorded operation by operation. tensors: the live parameters by name."""
    rec = current_recorder()
    assert rec is not None
    return Inlining(rec, program, tensors).run(function, inputs)


class Inlining:
    """Records one Program's operations in another."""

    def __init__(self, rec: Recorder, program: Program, tensors: Mapping[str, Tensor]):
        self.rec, self.program, self.tensors = rec, program, tensors

    def run(self, function: str, inputs: list) -> Any:
        """The result of a Function."""
        block = self.program.functions[function].block
        return self.block(block, dict(zip(block.args, inputs)))[0]

    def block(self, block: Block, env: dict) -> list:
        """Record a Block; what it yields or returns."""
        for op in block.ops:
            values = [env[v] for v in op.operands]
            if op.name in ("yield", "return"):
                return values
            env.update(zip(op.results, self.results(op, values, env)))
        raise AssertionError("a Block that doesn't end")

    def results(self, op: Operation, values: list, env: dict) -> list:
        """What one Operation gives."""
        if op.name in CORE:
            return CORE[op.name](self, op, values, env)
        if "." not in op.name or op.name.partition(".")[0] not in ("cell", "caught", "sum", "exception", "state"):
            attrs = map_leaves(op.attrs, lambda leaf: values[leaf.index] if isinstance(leaf, Ref) else leaf)
            given = lookup(op.name)(*values[: op.n_positional], **attrs)
            return list(given) if len(op.results) > 1 else [given] if op.results else []
        what = op.name.partition(".")[0]
        raise ConversionError(
            f"{self.rec.here()}: this calls a traced or loaded function with a {what} of its own ({op.loc}); script the layer "
            "that it comes from instead"
        )

    def if_(self, op: Operation, values: list, env: dict) -> list:
        if isinstance(values[0], bool):
            return self.block(op.blocks[0 if values[0] else 1], env)
        then, other = (lambda b=b: tuple(self.block(b, dict(env))) for b in op.blocks)
        return list(stage_if(self.rec, self.rec.condition(values[0]), then, other, exact=True))

    def while_(self, op: Operation, values: list, env: dict) -> list:
        condition, body = op.blocks

        def test(*carried: Any) -> Any:
            return self.block(condition, {**env, **dict(zip(condition.args, carried))})[0]

        def turn(*carried: Any) -> Any:
            given = self.block(body, {**env, **dict(zip(body.args, carried))})
            return given[0] if len(given) == 1 else tuple(given)

        names = tuple(f"carried_{i}" for i in range(len(values)))
        return Loop(self.rec, test, turn, names, values, self.rec.facts.site((id(self.program), id(op)))).run()


CORE: dict[str, Callable[[Inlining, Operation, list, dict], list]] = {
    "const": lambda made, op, values, env: [op.attrs["value"]],
    "param": lambda made, op, values, env: [made.tensors[op.attrs["name"]]],
    "call": lambda made, op, values, env: [made.run(op.attrs["function"], values)],
    "if": Inlining.if_,
    "while": Inlining.while_,
}
