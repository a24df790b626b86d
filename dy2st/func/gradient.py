"""`grad`: the gradient of a function, as a function."""

from __future__ import annotations

from typing import Any

from ..errors import ConversionError
from ..ir.core import Program
from ..jit.static.concrete import ConcreteProgram
from ..jit.static.static_function import StaticFunction
from ..passes import optimize
from ..passes.backward import slope
from ..passes.base import Pipeline
from ..runtime.stage.stage import StagedFunction
from ..runtime.tensors.spec import InputSpec, leaves
from ..runtime.tensors.tensor import Tensor
from .called import gradients_of_call, separate
from .programs import Parts, parts_of, transformed

NO_TENSOR = "grad: argument {} is no tensor"
_WRITTEN_OUT = Pipeline.of("written out", "gradients")


def grad(function: Any, argnums: int | tuple[int, ...] = 0) -> Any:
    """A function that gives the gradient of `function`, which computes one floating-point number.

    argnums: the number of the argument whose gradient is wanted, or a tuple of numbers, for a tuple of gradients. These arguments
        are tensors.

    The gradient is a Program, made from that of `function`: it can be shown by `make_program`, functionalized, saved, and has a
    gradient as well. NotDifferentiableError says, at the user's line, what has no backward Program. ConversionError: the function
    changes a list, dict or object that it is given. TypeError: no numbers of arguments, or an argument that is no tensor.
    """
    if not all(type(n) is int and n >= 0 for n in _several(argnums)):
        raise TypeError(f"grad: argnums is the number of an argument or a tuple of numbers, not {argnums!r}")
    return GradientFunction(function, parts_of(function), argnums)


class GradientFunction(StaticFunction):
    """What `grad` makes of a function."""

    def __init__(self, given: Any, parts: Parts, argnums: int | tuple[int, ...], input_spec: Any = None):
        super().__init__(parts.function, input_spec, parts.owner, parts.layer)
        self._given, self._argnums = given, argnums

    def __get__(self, instance: Any, owner: type | None = None) -> StaticFunction:
        """As a decorated method."""
        return self if instance is None else GradientFunction(self._given, Parts(self._function, instance), self._argnums)

    def _of(self, owner: Any, input_spec: Any) -> GradientFunction:
        made = GradientFunction(self._given, Parts(self._function, owner, self._layer), self._argnums, input_spec)
        made.passes, made.engine = self.passes, self.engine
        return made

    def __repr__(self) -> str:
        return f"<gradient of {self._function.__qualname__}>"

    @property
    def dygraph_function(self) -> Any:
        """The same without a Program of its own: on the tape, or in the Program that is recorded."""
        plain, bind, argnums = self._plain, self._binder, self._argnums

        def gradient(*args: Any, **kwargs: Any) -> Any:
            bound = bind.bind(args, kwargs)
            asked = {name: separate(bound[name]) for name in (_name(bound, n) for n in _several(argnums))}
            args, kwargs = bind.as_call({**bound, **asked})
            found = dict(zip(asked, gradients_of_call(plain, args, kwargs, [*asked.values()])))
            gradients = tuple(found[_name(bound, n)] for n in _several(argnums))
            return gradients if isinstance(argnums, tuple) else gradients[0]

        return gradient

    @property
    def _plain(self) -> Any:
        """What is differentiated, in plain Python: where that was made by this package, it is the gradient of another one."""
        given = self._given
        if not isinstance(given, StaticFunction):
            return super().dygraph_function
        return (given if given._owner is self._owner else given.__get__(self._owner)).dygraph_function

    def transform(self, program: Program, arguments: dict[str, Any]) -> Program:
        """The Program of the gradient, from that of the plain function."""
        given = _WRITTEN_OUT.run(transformed(self._given, program, arguments))
        whole = slope(given, [_input_number(arguments, n) for n in _several(self._argnums)])
        if not isinstance(self._argnums, tuple):
            _only_one(whole)
        return whole

    def _concrete(self, staged: StagedFunction, specs: dict[str, Any], training: bool) -> ConcreteProgram:
        for changed in staged.changed.values():
            raise ConversionError(
                f"grad: {self._function.__qualname__} changes its argument {changed.name}, which its gradient can't do again: "
                "return the new one instead"
            )
        return GradientProgram(self, staged, specs, training)


class GradientProgram(ConcreteProgram):
    """One staged form of a gradient."""

    def __init__(self, function: GradientFunction, staged: StagedFunction, arguments: dict[str, Any], training: bool):
        self.function, self.given = function, arguments
        super().__init__(staged, arguments, training)

    def prepared(self, program: Program) -> Program:
        """The gradient's, optimized."""
        return optimize(self.function.transform(program, self.given))


def _several(argnums: int | tuple[int, ...]) -> tuple[int, ...]:
    return argnums if isinstance(argnums, tuple) else (argnums,)


def _name(bound: dict[str, Any], number: int) -> str:
    """The name of the argument number `number`, a tensor."""
    names = list(bound)
    if number >= len(names) or not isinstance(bound[names[number]], Tensor):
        raise TypeError(NO_TENSOR.format(number))
    return names[number]


def _input_number(arguments: dict[str, Any], number: int) -> int:
    """Which of a Program's inputs the argument number `number` is."""
    values = list(arguments.values())
    if number >= len(values) or not isinstance(values[number], InputSpec):
        raise TypeError(NO_TENSOR.format(number))
    return len(list(leaves(values[:number])))


def _only_one(program: Program) -> None:
    """Give the one gradient instead of a tuple of it."""
    end = program.entry.block.ops[-1]
    made = end.operands[0].owner
    end.operands = list(made.operands)  # type: ignore[union-attr]
    program.entry.block.ops.remove(made)  # type: ignore[arg-type]
