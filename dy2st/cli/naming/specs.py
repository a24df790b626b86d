"""The types of inputs, as `--spec` tells them."""

from __future__ import annotations

from typing import Any

from ...annotations import signature_of
from ..usage import UsageError


def specs_for(found: Any, texts: list[str], target: str) -> list:
    """The InputSpecs of --spec, or those that the file gives. UsageError: there are none, and inputs need them."""
    specs = given_specs(found, texts)
    if specs is None:
        raise UsageError(f"{target} has inputs: give one --spec for each, for example --spec 'float32[?,3]'")
    return specs


def spec_examples(found: Any) -> str:
    """What --spec may look like for the inputs that need one."""
    parameters = signature_of(_function_of(found)).parameters.values()
    return " ".join(f"--spec '{p.name}=float32[?,3]'" for p in parameters if p.default is p.empty)


def given_specs(found: Any, texts: list[str]) -> list | None:
    """The InputSpecs of --spec, or those that the file gives; None: they have to be given. UsageError: there are too many."""
    if not texts:
        return _own_specs(found)
    parameters = signature_of(_function_of(found)).parameters.values()
    most = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    if len(texts) > most and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        names = ", ".join(p.name for p in parameters) or "none"
        raise UsageError(f"{len(texts)} --spec are given, for inputs ({names}): one for each is enough")
    return list(map(_spec_of_text, texts))


def _function_of(found: Any) -> Any:
    function = getattr(found, "forward", found)
    return getattr(function, "dygraph_function", function)


def _own_specs(found: Any) -> list | None:
    """The input_spec of a static function or layer; none for one without inputs."""
    function = getattr(found, "forward", found)
    given = getattr(function, "_input_spec", None)  # of a StaticFunction
    if given is None and any(p.default is p.empty for p in signature_of(function).parameters.values()):
        return None
    return given or []


def _spec_of_text(text: str) -> Any:
    """An InputSpec from `float32[?,3]` or `x=float32[n,3]`."""
    from ...ir.types import TensorType, parse_type
    from ...runtime.tensors.spec import InputSpec

    name, _, type_text = text.rpartition("=")
    try:
        found = parse_type(type_text)
    except ValueError as error:
        raise UsageError(f"--spec {text}: {error}") from error
    if not isinstance(found, TensorType) or found.shape is None:
        raise UsageError(f"--spec {text}: expected a tensor of known rank, for example float32[?,3]")
    return InputSpec([dim if isinstance(dim, int) else None for dim in found.shape], found.dtype, name or None)
