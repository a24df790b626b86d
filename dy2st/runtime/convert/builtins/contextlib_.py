"""`contextlib.closing` of a user's generator: it gives one item at a time, and is closed at the end."""

from __future__ import annotations

import contextlib
from typing import Any

from ...recorder.recorder import current_recorder
from ..iteration.generation import Generation
from ..iteration.pulling import one_by_one


def convert_closing(thing: Any) -> Any:
    """`contextlib.closing(thing)`"""
    rec = current_recorder()
    assert rec is not None
    return rec.new(contextlib.closing(one_by_one(rec, thing) if isinstance(thing, Generation) else thing))


CONVERTED = {contextlib.closing: convert_closing}
