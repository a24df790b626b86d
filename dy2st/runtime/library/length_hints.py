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
        found = _bound(cls, value)()
    except TypeError:
        return default
    if found is NotImplemented:
        return default
    if not isinstance(found, int):
        raise TypeError(f"__length_hint__ must be an integer, not {type(found).__name__}")
    if found < 0:
        raise ValueError("__length_hint__() should return >= 0")
    return found


def _bound(cls, value):
    """`__length_hint__` as Python looks it up: what the class has, whatever the object has under this name."""
    found = next(vars(base)["__length_hint__"] for base in cls.__mro__ if "__length_hint__" in vars(base))
    return found.__get__(value, cls) if hasattr(type(found), "__get__") else found
