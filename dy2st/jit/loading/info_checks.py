"""The info file against the Program: the methods that it states are Functions that take and give what it says.

A file is an enemy until it is checked. `check_info` runs before a loaded model is made; the code after it relies on that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ...dtypes import DTYPES
from ...errors import ModelFileError
from ...ir.core import Function, Program
from ...ir.rules import agrees
from ...ir.types import TensorType, Type
from ...runtime.tensors.input_memory import InputMemory
from ...saving import Info
from ...saving.attributes import decode
from ...saving.narrow import WEIGHTS
from ...saving.typed import read_type
from ...saving.untrusted import brief, expect, expect_keys, within
from ..interface.argument_tree import specs
from ..interface.info_keys import CALLED, INPUT_MEMORY, MODES, OTHER_MODE, PROPERTIES, SCRIPT, TIED, WHOLE_MODE
from ..scripting.dtypes import tensors_in, with_dtypes

_EXTRA = {SCRIPT, PROPERTIES, CALLED, *MODES, INPUT_MEMORY, TIED, WEIGHTS}


def check_info(program: Program, info: Info) -> None:
    """ModelFileError where the info file doesn't describe the Program."""
    expect_keys(info.extra, set(), _EXTRA, "the info file, extra")
    for name in (*program.parameters, *info.entries):
        within("depth", name.count("."), f"the name {brief(name)}: dots")
    for method, function in info.entries.items():
        _function(program, function, f"the entry {brief(method)}")
    for name, held in expect(info.extra.get(TIED, {}), dict, "the tied names").items():
        within("depth", name.count("."), f"the name {brief(name)}: dots")
        if name in program.parameters or expect(held, str, "the tied names") not in program.parameters:
            raise ModelFileError(f"the tied name {brief(name)} is no further name of a parameter")
    if SCRIPT in info.extra:
        _check_script(program, info)
    else:
        _check_methods(program, info)


def _function(program: Program, name: Any, where: str) -> Function:
    if expect(name, str, where) not in program.functions:
        raise ModelFileError(f"{where} names the function {brief(name)}, which the Program lacks")
    return program.functions[name]


# --- what to_static and jit.save wrote ------------------------------------------------------------------------------


def _check_methods(program: Program, info: Info) -> None:
    for table in ("inputs", "outputs"):
        if getattr(info, table).keys() != info.entries.keys():
            raise ModelFileError(f"the info file's {table} and entries aren't of the same methods")
    in_modes = {key: _texts(info, key) for key in MODES}
    switched = {"its other mode": in_modes[OTHER_MODE], "the mode of all its parts": in_modes[WHOLE_MODE]}
    for method, function in info.entries.items():
        where = f"the method {brief(method)}"
        named = argument_types(info.inputs[method], where)
        _check_signature(program.functions[function], named, info.outputs[method], where)
        for mode, functions in switched.items():
            if method in functions:
                _check_signature(_function(program, functions[method], f"{where} in {mode}"), named, None, f"{where} in {mode}")
    for method, text in _texts(info, INPUT_MEMORY).items():
        try:
            InputMemory.of_text(text)
        except ValueError as error:
            raise ModelFileError(f"the info file, {INPUT_MEMORY} of {brief(method)}: {error}") from None
    for name, value in expect(info.extra.get(PROPERTIES, {}), dict, PROPERTIES).items():
        for item in value if isinstance(value, list) else [value]:
            if type(item) not in (bool, int, float, str):
                raise ModelFileError(f"the property {brief(name)} is {brief(item)}, neither a number nor a text")
    expect(info.extra.get(CALLED, ""), str, f"the info file, {CALLED}")


def _texts(info: Info, key: str) -> dict[str, str]:
    """A table of texts by method."""
    table = expect(info.extra.get(key, {}), dict, f"the info file, {key}")
    if unknown := table.keys() - info.entries.keys():
        raise ModelFileError(f"the info file, {key}: there is no method {brief(min(unknown))}")
    return {method: expect(text, str, f"the info file, {key}") for method, text in table.items()}


def _check_signature(function: Function, inputs: list[Type], outputs: Any, where: str) -> None:
    """A Function takes the inputs that the info file states, and gives the outputs."""
    taken = [value.type for value in function.block.args]
    if len(inputs) != len(taken) or not all(map(takes, taken, inputs)):
        raise ModelFileError(f"{where} takes ({_joined(inputs)}), says the info file; its Function takes ({_joined(taken)})")
    if outputs is not None and outputs != [str(t) for t in function.result_types]:
        raise ModelFileError(f"{where} gives ({_joined(function.result_types)}), and not what the info file says")


def takes(taken: Type, given: Type) -> bool:
    """Whether a Function may be given all that the info file lets in: an open length there is open here."""
    if not agrees(given, taken):
        return False
    if not (isinstance(given, TensorType) and isinstance(taken, TensorType)) or given.shape is None or taken.shape is None:
        return True
    return all(not isinstance(length, int) or length == let_in for length, let_in in zip(taken.shape, given.shape))


def _joined(types: Iterable[Type]) -> str:
    text = ", ".join(map(str, types))
    return text if len(text) < 200 else text[:197] + "..."


def argument_types(tree: Any, where: str) -> list[Type]:
    """The types of the tensors in a method's arguments, in order."""
    names = set()
    types: list[Type] = []
    for pair in expect(tree, list, where):
        if len(expect(pair, list, where)) != 2:
            raise ModelFileError(f"{where}: an argument is a name and what it is")
        name, node = pair
        if expect(name, str, where) in names:
            raise ModelFileError(f"{where} has two arguments called {brief(name)}")
        names.add(name)
        _check_node(node, f"{where}, argument {brief(name)}", 0)
        types += [spec.type for spec in specs(node)]
    return types


