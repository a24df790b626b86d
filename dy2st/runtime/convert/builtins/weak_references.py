"""`weakref.getweakrefs` and `getweakrefcount`, without the references that a recording keeps itself."""

from __future__ import annotations

import weakref
from typing import Any

from ...heap.births import Birth


def convert_getweakrefs(obj: Any, /) -> list:
    return [ref for ref in weakref.getweakrefs(obj) if type(ref) is not Birth]


def convert_getweakrefcount(obj: Any, /) -> int:
    return len(convert_getweakrefs(obj))


CONVERTED = {weakref.getweakrefs: convert_getweakrefs, weakref.getweakrefcount: convert_getweakrefcount}
