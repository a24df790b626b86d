"""Inner values of a model: onnxruntime gives the outputs of a graph alone, so others are made outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .lowering.pruning import needed
from .opening import opened, quiet
from .packages import onnx, onnxruntime
from .runs import Runner


class Watch:
    """Runs what gives the values of these names outside of control flow; nodes that they don't need aren't there.

    model: a ModelProto, which stays as it is. folder: where the weights lie that stay outside of it.
    level: the name of a GraphOptimizationLevel of onnxruntime; None: the one that a session has by itself.
    """

    def __init__(self, model: Any, names: Sequence[str], folder: str = "", level: str | None = None):
        self.names = names
        watched = onnx().ModelProto()
        watched.CopyFrom(model)
        for parts, held in ((watched.graph.node, needed(model.graph.node, names)), (watched.graph.output, map(_output, names))):
            del parts[:]
            parts.extend(held)
        options = quiet()
        if level is not None:
            options.graph_optimization_level = getattr(onnxruntime().GraphOptimizationLevel, level)
        if folder:
            options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
        session = opened(watched.SerializeToString(), options)
        self._inputs = {node.name for node in (*session.get_inputs(), *session.get_overridable_initializers())}
        self._run = Runner(session)

    def __call__(self, feeds: Mapping[str, Any]) -> list[Any]:
        """The values, for the model's inputs by name. EngineError: a node fails."""
        return self._run(self.names, {name: array for name, array in feeds.items() if name in self._inputs})


def _output(name: str) -> Any:
    return onnx().helper.make_empty_tensor_value_info(name)
