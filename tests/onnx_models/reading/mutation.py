"""ONNX models with something changed in them: a number, a name, a part that is missing or stands there twice."""

from __future__ import annotations

import random
from typing import Any

NUMBERS = [0, 1, -1, 2, 7, 13, 100, 1 << 31, -(1 << 31), 1 << 62, -(1 << 63)]


def messages_in(message: Any) -> list[Any]:
    """A message and those inside it."""
    found = [message]
    for one in found:
        for field, value in one.ListFields():
            if field.type == field.TYPE_MESSAGE:
                found += [value] if hasattr(value, "ListFields") else list(value)
    return found


def mutated(model: Any, chance: random.Random) -> Any:
    """The model with up to three changes."""
    changed = type(model)()
    changed.CopyFrom(model)
    for _ in range(chance.randint(1, 3)):
        messages = [one for one in messages_in(changed) if one.ListFields()]
        if messages:
            message = chance.choice(messages)
            _change(message, *chance.choice(message.ListFields()), chance)
    return changed


def _change(message: Any, field: Any, value: Any, chance: random.Random) -> None:
    if chance.random() < 0.15:
        message.ClearField(field.name)
    elif hasattr(value, "extend"):
        _change_items(value, chance)
    elif isinstance(value, bool | int):
        _store(message, field.name, chance.choice(NUMBERS))
    elif isinstance(value, float):
        _store(message, field.name, chance.choice([0.0, -1.0, 1e30, float("nan"), float("inf")]))
    elif isinstance(value, str):
        _store(message, field.name, chance.choice(["", "x", "y", "Loop", "Relu", value[:-1], value + "_"]))
    elif isinstance(value, bytes):
        _store(message, field.name, value[: chance.randint(0, len(value))] + bytes([chance.randrange(256)]))


def _change_items(items: Any, chance: random.Random) -> None:
    """One item of a repeated field: gone, twice, or another number."""
    at = chance.randrange(len(items))
    item = items[at]
    if chance.random() < 0.4:
        del items[at]
    elif hasattr(item, "ListFields"):
        items.add().CopyFrom(item)
    elif isinstance(item, int) and chance.random() < 0.7:
        _store_item(items, at, chance.choice(NUMBERS))
    else:
        items.append(item)


def _store(message: Any, name: str, value: Any) -> None:
    try:
        setattr(message, name, value)
    except ValueError:  # beyond the field's width
        message.ClearField(name)


def _store_item(items: Any, at: int, value: int) -> None:
    try:
        items[at] = value
    except ValueError:
        del items[at]
