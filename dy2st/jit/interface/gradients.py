"""Gradients through a Program: a call of it is one node of the tape, whose gradient rule runs the backward Program.

A Program without effects runs as if nobody wanted a gradient; should one be asked for, it runs forward once more on what it was
given. From then on, and where it can't be run twice (it draws random numbers, or writes what outlives the call), it keeps at once
what its backward needs. A Program that has no backward Program runs on the tape instead; `Gradients.reason` says why. The tape
runs operators on NumPy: with another engine the Program runs as it is, and who asks for a gradient is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import Dy2stError, EngineError
from ...ir.core import Operation, Program, Value
from ...ir.types import TensorType
from ...ops.registry import OPERATORS, OpDef
from ...runtime.engines import NUMPY, Engine, Executable
from ...runtime.tensors.activity import holds_floats, leaves_of_inputs
from ...runtime.tensors.aliases import current_history
from ...runtime.tensors.grad_mode import is_grad_enabled
from ...runtime.tensors.tape import OverwrittenTensor, record
from ...runtime.tensors.tensor import Tensor
from .call_effects import CallEffects
from .recent import LRUCache
from .result_flags import EVERYWHERE, Asked, ResultFlags
from .result_leaves import Flow, arrays, floating, floating_with_flags, gradient_of_result, is_somewhere
from .second_runs import Start

if TYPE_CHECKING:
    from ...passes.backward import Split


class ForwardBackward:
    """A Program's forward and backward for the gradients of some of its inputs and parameters, compiled.

    gives_flow: whether the result is a tuple of that of the Program, and of where in it gradients arrive.
    """

    def __init__(self, executable: Executable, split: Split, gives_flow: bool):
        self.executable, self.given, self.gives_flow = executable, split.given, gives_flow
        self.forward, self.backward = split.forward, split.backward  # the names of the Functions


def owned(inputs: Sequence) -> list[Tensor]:
    """The inputs as Tensors; of arrays, whose memory the caller may use again, copies."""
    return [x if isinstance(x, Tensor) else Tensor(np.array(x)) for x in inputs]


class Call:
    """One call that a gradient may be asked of.

    inputs: Tensors; mask: the bits of what gradients may be asked of; flow: where in the result those gradients arrive; pair: the
    forward to run, and its backward; executable, function: what to run in place of the Program, or None, where it runs as it is;
    on_tape: whether it has to run on the tape; kept: what forward kept.
    """

    def __init__(self, owner: Gradients, inputs: Sequence, asked: Asked):
        flags = owner.flags
        self.owner, self.inputs = owner, owned(inputs)
        keeps = owner.at_once and not owner.freed
        self.mask, self.flow = flags.mask(asked), flags.flow(asked, keeps)
        is_apart = not owner.effects.writes_shared(self.inputs)  # as a backward Program takes inputs to be
        keeps = keeps and bool(asked)
        self.pair = owner.pair(asked) if keeps and is_apart else None
        is_unknown = flags.is_unknown(asked) and not owner.freed
        owner.reason = owner.reason or (flags.reason if is_unknown else None)
        self.on_tape = owner.engine is NUMPY and (is_unknown or flags.may_give_leaves or (keeps and self.pair is None))
        self.executable, self.function = None if self.flow is not None else flags.executable, owner.function
        if self.pair is not None:
            self.executable, self.function = self.pair.executable, self.pair.forward
        self.start = Start(owner, self.inputs)
        self.result: Any = None
        self.kept: tuple | None = None
        self.cells: dict[int, list] = {}  # by the id of an array of the result, its cell that counts writes

    def finish(self, given: Any) -> Any:
        """The result in what the executable gave."""
        result, self.kept = (given, None) if self.pair is None else (given[0], given[1:])
        self.result, self.flow = result if self.gives_flow else (result, self.flow)
        return self.result

    @property
    def gives_flow(self) -> bool:
        """Whether what runs gives a tuple of the result and where in it gradients arrive."""
        return self.executable is not None and (self.pair.gives_flow if self.pair else True)

    def attach(self) -> Callable[[np.ndarray], Tensor]:
        """What makes the Tensors of the result: the call is a node of the tape."""
        operands = [*self.inputs, *self.owner.tensors.values()]
        for x in operands:
            if x._view is not None:
                current_history(x)
        node = record(_STATIC, [*operands, None], [*(x._data for x in operands), self], {})
        made: dict[int, Tensor] = {}
        for index, array in enumerate(floating(self.result, self.flow, self.mask)):
            tensor = made.setdefault(id(array), Tensor(array, stop_gradient=False))
            tensor._node = tensor._node or (node, index)
            node.add_result(array, tensor._writes)

        def tensor_of(array: np.ndarray) -> Tensor:
            tensor = made[id(array)] if id(array) in made else Tensor(array)
            self.cells[id(array)] = tensor._writes
            return tensor

        return tensor_of

    def backward(self, tensors: list[Tensor], needs: Sequence[bool], weights: Sequence[Tensor | None]) -> list:
        """The gradients of the operands of the node. weights: those of the results, None where none has arrived."""
        owner, pair, kept = self.owner, self.pair, self.kept
        if owner.freed:
            raise RuntimeError(
                "this static function calls backward() itself, which frees what its results were computed from; return what is "
                "to be differentiated from a static function of its own"
            )
        owner.asked = True
        if is_grad_enabled() or (kept is None and (pair := owner.pair(owner.needed(needs))) is None):
            return self._again_on_tape(tensors, needs, weights)
        assert pair is not None
        flow, result = self.flow, self.result
        if kept is None:
            given = owner.run_forward(pair, tensors)
            (result, flow), kept = given[0] if pair.gives_flow else (given[0], flow), given[1:]
        refuse_overwritten([*(x for x in tensors if isinstance(x, OverwrittenTensor)), *self._overwritten(result)], kept)
        asked = floating(self.result, self.flow, self.mask)
        filled = (np.zeros_like(x) if g is None else g._data for x, g in zip(asked, weights))
        gradient = gradient_of_result(self.result, self.flow, self.mask, filled)
        gradient = (gradient, flow) if pair.gives_flow else gradient
        found = dict(zip(pair.given, pair.executable.run(pair.backward, *kept, gradient)))
        arrived = self._bits_of(weights, flow if pair.gives_flow else None)
        made = (found.get(key) if owner.flags.bits[key] & arrived else None for key in owner.keys)
        return [None if g is None else Tensor(g) for g in made]

    def _overwritten(self, result: Any) -> Iterator[OverwrittenTensor]:
        """The arrays of `result`, the call's or that of another run, which the caller has written as parts of the call's."""
        for handed_on, array in zip(arrays(self.result), arrays(result)):
            cell = self.cells.get(id(handed_on))
            if cell is not None and cell[0]:
                yield OverwrittenTensor(array, _STATIC.name, 0, cell[0])

    def _bits_of(self, weights: Sequence[Tensor | None], flow: Flow | None) -> int:
        """The bits of what those results lead back to at which a gradient has arrived. flow: the flags, if a call gives them."""
        if flow is None and None not in weights:
            return EVERYWHERE  # where it doesn't arrive, the backward gives None
        flags = self.owner.flags.known if flow is None else flow
        if flags is None:
            return EVERYWHERE
        found = floating_with_flags(self.result, flags, self.mask)
        return reduce(or_, (bits for (_, bits), g in zip(found, weights) if g is not None), 0)

    def _again_on_tape(self, tensors: list[Tensor], needs: Sequence[bool], weights: Sequence[Tensor | None]) -> list:
        """By another run, on the tape, from where the call started."""
        from ...runtime.tensors import autograd  # only who trains needs it: loading is quick without

        owner, create_graph = self.owner, is_grad_enabled()
        owner.refuse_tape()
        if not create_graph:  # otherwise they are those that the call was given, and what is computed of them leads back to all
            for x, need in zip(tensors, needs):
                x.stop_gradient = not need
        results = floating(self.start.run(tensors), self.flow, self.mask)
        wanted = [x for x, need in zip(tensors, needs) if need]
        arrived = [(x, g) for x, g in zip(results, weights) if g is not None]
        ends, starts = map(list, zip(*arrived))
        found = iter(autograd.grad(ends, wanted, starts, create_graph=create_graph, allow_unused=True))
        return [next(found) if need else None for need in needs]


class Gradients:
    """How gradients flow through one Function of a Program, with tensors for its parameters."""

    def __init__(
        self,
        program: Program,
        function: str,
        tensors: Mapping[str, Tensor],
        exceptions: Mapping[str, type[BaseException]] | None = None,
        objects: Mapping[str, Any] | None = None,
        engine: Engine = NUMPY,
    ):
        self.program, self.function, self.engine = program, function, engine
        self.tensors, self.exceptions, self.objects = tensors, exceptions, objects
        self.count = len(program.functions[function].block.args)
        self.keys: Asked = (*range(self.count), *tensors)
        self.effects = CallEffects(program, function, tensors)
        self.asked = False
        self.reason: Dy2stError | None = None
        self._pairs: LRUCache[Asked, ForwardBackward | None] = LRUCache()

    def call(self, inputs: Sequence) -> Call | None:
        """A call of which a gradient may be asked; None where plain Python's result would have none."""
        for number in self.made_leaves:
            if isinstance(inputs[number], Tensor):
                inputs[number].stop_gradient = False
        if not is_grad_enabled():
            return None
        tensors = (*inputs, *self.tensors.values())
        asked = tuple([key for key, x in zip(self.keys, tensors) if isinstance(x, Tensor) and not x.stop_gradient])
        if not asked and not self.makes_leaves:
            return None
        if asked and self.freed and isinstance(asked[0], int):
            raise RuntimeError(
                "this static function calls backward() itself, which can't fill the gradient of its input: pass `x.detach()`, or "
                "return `grad(loss, [x])` from it"
            )
        flow = self.flags.flow(asked, False)
        arrives = flow is None or is_somewhere(flow, self.flags.mask(asked))
        return Call(self, inputs, asked) if arrives or self.remembers or self.rewrites else None

    @cached_property
    def made_leaves(self) -> list[int]:
        """The numbers of the inputs into which gradients flow from a call on, as plain Python's `stop_gradient = False` says."""
        return list(leaves_of_inputs(self.program.functions[self.function]))

    @property
    def makes_leaves(self) -> bool:
        """Whether a call may have to do with gradients though nothing that it is given has one."""
        return bool(self.made_leaves) or self.flags.makes_leaves

    @cached_property
    def flags(self) -> ResultFlags:
        """From which inputs and parameters gradients lead to which tensors of the result."""
        return ResultFlags(self.program, self.function, self.keys, self.engine, self.exceptions)

    def needed(self, needs: Sequence[bool]) -> Asked:
        """The numbers of the inputs, and the names of the parameters, whose gradients are needed."""
        return tuple(key for key, need in zip(self.keys, needs) if need)

    @property
    def at_once(self) -> bool:
        """Whether a call keeps at once what the backward needs."""
        return self.asked or self.effects.acts

    @cached_property
    def freed(self) -> bool:
        """Whether the Program differentiates itself, so that its results lead back nowhere."""
        return any(op.name == "gradient_start" and op.attrs["frees"] for op in self.program.walk())

    @cached_property
    def remembers(self) -> bool:
        """Whether gradients may flow into what an earlier call has left in the state."""
        return not self.freed and any(holds_floats(slot.type) for slot in self.program.state.values())

    @cached_property
    def rewrites(self) -> bool:
        """Whether the Program writes an input or a parameter, and not under no_grad: the tape refuses or notes it."""
        from ...passes.backward.hidden import bases_of, written  # only who trains needs it: loading is quick without

        def is_outside(value: Value) -> bool:
            path = [v.owner for v in bases_of(value)]
            names = {owner.name for owner in path if isinstance(owner, Operation)}
            return "detach" not in names and (not isinstance(path[-1], Operation) or path[-1].name == "param")

        if self.freed or self.engine is not NUMPY:
            return False  # an optimizer writes leaves
        writes = (op for op in self.program.walk() if op.name in OPERATORS and OPERATORS[op.name].mutates)
        return any(isinstance(v.type, TensorType) and is_outside(v) for op in writes for v in written(op))

    @property
    def goes_on(self) -> bool:
        """Whether a call goes on through what earlier calls have left in the state."""
        return self.engine is NUMPY and self.remembers

    @cached_property
    def written_operands(self) -> list[int]:
        """The numbers of the operands that the Program may write in place, of its inputs and then its parameters."""
        inputs = range(self.count) if self.effects.may_write_inputs else ()
        return [*inputs, *(i for i, key in enumerate(self.keys) if i >= self.count and key in self.effects.parameters)]

    def title(self, i: int) -> str:
        """The name of operand number i in messages."""
        if i >= self.count:
            return str(self.keys[i])
        return f"its argument {self.program.functions[self.function].block.args[i].name}"

    def parameters_of(self, tensors: list[Tensor]) -> dict[str, Tensor]:
        """The parameters among the operands of a node, which are the inputs and then these."""
        return dict(zip(self.tensors, tensors[self.count :]))

    # --- running ---

    def pair(self, asked: Asked) -> ForwardBackward | None:
        """The forward and backward for these gradients; None where the Program has no backward Program."""
        return self._pairs.get_or_create(asked, lambda: self._made(asked))

    def _made(self, asked: Asked) -> ForwardBackward | None:
        from ...passes.backward import (  # only who trains needs it: loading is quick without
            NotDifferentiableError,
            refuse_late_writes,
            split,
        )

        gives_flow = self.flags.flow(asked, True) is None
        try:
            if gives_flow:  # the Program with flags writes nothing any more
                refuse_late_writes(self.program, asked, self.function)
            program = self.flags.program if gives_flow else self.program
            for name in asked:  # a parameter of which only the flag is read is none of the Program that gives flags
                if isinstance(name, str):
                    program.parameters.setdefault(name, self.program.parameters[name])
            found = split(program, asked, self.function)
            executable = self.engine.compile_program(found.program, self.exceptions)
            executable.body(found.backward)
        except (NotDifferentiableError, EngineError) as reason:
            if self.engine is NUMPY and isinstance(reason, EngineError):
                raise
            self.reason = reason
            return None
        return ForwardBackward(executable, found, gives_flow)

    def release(self) -> None:
        """Give back the memory that the compiled pairs keep between calls."""
        for pair in self._pairs.values():
            if pair is not None:
                pair.executable.release()
        if "flags" in vars(self):
            self.flags.release()

    def run_forward(self, pair: ForwardBackward, tensors: list[Tensor]) -> tuple:
        """The result on the operands of a node, and what the backward needs."""
        bring(self.parameters_of(tensors), pair.executable)
        return pair.executable(*(x._data for x in tensors[: self.count]))

    def run_taped(
        self, inputs: list, parameters: Mapping[str, Tensor], state: dict[str, Any], is_silent: bool = False
    ) -> Any:
        """The result on the tape: in native form, with Tensors in the place of arrays. is_silent: whether nothing is printed."""
        return self.run_on_tape(list(map(as_tensor, inputs)), parameters, state, is_silent)

    def run_on_tape(
        self, natives: list, parameters: Mapping[str, Tensor], state: dict[str, Any], is_silent: bool = False
    ) -> Any:
        """The same, of inputs in native form with Tensors in the place of arrays. EngineError: the Program has another engine."""
        self.refuse_tape()
        from ...runtime.taped import Taped  # as rarely

        return Taped(self.program, parameters, state, self.exceptions, self.objects, is_silent).run(self.function, natives)

    def refuse_tape(self) -> None:
        """EngineError where gradients would have to be those of operators that run one by one, and another engine was chosen."""
        if self.engine is not NUMPY:
            why = self.reason or "they are those of operators that run one by one, on NumPy"
            raise EngineError(
                f"backend={self.engine.name!r} has no gradients of this call ({why}): call it under no_grad(), or train without "
                "backend"
            )


def _rule(ctx: Any, *weights: Tensor | None) -> tuple:
    *tensors, call = ctx.inputs
    return (*call.backward(tensors, ctx.needs[:-1], weights), None)


_STATIC = OpDef("static function", kernel=lambda x: x, infer=lambda x: x, grad=_rule, grad_of_some=True)


def refuse_overwritten(changed: list[OverwrittenTensor], kept: tuple) -> None:
    """OverwrittenError where memory that the backward needs was written since."""
    for tensor in changed:
        if any(np.may_share_memory(tensor.like, array) for array in arrays(kept)):
            _ = tensor._data


def bring(parameters: Mapping[str, Tensor], executable: Executable) -> None:
    """Let a Program run on the memory that these tensors have now."""
    held = executable.parameters
    for name, tensor in parameters.items():
        if name in held and held[name] is not tensor._data:
            held[name] = tensor._data


def as_tensor(x: Any) -> Tensor:
    """A Tensor or an array as a Tensor."""
    return x if isinstance(x, Tensor) else Tensor(np.asarray(x))
