"""When a trace that runs the model once is not enough: it starts again, staged."""


class NeedsStaging(BaseException):
    """What this run takes for known would decide the path, or can't be seen: raised through the model's code."""
