"""A copy of a Function, prepared for its backward, and the backward as if it stood right behind it."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.core import Block, Operation, Program, Value
from ...ir.functions import reached
from ...ir.join import children
from ...ir.types import ClassType, Type
from ...runtime.activity import Activity
from ..copying import copied
from ..functionalize import FunctionalizeError, functionalize_program
from ..inline import inline_all
from . import residuals
from .adjoints import Adjoints
from .emitter import Emitter
from .hidden import refuse_hidden_flow, writes_tensors
from .refusal import NotDifferentiableError
from .reverse import Reverse
from .shadows import shadows_of

Asked = Sequence[int | str]  # numbers of arguments, names of parameters


class Draft:
    """function: the copy; back: the Block of its backward, whose last argument is the gradient of the result.

    asked: the Values whose gradients are wanted; adjoints: theirs, where something depends on them.
    """

    def __init__(self, program: Program, asked: Asked, name: str):
        self.program = copied(program)
        inline_all(self.program)
        self._prepare(asked, name)
        if writes_tensors(self.function, self.activity):
            self._take_writes_out()
            self._prepare(asked, name)
        block = self.function.block
        refuse_hidden_flow(list(block.walk()), self.activity)
        self.emit = Emitter()
        self.adjoints = Adjoints(self.emit)
        end = block.ops[-1]
        if end.name != "return":
            raise NotDifferentiableError(end, "a function that always raises has no gradient")
        (result,) = end.operands
        if result in self.activity and _holds_objects_of_classes(result.type):
            raise NotDifferentiableError(end, f"gradients of a result that is {result.type}")
        self.back = Block([result.type])
        self.back.args[0].name = "gradient"
        with self.emit.at(self.back):
            shadows = shadows_of(list(block.walk()), self.activity, self.emit)
            reverse = Reverse(self.activity, self.asked, self.emit, shadows)
            reverse.from_result(block, self.adjoints, result, self.back.args[0])

    def _prepare(self, asked: Asked, name: str) -> None:
        self.function = self.program.functions[name]
        block = self.function.block
        self._refuse_recursive_readers(asked)
        self.asked = [block.args[key] if isinstance(key, int) else the_param(key, self.program, block) for key in asked]
        self.activity = Activity(self.program, self.function, self.asked)

    def free_name(self, wanted: str) -> str:
        """`wanted`, or like it: the name of no other Function."""
        while wanted in self.program.functions and self.program.functions[wanted] is not self.function:
            wanted = f"{wanted}_"
        return wanted

    def _refuse_recursive_readers(self, asked: Asked) -> None:
        """Functions that call themselves aren't inlined: no parameter that they read leads to the result."""
        readers = {f.name for f in self.program.functions.values() if any(op.attrs["name"] in asked for op in params(f.block))}
        for op in self.function.block.walk():
            if op.name == "call" and readers & {op.attrs["function"], *reached(self.program, op.attrs["function"])}:
                raise NotDifferentiableError(op, "a recursive function that uses a parameter has no backward form")

    def _take_writes_out(self) -> None:
        try:
            functionalize_program(self.program, lift=False)
        except FunctionalizeError as error:
            raise NotDifferentiableError(self.function.block.ops[-1], str(error)) from error


def _holds_objects_of_classes(type_: Type) -> bool:
    return isinstance(type_, ClassType) or any(map(_holds_objects_of_classes, children(type_)))


def params(block: Block) -> list[Operation]:
    """The operations that read parameters, those of inner Blocks included."""
    return [op for op in block.walk() if op.name == "param"]


def the_param(name: str, program: Program, block: Block) -> Value:
    """One `param` at the head of the Function in place of all that read the parameter."""
    made = Operation("param", (), {"name": name}, [program.parameters[name].type])
    residuals.replace([block], {op.result: made.result for op in params(block) if op.attrs["name"] == name})
    made.parent = block
    block.ops.insert(0, made)
    return made.result
