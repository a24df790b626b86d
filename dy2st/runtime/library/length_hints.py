"""`operator.length_hint(x)`: Python asks it of what it makes a list or tuple of, once `__iter__` has given the iterator.

    [*x], f(*x), list(x), tuple(x), sorted(x), xs.extend(x)       x.__iter__(), x.__len__(), then the items
    {*x}, set(x), a, b = x, for item in x                         x.__iter__(), then the items
"""


def length_hint(value, default=0):
    """What `__len__` says, or else `__length_hint__`; one that raises TypeError says nothing."""
    cls = type(value)
    if getattr(cls, "__len__", None) is not None:
        try:
            return len(value)
        except TypeError:
            pass
    if getattr(cls, "__length_hint__", None) is None:
        return default
    try:
        found = cls.__length_hint__(value)
    except TypeError:
        return default
    if found is NotImplemented:
        return default
    if not isinstance(found, int):
        raise TypeError(f"__length_hint__ must be an integer, not {type(found).__name__}")
    if found < 0:
        raise ValueError("__length_hint__() should return >= 0")
    return found
