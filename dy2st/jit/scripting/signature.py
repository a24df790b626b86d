"""What a function to be compiled takes and gives: by its hints, or by a comment `# type: (int, Tensor) -> Tensor`."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import typing
from dataclasses import dataclass
from typing import Any

from ...annotations import annotations_of
from ...annotations import signature_of as plain_signature
from ...ir.core import Loc
from ...ir.types import Type
from ...runtime.tensors.tensor import Tensor
from ...runtime.where.lines import SourceLoc
from ...silenced import parsed
from ..interface.errors import script_error
from ..interface.named_arguments import bind
from .hints import Hints

_COMMENT = re.compile(r"#\s*type:\s*\((?P<args>.*)\)\s*->\s*(?P<result>.+?)\s*$")
_ARGUMENT = re.compile(r"^\s*\**(?P<name>\w+)\s*(=[^#]*)?[,)]?[^#]*#\s*type:\s*(?P<hint>[^(].*?)\s*$")
PACKAGE = __name__.partition(".")[0] + "."
_KNOWN = {name: getattr(typing, name) for name in ("Any", "Dict", "List", "NamedTuple", "Optional", "Set", "Tuple", "Union")}


@dataclass
class TypedParameter:
    """One parameter; `default` is `inspect.Parameter.empty` where it has none."""

    name: str
    type: Type
    default: Any
    by_keyword: bool = False


@dataclass
class Signature:
    """The parameters that calls give, in order, and the type of the result where a hint says one."""

    name: str
    parameters: list[TypedParameter]
    result: Type | None
    loc: Loc

    def bind(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """The arguments by name, with defaults; TypeError in words where they don't fit."""
        defaults = {p.name: p.default for p in self.parameters if p.default is not inspect.Parameter.empty}
        by_keyword = [p.name for p in self.parameters if p.by_keyword]
        return bind(self.name, [p.name for p in self.parameters], by_keyword, defaults, args, kwargs)


def signature_of(function: Any, hints: Hints, is_method: bool) -> Signature:
    """What a function takes and gives; a ScriptError where a hint isn't a type."""
    code = function.__code__
    loc = SourceLoc(code.co_filename, code.co_firstlineno, code.co_name)
    given = list(plain_signature(function).parameters.values())[1 if is_method else 0 :]
    found = _written_hints(function, [p.name for p in given])
    namespace, is_own = namespace_of(function), str(function.__module__).startswith(PACKAGE)
    parameters = []
    for parameter in given:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise script_error(f"{function.__qualname__} takes *{parameter.name}, which has no type: name each parameter", loc)
        hint = found.get(parameter.name, Tensor)
        if is_own and parameter.default is None:
            continue  # this package's code isn't converted, and asks at once whether there is one
        if is_own and _is_vague(hint, namespace):
            hint = Tensor
        type_ = _resolved(hint, namespace, hints, loc, f"the argument {parameter.name}")
        parameters.append(TypedParameter(parameter.name, type_, parameter.default, parameter.kind is parameter.KEYWORD_ONLY))
    result = found.get("return", Tensor)
    vague = "return" not in found or (is_own and _is_vague(result, namespace))
    told = None if vague else _resolved(result, namespace, hints, loc, "the result")
    return Signature(function.__qualname__, parameters, told, loc)


def _is_vague(hint: Any, namespace: dict[str, Any]) -> bool:
    """Whether a hint of this package's own layers says `Any`, as those do that take several kinds."""
    hint = evaluated(hint, namespace)
    return hint is Any or any(_is_vague(part, namespace) for part in typing.get_args(hint))


def evaluated(hint: Any, namespace: dict[str, Any]) -> Any:
    """What a hint says that is written as text, as Python itself reads the annotations of the user's source."""
    if not isinstance(hint, str):
        return hint
    written = type("Written", (), {"__annotations__": {"hint": hint}})
    return inspect.get_annotations(written, globals=namespace, locals={}, eval_str=True)["hint"]


def namespace_of(function: Any) -> dict[str, Any]:
    """The names that hints of a function may use: its globals and closure, and those of `typing` and Tensor in any case."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    closure = {}
    for name, cell in cells:
        try:
            closure[name] = cell.cell_contents
        except ValueError:
            continue
    return {**_KNOWN, "Tensor": Tensor, **function.__globals__, **closure}


def _resolved(hint: Any, namespace: dict[str, Any], hints: Hints, loc: Loc, what: str) -> Type:
    try:
        return hints.type_of(evaluated(hint, namespace))
    except (TypeError, NameError, AttributeError, SyntaxError) as error:
        raise script_error(f"{what} of {loc.function}: {error}", loc) from None


def _written_hints(function: Any, names: list[str]) -> dict[str, Any]:
    """The hints by parameter, and under `return`: annotations, else those of a comment."""
    if found := annotations_of(function):
        return found
    try:
        lines = inspect.getsource(function).splitlines()
    except (OSError, TypeError):
        return {}
    header = lines[: _body_start(lines)]
    for line in header:
        match = _COMMENT.search(line)
        if match:
            parts = _split(match["args"])
            names = names[len(names) - len(parts) :] if len(parts) <= len(names) else names
            return {**dict(zip(names, parts)), "return": match["result"]}
    return {m["name"]: m["hint"] for m in map(_ARGUMENT.match, header) if m}


def _body_start(lines: list[str]) -> int:
    """The number of lines before the first statement of a function."""
    try:
        tree = parsed(textwrap.dedent("\n".join(lines)))
    except SyntaxError:
        return 0
    function = tree.body[0]
    return function.body[0].lineno - 1 if isinstance(function, ast.FunctionDef) else 0


def _split(text: str) -> list[str]:
    """`int, Tuple[Tensor, Tensor]` by its outer commas."""
    tree = ast.parse(f"({text},)" if text.strip() else "()", mode="eval").body
    return [ast.unparse(part) for part in tree.elts]  # type: ignore[attr-defined]
