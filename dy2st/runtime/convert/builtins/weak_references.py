"""What is asked of the weak references to an object: without those by which a recording knows its birth."""

from __future__ import annotations

import weakref
from typing import Any

from ...heap.births import Birth


def convert_getweakrefs(obj: Any, /) -> list:
    return [ref for ref in weakref.getweakrefs(obj) if type(ref) is not Birth]


def convert_getweakrefcount(obj: Any, /) -> int:
    return len(convert_getweakrefs(obj))


CONVERTED = {weakref.getweakrefs: convert_getweakrefs, weakref.getweakrefcount: convert_getweakrefcount}
