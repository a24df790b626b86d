"""Why a Program has no backward Program."""

from __future__ import annotations

from ...errors import Dy2stError
from ...ir.core import Operation


class NotDifferentiableError(Dy2stError):
    """Some operation that gradients flow through has no backward form as a Program. The message has the user's line."""

    def __init__(self, op: Operation, why: str):
        super().__init__(f"{f'{op.loc}: ' if op.loc else ''}{why}")
