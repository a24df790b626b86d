"""What Python raises where a run has ended at a node: it gives no output then, `error` neither.

    i = n // k             # a check: k is 0
    return relu(conv(x[i]))     # `x[i]` fails at what the graph has computed instead; or `conv` does, as a node fused with `relu`

So parts of the model run once more: without fusions, where nobody knows the node; and the checks that come before the node.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import EngineError, ModelFileError
from ..graphs.exceptions import raised
from ..graphs.lowering.faults import ErrorEntry, Failure
from .failed_nodes import failed, failure_at
from .metadata import Metadata
from .opening import opened, quiet
from .packages import onnx, onnxruntime
from .reading.files import decoded
from .runs import Runner
from .watch import Watch


class Inquiry:
    """Asks of a model, by its path or its bytes, and by what its metadata tells."""

    def __init__(self, source: Any, told: Metadata):
        self._source, self._told = source, told

    def exception(self, error: EngineError, feeds: Mapping[str, Any]) -> Exception:
        """The exception of a call that has ended with `error` for these inputs."""
        failures = self._told.failures
        at = failure_at(error, failures)[0]
        if at is None and (unfused := self._unfused(feeds)) is not None:
            error, at = unfused, failure_at(unfused, failures)[0]
        check = self._check_before(at, feeds) if at is not None else None
        return raised(check, {}) if check else failed(error, failures) or EngineError(str(error))

    def _unfused(self, feeds: Mapping[str, Any]) -> EngineError | None:
        """How the run ends where each node is one of the model's own; None where it doesn't."""
        options = quiet()
        options.graph_optimization_level = onnxruntime().GraphOptimizationLevel.ORT_DISABLE_ALL
        session = opened(self._source, options)
        try:
            Runner(session)([output.name for output in session.get_outputs()], feeds)
        except EngineError as error:
            return error
        return None

    def _check_before(self, at: Failure, feeds: Mapping[str, Any]) -> ErrorEntry | None:
        """The first check before a node that fails; None where none does, or they need a node that fails."""
        names = self._told.checks[: at.after]
        try:
            code = min(map(int, self._watch(names)(feeds))) if names else 0
        except (EngineError, ModelFileError, ImportError):  # without the package onnx, the node tells
            return None
        checks = [entry for entry in self._told.errors if not entry.leaves]
        return checks[code - 1] if 0 < code <= len(checks) else None

    def _watch(self, names: list[str]) -> Watch:
        if isinstance(self._source, bytes):
            return Watch(decoded(onnx(), self._source, "the model"), names)
        model = decoded(onnx(), Path(self._source).read_bytes(), str(self._source))
        return Watch(model, names, os.path.dirname(os.path.abspath(self._source)))
