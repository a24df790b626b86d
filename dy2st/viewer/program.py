"""The picture of a Program: a graph for each Function and each Block. What is only stored, its readers tell."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.core import Block, Loc, Operation, Program, Value
from ..ir.literal import write_literal
from ..ir.names import Names, hint_of, name_values
from ..ir.printer import block_labels, operation_text
from ..ir.summary import counts_text, is_step, is_stored, signature_text
from ..ir.types import TensorType, Type
from .conditions import Conditions, Made, expression
from .grouping import group_steps
from .picture import GraphData, Picture, StepData, ValueData, place, shape_text

SHORT = 24  # characters of the constants that stand on a box


def program_picture(program: Program, title: str, entries: dict[str, str] | None = None) -> Picture:
    """The picture of a Program.

    title: what it is called. entries: the names of what people may call -> their Functions; where None, the Program's entry
    and what else no Function calls.
    """
    builder = _Builder(program)
    known = _uncalled(program) if entries is None else entries
    if len(known) == 1:
        (function,) = known.values()
        builder.function(function)
        about = f"{signature_text(program.functions[function])}: {counts_text(program)}"
    else:
        builder.all_of(title, known)
        about = counts_text(program)
    group_steps(builder.graphs)
    return Picture(title, about, builder.graphs)


def _uncalled(program: Program) -> dict[str, str]:
    """The entry, and each Function that no call names."""
    called = {op.attrs["function"] for op in program.walk() if op.name == "call"}
    return {name: name for name in program.functions if name == program.entry.name or name not in called}


class _Builder:
    def __init__(self, program: Program):
        self.program, self.conditions = program, Conditions()
        self.graphs: list[GraphData] = []
        self.numbers: dict[str, int] = {}  # of the graphs of the Functions

    def all_of(self, title: str, entries: dict[str, str]) -> None:
        """A graph with a box for each entry."""
        top = self.graph(title)
        for name, function in entries.items():
            text = f"{name}{signature_text(self.program.functions[function])}"
            part = ("", self.function(function))
            top["steps"].append({"kind": "layer", "title": name, "text": text, "ins": [], "outs": [], "parts": [part]})

    def graph(self, name: str) -> GraphData:
        made: GraphData = {"name": name, "inputs": [], "outside": [], "steps": [], "results": [], "returns": ""}
        self.graphs.append(made)
        return made

    def function(self, name: str) -> int:
        """The number of a Function's graph."""
        if name not in self.numbers:
            function = self.program.functions[name]
            self.numbers[name] = len(self.graphs)
            _FunctionBuilder(self, name_values(function)).block(function.block, self.graph(name))
        return self.numbers[name]


