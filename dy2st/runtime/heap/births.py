"""Where the objects of a recording were born. They die when the user's code has dropped them, where Python can tell that of them.

An object that nothing can refer to weakly (a list, a dict, a variable's cell) lives until the recording ends: another one might
take its place in memory, and would be taken for it.
"""

from __future__ import annotations

import weakref
from sys import getrefcount

from .frames import Frame

SEARCHED = 100  # births, on average, each time that something may have died
ALONE = 2  # references: that of the birth, and the argument of `getrefcount`


class Birth(weakref.ref):
    """The birth of an object that may die."""

    __slots__ = ("frame", "key")
    frame: Frame
    key: int


class Births:
    """The births of one recording, by the identity of the objects."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Frame, object] | Birth] = {}  # with an object that is kept alive; a tuple is made fastest
        self._asked = 0
        here = weakref.ref(self)  # no cycle: what a recording holds goes with it

        def forget(birth: weakref.ref) -> None:
            assert isinstance(birth, Birth)
            births, key = here(), birth.key
            if births is not None and births._known.get(key) is birth:
                del births._known[key]

        self._forget = forget

    def note(self, obj: object, frame: Frame) -> None:
        """An object was born in this Frame."""
        if not type(obj).__weakrefoffset__:  # type: ignore[attr-defined]
            self._known[id(obj)] = frame, obj
            return
        birth = Birth(obj, self._forget)
        birth.frame, birth.key = frame, id(obj)
        self._known[birth.key] = birth

    def let_go(self, at_once: bool) -> None:
        """Forget the objects that are held by their births only, and what these held; of many objects, not at each time."""
        self._asked += SEARCHED
        if self._asked < len(self._known) and not at_once:
            return
        self._asked = 0
        alone = [*self._known]
        while alone:
            alone = [key for key in [*self._known] if _is_alone(self._known.get(key))]  # some may die meanwhile
            for key in alone:
                self._known.pop(key, None)

    def frame_of(self, obj: object) -> Frame | None:
        """The Frame in which an object was born, or None for one from outside."""
        found = self._known.get(id(obj))
        return None if found is None else found[0] if type(found) is tuple else found.frame  # type: ignore[union-attr]


def _is_alone(birth: tuple[Frame, object] | Birth | None) -> bool:
    """Whether nobody else holds an object."""
    return type(birth) is tuple and getrefcount(birth[1]) <= ALONE
