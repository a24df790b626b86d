"""Interrupts at chosen lines, and snapshots of the user's objects to compare before and after one."""

from __future__ import annotations

import gc
import random
import sys
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CellType, CodeType, FrameType, FunctionType, MemberDescriptorType, ModuleType
from typing import Any

import numpy as np

import dy2st
from dy2st.ops import dispatch
from dy2st.runtime.heap.staged_objects import is_staged_object
from dy2st.runtime.proxies import Staged
from dy2st.runtime.stage.stage import stage
from dy2st.runtime.tensors.grad_mode import is_grad_enabled

BOOKKEEPING = ("._writes", "._node", "._view", "._grad", ".name", "._full_name")  # of tensors and layers
STAGING = stage.__code__
PACKAGE = str(Path(dy2st.__file__).parent)
Line = tuple[str, int]  # of a file of the package


def lines_run(call: Callable[[], object], event: str, files: tuple[str, ...]) -> Counter[Line]:
    """How often a call runs each line (or instruction) of the package's files whose paths begin with `files`."""
    found: Counter[Line] = Counter()

    def enter(frame: FrameType, what: str, argument: object) -> Callable | None:
        if not frame.f_code.co_filename.startswith(files):
            return None
        file = frame.f_code.co_filename
        frame.f_trace_opcodes = event == "opcode"

        def local(frame: FrameType, what: str, argument: object) -> Callable:
            if what == event:
                found[file, _place(frame, event)] += 1
            return local

        return local

    _traced(enter, call)
    return found


def interrupt(call: Callable[[], object], line: Line, occurrence: int, event: str = "line") -> str:
    """Raise a KeyboardInterrupt when a call reaches a line for the so-manieth time.

    What it has interrupted: "staging", or a "run", or "" if it hasn't left the call.
    """
    left, met = [occurrence], []

    def enter(frame: FrameType, what: str, argument: object) -> Callable | None:
        if frame.f_code.co_filename != line[0]:
            return None
        frame.f_trace_opcodes = event == "opcode"
        return local

    def local(frame: FrameType, what: str, argument: object) -> Callable:
        if what == event and _place(frame, event) == line[1]:
            left[0] -= 1
            if left[0] == 0:
                met.append("staging" if _is_inside(frame, STAGING) else "run")
                raise KeyboardInterrupt
        return local

    try:
        _traced(enter, call)
    except KeyboardInterrupt:
        return met[0]
    return ""


def _is_inside(frame: FrameType | None, code: CodeType) -> bool:
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back
    return False


def _place(frame: FrameType, event: str) -> int:
    """The line of a frame; of instructions, one number for each of a code."""
    return frame.f_lineno if event == "line" else frame.f_code.co_firstlineno * 10_000 + frame.f_lasti


def _traced(enter: Callable, call: Callable[[], object]) -> None:
    before = sys.gettrace()
    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(before)


