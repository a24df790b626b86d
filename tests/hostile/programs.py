"""Changes of a model file that know what it is: operations, values, types, blocks, state."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from ops.samples import collect

from dy2st.errors import Dy2stError
from dy2st.ir.types import parse_type
from dy2st.ops.registry import OPERATORS, infer_types
from dy2st.saving.attributes import decode, encode

CORE = (
    *("const unbound undef atom param if while try raise exception.new call caught caught.is caught.text".split()),
    *("caught.args caught.field yield return cell.new cell.get cell.set state.get state.set gradients".split()),
    *("sum.make sum.tag sum.get".split()),
)
TYPES = (
    *("int float bool str none number unbound never float32[*] float32[2,3] float32[?,3] int64[] bool[2] list<int>".split()),
    *("list<never> list<float32[*]> dict<str,int> set<int> tuple<> cell<int> function<()->int> class|A".split()),
    *("sum<int | none>", "sum<float32[*] | str>", 'tuple<int, str>', "class Point", "class Point{x: int}", 'atom<"f">'),
    *("exception<ValueError(str)>", "sequence<int>", "float32[1000000000000]", "complex128[n,n]", "bfloat16[2]"),
)
NUMBERS = (0, 1, -1, 2, 7, 64, -(2**31), 2**31, 2**62, -(2**63), 2**64, 10**30)
NAMES = (
    *("eval", "exec", "__import__", "__class__", "system", "open", "tofile", "axis", "name", "dtype", "out", "float32", "x"),
    *("{0.__class__}", "%s" * 9, "%99999999d", "a" * 300, "\u0000", "</script>", "SystemExit", "KeyError", "main", "ﬁeld", "１"),
)


class Changed:
    """A model file's tree, which `change` changes in place. `others` are trees of other models, to take parts from."""

    def __init__(self, tree: Any, others: list[Any], random: Any):
        self.tree, self.others, self.random = tree, others, random

    def change(self) -> None:
        """One change; of a tree that is no model file any more, none."""
        steps = (
            *(self.other_operator, self.other_operand, self.other_type, self.other_attribute, self.dynamic_attribute),
            *(self.move, self.remove, self.double, self.insert, self.insert, self.insert, self.splice, self.swap_blocks),
            *(self.state, self.parameter, self.positional, self.location),
        )
        try:
            self.random.choice(steps)()
        except (KeyError, TypeError, IndexError, AttributeError, ValueError):
            pass  # an earlier change took away what this one would change

    # --- what there is ---

    def blocks(self, tree: Any = None) -> list[dict]:
        found: list[dict] = []
        pending = [f["block"] for f in (tree or self.tree)["functions"]]
        while pending:
            block = pending.pop()
            found.append(block)
            pending += [inner for op in block["ops"] for inner in op.get("blocks", ())]
        return found

    def place(self) -> tuple[dict, int]:
        """A block and the number of an operation in it."""
        block = self.random.choice([b for b in self.blocks() if b["ops"]])
        return block, self.random.randrange(len(block["ops"]))

    def operation(self) -> dict:
        block, k = self.place()
        return block["ops"][k]

    def values(self) -> list[list[str]]:
        """All values: name and type."""
        return [v for b in self.blocks() for v in (*b["args"], *(v for op in b["ops"] for v in op.get("out", ())))]

    def value(self) -> str:
        return self.random.choice(self.values())[0]

    def type(self) -> str:
        known = [t for _, t in self.values()]
        return self.random.choice(known) if known and self.random.random() < 0.5 else self.random.choice(TYPES)

    def name(self) -> str:
        return self.random.choice((*OPERATORS, *CORE))

    # --- changes ---

    def other_operator(self) -> None:
        self.operation()["op"] = self.name()

    def other_operand(self) -> None:
        op = self.operation()
        operands = op.setdefault("in", [])
        action = self.random.choice(["replace", "replace", "add", "drop"])
        if action == "add":
            operands.append(self.value())
        elif action == "drop":
            operands.pop(self.random.randrange(len(operands)))
        else:
            operands[self.random.randrange(len(operands))] = self.value()

    def other_type(self) -> None:
        self.random.choice(self.values())[1] = self.type()

    def leaf(self) -> Any:
        others = (None, True, 0.5, [], [1, -1], {"tuple": [0]}, {"float": "nan"})
        return copy.deepcopy(self.random.choice((*NUMBERS, *NAMES, *others)))

    def attributes(self) -> dict:
        return self.random.choice([op for b in self.blocks() for op in b["ops"] if op.get("attrs")])["attrs"]

    def other_attribute(self) -> None:
        attrs = self.attributes()
        key = self.random.choice([*attrs, self.random.choice(NAMES)])
        places = [(attrs, key), *_places(attrs.get(key))]
        at, step = self.random.choice(places)
        at[step] = self.leaf()

    def dynamic_attribute(self) -> None:
        """What was known while staging comes from an operand."""
        op = self.random.choice([op for b in self.blocks() for op in b["ops"] if op.get("attrs")])
        operands = op.setdefault("in", [])
        op.setdefault("positional", len(operands))
        operands.append(self.value())
        at, step = self.random.choice([(op["attrs"], self.random.choice(list(op["attrs"]))), *_places(op["attrs"])])
        at[step] = {"ref": len(operands) - 1}

    def move(self) -> None:
        block, k = self.place()
        op = block["ops"].pop(k)
        target, at = self.place()
        target["ops"].insert(at, op)

    def remove(self) -> None:
        block, k = self.place()
        del block["ops"][k]

    def double(self) -> None:
        block, k = self.place()
        again = self.renamed(copy.deepcopy(block["ops"][k]))
        block["ops"].insert(k + 1, again)

    def splice(self) -> None:
        """An operation of another model, on values of this one."""
        source = self.random.choice([b for b in self.blocks(self.random.choice(self.others)) if b["ops"]])
        op = self.renamed(copy.deepcopy(self.random.choice(source["ops"])))
        op["in"] = [self.value() for _ in op.get("in", ())]
        block, k = self.place()
        block["ops"].insert(k, op)

    def renamed(self, op: dict) -> dict:
        names = iter(range(10**6))
        fresh: dict[str, str] = {}
        stem = f"n{self.random.randrange(10**6)}_"

        def walk(op: dict) -> None:
            op["in"] = [fresh.get(name, name) for name in op.get("in", ())]
            for out in op.get("out", ()):
                fresh[out[0]] = out[0] = f"{stem}{next(names)}"
            for block in op.get("blocks", ()):
                for arg in block["args"]:
                    fresh[arg[0]] = arg[0] = f"{stem}{next(names)}"
                for inner in block["ops"]:
                    walk(inner)

        walk(op)
        op.pop("loc", None)  # it counts in another table
        return op

    def swap_blocks(self) -> None:
        op = self.random.choice([op for b in self.blocks() for op in b["ops"] if op.get("blocks")])
        self.random.shuffle(op["blocks"])
        if self.random.random() < 0.3:
            op["blocks"].pop()

    def insert(self) -> None:
        """Any operator on values that are there, with attributes of a call that it takes, perhaps one changed; the types are
        what inference gives, so that the Program passes as many checks as it can."""
        block, k = self.place()
        visible = [*block["args"], *(v for op in block["ops"][:k] for v in op.get("out", ()))]
        name = self.random.choice(list(OPERATORS))
        sample = self.random.choice(_samples()[name])
        count = len(sample.operands)
        operands = [self.random.choice(visible) for _ in range(count)]
        attrs = {key: value for key, value in sample.attrs.items() if _is_plain(value)}
        if attrs and self.random.random() < 0.6:
            attrs[self.random.choice(list(attrs))] = decode(self.leaf(), "here")
        try:
            types = [str(t) for t in infer_types(OPERATORS[name], [parse_type(t) for _, t in operands], attrs)]
        except (Dy2stError, ValueError, TypeError, LookupError, AttributeError, OverflowError, MemoryError):
            types = [self.type()]
        outs = [[f"i{self.random.randrange(10**6)}", t] for t in types]
        encoded = {key: encode(value) for key, value in attrs.items()}
        block["ops"].insert(k, {"op": name, "in": [v for v, _ in operands], "attrs": encoded, "out": outs})
        following = [op for op in block["ops"][k + 1 :] if op.get("in")]
        if outs and following and self.random.random() < 0.7:
            op = self.random.choice(following)
            op["in"][self.random.randrange(len(op["in"]))] = outs[0][0]

    def state(self) -> None:
        entry = self.random.choice(self.tree["state"])
        values = ("1", "[1, 2]", '"text"', "None", "unbound", "$0", "&1 [*1]", "*1", "cell(1)", "set(1)", "object Point{x: 1}")
        entry[self.random.choice(["type", "value"])] = self.random.choice((*values, *TYPES))

    def parameter(self) -> None:
        entry = self.random.choice(self.tree["parameters"])
        key = self.random.choice(list(entry))
        entry[key] = self.random.choice([*NAMES, *TYPES, True, False, "buffer", "parameter", "constant"])

    def positional(self) -> None:
        self.operation()["positional"] = self.random.choice([0, 1, 2, -1, 10**9])

    def location(self) -> None:
        self.operation()["loc"] = self.random.choice([[0, 0, "f"], [0, -5, ""], [0, 10**30, "f", 2], [9, 1, "f"], [0, 1, "\n"]])


def _is_plain(value: Any) -> bool:
    try:
        encode(value)
    except TypeError:
        return False
    return True


_found: dict[str, list] = {}


def _samples() -> dict[str, list]:
    if not _found:
        _found.update({name: list(samples) for name, samples in collect().items()})
    return _found


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Each list or object in a JSON tree, with each of its keys."""
    for key, part in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield tree, key
        yield from _places(part)


def changed_program(text: bytes, others: list[Any], random: Any) -> bytes:
    """A model file with one to three changes."""
    changed = Changed(json.loads(text), others, random)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        changed.change()
    return json.dumps(changed.tree).encode()