class _FunctionBuilder:
    def __init__(self, builder: _Builder, names: Names):
        self.builder, self.names = builder, names
        self.data: dict[str, ValueData] = {}  # of the values that go along edges, by name

    def block(self, block: Block, made: GraphData) -> GraphData:
        made["inputs"] = list(map(self.value, block.args))
        for op in filter(is_step, block.ops):
            made["steps"].append(self.step(op))
        end = block.terminator
        given = end.operands if end is not None and end.name != "raise" else []
        made["results"] = self.read(given)
        made["returns"] = ", ".join(map(self.short, given))
        own = {value["name"] for value in made["inputs"]}.union(v["name"] for step in made["steps"] for v in step["outs"])
        read = dict.fromkeys([name for step in made["steps"] for name in step["ins"]] + made["results"])
        made["outside"] = [self.data[name] for name in read if name not in own]
        return made

    def step(self, op: Operation) -> StepData:
        parts = [(label, self.part(block)) for label, block in zip(block_labels(op), op.blocks)]
        if op.name == "call":
            parts.append(("", self.builder.function(op.attrs["function"])))
        rooms = [self.builder.graphs[number] for _, number in parts[: len(op.blocks)]]
        captured = [value["name"] for room in rooms for value in room["outside"]]
        made: StepData = {
            "kind": _kind(op), "title": _title(op), "note": self.note(op), "text": operation_text(op, self.short), "parts": parts,
            "ins": list(dict.fromkeys(self.read(op.operands) + captured)), "outs": list(map(self.value, op.results)),
            "parameters": _parameters(op),
        }  # fmt: skip
        if op.path:
            made["at"] = op.path
        place(made, op.loc)
        if op.name in ("if", "while"):
            made["condition"] = self.condition(op)
        return made

    def part(self, block: Block) -> int:
        graph = self.builder.graph("")
        number = len(self.builder.graphs) - 1
        self.block(block, graph)
        return number

    def condition(self, op: Operation) -> str:
        asked = op.operands[0] if op.name == "if" else next(iter(op.blocks[0].yielded), None)
        if asked is None:
            return ""
        owner = _answered(asked).owner
        is_whole = isinstance(owner, Operation) and owner.name == "if"
        said = self.builder.conditions.text(op.name, op.loc, is_whole)
        return said or f"{op.name} {expression(asked, lambda value: self.made(value, op.loc))}"

    def made(self, value: Value, loc: Loc | None) -> Made:
        """How a value was made in the line of a condition, for a short expression; what other lines made has a name."""
        op = value.owner
        if not isinstance(op, Operation) or is_stored(op) or _line(op.loc) != _line(loc):
            return Made(hint_of(value) or self.short(value))
        if op.name == "if" and len(op.results) == 1 and all(len(block.yielded) == 1 for block in op.blocks):
            (then,), (other,) = (block.yielded for block in op.blocks)
            asked = _answered(op.operands[0])
            if _answered(other) is asked:
                return Made("", "and", (asked, then))
            if _answered(then) is asked:
                return Made("", "or", (asked, other))
        if op.blocks or op.name == "call":
            return Made(hint_of(value) or self.short(value))
        return Made("", op.name, tuple(op.operands))

    # --- values ----------------------------------------------------------------------------------------------------------

    def value(self, value: Value) -> ValueData:
        name = self.name(value)
        self.data[name] = _value(name, value.type)
        return self.data[name]

    def name(self, value: Value) -> str:
        """As the printed Program has it, but for the `%` before a word."""
        found = self.names(value)
        return found if found[1:].isdecimal() else found[1:]

    def read(self, values: Iterable[Value]) -> list[str]:
        """The names of what steps give, each once; constants, parameters and such come from nowhere."""
        answers = map(_answered, values)
        return list(dict.fromkeys(self.name(v) for v in answers if not (isinstance(v.owner, Operation) and is_stored(v.owner))))

    def short(self, value: Value) -> str:
        """A value in a word: a constant itself, a parameter or another value by its name."""
        value = _answered(value)
        op = value.owner
        if isinstance(op, Operation) and op.name == "const":
            return write_literal(op.attrs["value"])
        return str(op.attrs["name"]) if isinstance(op, Operation) and op.name == "param" else self.name(value)

    def note(self, op: Operation) -> str:
        """The constants among the operands, the name of a state, where these are short."""
        texts = [self.short(value) for value, owner in _owners(op.operands) if owner.name == "const"]
        texts += [op.attrs["name"]] if op.name in ("state.get", "state.set") else []
        text = ", ".join(texts)
        return text if len(text) <= SHORT else ""


def _line(loc: Loc | None) -> tuple[str, int] | None:
    return loc and (loc.file, loc.line)


def _owners(values: Iterable[Value]) -> list[tuple[Value, Operation]]:
    return [(value, value.owner) for value in values if isinstance(value.owner, Operation)]


def _answered(value: Value) -> Value:
    """The value whose truth this is; any other one itself."""
    while isinstance(value.owner, Operation) and value.owner.name == "py.truth":
        value = value.owner.operands[0]
    return value


def _value(name: str, kind: Type) -> ValueData:
    if isinstance(kind, TensorType):
        return {"name": name, "shape": shape_text(kind.shape), "dtype": kind.dtype}
    return {"name": name, "shape": "", "dtype": str(kind)}


def _parameters(op: Operation) -> list[ValueData]:
    return [_value(owner.attrs["name"], value.type) for value, owner in _owners(op.operands) if owner.name == "param"]


def _kind(op: Operation) -> str:
    if op.blocks or op.name == "raise":
        return "control"
    return "layer" if op.name == "call" else "call"


def _title(op: Operation) -> str:
    if op.name == "call":
        return str(op.attrs["function"])
    if op.name == "raise":
        return f"raise {op.attrs['exception']}" if "exception" in op.attrs else "raise"
    return op.name.removeprefix("py.")
