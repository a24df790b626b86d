"""`o.p`  ->  `_jst.at(o).p`, where some class that the function can name has a property `p`: its getter is converted, too.

So are loads by the names that staging has found to be properties of other classes. All other attribute loads stay as they are.
"""

from __future__ import annotations

import functools
from collections.abc import Collection

import gast

from dy2st.python_library import is_library_module
from dy2st.pytree import module_of

from .marks import MAY_BE_PROPERTY

PACKAGE = __name__.partition(".")[0]
PROPERTIES = (property, functools.cached_property)


def property_names(function) -> set[str]:
    """The names of the properties of the user's classes among the globals and closure variables of a function."""
    cells = [cell.cell_contents for cell in function.__closure__ or () if cell != EMPTY]
    # `isinstance` would ask the value for its `__class__`: torch.distributed's deprecated names warn then
    named = [value for value in (*function.__globals__.values(), *cells) if issubclass(type(value), type)]
    bases = {id(base): base for cls in named for base in cls.__mro__}  # a metaclass may say that its classes can't be hashed
    classes = [cls for cls in bases.values() if is_users(cls)]
    found = {name for cls in classes for name, value in vars(cls).items() if isinstance(value, PROPERTIES)}
    return {name for name in found if not name.startswith("__")}      # a property `__module__` stands over Python's own: as it is


EMPTY = type((lambda x: lambda: x)(0).__closure__[0])()  # type: ignore[index]


def is_users(cls) -> bool:
    """Whether a class is neither this package's nor Python's."""
    module = module_of(cls)
    return module.partition(".")[0] != PACKAGE and not is_library_module(module)


def mark_properties(nodes: list[gast.AST], names: Collection[str]) -> None:
    """Marks each attribute among the nodes that has the name of one of these properties."""
    if names:
        for node in nodes:
            if isinstance(node, gast.Attribute):
                MAY_BE_PROPERTY.set(node, node.attr in names)
