"""StaticFunction: a function that stages itself for each new kind of arguments and then runs the Program."""

from __future__ import annotations

import functools
import inspect
import os
import types
import weakref
from collections.abc import Iterable
from typing import Any

from ..dtype import DTYPES
from ..errors import Dy2stWarning
from ..nn.layer import Layer, attribute_epoch
from ..runtime.convert.calls.calls import convert_call, rewritten
from ..runtime.heap.staged_objects import is_staged_object
from ..runtime.outside.facts import StateSlot
from ..runtime.outside.roots import Roots
from ..runtime.recorder.recorder import current_recorder
from ..runtime.stage.stage import StagedFunction, stage
from ..runtime.tensors.call_hook import current_observer
from ..runtime.tensors.spec import InputSpec, leaves, map_named, spec_of, structure_key
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.tracebacks import shows_users_frames
from ..runtime.where.user_code import user_loc
from ..runtime.where.warn import warn_at
from .concrete import ConcreteProgram
from .outputs import Output
from .program_cache import ProgramCache
from .script_module import ScriptModule

PLAIN = (bool, int, float, str, type(None))
METHODS = "__dy2st_static__"  # in an instance: the static functions of its class, bound to it, by their plain function


class StaticFunction:
    """What `to_static` makes of a function or method.

    function: the plain function; owner: the object it is a method of, or None; input_spec: InputSpecs for its leading parameters.
    """

    def __init__(self, function: Any, input_spec: Any = None, owner: Any = None):
        self._function, self._owner = function, owner
        self._entry = function  # what is staged
        self._input_spec = input_spec
        self._programs = ProgramCache(function.__qualname__)
        self._instances: weakref.WeakKeyDictionary[Any, StaticFunction] = weakref.WeakKeyDictionary()
        self._layout: tuple[int, Any] | None = None
        self._quick: Quick | None = None
        functools.update_wrapper(self, function)
        self._signature = inspect.signature(function)

    # --- the object that Python sees -------------------------------------------------------------------------------------

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a decorated method: each instance has its own Programs, and holds them, so that they go when it does."""
        if instance is None:
            return self
        rec = current_recorder()
        if rec is not None and (is_staged_object(instance) or rec.heap.birth(instance) is not None):
            return types.MethodType(self._function, instance)
        own = getattr(instance, "__dict__", None)
        bounds: Any = self._instances if own is None else own.setdefault(METHODS, {})
        key = instance if own is None else self._function
        if key not in bounds:
            bounds[key] = type(self)(self._function, self._input_spec, instance)
        return bounds[key]

    def __deepcopy__(self, memo: dict) -> Any:
        """A copy of the model has its own forward: the plain method of the copy, to be staged anew."""
        import copy

        owner = memo.get(id(self._owner)) if self._owner is not None else None
        return type(self)(self._function, copy.copy(self._input_spec), owner if owner is not None else self._owner)

    def __reduce__(self) -> Any:
        name = self._function.__qualname__
        raise TypeError(
            f"{name} is a static function, which can't be pickled: dy2st.jit.save(net, path) saves it, and rollback() gives the "
            "plain function back"
        )

    def __repr__(self) -> str:
        return f"<StaticFunction {self._function.__qualname__}>"

    @property
    def is_property(self) -> bool:
        """Whether it stands for a value (`to_static(property=True)`)."""
        return False

    @property
    def dygraph_function(self) -> Any:
        """The plain function, or the plain bound method."""
        return self._function if self._owner is None else types.MethodType(self._function, self._owner)

    def rollback(self) -> Any:
        """Give the plain function back; a layer's own `forward` is put back in place."""
        owner = self._owner
        if owner is not None and vars(owner).get(self._function.__name__) is self:
            del vars(owner)[self._function.__name__]
        return self.dygraph_function

    @property
    def code(self) -> str:
        """The rewritten Python source, for review, with the user's line numbers as comments."""
        careful = max((program.staged.careful for program in self.program_cache), default="")
        return rewritten(self._function, careful).annotated()

    # --- calling -----------------------------------------------------------------------------------------------------------

    @shows_users_frames
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        rec = current_recorder()
        if rec is not None:
            return convert_call(self.dygraph_function)(*args, **kwargs)
        if not enabled() or current_observer() is not None:
            return self.dygraph_function(*args, **kwargs)
        quick = self._quick
        if quick is not None and not kwargs and quick.fits(args, self):
            return quick.program(list(args))
        bound = self._bind(args, kwargs)
        program = self._program_for(bound)
        self._quick = Quick.of(program, bound, len(args)) if not kwargs else None
        if self._quick is not None:
            self._quick.configuration = self._configuration()
        return program(list(leaves(bound)))

    def _bind(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """The arguments by parameter name, defaults filled in; TypeError as Python's where they don't fit.

        A default that can be changed (`acc=[]`) is no argument: the function has it, as it has its globals.
        """
        owner = () if self._owner is None else (self._owner,)
        try:
            bound = self._signature.bind(*owner, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self._function.__qualname__}{self._signature}: {error}") from None
        given = set(bound.arguments)
        bound.apply_defaults()
        for name, parameter in self._signature.parameters.items():
            if name not in given and isinstance(parameter.default, list | dict | set):
                del bound.arguments[name]
        if self._owner is not None:
            bound.arguments.pop(next(iter(bound.arguments)))
        return dict(bound.arguments)

    def _program_for(self, bound: dict[str, Any]) -> ConcreteProgram:
        specs = self._specs(bound)
        key = (structure_key(specs), self._configuration())
        program = self._programs.current(key)
        if program is None:
            program = self._stage(specs)
            self._programs.add(key, program)
        return program

    def _specs(self, bound: dict[str, Any]) -> dict[str, Any]:
        """The argument tree with an InputSpec in place of each tensor: the given one where there is one, checked."""
        given = self._given_specs(list(bound))
        result = {}
        for name, value in bound.items():
            if name in given:
                result[name] = _match(given[name], value, name)
            else:
                result[name] = map_named(value, name, spec_of)
        return result

    def _given_specs(self, parameters: list[str]) -> dict[str, Any]:
        if self._input_spec is None:
            return {}
        if len(self._input_spec) > len(parameters) and not self._takes_any():
            raise ValueError(
                f"input_spec has {len(self._input_spec)} entries, but {self._function.__qualname__} takes "
                f"{len(parameters)} arguments: {parameters}"
            )
        given = dict(zip(parameters, self._input_spec))
        for name in given:
            if self._signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
                given[name] = tuple(self._input_spec[parameters.index(name) :])
        return given

    def _takes_any(self) -> bool:
        """Whether the function has `*args`, which takes any number of specs."""
        return any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in self._signature.parameters.values())

    def _configuration(self) -> Any:
        """What built-in layers read of themselves (training, p, ...).

        Compared by value, looked at again only when some layer changed.
        """
        if not isinstance(self._owner, Layer):
            return None
        epoch = attribute_epoch()
        if self._layout is None or self._layout[0] != epoch:
            self._layout = (epoch, tuple(map(_flags, self._owner.sublayers(include_self=True))))
        return self._layout[1]

    def _stage(self, specs: dict[str, Any], state: Iterable[StateSlot] = ()) -> ConcreteProgram:
        args, kwargs = self._as_call(specs)
        owner = self._owner
        staged = stage(self._entry, owner, args, kwargs, names_of(owner), state=state)
        return self._concrete(staged, specs, all(layer.training for layer in self.layers()))

    def _concrete(self, staged: StagedFunction, specs: dict[str, Any], training: bool) -> ConcreteProgram:
        """One staged form, ready to run."""
        return ConcreteProgram(staged, specs, training)

    def spread(self, bound: dict[str, Any]) -> list[tuple[str, Any]]:
        """The (name, value) pairs of `bound`, arguments by parameter: those of `*args` and `**kwargs` one by one."""
        found: list[tuple[str, Any]] = []
        for name, value in bound.items():
            kind = self._signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                found += [(f"{name}_{i}", item) for i, item in enumerate(value)]
            elif kind is inspect.Parameter.VAR_KEYWORD:
                found += value.items()
            else:
                found.append((name, value))
        return found

    def _as_call(self, bound: dict[str, Any]) -> tuple[tuple, dict]:
        """Positional and keyword arguments for a tree by parameter name."""
        args: list = []
        kwargs: dict = {}
        for name, value in bound.items():
            kind = self._signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                args.extend(value)
            elif kind is inspect.Parameter.VAR_KEYWORD:
                kwargs.update(value)
            elif kind is inspect.Parameter.KEYWORD_ONLY:
                kwargs[name] = value
            else:
                args.append(value)
        return tuple(args), kwargs

    # --- modes ---------------------------------------------------------------------------------------------------------------

    def layers(self) -> list[Layer]:
        """The layers whose mode the function follows: the one it is a method of, or those that it and its object name."""
        if isinstance(self._owner, Layer):
            return [self._owner]
        found = [*Roots(self._function).starts.values(), *getattr(self._owner, "__dict__", {}).values()]
        return [value for value in found if isinstance(value, Layer)]

    def train(self) -> None:
        """Training mode for `layers()`. RuntimeError for a method of a layer in evaluation: it is the layer that is switched."""
        self._switch(True)

    def eval(self) -> None:
        """Inference mode for `layers()`. RuntimeError for a method of a layer in training: it is the layer that is switched."""
        self._switch(False)

    def _switch(self, training: bool) -> None:
        owner, mode = self._owner, "train" if training else "eval"
        if isinstance(owner, Layer) and owner.training is not training:
            kind = type(owner).__name__
            raise RuntimeError(f"{self._function.__qualname__} is a method of a layer: call {mode}() of the {kind}")
        for layer in self.layers():
            layer.train(training)

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
        parameters.
        """
        if self._input_spec is not None:
            count = len(self._signature.parameters) - (self._owner is not None)
            if len(self._input_spec) > count and not self._takes_any():
                name = f"{self._function.__qualname__}{self._signature}"
                raise ValueError(f"input_spec has {len(self._input_spec)} entries, but {name} takes {count}")
            return self.get_concrete_program(*self._input_spec)
        programs = self.program_cache
        if not programs:
            raise ValueError(
                f"{self._function.__qualname__} has no Program yet: give to_static an input_spec, or call it with tensors once"
            )
        if len({kind for kind, _ in self._programs.kinds()}) > 1:
            text = "was called with several kinds of arguments: this is the Program of the last"
            warn_at(user_loc(), f"{self._function.__qualname__} {text}; to_static(..., input_spec) chooses", Dy2stWarning)
        return self.program_like(programs[-1])

    def program_like(self, program: ConcreteProgram) -> ConcreteProgram:
        """The Program for the arguments of another one, `program`, as the model is now. Errors as in `get_concrete_program`."""
        return self._program_for(program.arguments)

    def staged_anew(self, program: ConcreteProgram, state: Iterable[StateSlot] = ()) -> ConcreteProgram:
        """The Program for the arguments of another one, `program`, as the model is now, not kept for calls.

        state: what other Programs change, and this one may read. Errors as in `get_concrete_program`.
        """
        return self._stage(self._specs(program.arguments), state)

    @shows_users_frames
    def get_concrete_program(self, *args: Any, **kwargs: Any) -> ConcreteProgram:
        """The Program for these InputSpecs (or tensors) and Python values, staged now if need be.

        TypeError: arguments that the function doesn't take, or of another kind than its input_spec says. ValueError: others than
        that says, or more specs than parameters. ConversionError: what can't become a Program.
        """
        return self._program_for(self._bind(args, kwargs))

    @property
    def inputs(self) -> list[InputSpec]:
        """The specs of the input tensors of `concrete_program`."""
        return self.concrete_program.inputs

    @property
    def outputs(self) -> list[Output]:
        """The tensors in the result of `concrete_program`: what `output_spec` takes."""
        return self.concrete_program.outputs

    @property
    def main_program(self) -> Any:
        """The Program of `concrete_program`."""
        return self.concrete_program.program


class Quick:
    """The last Program that was called, and a short check of whether the next call is one more of its kind: tensors only."""

    def __init__(self, program: ConcreteProgram, checks: list[tuple]):
        self.program, self.checks = program, checks
        self.configuration: Any = None

    @classmethod
    def of(cls, program: ConcreteProgram, bound: dict[str, Any], count: int) -> Quick | None:
        """None where some argument isn't a plain tensor input."""
        specs = list(program.arguments.values())
        if count != len(specs) or not all(isinstance(s, InputSpec) for s in specs):
            return None
        return cls(program, [(DTYPES[s.dtype].numpy, tuple(s.shape), -1 in s.shape, s.stop_gradient) for s in specs])

    def fits(self, args: tuple, function: StaticFunction) -> bool:
        if len(args) != len(self.checks) or not self.program.is_current() or function._configuration() is not self.configuration:
            return False
        given = function._input_spec is not None
        for value, (dtype, shape, is_open, stop_gradient) in zip(args, self.checks):
            if not isinstance(value, Tensor):
                return False
            data = value._data
            if data.dtype is not dtype and data.dtype != dtype:
                return False
            if data.shape != shape and not (
                is_open and len(data.shape) == len(shape) and all(d in (-1, n) for d, n in zip(shape, data.shape))
            ):
                return False
            if not given and value.stop_gradient is not stop_gradient:
                return False
        return True


