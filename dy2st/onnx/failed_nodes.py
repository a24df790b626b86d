"""Runs that end at a node: the operation that the node is of, and the exception that Python raises there."""

from __future__ import annotations

from collections.abc import Mapping

from ..graphs.exceptions import raised
from ..graphs.lowering.faults import ErrorEntry, Failure
from .runs import NodeError


def failure_at(error: Exception, failures: Mapping[str, Failure]) -> tuple[Failure | None, str]:
    """What is told of the node at which a run has ended with `error`, and its operator.

    failures: by what the names of an operation's nodes begin with. Behind that comes the node's operator, and what onnxruntime
    has fused it with.
    """
    name, kind = error.node if isinstance(error, NodeError) else "", ""
    while name and name not in failures:
        name, _, kind = name.rpartition("/")
    return failures.get(name), kind.partition("_")[0]


def failed(error: Exception, failures: Mapping[str, Failure]) -> Exception | None:
    """What Python raises where a run has ended with `error` of a node; None where nobody can tell. failures: as above."""
    told, kind = failure_at(error, failures)
    exception = told and not (isinstance(error, NodeError) and error.is_of_memory) and told.exception(kind)
    return raised(ErrorEntry(exception, (str(error),), told.loc), {}) if told and exception else None
