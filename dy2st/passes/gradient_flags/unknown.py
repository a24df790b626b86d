"""What is raised where flags can't be told from the Program."""

from __future__ import annotations

from ...errors import Dy2stError


class UnknownFlags(Dy2stError):
    """No rule knows the flags of a result: a run on the tape does."""
