"""When a trace that runs the model once is not enough: it starts again, staged."""

from __future__ import annotations

from ..runtime.tensors.call_hook import current_observer


class NeedsStaging(BaseException):
    """What this run takes for known would decide the path, or can't be seen: raised through the model's code."""


def restart_staged() -> None:
    """Start again, where a model is being traced."""
    decide = getattr(current_observer(), "decide", None)
    if decide is not None:
        decide()
