"""What a function asks of the world, and does to it, while it is staged: clocks, files, folders, random numbers.

The Program of one call is staged with the answers. Staging may begin again. What was drawn is then drawn again, and what was done
to files and the environment is put back and done again; what can't be is refused.
"""

from __future__ import annotations

import copyreg
import csv
import gc
import io
import locale
import os
import tempfile
import threading
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from numpy.random import RandomState

from ... import pytree
from ...errors import ConversionError
from ...undo import Undo, UndoLog
from .files import CHANGED, Unkept, changed_by, keep, remove

OPENING = ("open", "fdopen")
WRITING = set("wax+")  # in the mode of a file
LOCKS = (type(threading.Lock()), type(threading.RLock()))
CHANGING_FILTERS = (warnings.simplefilter, warnings.filterwarnings, warnings.resetwarnings)
EXTENSIONS: Any = (copyreg._extension_registry, copyreg._inverted_registry, copyreg._extension_cache)  # type: ignore[attr-defined]


def _of_tables(*tables: dict) -> Callable[[tuple], list[Undo]]:
    """How to put back what a function changes in tables of its module."""
    return lambda args: [partial(pytree.refill, table, table.copy()) for table in tables]


def _of_dialect(args: tuple) -> list[Undo]:
    name: Any = args[0] if args else None
    if name in csv.list_dialects():
        known: Any = csv.get_dialect(name)
        return [partial(csv.register_dialect, name, known)]
    return [partial(_forget_dialect, name)]


def _forget_dialect(name: str) -> None:
    if name in csv.list_dialects():
        csv.unregister_dialect(name)


def _of_locale(args: tuple) -> list[Undo]:
    return [partial(locale.setlocale, locale.LC_ALL, locale.setlocale(locale.LC_ALL))]


# module -> name of a function -> given its arguments, how to put back what it changes in its module
REGISTERING: dict[str, dict[str, Callable[[tuple], list[Undo]]]] = {
    "copyreg": {
        "pickle": _of_tables(copyreg.dispatch_table),
        **dict.fromkeys(("add_extension", "remove_extension", "clear_extension_cache"), _of_tables(*EXTENSIONS)),
    },
    "_csv": {
        **dict.fromkeys(("register_dialect", "unregister_dialect"), _of_dialect),
        "field_size_limit": lambda args: [partial(csv.field_size_limit, csv.field_size_limit())],
    },
    "locale": {"setlocale": _of_locale},
}
CHANGING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


