"""What asks whether an object lives, and who refers to it: what a recording holds itself is let go, and doesn't count."""

from __future__ import annotations

import gc
import weakref
from typing import Any

from ...heap.births import Birth
from ...recorder.recorder import Recorder, current_recorder


def let_die(rec: Recorder, function: Any) -> None:
    """What the user's code has dropped dies, if the function that is to be called looks whether it has."""
    if issubclass(type(function), weakref.ref):
        rec.heap.let_go(at_once=False)
    elif function is gc.collect:
        rec.iterators.let_go()
        rec.heap.let_go()
        gc.collect()  # rings of the recording's own
        rec.heap.let_go()


def convert_getweakrefs(obj: Any, /) -> list:
    rec = current_recorder()
    if rec is not None:
        rec.heap.let_go()
    return [ref for ref in weakref.getweakrefs(obj) if type(ref) is not Birth]


def convert_getweakrefcount(obj: Any, /) -> int:
    return len(convert_getweakrefs(obj))


CONVERTED = {weakref.getweakrefs: convert_getweakrefs, weakref.getweakrefcount: convert_getweakrefcount}