class Snapshot:
    """All that can be reached from some objects, and what each holds."""

    def __init__(self, *roots: object):
        self.found: dict[int, tuple[str, object, object]] = {}  # by id: the way to an object, it itself, what it holds
        for number, root in enumerate(roots):
            self._enter(f"{number}", root)
        settings = (random.getstate(), str(dy2st.get_rng_state()), is_grad_enabled(), dispatch.mode_stack(), gc.isenabled())
        self.settings = (*settings, sys.getprofile(), sys.getrecursionlimit())

    def changes(self, *roots: object) -> list[str]:
        """What differs by now, in words."""
        now = Snapshot(*roots)
        said = [f"setting {i}" for i, (a, b) in enumerate(zip(self.settings, now.settings)) if a != b]
        for key, (path, value, held) in self.found.items():
            other = now.found.get(key)
            if other is None:
                said.append(f"{path} is gone")
            elif other[2] != held:
                said.append(f"{path} holds {other[2]!r:.200}, not {held!r:.200}")
        for key, (path, value, _) in now.found.items():
            if key not in self.found:
                said.append(f"{path} is new: {type(value).__name__}")
            if type(value).__module__.startswith("dy2st.runtime") and _is_staged(value):
                said.append(f"{path} is staged")
        return said

    def like(self, other: Snapshot) -> bool:
        """Whether the objects hold equal values, and are shared alike; which objects they are doesn't matter."""
        return self._form() == other._form()

    def _form(self) -> list:
        tensors = {key: repr(part) for key, (_, part, _) in self.found.items() if type(part) is dy2st.Tensor}
        inside = tuple(self.found[key][0] for key in tensors)
        ways = {key: path if held[1] is None else repr(held[1]) for key, (path, _, held) in self.found.items()} | tensors
        return sorted(
            (path, held[0].__name__, [(name, ways[part]) for name, part in held[2] if name not in BOOKKEEPING])
            for path, _, held in self.found.values()
            if held[1] is None and not path.startswith(inside) and not any(name in path for name in BOOKKEEPING)
        )

    def _enter(self, path: str, root: object) -> None:
        waiting = [(path, root)]
        while waiting:
            path, value = waiting.pop()
            if id(value) in self.found:
                continue
            parts, plain = parts_of(value)
            self.found[id(value)] = path, value, (type(value), plain, [(name, id(part)) for name, part in parts])
            waiting += [(f"{path}{name}", part) for name, part in parts]


def _is_staged(value: object) -> bool:
    return isinstance(value, Staged) or is_staged_object(value) or (isinstance(value, dy2st.Tensor) and value.is_staged)


def parts_of(value: Any) -> tuple[list[tuple[str, object]], object]:
    """The objects that an object holds, by names, in their order, and what else it holds, to be compared by ==."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | ModuleType):
        return [], value if not isinstance(value, ModuleType) else None
    if isinstance(value, type):
        is_changed = value.__module__.endswith(".interrupted")
        return [(f".{n}", v) for n, v in vars(value).items() if is_changed and not n.startswith("__")], None
    if isinstance(value, np.ndarray):
        return [], (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, random.Random):
        return [], value.getstate()
    if isinstance(value, bytearray | np.generic):
        return [], bytes(value)
    if isinstance(value, CellType):
        return [("()", value.cell_contents)] if value != CellType() else [], None
    if isinstance(value, FunctionType):
        parts = [(f".{k}", v) for k, v in vars(value).items()]
        return parts + [(f"<{n}>", c) for n, c in zip(value.__code__.co_freevars, value.__closure__ or ())], None
    parts = [(f".{name}", part) for name, part in _attributes(value)]
    if isinstance(value, set | frozenset):
        return parts + sorted((("{}", part) for part in iter(value)), key=lambda p: id(p[1])), None
    if isinstance(value, dict):
        pairs = (OrderedDict if isinstance(value, OrderedDict) else dict).items(value)
        parts += [pair for k, v in pairs for pair in ((f"[{k if isinstance(k, str) else type(k).__name__}]", v), ("[key]", k))]
        if isinstance(value, defaultdict):
            parts.append((".default_factory", value.default_factory))
    elif isinstance(value, list | tuple) or type(value).__name__ == "deque":
        parts += [(f"[{i}]", part) for i, part in enumerate(value)]
    return parts, None


def _attributes(value: Any) -> Iterator[tuple[str, object]]:
    """The attributes in the slots and the `__dict__` of an object, past the hooks of its class."""
    for cls in type(value).__mro__:
        for name, slot in vars(cls).items():
            if isinstance(slot, MemberDescriptorType) and (held := _held(slot, value)) is not slot:
                yield name, held
    if type(value).__dictoffset__:
        yield from object.__getattribute__(value, "__dict__").items()


def _held(slot: MemberDescriptorType, value: object) -> object:
    """What a slot holds; the slot itself where that is nothing."""
    try:
        return slot.__get__(value)
    except AttributeError:
        return slot
