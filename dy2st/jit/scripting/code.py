"""`.code`: a Program as typed Python, for people to read. It is valid Python of what was compiled, and isn't run.

    def foo(len: int) -> Tensor:
        rv = dy2st.full(shape=[3, 4], value=0.0)
        i = 0
        rv_1 = rv
        while i < len:
            ...
"""

from __future__ import annotations

import importlib
import keyword
import re
from collections.abc import Iterator
from typing import Any

from ...ir.core import Block, Operation, Program, Ref, Value, attribute_text
from ...ir.join import alternatives
from ...ir.names import free
from ...ir.types import NONE, AtomType, Type
from .readable import readable

PUBLIC = ("dy2st", "dy2st.nn.functional", "dy2st.linalg")
INFIX = {
    "py.add": "+", "py.sub": "-", "py.mul": "*", "py.truediv": "/", "py.floordiv": "//", "py.mod": "%", "py.pow": "**",
    "py.lt": "<", "py.le": "<=", "py.gt": ">", "py.ge": ">=", "py.eq": "==", "py.ne": "!=",
}  # fmt: skip
FORMS = {
    "py.item": "{}.item()", "py.tolist": "{}.tolist()", "py.dims": "{}.shape", "py.rank": "{}.ndim", "py.truth": "bool({})",
    "py.not": "not {}", "py.neg": "-{}", "py.pos": "+{}", "py.invert": "~{}", "py.abs": "abs({})", "py.int": "int({})",
    "py.float": "float({})", "py.bool": "bool({})", "py.str": "str({})", "py.repr": "repr({})", "py.is": "{} is {}",
    "py.min": "min({}, {})", "py.max": "max({}, {})", "py.divmod": "divmod({}, {})", "py.and": "{} & {}", "py.or": "{} | {}",
    "py.xor": "{} ^ {}", "py.lshift": "{} << {}", "py.rshift": "{} >> {}", "list.concat": "{} + {}", "list.repeat": "{} * {}",
    "tuple.concat": "{} + {}", "str.concat": "{} + {}", "list.set": "{}[{}] = {}", "dict.set": "{}[{}] = {}",
    "list.delete": "del {}[{}]", "dict.delete": "del {}[{}]", "tuple.get_dynamic": "{}[{}]", "sequence.get": "{}[{}]",
    "str.get": "{}[{}]", "dict.get_default": "{}.get({}, {})", "tuple.to_list": "list({})", "set.to_list": "list({})",
    "sequence.to_list": "list({})", "set.from_list": "set({})", "sequence.from_list": "tuple({})", "undef": "None",
}  # fmt: skip


def code_of(program: Program, function: str) -> str:
    """The text of a Function and of those that it calls."""
    wanted, texts = [function], []
    for name in wanted:
        made = program.functions[name]
        texts.append("\n".join(_Writer(name).function(made.block, made.result_types)) + "\n")
        wanted += [n for n in dict.fromkeys(_called(made.block)) if n not in wanted]
    return "\n".join(texts)


def _called(block: Block) -> Iterator[str]:
    for op in block.ops:
        if op.name == "call":
            yield op.attrs["function"]
        for inner in op.blocks:
            yield from _called(inner)


