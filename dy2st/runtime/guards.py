"""Guards: what staging read from outside and kept constant, checked before a Program is used again.

Each converted function that is entered tells, from its source, which attribute chains, globals and closure variables it
loads; the guard remembers what each chain led to. Python scalars are compared by value and class, everything else by identity.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CellType
from typing import Any

from .journal import MISSING, same_constant
from .proxies import Staged
from .staged_objects import is_staged_object
from .tensor import Tensor

PLAIN = (bool, int, float, str, bytes, type(None))


class Guards:
    """The guards of one Program."""

    def __init__(self, roots: Any):
        self._roots = roots
        self._checks: dict[tuple, tuple[Callable[[], Any], Any]] = {}
        self._of_layers: list[tuple[Callable[[], Any], Any]] = []
        self._of_classes: dict[tuple[type, str], Any] = {}
        self._others: list[tuple[Callable[[], Any], Any]] = []
        self._epoch = -1

    def add(self, function: Any, transpiled: Any, args: tuple, is_outside: Callable[[Any], bool]) -> None:
        """Guard what `function` reads by name; `args` are the objects its parameters hold."""
        code = function.__code__
        parameters = dict(zip(code.co_varnames[: code.co_argcount], args))
        cells = dict(zip(code.co_freevars, function.__closure__ or ()))
        if args:
            self._add_method(args[0], function)
        for name, kind, attributes in transpiled.access_paths:
            if kind == "local_param":
                if name in parameters and attributes and _is_object(parameters[name]) and is_outside(parameters[name]):
                    self._add(parameters[name], None, attributes)
            elif kind == "closure" and name in cells:
                self._add(cells[name], None, attributes)
            elif kind == "global" and name in function.__globals__:
                self._add(function.__globals__, name, attributes)

    def _add_method(self, owner: Any, function: Any) -> None:
        """A method is found in its class, which may be given another one."""
        name = function.__name__
        for cls in owner.__mro__ if isinstance(owner, type) else type(owner).__mro__:
            if vars(cls).get(name) is function:
                self._of_classes[cls, name] = function

    def _add(self, root: Any, name: str | None, attributes: tuple[str, ...]) -> None:
        key = (id(root), name, attributes)
        if key not in self._checks:
            read = _reader(root, name, attributes)
            value = read()
            if attributes and not _unchanged(_kept(value), read()):  # made anew by each load, as `self.log.append` is
                self._add(root, name, attributes[:-1])
            elif not (isinstance(value, Staged) or (isinstance(value, Tensor) and value.is_staged)):
                self._checks[key] = (read, _kept(value))

    def drop(self, locations: list) -> None:
        """State isn't constant: forget the guards that read it."""
        keys = {(id(loc.owner), loc.name) for loc in locations}
        owners = {id(loc.owner) for loc in locations}
        for key in list(self._checks):
            last = (key[0], key[2][-1] if key[2] else key[1])
            if last in keys or _reads(self._checks[key], locations) or _holds(self._checks[key][1], owners):
                del self._checks[key]

    def settle(self, is_layer: Callable[[Any], bool]) -> None:
        """No more guards come: keep those that only follow attributes of layers apart, since layers count their changes."""
        for (_, name, attributes), (read, value) in self._checks.items():
            if isinstance(value, _Contents):
                self._others.append((read, value))
                continue
            owners = read.__defaults__[0].trail() if attributes else [None]  # type: ignore[attr-defined,index]
            by_epoch = name is None and all(map(is_layer, owners))
            (self._of_layers if by_epoch else self._others).append((read, value))
            if by_epoch and attributes[-1] not in vars(owners[-1]):
                self._add_class_attribute(type(owners[-1]), attributes[-1])

    def _add_class_attribute(self, cls: type, name: str) -> None:
        """A layer doesn't count what happens to its class."""
        value = _of_class(cls, name)
        if value is not MISSING:
            self._of_classes[cls, name] = value

    def hold(self, epoch: int) -> bool:
        """Whether everything still is what it was while staging; `epoch` counts the changes of attributes of layers."""
        for (cls, name), value in self._of_classes.items():
            if _of_class(cls, name) is not value:
                return False
        for read, value in self._others:
            if not _unchanged(value, read()):
                return False
        if epoch != self._epoch:
            if not all(_unchanged(value, read()) for read, value in self._of_layers):
                return False
            self._epoch = epoch
        return True


