"""StaticFunction: a function that stages itself for each new kind of arguments and then runs the Program."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from types import CodeType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from ... import pytree
from ...errors import Dy2stWarning
from ...ir.core import Program
from ...nn.layer import Layer
from ...ops import dispatch
from ...runtime.convert.calls.calls import convert_call, rewritten
from ...runtime.library import flow
from ...runtime.outside.facts import StateSlot
from ...runtime.proxies import StagedScalar
from ...runtime.recorder.recorder import Recorder
from ...runtime.stage.stage import StagedFunction, stage
from ...runtime.staging_lock import STAGING
from ...runtime.tensors.call_hook import current_observer
from ...runtime.tensors.spec import InputSpec, ValueSpec, is_leaf, structure_key
from ...runtime.where.running import working
from ...runtime.where.tracebacks import shows_users_frames
from ...runtime.where.user_code import user_loc
from ...runtime.where.warn import warn_at
from ...viewer import HasPage, program_page
from ..interface.about import about
from ..interface.layer_names import names_seen
from ..interface.outputs import Output
from ..interface.written_call import CalledAgain, NoCall
from .binding import Binder, MissingArgument
from .concrete import ConcreteProgram
from .descriptor import Descriptor
from .mode_switch import layers_of, switch_mode
from .program_cache import ProgramCache
from .spec_matching import specs_of
from .switch import enabled

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R", covariant=True)


def is_number(value: Any) -> bool:
    """Whether a value is a number, or a text, that only a Program knows."""
    return isinstance(value, StagedScalar)


def is_input(value: Any) -> bool:
    """Whether a value in the arguments of a call that is recorded is an input of the Program that is called."""
    return is_leaf(value) or is_number(value)


class StaticFunction(CalledAgain, Descriptor, HasPage, Generic[P, R]):
    """What `to_static` makes of a function or method.

    function: the plain function; owner: the object it is a method of, or None; input_spec: InputSpecs for its leading parameters.
    layer: the Layer whose forward it is, where a call of it runs the hooks as well, or None.

    For type checkers it takes and gives what the plain function does: `StaticFunction[[Tensor, int], Tensor]`.
    """

    def __init__(self, function: Any, input_spec: Any = None, owner: Any = None, layer: Layer | None = None):
        super().__init__(function, input_spec, owner, layer)
        functools.update_wrapper(self, function)
        self._binder = Binder(function, owner)
        self._programs = ProgramCache(function.__qualname__)
        self.again = NoCall()
        self._has_state = False  # whether some Program has

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

        @overload
        def __get__(self, instance: None, owner: type | None = None) -> StaticFunction[P, R]: ...
        @overload
        def __get__(
            self: StaticFunction[Concatenate[Any, Q], R], instance: object, owner: type | None = None
        ) -> StaticFunction[Q, R]: ...
        def __get__(self, instance: Any, owner: type | None = None) -> Any: ...

    def __repr__(self) -> str:
        how = "call it with tensors" if self._input_spec is None else "read concrete_program, or call it with tensors"
        return f"<StaticFunction {self._function.__qualname__}{about(list(self._programs), how)}>"

    def _page(self) -> str:
        return program_page(self.concrete_program.program, self._function.__qualname__)

    def _repr_html_(self) -> str | None:
        return super()._repr_html_() if any(self._programs) else None

    @property
    def is_property(self) -> bool:
        """Whether it stands for a value (`to_static(property=True)`)."""
        return False

    @property
    def code(self) -> str:
        """The rewritten Python source, for review, with the user's comments, and the numbers of the user's lines."""
        careful = max((program.staged.careful for program in self.program_cache), default="")
        loads = frozenset().union(*(program.staged.loads for program in self.program_cache))
        return rewritten(self._function, careful, loads=loads).annotated()

    # --- calling -----------------------------------------------------------------------------------------------------------

    def _called(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call in all its steps."""
        mode = dispatch.current_mode()
        if mode.rec is not None:
            return self._recorded(mode.rec, args, kwargs)
        if mode.tracer is not None:
            return mode.tracer.called(self, args, kwargs)
        if not enabled() or current_observer() is not None:
            return self.dygraph_function(*args, **kwargs)
        bound = self._binder.bind(args, kwargs)
        if not self._has_state:
            return self._run(bound, len(args), bool(kwargs))
        with STAGING.stateful_call(self):
            return self._run(bound, len(args), bool(kwargs))

    def _run(self, bound: dict[str, Any], count: int, has_kwargs: bool) -> Any:
        """Run the Program for the arguments of a call. One that has state runs before another thread can stage or call it."""
        specs = specs_of(bound, self._input_spec, self._binder)
        key = structure_key(specs)
        program = self._found(key, specs, bound)
        if program is None:
            with STAGING.staging():
                program = self._found(key, specs, bound) or self._staged(key, specs, for_a_call=True)
                self._has_state = self._has_state or program.has_state
                if program.has_state:
                    return self._run_program(program, bound, count, has_kwargs)
        return self._run_program(program, bound, count, has_kwargs)

    def _run_program(self, program: ConcreteProgram, bound: dict[str, Any], count: int, has_kwargs: bool) -> Any:
        self.again = (None if has_kwargs else program.again(self, count, self._input_spec is not None)) or NoCall()
        return program(program.inputs_of(bound))

    def _recorded(self, rec: Recorder, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call in a recording: the source is staged there, too; a trace, which has run the Program, takes it as it is."""
        if rec.facts.holds_state:
            return convert_call(self.dygraph_function)(*args, **kwargs)
        bound = self._binder.bind(args, kwargs)
        typed = pytree.mapped(bound, is_number, lambda number: ValueSpec(rec.type_of(number)))
        program = self._stage(specs_of(typed, self._input_spec, self._binder))
        has_numbers = pytree.holds_leaf(bound, is_number) and not program.staged.changed
        inputs = list(pytree.walk(bound, is_input)) if has_numbers else program.inputs_of(bound)
        return program.callee(self._function.__qualname__, rec.name_of(self._owner)).call(rec, "main", inputs)

    def _program_for(self, bound: dict[str, Any]) -> ConcreteProgram:
        specs = specs_of(bound, self._input_spec, self._binder)
        key = structure_key(specs)
        return self._found(key, specs, bound) or self._staged(key, specs)

    def _found(self, key: Any, specs: dict[str, Any], bound: dict[str, Any]) -> ConcreteProgram | None:
        """The Program that is kept for these arguments, whose structure key is `key`; or None."""
        return self._programs.current(key) or self._programs.taking(specs, bound)

    def _staged(self, key: Any, specs: dict[str, Any], for_a_call: bool = False) -> ConcreteProgram:
        """The Program for these arguments, staged now; it is kept."""
        with working(f"converting {self._function.__qualname__}"):
            program = self._stage(specs, for_a_call=for_a_call)
        self._programs.add(key, program)
        return program

    def _stage(self, specs: dict[str, Any], state: Iterable[StateSlot] = (), for_a_call: bool = False) -> ConcreteProgram:
        args, kwargs = self._binder.as_call(specs)
        layer = self._layer
        function, owner = (self._function, self._owner) if layer is None else (flow.called, layer)
        staged = stage(function, owner, args, kwargs, names_seen(function, owner), state=state, for_a_call=for_a_call)
        return self._concrete(staged, specs, all(layer.training for layer in self.layers()))

    def _concrete(self, staged: StagedFunction, specs: dict[str, Any], training: bool) -> ConcreteProgram:
        """One staged form, ready to run."""
        return ConcreteProgram(staged, specs, training, self.passes, self.engine)

    @property
    def plain_code(self) -> CodeType:
        """The code of the plain function."""
        return self._function.__code__

    def spread(self, bound: dict[str, Any]) -> list[tuple[str, Any]]:
        """The (name, value) pairs of `bound`, arguments by parameter: those of `*args` and `**kwargs` one by one."""
        return self._binder.spread(bound)

    # --- modes ---------------------------------------------------------------------------------------------------------------

    @property
    def layer_class(self) -> type:
        """The class of what has parameters and a mode."""
        return Layer

    def layers(self) -> list[Any]:
        """The layers whose mode the function follows: the one it is a method of, or those that it and its object name."""
        return layers_of(self._function, self._owner, self.layer_class)

    def train(self) -> None:
        """Training mode for `layers()`. RuntimeError for a method of a layer in evaluation: it is the layer that is switched."""
        switch_mode(self._function, self._owner, True, self.layer_class)

    def eval(self) -> None:
        """Inference mode for `layers()`. RuntimeError for a method of a layer in training: it is the layer that is switched."""
        switch_mode(self._function, self._owner, False, self.layer_class)

    # --- Programs ------------------------------------------------------------------------------------------------------------

    @property
    def program_cache(self) -> list[ConcreteProgram]:
        """The Programs that are kept: those of one kind of arguments after another, oldest first."""
        return list(self._programs)

    def release(self) -> None:
        """Give back the memory of large temporaries that the Programs keep between calls; the next call takes it anew."""
        for program in self._programs:
            program.release()

    @property
    @shows_users_frames
    def concrete_program(self) -> ConcreteProgram:
        """The Program for the given input_spec, staged now if need be; without a spec, that of the last call's arguments.

        A warning, if there were calls with other kinds of arguments. ValueError: no spec and no call yet, or more specs than
        parameters. TypeError: fewer specs than arguments without a default.
        """
        if isinstance(self._input_spec, dict):
            return self.get_concrete_program(**self._input_spec)
        if self._input_spec is not None:
            binder = self._binder
            if len(self._input_spec) > binder.count and not binder.takes_any:
                given = f"input_spec has {len(self._input_spec)} entries"
                raise ValueError(f"{given}, but {binder} takes {binder.count}: give one for each")
            try:
                return self.get_concrete_program(*self._input_spec)
            except MissingArgument as error:
                entries = f"{len(self._input_spec)} entr{'y' if len(self._input_spec) == 1 else 'ies'}"
                raise TypeError(f"{error}; input_spec has {entries}, and tells of the arguments in their order") from None
        programs = self.program_cache
        if not programs:
            raise ValueError(
                f"{self._function.__qualname__} has no Program yet: give an input_spec to to_static, jit.save or onnx.export, or "
                "call it with tensors once"
            )
        if len(self._programs.kinds()) > 1:
            text = "was called with several kinds of arguments: this is the Program of the last"
            warn_at(user_loc(), f"{self._function.__qualname__} {text}; to_static(..., input_spec) chooses", Dy2stWarning)
        return self.program_like(programs[-1])

    def program_like(self, program: ConcreteProgram) -> ConcreteProgram:
        """The Program for the arguments of another one, `program`, as the model is now. Errors as in `get_concrete_program`."""
        return self._program_for(program.specs)

    def staged_anew(self, specs: dict[str, Any], state: Iterable[StateSlot] = ()) -> ConcreteProgram:
        """The Program for arguments with InputSpecs in them, by parameter, as the model is now; it is not kept for calls.

        state: what other Programs change, and this one may read. Errors as in `get_concrete_program`.
        """
        return self._stage(specs_of(specs, self._input_spec, self._binder), state)

    @property
    def follows_example(self) -> bool:
        """Whether the shapes in `concrete_program` are those of a call, since no input_spec says which they may be."""
        return self._input_spec is None

    @shows_users_frames
    def get_concrete_program(self, *args: Any, **kwargs: Any) -> ConcreteProgram:
        """The Program for these InputSpecs (or tensors) and Python values, staged now if need be.

        TypeError: arguments that the function doesn't take, or of another kind than its input_spec says. ValueError: others than
        that says, or more specs than parameters. ConversionError: what can't become a Program.
        """
        return self._program_for(self._binder.bind(args, kwargs))

    @property
    def inputs(self) -> list[InputSpec]:
        """The specs of the input tensors of `concrete_program`."""
        return self.concrete_program.inputs

    @property
    def outputs(self) -> list[Output]:
        """The tensors in the result of `concrete_program`: what `output_spec` takes."""
        return self.concrete_program.outputs

    @property
    def main_program(self) -> Program:
        """The Program of `concrete_program`."""
        return self.concrete_program.program
