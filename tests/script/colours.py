"""A module of the user's, whose functions and constants compiled functions use."""

RED = 7
calls = []


def mix(x, n: int):
    """Twice or thrice as much, as the sum says."""
    note()
    if x.sum() > 0:
        return x * n
    return x * (n + 1)


def note():
    """Python's own traces: nothing in a compiled function."""
    from dy2st import jit

    if not jit.is_scripting():
        calls.append(1)