def _reads(check: tuple, locations: list) -> bool:
    """Whether a guard's reader ends at one of the locations."""
    owner, name = check[0].__defaults__  # type: ignore[attr-defined]
    return any(loc.owner is owner() and loc.name == name for loc in locations)


def _holds(value: Any, owners: set[int]) -> bool:
    """Whether a guarded container is, or holds, one of these objects."""
    return isinstance(value, _Contents) and (id(value.container) in owners or any(_holds(item, owners) for item in value.items))


def _is_object(value: Any) -> bool:
    return not isinstance(value, PLAIN + (Tensor, Staged, list, tuple, dict, set))


class _Contents:
    """What a list, dict, set or tuple held, some levels deep."""

    LEVELS = 3

    def __init__(self, container: Any, levels: int = LEVELS):
        self.container = container
        keys, items = _entries(container)
        self.keys = keys
        self.items = [_kept(item, levels - 1) for item in items]

    def still(self, new: Any) -> bool:
        """Whether the same container holds the same."""
        if new is not self.container:
            return False
        keys, items = _entries(new)
        return keys == self.keys and all(_unchanged(old, item) for old, item in zip(self.items, items))


def _entries(container: Any) -> tuple[Any, list]:
    if isinstance(container, dict):
        return list(container), list(container.values())
    if isinstance(container, set):
        return set(container), []
    return len(container), list(container)


def _kept(value: Any, levels: int = _Contents.LEVELS) -> Any:
    """What a guard remembers of a value: of a container, its contents too."""
    return _Contents(value, levels) if levels and type(value) in (list, dict, set, tuple) else value


def _unchanged(old: Any, new: Any) -> bool:
    if isinstance(old, _Contents):
        return old.still(new)
    return (
        old is new
        or same_constant(old, new)
        or (getattr(old, "__func__", old) is getattr(new, "__func__", MISSING) and old == new)
    )


def _reader(root: Any, name: str | None, attributes: tuple[str, ...]) -> Callable[[], Any]:
    """A function that follows a chain now; MISSING where it breaks off. Its defaults tell the last step, for `drop`."""

    def start() -> Any:
        if isinstance(root, CellType):
            try:
                return root.cell_contents
            except ValueError:
                return MISSING
        return root if name is None else root.get(name, MISSING)

    def owner() -> Any:
        value = start()
        for attribute in attributes[:-1]:
            value = _attribute(value, attribute)
        return value

    def trail() -> list[Any]:
        """The objects whose attributes the chain reads."""
        found = [start()]
        for attribute in attributes[:-1]:
            found.append(_attribute(found[-1], attribute))
        return found

    owner.trail = trail  # type: ignore[attr-defined]
    if not attributes:
        return lambda _owner=(lambda: root), _name=name: start()  # type: ignore[misc]
    return lambda _owner=owner, _name=attributes[-1]: _attribute(_owner(), _name)  # type: ignore[misc]


def _of_class(cls: type, name: str) -> Any:
    """What a class has under a name; of a class method, its function."""
    found = getattr(cls, name, MISSING)
    return getattr(found, "__func__", found)


def _attribute(value: Any, name: str) -> Any:
    """An attribute without running the user's properties."""
    if value is MISSING or isinstance(value, Staged) or is_staged_object(value):
        return MISSING
    if isinstance(getattr(type(value), name, None), property):
        return MISSING
    return getattr(value, name, MISSING)
