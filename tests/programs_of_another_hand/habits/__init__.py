"""What people write, family by family: classes, what a model keeps of them, and the statements that use them."""

from __future__ import annotations

from ..habit import Habit
from . import arguments, containers, control, enums, functions, objects, records

HABITS: tuple[Habit, ...] = (
    *containers.HABITS,
    *objects.HABITS,
    *records.HABITS,
    *enums.HABITS,
    *control.HABITS,
    *functions.HABITS,
    *arguments.HABITS,
)