class _Writer:
    def __init__(self, function: str):
        self.name = _identifier(function.rpartition(".")[2] if not function.rpartition(".")[2].isdigit() else function)
        self._texts: dict[Value, str] = {}
        self._tagged: dict[Value, Value] = {}  # what a tag is of
        self._taken: set[str] = set(keyword.kwlist) | {"dy2st"}

    def function(self, block: Block, results: list[Type]) -> Iterator[str]:
        params = ", ".join(f"{self._name(arg)}: {_hint(arg.type)}" for arg in block.args)
        arrow = f" -> {_hint(results[0])}" if results else ""
        yield f"def {self.name}({params}){arrow}:"
        yield from self._body(block, "    ", [])

    def _name(self, value: Value) -> str:
        if value not in self._texts:
            name = free(_identifier(value.name) if value.name else f"v{len(self._texts)}", self._taken)
            self._taken.add(name)
            self._texts[value] = name
        return self._texts[value]

    def _body(self, block: Block, indent: str, targets: list[str]) -> Iterator[str]:
        """The statements of a Block; what it yields is bound to `targets`."""
        lines = [line for op in block.ops for line in self._statement(op, indent, targets)]
        yield from lines or [f"{indent}pass"]

    def _statement(self, op: Operation, indent: str, targets: list[str]) -> Iterator[str]:
        given = [self._name(v) for v in op.operands]
        if op.name == "const":
            self._texts[op.result] = repr(op.attrs["value"])
        elif self._is_silent(op, given):
            return
        elif op.name == "return":
            yield f"{indent}return {given[0]}"
        elif op.name == "yield":
            yield from _assignments(targets, given, indent)
        elif op.name == "raise":
            yield f"{indent}raise {_identifier(op.attrs.get('exception', 'Exception'))}({', '.join(given)})"
        elif op.name == "if":
            yield from self._if(op, given[0], indent)
        elif op.name == "while":
            yield from self._while(op, given, indent)
        elif op.name == "try":
            yield from self._try(op, indent)
        else:
            text = self._expression(op, given)
            names = ", ".join(map(self._name, op.results))
            yield f"{indent}{names} = {text}" if names else f"{indent}{text}"

    def _is_silent(self, op: Operation, given: list[str]) -> bool:
        """Whether an operation takes no statement of Python's: its result has another name, or is asked where it is used."""
        if op.name in ("sum.make", "sum.get"):
            self._texts[op.result] = given[0]
        elif op.name == "sum.tag":
            self._tagged[op.result] = op.operands[0]
        elif op.name == "atom":
            self._texts[op.result] = _atom(op.attrs["text"])
        elif op.name == "undef":
            self._texts[op.result] = "None"
        elif op.name == "py.eq" and op.operands[0] in self._tagged:
            self._texts[op.result] = self._kind_test(self._tagged[op.operands[0]], int(given[1]))
        else:
            return False
        return True

    def _kind_test(self, value: Value, index: int) -> str:
        """Whether a value is of one of the kinds that it may be of."""
        kind, name = alternatives(value.type)[index], self._name(value)
        if kind == NONE or isinstance(kind, AtomType):
            return f"({name} is {_atom(kind.text) if isinstance(kind, AtomType) else None})"
        return f"isinstance({name}, {_hint(kind)})"

    def _if(self, op: Operation, test: str, indent: str) -> Iterator[str]:
        results = [self._name(v) for v in op.results]
        yield f"{indent}if {_bare(test)}:"
        yield from self._body(op.blocks[0], indent + "    ", results)
        orelse = list(self._body(op.blocks[1], indent + "    ", results))
        if orelse != [f"{indent}    pass"]:
            yield f"{indent}else:"
            yield from orelse

    def _while(self, op: Operation, inits: list[str], indent: str) -> Iterator[str]:
        condition, body = op.blocks
        names = [self._name(v) for v in op.results]
        yield from _assignments(names, inits, indent)
        for block in op.blocks:
            self._texts.update(zip(block.args, names))
        before = {**self._texts}
        for inner in condition.ops[:-1]:
            text = self._as_expression(inner)
            if text is None:
                break
            self._texts[inner.result] = text
        else:
            test = self._name(condition.ops[-1].operands[0])
            self._texts = {**self._texts, **before}
            yield f"{indent}while {_bare(test)}:"
            yield from self._body(body, indent + "    ", names)
            return
        self._texts = before
        yield f"{indent}while True:"
        for inner in condition.ops[:-1]:
            yield from self._statement(inner, indent + "    ", [])
        test = self._name(condition.ops[-1].operands[0])
        yield from (f"{indent}    if not {test}:", f"{indent}        break")
        yield from self._body(body, indent + "    ", names)

    def _as_expression(self, op: Operation) -> str | None:
        """What an operation of a condition computes, as an expression; None where that takes statements."""
        if len(op.results) != 1:
            return None
        if op.name == "const":
            return repr(op.attrs["value"])
        given = [self._name(v) for v in op.operands]
        if self._is_silent(op, given):
            return self._texts.get(op.result, "")
        if op.name == "if":
            test, sides = self._name(op.operands[0]), [self._yielded(block) for block in op.blocks]
            if None in sides:
                return None
            if sides[1] in ("False", test):
                return f"({test} and {sides[0]})"
            return f"({test} or {sides[1]})" if sides[0] in ("True", test) else f"({sides[0]} if {test} else {sides[1]})"
        if op.blocks:
            return None
        text = self._expression(op, given)
        return f"({text})" if " " in text else text

    def _yielded(self, block: Block) -> str | None:
        """What a Block gives, as an expression."""
        for op in block.ops[:-1]:
            text = self._as_expression(op)
            if text is None:
                return None
            self._texts[op.result] = text
        end = block.ops[-1]
        return self._name(end.operands[0]) if end.name == "yield" and len(end.operands) == 1 else None

    def _try(self, op: Operation, indent: str) -> Iterator[str]:
        results = [self._name(v) for v in op.results]
        yield f"{indent}try:"
        yield from self._body(op.blocks[0], indent + "    ", results)
        for names, block in zip(op.attrs.get("handlers", []), op.blocks[1:]):
            yield f"{indent}except ({', '.join(map(_identifier, names))}):"
            yield from self._body(block, indent + "    ", results)
        if op.attrs.get("finally") or len(op.blocks) == 1:
            yield f"{indent}finally:"
            yield from self._body(op.blocks[-1], indent + "    ", []) if op.attrs.get("finally") else [f"{indent}    pass"]

    def _expression(self, op: Operation, given: list[str]) -> str:
        name, attrs = op.name, op.attrs
        if name in INFIX and len(given) == 2:
            return f"{given[0]} {INFIX[name]} {given[1]}"
        if name in FORMS and FORMS[name].count("{}") == len(given):
            return FORMS[name].format(*given)
        if name == "py.dim":
            return f"{given[0]}.shape[{attrs['axis']}]"
        if name == "dict.new":
            return "{" + ", ".join(f"{key}: {value}" for key, value in zip(given[::2], given[1::2])) + "}"
        if name == "set.new":
            return "{" + ", ".join(given) + "}" if given else "set()"
        if name in ("list.new", "tuple.new"):
            inner = ", ".join(given)
            return f"[{inner}]" if name == "list.new" else f"({inner},)" if len(given) == 1 else f"({inner})"
        if name in ("list.len", "dict.len", "set.len", "str.len"):
            return f"len({given[0]})"
        if name in ("param", "state.get"):
            return f"self.{_path(attrs['name'])}"
        if name == "state.set":
            return f"self.{_path(attrs['name'])} = {given[0]}"
        if name.endswith(".contains"):
            return f"{given[1]} in {given[0]}"
        if name in ("list.get", "dict.get", "tuple.get"):
            return f"{given[0]}[{given[1] if len(given) > 1 else attrs.get('index')}]"
        if name.startswith(("list.", "dict.", "set.", "str.")) and given and not attrs:
            return f"{given[0]}.{_identifier(name.partition('.')[2])}({', '.join(given[1:])})"
        if name == "call":
            return f"{_identifier(attrs['function'].rpartition('.')[2])}({', '.join(given)})"
        keywords = [f"{_identifier(key)}={_literal(value, given)}" for key, value in sorted(attrs.items())]
        return f"{_function(name)}({', '.join([*given[: op.n_positional], *keywords])})"


