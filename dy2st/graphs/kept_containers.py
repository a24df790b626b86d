"""Lists, dicts and objects that outlive a call: a graph gives new ones, and the caller goes on with those that it has.

    self.history.append(x)          # state `history` keeps its list, and gets the contents that the graph gives
    self.window = [x, self.last]    # state `window` is another list
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import EngineError
from ..ir.alias import Aliases, holds_objects
from ..ir.core import Operation, Program
from ..ir.native import Instance
from ..ir.types import ListType, SetType, TensorType
from ..ops.registry import OPERATORS
from ..passes.values import Interface


def changed_state(program: Program, aliases: Aliases, interface: Interface, engine: str) -> set[str]:
    """The state whose containers are changed where they are. engine: what messages call it.

    EngineError: containers of the state, or of an argument, change places, or are changed before they are exchanged. It can't be
    told then which of those that the caller has is which.
    """
    changes = [(op, aliases.group(op.operands[0])) for op in _changes(program)]
    held = {name: aliases.group(("state", name)) for name, state in program.state.items() if holds_objects(state.type)}
    entered = {aliases.group(x) for x in program.entry.block.args if holds_objects(x.type)} | {*held.values()}
    for op, group in changes:
        if group in entered and _moves_containers(op):
            raise _error(op, "containers in a container change places here", engine)
    changed = {name for name, group in held.items() if any(group == other for _, other in changes)}
    for op in program.walk():
        if op.name == "state.set" and op.attrs["name"] in changed - interface.same - interface.replaced:
            raise _error(op, f"{op.attrs['name']} is exchanged here and changed in place elsewhere", engine)
    return changed - interface.replaced


def _changes(program: Program) -> Iterator[Operation]:
    """The operations that change a container."""
    for op in program.walk():
        if op.name in OPERATORS and 0 in OPERATORS[op.name].mutates and not isinstance(op.operands[0].type, TensorType):
            yield op


def _moves_containers(op: Operation) -> bool:
    container, *others = (operand.type for operand in op.operands)
    return holds_objects(container.elem) if isinstance(container, (ListType, SetType)) else any(map(holds_objects, others))


def _error(op: Operation, what: str, engine: str) -> EngineError:
    where = f"{op.loc}: " if op.loc else ""
    return EngineError(
        f"{where}{what}, and a graph gives copies: keep tensors and numbers in lists that outlive the call, and either "
        f"change a list or assign another (backend={engine!r})"
    )


def write_into(old: Any, new: Any) -> None:
    """Give a container the contents of another one of its kind; containers in it stay, too."""
    if isinstance(old, Instance):
        _write_entries(old.fields, new.fields)
    elif isinstance(old, dict):
        _write_entries(old, new)
    elif isinstance(old, list):
        old[:] = [kept(a, b) for a, b in zip(old, new)] + new[len(old) :]
    else:
        old.clear()
        old.update(new)


def _write_entries(old: dict, new: dict) -> None:
    for key in [*old]:
        if key not in new:
            del old[key]
    for key, value in new.items():
        old[key] = kept(old.get(key), value)


def kept(old: Any, new: Any) -> Any:
    """The replacement of `old`: itself with other contents, where it is a container of the same kind."""
    if not isinstance(old, (list, dict, set, Instance)) or type(old) is not type(new):
        return new
    write_into(old, new)
    return old
