"""Knowledge about one loop, at one call path, which outlasts an attempt to stage the function."""

from __future__ import annotations

from dataclasses import dataclass, field

# The fields that an attempt which fails has to forget.
OF_AN_ATTEMPT = ("why_staged", "attempts", "is_long", "is_unrolled", "is_tested_apart")


@dataclass
class LoopKnowledge:
    """plans: how each carried value is carried, by its name; of a recursion, its arguments, too.

    why_not_rolled: why its iterations can't be recorded once; why_staged: why it is staged from its start; "": it isn't.
    attempts: ways to stage it that are left, this one first. is_long: it is staged only because it records many operations.
    is_unrolled: it is long, and can't be staged. is_tested_apart: its condition is tried, though nothing was staged before.
    """

    plans: dict = field(default_factory=dict)
    why_not_rolled: str = ""
    why_staged: str = ""
    attempts: tuple = ()
    is_long: bool = False
    is_unrolled: bool = False
    is_tested_apart: bool = False

    def forget_since(self, before: LoopKnowledge) -> None:
        """Restore the fields of an attempt that has failed."""
        for name in OF_AN_ATTEMPT:
            setattr(self, name, getattr(before, name))


NOTHING = LoopKnowledge()