def _assignments(targets: list[str], values: list[str], indent: str) -> list[str]:
    """One statement that binds all at once, as the Program does; nothing where nothing changes."""
    pairs = [(t, v) for t, v in zip(targets, values) if t != v]
    return [f"{indent}{', '.join(t for t, _ in pairs)} = {', '.join(v for _, v in pairs)}"] if pairs else []


def _bare(test: str) -> str:
    """A condition without the parentheses around all of it."""
    return test[1:-1] if test.startswith("(") and test.endswith(")") and test.count("(") == 1 else test


def _function(operator: str) -> str:
    """What an operator is called: the public function of that name, or its name among the operators, `ops`."""
    for path in PUBLIC if "." not in operator else ():
        if callable(getattr(importlib.import_module(path), operator, None)):
            return f"{path}.{operator}"
    return f"ops.{'.'.join(map(_identifier, operator.split('.')))}"


def _atom(text: str) -> str:
    """A Python object that is itself: its name where it has one."""
    name = text.partition(":")[0]
    return name if all(part.isidentifier() for part in name.split(".")) else repr(text)


def _identifier(text: str) -> str:
    """A name as Python allows it."""
    made = re.sub(r"\W", "_", text) or "_"
    made = f"_{made}" if made[0].isdigit() else made
    return f"{made}_" if keyword.iskeyword(made) else made


def _path(text: str) -> str:
    return ".".join(map(_identifier, text.split(".")))


def _literal(value: Any, given: list[str]) -> str:
    """An attribute, with names for what is known at run time only."""

    def text(leaf: Any) -> str:
        if isinstance(leaf, Ref):
            return given[leaf.index]
        return f"float({str(leaf)!r})" if isinstance(leaf, float) and leaf - leaf != 0 else repr(leaf)

    return attribute_text(value, text)


def _hint(type_: Type) -> str:
    text = readable(type_)
    return text if re.fullmatch(r"[\w\[\], ]+", text) else repr(text)
