"""The Programs of one static function by the kind of their arguments: those that were called last, `limits.programs` of them."""

from __future__ import annotations

from collections.abc import Iterator
from threading import RLock
from typing import Any

from ...config import limits
from ...errors import Dy2stWarning
from ...runtime.heap.markers import Opaque
from ...runtime.tensors.spec import structure_key
from ...runtime.where.user_code import user_loc
from ...runtime.where.warn import warn_at
from ..interface.recent import LRUCache
from .changed_arguments import takes
from .concrete import ConcreteProgram

OFTEN = 8  # Programs of one function, after which a warning names what makes them
CURE = "a number is best passed as a tensor, and a length that differs is None in the InputSpec"


class ProgramCache(Opaque):
    """The Programs of one kind differ in what staging took for constant; a call takes the one for which it still holds.

    Threads may share it. A lookup takes no lock: the Programs of a kind are a tuple, which a change replaces.
    """

    def __init__(self, name: str):
        self._name = name
        self._lock = RLock()  # for changes of `_kinds`
        self._kinds: dict[Any, tuple[ConcreteProgram, ...]] = {}
        self._used: LRUCache[ConcreteProgram, Any] = LRUCache()
        self._staged = 0
        self._warned = False

    def __iter__(self) -> Iterator[ConcreteProgram]:
        """All Programs, by kind, each kind's oldest first."""
        with self._lock:
            kinds = list(self._kinds.values())
        return (program for programs in kinds for program in programs)

    def kinds(self) -> list[Any]:
        """The kinds that there are Programs of."""
        with self._lock:
            return list(self._kinds)

    def current(self, kind: Any) -> ConcreteProgram | None:
        """The Program that a call of this kind runs; None where it has to be staged."""
        for program in self._kinds.get(kind, ()):
            if program.is_current():
                self._used.touch(program)
                return program
        return None

    def taking(self, specs: dict[str, Any], bound: dict[str, Any]) -> ConcreteProgram | None:
        """A Program that changes some of its arguments and takes those of a call, though they hold more or less; or None."""
        for program in reversed(self._used.keys()):
            if program.staged.changed and takes(program, specs, bound) and program.is_current():
                self._used.touch(program)
                return program
        return None

    def add(self, kind: Any, program: ConcreteProgram) -> None:
        """Keep a Program that was just staged. Where they are too many, the one that was called longest ago goes."""
        with self._lock:
            self._kinds[kind] = (*self._kinds.get(kind, ()), program)
            dropped = self._used.put(program, kind)
            self._staged += 1
            count = self._staged
            for old, its_kind in dropped:
                self._drop(old, its_kind)
        if count == OFTEN + 1:
            self._tell_often(program)
        if dropped:
            self._warn()

    def _drop(self, program: ConcreteProgram, kind: Any) -> None:
        left = tuple(other for other in self._kinds.pop(kind, ()) if other is not program)
        if left:
            self._kinds[kind] = left
        program.release()

    def _tell_often(self, program: ConcreteProgram) -> None:
        """Warn that each call is another Program, and name the arguments that differ."""
        differing = [name for name in program.specs if len({structure_key(p.specs.get(name)) for p in self._used.keys()}) > 1]
        why = "what it reads from outside differs from call to call: make that an argument, a tensor"
        if differing:
            why = f"{' and '.join(differing)} {'differ' if len(differing) > 1 else 'differs'} from call to call ({CURE})"
        warn_at(user_loc(), f"{self._name} has been staged {self._staged} times, since {why}", Dy2stWarning)

    def _warn(self) -> None:
        """Once, that calls are staged again and again."""
        if not self._warned:
            self._warned = True
            text = (
                f"{self._name} has been staged more than {limits.programs} times, for other arguments or another state; from now "
                "on, the Program that was called longest ago goes with each new one. Pass a number that changes as a tensor, "
                "write None in the InputSpec for a length that differs, or raise dy2st.config.limits.programs"
            )
            warn_at(user_loc(), text, Dy2stWarning)