class World:
    """What one function under one set of input specs has asked and done."""

    def __init__(self) -> None:
        self.has_asked = False  # so a Program is for one call
        self.undo = UndoLog()
        self.flags: dict[int, tuple[Any, bool, bool]] = {}  # by id: tensors whose stop_gradient was set, before and after
        self._descriptors: set[int] = set()  # of files that are open
        self._said = ""  # why staging can't begin again
        self._acts: list[tuple[object, object, Exception | None]] = []  # what was done that nothing takes back, and what it gave
        self._again = 0  # how many of them this recording has come to

    def begin(self) -> None:
        """A new recording starts; ConversionError where the last one has done what can't be done again."""
        if self._said:
            raise ConversionError(self._said)
        self._again = 0
        self.take_back()

    def take_back(self) -> None:
        """Put back what was drawn and done, the last first."""
        while self._descriptors:
            os.close(self._descriptors.pop())
        self.undo.restore()
        self.flags.clear()

    def set_stop_gradient(self, tensor: Any, stops: bool) -> None:
        """Staging sets it, as each call does, and puts it back when it begins again."""
        _, before, _ = self.flags.get(id(tensor), (tensor, tensor.stop_gradient, stops))
        self.undo.note(partial(setattr, tensor, "stop_gradient", tensor.stop_gradient))
        self.flags[id(tensor)] = tensor, before, stops
        tensor.stop_gradient = stops

    def put_flags_back(self) -> list[tuple[Any, bool]]:
        """Staging is over, and no call follows: the tensors, with the `stop_gradient` that a call will set."""
        for tensor, before, _ in self.flags.values():
            tensor.stop_gradient = before
        return [(tensor, after) for tensor, _, after in self.flags.values()]

    def before_storing(self, undo: Undo) -> None:
        """Staging is about to store what each call would store, and puts it back when it begins again."""
        self.undo.note(undo)

    def ask(self, function: Callable, receiver: object, args: tuple, kwargs: dict, said: str) -> None:
        """A function is about to be called. said: why it is refused where that can't be taken back."""
        self.has_asked = True
        name = getattr(function, "__name__", "")
        if isinstance(receiver, RandomState):
            known = receiver.get_state()
            self.undo.note(lambda: receiver.set_state(known))
        elif function is io.open:
            mode = args[1] if len(args) > 1 else kwargs.get("mode", "r")
            if WRITING.intersection(mode) and not self._keep("open", args or (kwargs.get("file"),), {}):
                self._said = said
        elif name in CHANGED and not self._keep(name, args, {}):
            self._said = said

    def once(self, function: object, act: Callable[[], object], said: str) -> object:
        """What `act` gives, which calls a function; where staging has begun again, what that gave before: it isn't done twice.

        said: the ConversionError where another function is called than before.
        """
        if self._again == len(self._acts):
            try:
                self._acts.append((function, act(), None))
            except Exception as error:
                self._acts.append((function, None, error))
        known, found, raised = self._acts[self._again]
        self._again += 1
        if known != function:
            raise ConversionError(said)
        if raised is not None:
            raise raised
        return found

    def answered(self, function: Callable, found: Any) -> None:
        """Note the result of a call: undoing closes an open file and removes a temporary one before anything else."""
        name = getattr(function, "__name__", "")
        if name in OPENING and isinstance(found, io.IOBase):
            self.undo.note(found.close)
        elif function is tempfile.mkdtemp:
            self.undo.note(lambda: remove(os.path.abspath(os.fsdecode(found))))
        elif function is tempfile.mkstemp:
            self.undo.note(lambda: remove(os.path.abspath(os.fsdecode(found[1]))))
            self._descriptors.add(found[0])
        elif function is os.open:
            self._descriptors.add(found)

    def can_take_back(self, function: Callable, receiver: Any, args: tuple, kwargs: dict) -> bool:
        """Whether what a function that acts is about to do can be put back when staging begins again; then that is prepared."""
        name = getattr(function, "__name__", "")
        if isinstance(receiver, type(os.environ)):
            known = dict(receiver)
            self.undo.note(lambda: receiver.update(known), receiver.clear)
        elif function is os.chdir:
            self.undo.note(partial(os.chdir, os.getcwd()))
        elif function in (gc.enable, gc.disable):
            self.undo.note(gc.enable if gc.isenabled() else gc.disable)
        elif function in CHANGING_FILTERS:
            filters: Any = warnings.filters
            self.undo.note(warnings._filters_mutated, partial(filters.__setitem__, slice(None), filters[:]))  # type: ignore
        elif undo := REGISTERING.get(getattr(function, "__module__", ""), {}).get(name):
            self.undo.note(*undo(args))
        elif function is os.open:
            return not args[1] & CHANGING or self._keep("open", args[:1], {})
        elif args and isinstance(args[0], int) and args[0] in self._descriptors:
            if name in ("close", "fdopen"):
                self._descriptors.remove(args[0])
        else:
            return self._keep(name, args, kwargs)
        return True

    def _keep(self, name: str, args: tuple, kwargs: dict) -> bool:
        """Keep what lies at the paths that a function is about to change; whether they are known, and that can be kept."""
        paths = changed_by(name, args, kwargs)
        try:
            self.undo.note(*map(keep, paths or ()))
        except Unkept:
            return False
        return paths is not None