def _check_node(node: Any, where: str, depth: int) -> None:
    """A node of a tree of arguments (`argument_tree`), and those in it."""
    within("depth", depth, f"{where}: nesting")
    kinds = expect(node, dict, where).keys()
    body = next(iter(node.values()), None)
    if kinds == {"tensor"}:
        _check_spec(body, where)
    elif kinds == {"changed"}:
        found = expect_keys(body, {"type", "name"}, set(), where)
        expect(found["name"], str, where)
        read_type(found["type"], where)
    elif kinds == {"constant"}:
        if type(body) not in (bool, int, str, type(None)) and not (type(body) is float and math.isfinite(body)):
            raise ModelFileError(f"{where}: {brief(body)} is no constant")
    elif kinds == {"object"}:
        expect(body, str, where)
    elif kinds in ({"list"}, {"tuple"}):
        for child in expect(body, list, where):
            _check_node(child, where, depth + 1)
    elif kinds in ({"dict"}, {"namedtuple", "fields"}, {"object", "fields"}):
        expect(node.get("namedtuple", node.get("object", "")), str, where)
        _check_pairs(node.get("dict", node.get("fields")), where, depth)
    else:
        raise ModelFileError(f"{where}: an object with the keys {brief(sorted(kinds))} describes no argument")


def _check_pairs(pairs: Any, where: str, depth: int) -> None:
    names = set()
    for pair in expect(pairs, list, where):
        if len(expect(pair, list, where)) != 2 or expect(pair[0], str, where) in names:
            raise ModelFileError(f"{where}: a dict or namedtuple is a list of names and what they are, each once")
        names.add(pair[0])
        _check_node(pair[1], where, depth + 1)


def _check_spec(spec: Any, where: str) -> None:
    tree = expect_keys(spec, {"shape", "dtype", "name", "stop_gradient"}, set(), where)
    lengths = expect(tree["shape"], list, where)
    if len(lengths) > 64 or not all(d is None or type(d) is int and 0 <= d < 1 << 62 for d in lengths):
        raise ModelFileError(f"{where}: {brief(lengths)} is no shape")
    if expect(tree["dtype"], str, where) not in DTYPES:
        raise ModelFileError(f"{where}: {brief(tree['dtype'])} is no dtype")
    if tree["name"] is not None:
        expect(tree["name"], str, where)
    expect(tree["stop_gradient"], bool, where)


# --- what script and trace wrote ------------------------------------------------------------------------------------


def _check_script(program: Program, info: Info) -> None:
    what = "the info file, script"
    saved = expect_keys(info.extra[SCRIPT], {"methods", "is_module", "attributes", "constants"}, set(), what)
    expect(saved["is_module"], bool, what)
    if info.inputs or info.outputs:
        raise ModelFileError(f"{what}: the methods of a compiled function or layer have no inputs and outputs beside it")
    methods = expect(saved["methods"], dict, what)
    if not methods and not saved["is_module"]:
        raise ModelFileError(f"{what}: there is no function")
    for name, method in methods.items():
        _check_compiled(program, info, method, f"the method {brief(name)}")
    for name in expect(saved["attributes"], list, what):
        if expect(name, str, what) not in program.state:
            raise ModelFileError(f"{what}: the attribute {brief(name)} is no state of the Program")
    for name, tree in expect(saved["constants"], dict, what).items():
        decode(tree, f"the constant {brief(name)}")


def _check_compiled(program: Program, info: Info, method: Any, where: str) -> None:
    tree = expect_keys(method, {"parameters", "variants"}, set(), where)
    types = [_check_parameter(parameter, where) for parameter in expect(tree["parameters"], list, where)]
    if len({parameter["name"] for parameter in tree["parameters"]}) < len(types):
        raise ModelFileError(f"{where} has two parameters of one name")
    if not expect(tree["variants"], list, where):
        raise ModelFileError(f"{where} has no Program")
    for variant in tree["variants"]:
        fields = expect_keys(variant, {"function", "dtypes", "training"}, set(), where)
        function = _function(program, fields["function"], where)
        if fields["function"] not in info.entries.values():
            raise ModelFileError(f"{where}: the function {brief(fields['function'])} is no entry")
        if fields["training"] is not None:
            expect(fields["training"], bool, where)
        _check_signature(function, _with_dtypes(types, fields["dtypes"], where), None, where)


def _check_parameter(parameter: Any, where: str) -> Type:
    fields = expect_keys(parameter, {"name", "type"}, {"default", "by_keyword"}, f"{where}: a parameter")
    expect(fields.get("by_keyword", True), bool, where)
    if "default" in fields:
        decode(fields["default"], f"{where}: a default")
    expect(fields["name"], str, f"{where}: a parameter")
    return read_type(fields["type"], where)


def _with_dtypes(types: list[Type], dtypes: Any, where: str) -> list[Type]:
    """The types of the parameters for these dtypes: one for each position where a Tensor may stand."""
    texts = [expect(text, str, where) for text in expect(dtypes, list, where)]
    if len(texts) != sum(1 for type_ in types for _ in tensors_in(type_)):
        raise ModelFileError(f"{where}: {len(texts)} dtypes, and not one for each Tensor among the parameters")
    for text in texts:
        if text not in DTYPES and not isinstance(read_type(text, where), TensorType):
            raise ModelFileError(f"{where}: {brief(text)} is no dtype")
    rest = iter(texts)
    return [with_dtypes(type_, rest) for type_ in types]