def _flags(layer: Layer) -> tuple:
    """What decides how a layer behaves.

    Every plain attribute of a built-in one; the user's own are guarded where they are read.
    """
    if type(layer).__module__.partition(".")[0] != __name__.partition(".")[0]:
        return (id(layer), layer.training, *_own_forward(layer))
    tensors = tuple(map(id, (*layer._parameters.values(), *layer._buffers.values())))
    return (id(layer), tensors, *_own_forward(layer), *((k, v) for k, v in vars(layer).items() if type(v) in PLAIN))


def _own_forward(layer: Layer) -> tuple:
    """The hooks of this very layer, and the forward that it was given in place of its class's."""
    hooks = (*layer._forward_pre_hooks.values(), *layer._forward_post_hooks.values())
    own = vars(layer).get("forward")
    return (*map(id, hooks), None if isinstance(own, StaticFunction) else id(own))


def _match(spec: Any, value: Any, name: str) -> Any:
    """The given spec for a parameter, after a look at what was passed for it."""
    if isinstance(spec, InputSpec):
        if isinstance(value, InputSpec):
            return spec
        if not hasattr(value, "shape") or not hasattr(value, "dtype"):
            kind = type(value).__name__
            raise TypeError(f"argument {name} is a {kind}; its InputSpec asks for a tensor, dy2st.to_tensor({name})")
        if not spec.accepts(value):
            shape = [None if n == -1 else n for n in spec.shape]
            instead = (
                "write None in the InputSpec for a length that differs from call to call"
                if value.dtype.name == spec.dtype
                else f"cast it, {name}.astype({spec.dtype!r})"
            )
            raise ValueError(
                f"argument {name} is {value.dtype.name}{list(value.shape)}; its InputSpec says {spec.dtype}{shape}: {instead}"
            )
        made = InputSpec(spec.shape, spec.dtype, spec.name or name, spec.stop_gradient)
        return made
    if isinstance(spec, list | tuple) and isinstance(value, list | tuple):
        if len(spec) != len(value):
            raise ValueError(f"argument {name} has {len(value)} items; its spec has {len(spec)}")
        parts = [_match(s, v, f"{name}_{i}") for i, (s, v) in enumerate(zip(spec, value))]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(spec, dict) and isinstance(value, dict):
        if list(spec) != list(value):
            raise ValueError(f"argument {name} has the keys {list(value)}; its spec has {list(spec)}")
        return {k: _match(spec[k], v, k) for k, v in value.items()}
    if any(True for _ in leaves(value)) and not any(True for _ in leaves(spec)):
        raise TypeError(f"argument {name} holds tensors; its spec says the constant {spec!r}")
    if any(True for _ in leaves(spec)):
        raise TypeError(f"argument {name} is a {type(value).__name__}; its spec is a {type(spec).__name__} of InputSpecs")
    return value


def names_of(owner: Any) -> dict[int, str]:
    """What the tensors and sublayers of a layer are called, by id."""
    if not isinstance(owner, Layer):
        return {}
    names = {id(tensor): name for name, tensor in (*owner.named_parameters(), *owner.named_buffers())}
    for name, layer in owner.named_sublayers():
        names[id(layer)] = name
        if isinstance(layer, ScriptModule):
            names[id(layer._holder)] = name
    return names


_enabled = os.environ.get("DY2ST_JIT", "1") not in ("0", "")


def enabled() -> bool:
    return _enabled


def enable_to_static(enable: bool) -> None:
    """Turn staging on or off everywhere: off (`enable` is False), every StaticFunction runs as the plain Python it came from.

    TypeError: no bool.
    """
    global _enabled
    if not isinstance(enable, bool):
        raise TypeError(f"enable_to_static takes a bool, not {type(enable).__name__}")
    _enabled = enable


__all__ = ["StaticFunction", "enable_to_static", "enabled", "names_of"]
