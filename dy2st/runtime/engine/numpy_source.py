"""From a Program to one generated Python module over NumPy, compiled once.

def f0(a0):                      function main(x: int64[])
    v0 = a0.item()
    v1 = 0
    while v0 != 1:
        ...
    return array(v1)
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from types import CodeType
from typing import Any

import numpy as np

from ...errors import EngineError
from ...ir.core import Function, Operation, Program
from ...ir.join import alternatives
from ...ir.native import UNBOUND, Atom, Cell, Instance, matches
from ...ir.types import UnboundType
from ...ops.registry import OpDef
from .aliases import TensorAliases
from .basics import BASICS
from .buffers import Pool
from .exceptions import ExceptionClasses, args_of, caught, chained, field_of, made_error, repr_of, text_of
from .known_types import KnownTypes
from .literals import Constants
from .liveness import Liveness
from .locations import LineTable
from .operators import emit_operator
from .regions import MAX_NESTING, REGIONS
from .rows import Rows, stacked_lists
from .unboxed import LOW, Unboxed
from .writer import Writer

_serial = itertools.count()


def wrap(value: int) -> int:
    """A Python int brought into int64 as overflow would."""
    return ((value - LOW) & ((1 << 64) - 1)) + LOW


RUNTIME: dict[str, Any] = {
    "np": np,
    "array": np.array,
    "asarray": np.asarray,
    "ndarray": np.ndarray,
    "nan": float("nan"),
    "inf": float("inf"),
    "wrap": wrap,
    "matches": matches,
    "Atom": Atom,
    "Cell": Cell,
    "Instance": Instance,
    "UNBOUND": UNBOUND,
    "caught": caught,
    "chained": chained,
    "made_error": made_error,
    "args_of": args_of,
    "field_of": field_of,
    "repr_of": repr_of,
    "text_of": text_of,
    "NUMBERS": frozenset((int, float, bool)),
}


class Module:
    """What the generated functions share, and their text.

    source: the text; source_lines: its lines, each with the Operation that it computes; code: its compiled form; entries: the
    generated name of each Function; lines: from lines to the user's; type: what is known of the type of a Value; warns: whether
    some operation may draw NumPy's floating-point warnings; pooled: large temporaries live in buffers.
    """

    max_nesting = MAX_NESTING

    def __init__(
        self,
        program: Program,
        exceptions: Mapping[str, type[BaseException]] | None = None,
        pooled: bool = False,
        ranks: Mapping[str, Sequence[int]] | None = None,
        meter: Any = None,
    ):
        """ranks: by Function, those of its arguments that the Program leaves open. meter: what measures each line."""
        self._program, self._pooled = program, pooled
        self.type = KnownTypes(program)
        for name, function in program.functions.items():
            if pooled or name in (ranks or ()):
                self.type.refine(function, (ranks or {}).get(name, ()))
        self.constants = Constants()
        self.pools: list[Pool] = []  # of the functions whose large temporaries live in buffers
        self.aliases = TensorAliases(program)
        self.unboxed = Unboxed(program, self.aliases, self.type)
        self.exceptions = ExceptionClasses(program, exceptions)
        self.entries = {name: f"f{i}" for i, name in enumerate(program.functions)}
        self.warns = False  # whether NumPy may want to warn of what floating point gives
        self._parts = itertools.count()
        self._kernels: dict[str, str] = {}
        self.source_lines: list[tuple[str, Operation | None]] = []
        self.rows: dict[Operation, Rows] = {}  # the steps of lists that are arrays
        self._operands: dict[Operation, list[str]] = {}  # how each Operation's operands are written
        for name, function in program.functions.items():
            self._write(self.entries[name], function)
        if meter is not None:
            self.source_lines = meter.marked(self.source_lines)
            self.constants.namespace["meter"] = meter
        self.source = "\n".join(text for text, _ in self.source_lines) + "\n"
        self.lines = LineTable(f"<dy2st engine {next(_serial)}>", [op for _, op in self.source_lines], self._operands)
        self.code: CodeType = compile(self.source, self.lines.filename, "exec", dont_inherit=True)

    def namespace(self, parameters: dict[str, np.ndarray], state: dict[str, Any]) -> dict[str, Any]:
        """The functions, bound to one Executable's parameters and state."""
        names = {**RUNTIME, **self.constants.namespace, "parameters": parameters, "state": state}
        exec(self.code, names)
        return names

    def may_be_absent(self, name: str) -> bool:
        """Whether a state of this name may hold nothing."""
        return UnboundType() in alternatives(self._program.state[name].type)

    def emit(self, writer: Writer, op: Operation) -> None:
        """Write one Operation."""
        self._operands[op] = [writer.text.get(value, "") for value in op.operands]
        rows = self.rows.get(op)
        if rows is not None and rows.emit(writer, op):
            return
        (BASICS.get(op.name) or REGIONS.get(op.name) or emit_operator)(writer, op)

    def filled_by(self, loop: Operation) -> list[Rows]:
        """The arrays whose rows a loop computes."""
        return [rows for op, rows in self.rows.items() if op is rows.new and rows.loop is loop and rows.is_active]

    def kernel(self, definition: OpDef) -> str:
        """The generated name of an operator's kernel."""
        name = self._kernels.get(definition.name)
        if name is None:
            readable = "".join(c if c.isalnum() and c.isascii() else "_" for c in definition.name)
            name = self._kernels[definition.name] = f"k{len(self._kernels)}_{readable}"
            self.constants.namespace[name] = definition.kernel
        return name

    def function_name(self, name: str) -> str:
        if name not in self.entries:
            raise EngineError(f"the Program has no function {name!r}")
        return self.entries[name]

    def part_name(self) -> str:
        return f"part{next(self._parts)}"

    def add_function(self, name: str, parameters: list[str], lines: list[tuple[str, Operation | None]]) -> None:
        self.source_lines.append((f"def {name}({', '.join(parameters)}):", None))
        self.source_lines.extend(lines)

    def _write(self, name: str, function: Function) -> None:
        slots = self._slots(function) if self._pooled else None
        pool = self.constants.name(Pool(slots.parts, self.pools), "buffers") if slots is not None else ""
        liveness = Liveness(function.block)
        for rows in stacked_lists(function, liveness, self.aliases):
            self.rows.update(dict.fromkeys(rows.steps, rows))
        writer = Writer(self, liveness, slots)
        arguments = [f"a{i}" for i in range(len(function.block.args))]
        writer.arguments = frozenset(arguments)
        writer.text.update(zip(function.block.args, arguments))
        for value, argument in zip(function.block.args, arguments):
            if self.unboxed.kind.get(value):
                writer.line(f"{argument} = {argument}.item()")

        def finish(end: Operation) -> None:
            if slots is not None and slots.parts:
                writer.line(f"{pool}.give(b)")
            writer.line(f"return {', '.join(map(writer.boxed, end.operands))}")

        writer.block(function.block, self.emit, finish)
        if slots is not None and slots.parts:
            taken = [f"b = {pool}.take()", *(f"{length} = {text}" for length, text in slots.dims.items())]
            writer.lines[:0] = [(f"    {line}", None) for line in taken]
        self.add_function(name, arguments, writer.lines)

    def _slots(self, function: Function) -> Any:
        from .slots import Slots  # most models have no temporaries that large

        return Slots(function, self.aliases, self.type)
