"""A Program tied to the live objects it was staged from.

Its parameters are the model's tensors, its state the model's attributes.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import RLock
from typing import Any

import numpy as np

from ...dtypes import get_default_dtype
from ...ir.core import Program
from ...ir.native import UNBOUND
from ...ir.summary import summary
from ...nn.layer import Layer, attribute_epoch
from ...passes import optimize, run
from ...passes.slopes import undifferentiated
from ...runtime.engines import NUMPY, Engine, Executable
from ...runtime.heap.journal import Attribute, Contents, Savepoint, keep
from ...runtime.heap.markers import MISSING
from ...runtime.heap.natives import Mirror, Revival, revive_error
from ...runtime.recorder.fates import STAGED, Fate
from ...runtime.stage.arguments import inputs_in, with_changed
from ...runtime.stage.stage import StagedFunction
from ...runtime.stage.state_kinds import StateKinds
from ...runtime.taped import TapedMirror
from ...runtime.tensors.grad_mode import is_grad_enabled
from ...runtime.tensors.input_memory import InputMemory
from ...runtime.tensors.spec import InputSpec, leaves, tensors
from ...runtime.tensors.tensor import Tensor
from ...runtime.where.running import working
from ...undo import UndoLog
from ...viewer import HasPage, program_page
from ..interface.callee import Callee
from ..interface.gradients import Call, Gradients, bring
from ..interface.outputs import Output, outputs_of
from ..interface.result_leaves import arrays
from .static_call import StaticCall
from .told_texts import tell_texts

COMPILING = RLock()  # threads that need one Program compile it once
BORN = ""  # no state has this name: what follows it in the table of state is an attribute that the call has made


class ConcreteProgram(HasPage):
    """One staged form of a function: `program`, its `arguments` (a tree of InputSpecs by parameter), and a call that runs it.

    specs: the same, with all parts of the containers that the Program changes.
    memory: what the Program takes for granted of the memory of its inputs, if anything.
    passes: the names of passes that it goes through before those of every Program. engine: what runs it.
    """

    memory: InputMemory | None = None

    def __init__(
        self, staged: StagedFunction, specs: dict[str, Any], training: bool, passes: tuple[str, ...] = (), engine: Engine = NUMPY
    ):
        self.passes, self.engine = passes, engine
        self.staged, self.specs, self.training, self.default_dtype = staged, specs, training, get_default_dtype()
        self.arguments = with_changed(specs, staged.changed)
        self.program = self.prepared(staged.program)
        self.tensors = {name: staged.tensors[name] for name in self.program.parameters}
        self._executable: Executable | None = None
        self._written: dict[bool, StaticCall] = {}  # by whether it is compiled
        self.gradients = Gradients(
            self.program, self.program.entry.name, self.tensors, staged.exceptions, staged.objects, engine
        )
        staged.guards.settle(lambda obj: isinstance(obj, Layer))
        self.kinds: StateKinds | None = (
            StateKinds(staged.state, staged.objects, staged.texts) if staged.state else None
        )
        if self.kinds is not None and not self.kinds.hold():
            self.kinds = None  # of something that can't be told: staging anew would tell no more

    def __repr__(self) -> str:
        return f"<ConcreteProgram {summary(self.program)}>"

    def _page(self) -> str:
        return program_page(self.program, self.program.entry.name)

    def prepared(self, program: Program) -> Program:
        """The Program that runs, made of the one that was staged."""
        first = self.passes if len(program.functions) == 1 else ("inline", *self.passes)
        return optimize(run(program, *first) if first else program)

    @property
    def unrolled(self) -> list[str]:
        """The loops of which turns are recorded one by one: the line of each, and why.

        Of a peeled loop, these are the first iteration or two; of an unrolled one over a known range, all.
        """
        found = {str(fate.loc): fate for fate in self.fates if fate.not_once}
        return [f"{line}: this loop is {'peeled' if f.how == STAGED else f.how}: {f.not_once}" for line, f in found.items()]

    @property
    def fates(self) -> list[Fate]:
        """What became of each `if` and loop: staged, run by Python or unrolled, and why."""
        return self.staged.fates

    @property
    def inputs(self) -> list[InputSpec]:
        """The specs of the inputs, in order."""
        return list(leaves(self.arguments))

    def inputs_of(self, bound: dict[str, Any]) -> list:
        """The inputs among the arguments of a call, by parameter."""
        return list(inputs_in(self.arguments, bound) if self.staged.changed else leaves(bound))

    @property
    def main_program(self) -> Any:
        return self.program

    @property
    def parameters(self) -> list[Tensor]:
        """The live tensors that the Program holds."""
        return list(self.tensors.values())

    @property
    def result_types(self) -> list:
        """The type of the result."""
        return self.program.entry.result_types

    @property
    def outputs(self) -> list[Output]:
        """The tensors of the result, in order: what `output_spec` takes."""
        return outputs_of(self.program.entry)

    @property
    def executable(self) -> Executable:
        if self._executable is None:
            with COMPILING:
                self._compile()
        assert self._executable is not None
        return self._executable

    def _compile(self) -> None:
        if self._executable is None:  # no other thread has
            with working("compiling the Program"):
                self._executable = self.engine.compile_program(undifferentiated(self.program), self.staged.exceptions)

    @property
    def is_compiled(self) -> bool:
        """Whether there is an executable: a Program that only trains runs as forward and backward, and needs none."""
        return self._executable is not None

    @property
    def is_plain(self) -> bool:
        """Whether a call only runs the executable on arrays: there is no state, and nothing to give back or to look at."""
        staged = self.staged
        is_plain = self.memory is None and not staged.changed and not staged.state and not staged.flags
        return is_plain and not self.gradients.makes_leaves

    @property
    def has_state(self) -> bool:
        """Whether the Program reads or writes Python state."""
        return bool(self.staged.state)

    def again(self, function: Any, count: int, is_given: bool) -> StaticCall | None:
        """One more call on `count` arguments by position, as one function; None where some argument isn't a tensor.

        function: the static function that is called. is_given: whether the user gave the specs.
        """
        specs = list(self.arguments.values())
        if count != len(specs) or not all(isinstance(spec, InputSpec) for spec in specs):
            return None
        key = self.is_compiled  # asked once: another thread may compile it meanwhile
        found = self._written.get(key)
        return self._written.setdefault(key, StaticCall(function, self, specs, is_given)) if found is None else found

    @property
    def call_source(self) -> str:
        """The generated source of what a call asks and does around the body, once there has been a second one; "" before."""
        written = [call.text for call in self._written.values() if call.text]
        return "\n".join([*written, self.staged.guards.source]) if written else ""

    def release(self) -> None:
        """Give back the memory of large temporaries that is kept between calls."""
        if self._executable is not None:
            self._executable.release()
        self.gradients.release()

    def is_current(self) -> bool:
        """Whether all that staging took for constant still holds: what every other file asks before it runs the Program."""
        if self.default_dtype != get_default_dtype():
            return False
        return self._guards_hold(attribute_epoch()) and (self.kinds is None or self.kinds.hold())

    def _guards_hold(self, epoch: int) -> bool:
        return self.staged.guards.hold(epoch)

    def __call__(self, inputs: list, undo: UndoLog | None = None) -> Any:
        """Run on tensors or arrays; the result in the user's structure. undo: gets the steps that restore state."""
        if self.memory is not None:
            self.memory.check(inputs, self.tensors.values())
        for tensor, stops in self.staged.flags:
            tensor.stop_gradient = stops
        if self.staged.changed:
            return self.run_on_values(inputs, undo)
        call = self.gradients.call(inputs)
        if call is not None:
            inputs = call.inputs
        if call is not None and (call.on_tape or self._state_has_history()):
            return self._run_taped(inputs, undo)
        executable, objects = (call and call.executable) or self.executable, self.staged.objects
        bring(self.tensors, executable)
        if not self.staged.state:
            result = self._run(executable, inputs, call)
            return self.revived(result) if call is None else Revival(objects, call.attach())(result)
        undo = UndoLog() if undo is None else undo
        with undo, undo:
            mirror = self.mirror()
            self._read_state(executable.state, mirror)
            if call is not None:
                call.start.keep_state(executable.state)
            revived = Revival(objects, Tensor, mirror, undo)
            try:
                result = self._run(executable, inputs, call)
            finally:
                self._write_state(executable.state, revived, undo)
            if call is not None:
                revived.tensor = call.attach()
            return revived(result)

    def run_on_values(self, inputs: list, undo: UndoLog | None = None) -> Any:
        """Run on inputs of any kind; what the Program does to a list, dict or object among them, it does to the caller's."""
        on_tape = is_grad_enabled() and any(not t.stop_gradient for t in (*self.tensors.values(), *tensors(inputs)))
        mirror = (TapedMirror if on_tape else Mirror)(self.staged.objects, self.staged.texts)
        natives = [mirror.to_native(x) for x in inputs]
        state = {} if on_tape else self.executable.state
        undo = UndoLog() if undo is None else undo
        with undo, undo:
            self._read_state(state, mirror)
            revived = Revival(self.staged.objects, Tensor, mirror, undo)
            try:
                result = self._run_natives(natives, state, on_tape)
            except Exception as error:
                revive_error(error, revived)
                raise
            finally:
                self._write_state(state, revived, undo)
                if not on_tape:  # which counts by itself
                    self.gradients.effects.note_writes(inputs)
            return revived(result)

    def _run_natives(self, natives: list, state: dict[str, Any], on_tape: bool) -> Any:
        if on_tape:
            return self.gradients.run_on_tape(natives, self.tensors, state)
        bring(self.tensors, self.executable)
        return self.executable(*natives)

    def _run(self, executable: Executable, inputs: list, call: Call | None) -> Any:
        try:
            given = executable(*(x._data if isinstance(x, Tensor) else np.asarray(x) for x in inputs))
        except Exception as error:
            self.revived_error(error)
            raise
        finally:
            self.gradients.effects.note_writes(inputs)
        return given if call is None else call.finish(given)

    def revived(self, result: Any) -> Any:
        """What the executable gave, as live values."""
        return Revival(self.staged.objects)(result)

    def revived_error(self, error: BaseException) -> BaseException:
        """An exception that leaves the executable, which carries live values from now on."""
        return revive_error(error, Revival(self.staged.objects))

    def _run_taped(self, inputs: list, undo: UndoLog | None) -> Any:
        """Run on the tape."""
        mirror = TapedMirror(self.staged.objects, self.staged.texts)
        state: dict[str, Any] = {}
        undo = UndoLog() if undo is None else undo
        with undo, undo:
            self._read_state(state, mirror)
            revived = Revival(self.staged.objects, Tensor, mirror, undo)
            try:
                result = self.gradients.run_taped(inputs, self.tensors, state)
            except Exception as error:
                revive_error(error, revived)
                raise
            finally:
                self._write_state(state, revived, undo)
            return revived(result)

    def _state_has_history(self) -> bool:
        """Whether gradients flow into what an earlier call left in the state."""
        if not self.staged.state:
            return False
        state: dict[str, Any] = {}
        self._read_state(state, TapedMirror(self.staged.objects, self.staged.texts))
        return any(isinstance(x, Tensor) and not x.stop_gradient for x in arrays(list(state.values())))

    def callee(self, name: str, title: str, places: Iterable[tuple[Layer, str]] = ()) -> Callee:
        """This Program as one that another calls; name, title and places are those of `Callee`."""
        state = {name: slot.location for name, slot in self.staged.state.items()}
        return Callee(name, self.program, self.tensors, state, self.staged.objects, self.staged.exceptions, places, title)

    def mirror(self) -> Mirror:
        """What tells the live objects of the state from one another during one call."""
        return Mirror(self.staged.objects, self.staged.texts)

    def _read_state(self, state: dict[str, Any], mirror: Mirror) -> None:
        for name, slot in self.staged.state.items():
            value = slot.location.owner if isinstance(slot.location, Contents) else slot.location.get()
            state[name] = UNBOUND if value is MISSING else mirror.to_native(value)
        if self.staged.state:
            state.pop(BORN, None)
            state[BORN] = None

    def _write_state(self, state: dict[str, Any], revived: Revival, undo: UndoLog) -> None:
        before = Savepoint()
        undo.note(before.restore)
        for name, slot in self.staged.state.items():
            native, old = state[name], slot.location.get()
            if old is native or (isinstance(old, Tensor) and old._data is native):
                continue
            live = MISSING if native is UNBOUND else revived(native)
            if not isinstance(slot.location, Contents) or live is not slot.location.owner:
                before.note_held(slot.location, old, live)
                keep(slot.location, live)
        if self.staged.state:
            self._order_new(state)
        revived.let_go()

    def _order_new(self, state: dict[str, Any]) -> None:
        """Attributes that the call has made follow each other as it made them."""
        names = list(state)
        for name in names[names.index(BORN) + 1 :]:
            location = self.staged.state[name].location
            if isinstance(location, Attribute):
                location.move_last()


def settled(concrete: ConcreteProgram) -> Any:
    """The Program with the values that its tensors and state hold now, and the texts of the objects in its exceptions."""
    program = concrete.program
    for name, tensor in concrete.tensors.items():
        program.parameters[name].data = tensor._data
    mirror = concrete.mirror()
    for name, slot in concrete.staged.state.items():
        value = slot.location.owner if isinstance(slot.location, Contents) else slot.location.get()
        if value is not MISSING and name in program.state:
            program.state[name].value = mirror.to_native(value)
    tell_texts(program, concrete.staged.objects)
    return program
