"""The Functions of a Program: which are called, and how they are named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .core import Block, Function, Program
from .names import free

NUMBERED = "#"  # a provisional name is the user's, this and a number


def called(function: Function) -> list[str]:
    """The names of the Functions that a Function calls, in the order of the calls."""
    return [op.attrs["function"] for op in function.block.walk() if op.name == "call"]


def recursive_functions(program: Program) -> set[str]:
    """The names of the Functions that call themselves, directly or through others."""
    together = {name for names in components(program) if len(names) > 1 for name in names}
    return together | {name for name, function in program.functions.items() if name in called(function)}


def components(program: Program) -> list[list[str]]:
    """The Functions by name, those that call each other together, callees before their callers."""
    callees = {name: [n for n in called(f) if n in program.functions] for name, f in program.functions.items()}
    callers: dict[str, list[str]] = {name: [] for name in callees}
    for name, names in callees.items():
        for callee in names:
            callers[callee].append(name)
    seen: set[str] = set()
    ends = [name for start in callees for name in _finished(start, callees, seen)]
    seen = set()
    return [list(_finished(start, callers, seen)) for start in reversed(ends) if start not in seen][::-1]


def _finished(start: str, following: Mapping[str, list[str]], seen: set[str]) -> Iterator[str]:
    """The items reached from `start` and not yet seen, in post-order: each after all that are reached through it."""
    if start in seen:
        return
    seen.add(start)
    open_ = [(start, iter(following[start]))]
    while open_:
        name, rest = open_[-1]
        if (item := next((n for n in rest if n not in seen), None)) is None:
            open_.pop()
            yield name
        else:
            seen.add(item)
            open_.append((item, iter(following[item])))


def reached(program: Program, name: str) -> set[str]:
    """The Functions that a call of `name` may come to."""
    names: set[str] = set()
    waiting = [name]
    while waiting:
        function = program.functions.get(waiting.pop())
        new = set(called(function)) - names if function is not None else set()
        names |= new
        waiting += new
    return names


def add_function(program: Program, name: str) -> Function:
    """One more Function, still empty, under a name that `tidy` makes final."""
    name = f"{name}{NUMBERED}{len(program.functions)}"
    made = program.functions[name] = Function(name, Block())
    return made


def tidy(program: Program) -> None:
    """Keep the Functions that calls lead to from the entry, in the order of the calls, each under a name of its own."""
    names = {program.entry.name: program.entry.name}
    taken, functions = set(names), [program.entry]
    for function in functions:
        for op in function.block.walk():
            if op.name != "call":
                continue
            old = op.attrs["function"]
            if old not in names:
                names[old] = free(old.partition(NUMBERED)[0].strip("<>"), taken)
                taken.add(names[old])
                functions.append(Function(names[old], program.functions[old].block))
            op.attrs["function"] = names[old]
    program.functions = {function.name: function for function in functions}
