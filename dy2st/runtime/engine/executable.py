"""A Program that runs: its compiled source, with its own parameters and state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...errors import EngineError
from ...ir.core import Operation, Program
from ...ops.quiet import silence, speak
from ..where.faults import reports_faults, speaks_for_the_user
from .buffers import POOLED, Pool
from .held import arrays_of, state_of
from .known_types import open_ranks
from .measured import meter
from .numpy_source import Module
from .sizes import is_large


class Form(NamedTuple):
    """Which generated source a call runs.

    pooled: large temporaries live in reused buffers. ranks: numbers of axes of the arguments of `function` for which the Program
    leaves them open.
    """

    function: str
    pooled: bool
    ranks: tuple[int, ...]


class Sources:
    """The generated source of a Program, in the forms that calls need. Each is written when the first call asks for it.

    large: whether calls of a Function take the pooled form; ranked: the positions of its arguments of any rank.
    """

    def __init__(self, program: Program, exceptions: Mapping[str, type[BaseException]] | None):
        self.program, self.exceptions = program, exceptions
        self.large = {name: is_large(function) for name, function in program.functions.items()}
        self.ranked = {name: open_ranks(function) for name, function in program.functions.items()}
        self._meter = meter.get()
        self._modules: dict[tuple[bool, str, tuple[int, ...]], Module] = {}
        if not self.ranked[self.entry]:
            _ = self.first  # a Program that can't run says so at once

    @property
    def entry(self) -> str:
        return next(iter(self.large))

    @cached_property
    def first(self) -> Module:
        """The source for calls of the entry, whatever their ranks."""
        return self.module(Form(self.entry, self.large[self.entry] is True, ()))

    def form(self, name: str, inputs: tuple) -> Form:
        """The form that this call of a Function runs."""
        large = self.large.get(name, False)
        pooled = large(inputs) if callable(large) else large
        return Form(name, pooled, tuple(inputs[i].ndim for i in self.ranked.get(name, ())))

    def fixed_form(self, name: str) -> Form | None:
        """The form that all calls of a Function run, where it is one."""
        return None if callable(self.large[name]) or self.ranked[name] else Form(name, self.large[name] is True, ())

    @reports_faults
    def module(self, form: Form) -> Module:
        """The source of a form. Forms without ranks have it in common."""
        key = form.pooled, form.function if form.ranks else "", form.ranks
        if key not in self._modules:
            ranks = {form.function: form.ranks} if form.ranks else None
            self._modules[key] = Module(self.program, self.exceptions, form.pooled, ranks, self._meter)
        return self._modules[key]

    def pools(self) -> list[Pool]:
        """Where memory is kept between calls."""
        return [pool for module in tuple(self._modules.values()) for pool in module.pools]


class Executable:
    """Runs one Program on natives. Calls may run at the same time.

    parameters: name -> the ndarray that `param` gives and in-place operations write; an array passed in is used as it is, except
        that a read-only one (a mapped file) is copied where the Program writes it.
    state: name -> the native value of the Program's Python state; each Executable has its own.
    source: the generated source.
    """

    def __init__(self, program: Program, sources: Sources):
        self.program = program
        self._sources = sources
        self.parameters: dict[str, np.ndarray] = arrays_of(program, lambda: sources.first.aliases)
        self.state: dict[str, Any] = state_of(program)
        self._entry = next(iter(program.functions))
        self._ready: dict[Form, Callable] = {}

    @property
    def source(self) -> str:
        return self._sources.first.source

    @property
    def source_lines(self) -> list[tuple[str, Operation | None]]:
        """The lines of that source, each with the Operation that it computes."""
        return self._sources.first.source_lines

    def fresh(self) -> Executable:
        """Another Executable of the same compiled source, with state of its own."""
        return Executable(self.program, self._sources)

    def __call__(self, *inputs: Any) -> Any:
        """Run the entry Function on natives; its native result. A failure carries the user's line (`dy2st_loc`, and a note)."""
        return self.run(self._entry, *inputs)

    def run(self, function: str, *inputs: Any) -> Any:
        """Run any Function of the Program by name."""
        form = self._sources.form(function, inputs)
        return (self._ready.get(form) or self._made_ready(form))(*inputs)

    def body(self, function: str | None = None, inputs: tuple | None = None) -> Callable:
        """What a call of a Function, the entry if None, runs: compiled source, or what chooses one of its forms by the inputs.

        inputs: natives of the shapes that all calls will have, where these are known.
        """
        name = function or self._entry
        sources, ready = self._sources, self._ready
        form = sources.fixed_form(name) if inputs is None else sources.form(name, inputs)
        if form is not None:
            return self._made_ready(form)

        def chosen(*inputs: Any) -> Any:
            form = sources.form(name, inputs)
            return (ready.get(form) or self._made_ready(form))(*inputs)

        return chosen

    @property
    def pooled_bytes(self) -> int:
        """How much memory of large temporaries is kept for the next call."""
        return sum(pool.nbytes for pool in self._sources.pools())

    def release(self) -> None:
        """Give that memory back."""
        for pool in self._sources.pools():
            pool.release()

    def _made_ready(self, form: Form) -> Callable:
        """The functions of one form, bound to these parameters and this state."""
        if form.function not in self._sources.large:
            raise EngineError(f"the Program has no function {form.function!r}; it has {', '.join(self._sources.large)}")
        module = self._sources.module(form)
        namespace = module.namespace(self.parameters, self.state)
        names = [form.function] if form.ranks else module.entries
        self._ready.update({form._replace(function=name): _guarded(module, namespace[module.entries[name]]) for name in names})
        return self._ready[form]


@speaks_for_the_user
def _guarded(module: Module, compiled: Callable) -> Callable:
    """A compiled function, whose failures say what they mean."""
    warns, kept, count_call = module.warns, POOLED.sizes, POOLED.count_call

    def call(*inputs: Any) -> Any:
        if kept:
            count_call()
        token = silence() if warns else None
        try:
            return compiled(*inputs)
        except BaseException as error:
            better = module.lines.explain(error)
            if better is error:
                raise error  # not bare: before Python 3.11 that brings the generated frames back
            raise better from None
        finally:
            if warns:
                speak(token)

    return call


def compile_program(program: Program, exceptions: Mapping[str, type[BaseException]] | None = None) -> Executable:
    """Compile `program` to Python source over NumPy.

    exceptions: the user's exception classes by name, where the Program runs in the process that staged it.

    EngineError where the Program holds an operator that nobody defined or an attribute that is no literal.
    """
    return Executable(program, Sources(program, exceptions))
