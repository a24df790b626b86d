"""Operators and types in a user's words, for messages: `[]` for a getitem, "a list or a tuple" for a union of the two."""

from __future__ import annotations

from .types import (
    AtomType,
    CellType,
    ClassType,
    DictType,
    ExceptionType,
    FunctionType,
    ListType,
    NeverType,
    ScalarType,
    SequenceType,
    SetType,
    SumType,
    TensorType,
    TupleType,
    Type,
    UnboundType,
)  # fmt: skip

_SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "lt": "<", "le": "<=",
    "gt": ">",
    "ge": ">=", "eq": "==", "ne": "!=", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "neg": "-", "pos": "+",
    "invert": "~", "not": "not", "is": "is", "dim": "shape", "dims": "shape", "rank": "ndim", "truth": "bool()", "spell": "str()",
    "torch_text": "str()", "powmod": "pow()",
}  # fmt: skip
_ON_ITEMS = {
    "get": "[]", "slice": "[:]", "set": "[] =", "set_slice": "[:] =", "delete": "del", "delete_slice": "del", "contains": "in",
    "percent": "%", "concat": "+", "repeat": "*", "has": "hasattr()", "len": "len()", "among": "in", "take": "[]",
}  # fmt: skip
_FAMILIES = {
    "sequence": "a list", "sum": "a value of several kinds", "object": "an object", "exception": "an exception",
    "container": "a container", "number": "a number", "cell": "a variable", "caught": "an exception", "reference": "a tensor",
}  # fmt: skip
_ALONE = {
    "str.concat": "an f-string", "container.compare": "`==` of containers", "container.deepcopy": "copy.deepcopy",
    "object.copy": "copy.copy",
}  # fmt: skip
_WRITES = {"getitem": "[]", "getitem_advanced": "[]", "setitem": "[] =", "setitem_add": "[] +="}
_OF_PYTHON = frozenset("py list tuple dict set str object sum sequence container number cell caught exception reference".split())
_FORMS = ("_copy", "_scatter")  # of an operator, for what writes and gives views
_SCALARS = {"int": "an int", "float": "a float", "bool": "a bool", "str": "a str", "none": "None", "number": "a number"}
_KINDS: dict[type[Type], str] = {
    ListType: "a list", SetType: "a set", DictType: "a dict", SequenceType: "a list", FunctionType: "a function",
    ExceptionType: "an exception", CellType: "a variable", UnboundType: "a variable without a value", NeverType: "nothing",
}  # fmt: skip


def spoken_operator(name: str) -> str:
    """An operator as people write it: `[]`, `tolist()`, sum, `[] =` of a list, list.append."""
    family, _, method = name.rpartition(".")
    if family not in _OF_PYTHON:
        plain = name if family else _without_form(name)
        return f"`{_WRITES[plain]}`" if plain in _WRITES else plain
    owner = _FAMILIES.get(family, f"a {family}")
    if family == "py":
        return f"`{_SYMBOLS.get(method, f'{method}()')}`"
    if name in _ALONE:
        return _ALONE[name]
    if method == "new":
        return f"making {owner}"
    return f"`{_ON_ITEMS[method]}` of {owner}" if method in _ON_ITEMS else f"{owner.partition(' ')[2]}.{method}"


def _without_form(name: str) -> str:
    """The operator that a pass has replaced by one that neither writes nor gives a view."""
    for form in _FORMS:
        name = name.removesuffix(form)
    return name.rstrip("_") or name


def spoken_type(type_: Type) -> str:
    """A type as people say it: "a tensor float32[3]", "an int or None"."""
    if isinstance(type_, SumType):
        *first, last = dict.fromkeys(map(spoken_type, type_.alternatives))
        return f"{', '.join(first)} or {last}" if first else last
    if isinstance(type_, TensorType):
        return f"a tensor {type_}"
    if isinstance(type_, ScalarType):
        return _SCALARS[type_.name]
    if isinstance(type_, TupleType):
        return f"a {type_.name}" if type_.name else "a tuple"
    if isinstance(type_, ClassType):
        return f"an object of {type_.name}"
    if isinstance(type_, AtomType):
        return "a function, class or module"
    return next((words for cls, words in _KINDS.items() if isinstance(type_, cls)), "a value")
