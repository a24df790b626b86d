"""A copy of a Function, prepared for its backward, and the backward as if it stood right behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...ir.core import Block, Function, Program, Value
from ...ir.types import ClassType
from ...runtime.tensors.activity import Activity, leaves_of_inputs
from ..copying import copied
from ..functionalize import FunctionalizeError, functionalize_program
from ..inline import inline_all
from .adjoints import Adjoints
from .calls import FunctionPair, callees_of, may_hold, the_param
from .emitter import Emitter
from .hidden import refuse_hidden_flow, writes_tensors
from .overwritten import refuse_late_writes
from .refusal import NotDifferentiableError
from .reverse import Reverse
from .shadows import ByIdentity, ByName, are_named

Asked = Sequence[int | str]  # numbers of arguments, names of parameters


class Draft:
    """function: the copy; back: the Block of its backward, whose last argument is the gradient of the result.

    asked: the Values whose gradients are wanted; adjoints: theirs, where something depends on them.
    """

    def __init__(self, program: Program, asked: Asked, name: str):
        refuse_late_writes(program, asked, name)
        self.program = copied(program)
        inline_all(self.program)
        self._prepare(asked, name)
        if any(writes_tensors(function, activity) for function, activity in self._parts()):
            self._take_writes_out()
            self._prepare(asked, name)
        for function, activity in self._parts():
            refuse_hidden_flow(list(function.block.walk()), activity, calls=True)
        self.by_identity = not all(are_named(function.block.walk(), activity) for function, activity in self._parts())
        self.emit = Emitter()
        self.adjoints = Adjoints(self.emit)
        self.back = self._of_entry(self.function.block)
        for called, callee in self.callees.items():
            self._of_callee(called, callee)

    def _of_entry(self, block: Block) -> Block:
        end = block.ops[-1]
        if end.name != "return":
            raise NotDifferentiableError(end, "a function that always raises has no gradient")
        (result,) = end.operands
        if result in self.activity and result.type.holds(ClassType):
            raise NotDifferentiableError(end, f"gradients of a result that is {result.type}")
        back = Block([result.type])
        back.args[0].name = "gradient"
        with self.emit.at(back):
            reverse = self._reverse(self.activity, self.asked, self.parameters)
            reverse.shadows = (ByIdentity if self.by_identity else ByName)(self.emit, self.activity)
            reverse.from_result(block, self.adjoints, result, back.args[0])
        return back

    def _of_callee(self, name: str, callee: FunctionPair) -> None:
        reverse = self._reverse(self.activities[name], callee.targets, callee.parameters)
        for made in callee.write(reverse, self.by_identity):
            self.program.functions[made.name] = made
        self.program.functions[name] = callee.plain

    def _prepare(self, asked: Asked, name: str) -> None:
        program, self.function = self.program, self.program.functions[name]
        block = self.function.block
        inputs = dict(enumerate(block.args)) | leaves_of_inputs(self.function)
        self.asked = [inputs[key] if isinstance(key, int) else the_param(key, program, block) for key in asked]
        self.parameters = {key: v for key, v in zip(asked, self.asked) if isinstance(key, str)}
        self.callees = callees_of(program, self.function, list(self.parameters), self.free_name)
        self.activities = {n: self._activity(c.function, c.start()) for n, c in self.callees.items()}
        self.activity = self._activity(self.function, self.asked)

    def _activity(self, function: Function, start: list[Value]) -> Activity:
        """Gradients flow into what a call gives, or fills, from the parameters that it reads, as well."""
        calls = [op for op in function.block.walk() if op.name == "call" and self.callees[op.attrs["function"]].parameters]
        filled = [v for op in calls for v in (*op.results, *filter(may_hold, op.operands))]
        return Activity(self.program, function, [*start, *filled])

    def _parts(self) -> list[tuple[Function, Activity]]:
        return [(self.function, self.activity), *((c.function, self.activities[n]) for n, c in self.callees.items())]

    def _reverse(self, activity: Activity, asked: Sequence[Value], parameters: Mapping[str, Value]) -> Reverse:
        reverse = Reverse(self.program, activity, asked, self.emit, ByName(self.emit, activity))
        reverse.callees, reverse.parameters = self.callees, parameters
        return reverse

    def free_name(self, wanted: str) -> str:
        """`wanted`, or like it: the name of no other Function."""
        while wanted in self.program.functions and self.program.functions[wanted] is not self.function:
            wanted = f"{wanted}_"
        return wanted

    def _take_writes_out(self) -> None:
        try:
            functionalize_program(self.program, lift=False)
        except FunctionalizeError as error:
            raise NotDifferentiableError(self.function.block.ops[-1], str(error)) from error
