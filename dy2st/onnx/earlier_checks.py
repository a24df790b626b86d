"""Which check had failed before a node did: a run that ends at a node gives no output, `error` neither.

    i = n // k       # a check: k is 0
    return x[i]      # a node, which fails at what the graph has computed instead

The checks that come before the node are run once more, without it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import EngineError
from .lowering.faults import ErrorEntry
from .metadata import Metadata
from .packages import onnx
from .reading.files import decoded
from .watch import Watch


class EarlierChecks:
    """Of a model, by its path or its bytes, and what its metadata tells."""

    def __init__(self, source: Any, told: Metadata):
        self._source, self._told = source, told
        self._ready: tuple[list[str], Watch] | None = None

    def failed(self, count: int, feeds: Mapping[str, Any]) -> ErrorEntry | None:
        """The first of so many checks that fails for these inputs; None where none does, or they need a node that fails."""
        names = self._told.checks[:count]
        if not names:
            return None
        if self._ready is None or self._ready[0] != names:
            self._ready = names, self._watch(names)
        try:
            code = min(map(int, self._ready[1](feeds)))
        except EngineError:
            return None
        checks = [entry for entry in self._told.errors if not entry.leaves]
        return checks[code - 1] if 0 < code <= len(checks) else None

    def _watch(self, names: list[str]) -> Watch:
        if isinstance(self._source, bytes):
            return Watch(decoded(onnx(), self._source, "the model"), names)
        model = decoded(onnx(), Path(self._source).read_bytes(), str(self._source))
        return Watch(model, names, os.path.dirname(os.path.abspath(self._source)))
