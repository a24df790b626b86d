"""The Functions of a Program: which are called, and how they are named."""

from __future__ import annotations

from collections.abc import Container

from .core import Block, Function, Program

NUMBERED = "#"  # a provisional name is the user's, this and a number


def called(function: Function) -> list[str]:
    """The names of the Functions that a Function calls, in the order of the calls."""
    return [op.attrs["function"] for op in function.block.walk() if op.name == "call"]


def recursive_functions(program: Program) -> set[str]:
    """The names of the Functions that call themselves, directly or through others."""
    return {name for name in program.functions if name in reached(program, name)}


def reached(program: Program, name: str) -> set[str]:
    """The Functions that a call of `name` may come to."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        function = program.functions.get(waiting.pop())
        new = set(called(function)) - found if function is not None else set()
        found |= new
        waiting += new
    return found


def add_function(program: Program, name: str) -> Function:
    """One more Function, still empty, under a name that `tidy` makes final."""
    name = f"{name}{NUMBERED}{len(program.functions)}"
    made = program.functions[name] = Function(name, Block())
    return made


def tidy(program: Program) -> None:
    """Keep the Functions that calls lead to from the entry, in the order of the calls, each under a name of its own."""
    names = {program.entry.name: program.entry.name}
    found = [program.entry]
    for function in found:
        for op in function.block.walk():
            if op.name != "call":
                continue
            old = op.attrs["function"]
            if old not in names:
                names[old] = _free(old.partition(NUMBERED)[0].strip("<>"), names.values())
                found.append(Function(names[old], program.functions[old].block))
            op.attrs["function"] = names[old]
    program.functions = {function.name: function for function in found}


def _free(name: str, taken: Container[str]) -> str:
    number, free = 0, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
