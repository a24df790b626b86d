"""What code stores, as far as its instructions and the names that it mentions tell."""

from __future__ import annotations

import dis
from types import CodeType, FunctionType

from .per_code import has_instruction, per_code

STORES = {"STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR", "STORE_GLOBAL", "DELETE_GLOBAL"}
REFLECTED = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
STORING = set("__setattr__ __delattr__ __setitem__ __delitem__ __setstate__".split()) | {
    f"__i{name}__" for name in REFLECTED
}  # methods of C that no hook tells of before Python 3.12
# Methods of lists, dicts, sets, deques and arrays that change them.
MUTATORS = set(
    "append appendleft extend extendleft insert pop popitem popleft remove discard clear sort reverse rotate move_to_end add "
    "update setdefault difference_update intersection_update symmetric_difference_update __init__ __setstate__ "
    "fill put resize partition setfield setflags itemset byteswap".split()
)
IN_PLACE = {f"i{name}" for name in "add and concat floordiv lshift matmul mod mul or pow rshift sub truediv xor".split()}
BY_NAME = MUTATORS | IN_PLACE | set("setattr delattr next set_value subtract methodcaller".split())


@per_code
def stores(code: CodeType) -> bool:
    """Whether code stores an attribute, an item, a global or a variable of another function."""
    return has_instruction(code, *STORES) or not STORING.isdisjoint(code.co_names) or _stores_free_variable(code)


def _stores_free_variable(code: CodeType) -> bool:
    if not code.co_freevars or not has_instruction(code, "STORE_DEREF"):
        return False
    return any(step.opname == "STORE_DEREF" and step.argval in code.co_freevars for step in dis.get_instructions(code))


def gives_and_stores(cls: type, name: str) -> bool:
    """Whether code of the user's that gives this attribute may store: to ask it once more could change something once more."""
    return any(map(may_store, giving(cls, name)))


def giving(cls: type, name: str) -> list[CodeType]:
    """The code of the user's that gives this attribute to objects of a class."""
    found = None
    for base in cls.__mro__:  # guards ask at every call, and a loop is quicker than a generator
        if name in vars(base):
            found = vars(base)[name]
            break
    getter = found.fget if isinstance(found, property) else getattr(type(found), "__get__", None)
    asked = (getter, getattr(cls, "__getattr__", None), getattr(cls, "__getattribute__", None))
    return [function.__code__ for function in asked if isinstance(function, FunctionType)]


@per_code
def may_store(code: CodeType) -> bool:
    """Whether code may store, as far as the names that it mentions tell."""
    return stores(code) or any(name in BY_NAME or (name[-1:] == "_" != name[-2:-1]) for name in code.co_names)
