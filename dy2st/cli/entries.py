"""The entry points of a saved model, with the types of what they take and give."""

from __future__ import annotations

from typing import Any


def signature(program: Any, function: str) -> dict[str, Any]:
    """The types of what a Function takes and gives, as JSON takes them."""
    found = program.functions[function]
    inputs = [{"name": value.name, "type": str(value.type)} for value in found.block.args]
    return {"inputs": inputs, "outputs": list(map(str, found.result_types))}


def entry_line(program: Any, method: str, function: str) -> str:
    """An entry point in one line."""
    types = signature(program, function)
    inputs = ", ".join(f"{value['name']}: {value['type']}" for value in types["inputs"])
    return f"entry: {method}({inputs}) -> {', '.join(types['outputs']) or 'nothing'}"
