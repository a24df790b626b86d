"""`dy2st.onnx.export`: a model as one ONNX file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..graphs.model import model_of
from ..graphs.preparing import prepared
from ..graphs.shared_memory import twins_of
from ..jit.interface.options import check_path
from ..passes.functionalize import taken_for_granted
from ..runtime.tensors.input_memory import InputMemory
from ..runtime.where.running import working
from ..runtime.where.tracebacks import shows_users_frames
from ..saving.writer import replacing
from .arguments import natives_of
from .checker import check_model
from .external_weights import ExternalWeights
from .lowering import protos
from .lowering.program import lower
from .lowering.refusal import OnnxError
from .metadata import described
from .packages import onnx
from .start import refuse_nothing, refuse_open_ranks, start_values
from .verifying import verify_model

SUFFIX = ".onnx"


@shows_users_frames
def export(
    layer: Any,
    path: Any,
    input_spec: Any = None,
    opset_version: int | None = None,
    *,
    external_weights: bool = False,
    verify: Any = None,
    **configs: Any,
) -> str:
    """Write a model as an ONNX file that any runtime loads, with its `if`s as If and its loops as Loop.

    layer: a Layer, a StaticFunction, a plain function, a loaded model, or the path that `jit.save` was given. Of a Layer,
        `forward` is exported, in the mode that it is in: `eval()` for inference.
    path: of the file; `.onnx` is appended where it is missing.
    input_spec: InputSpecs, as for `to_static`, where that wasn't given any. None in a shape is any length.
    opset_version: the version of ONNX's operators, 17 to 26. None: 18, or the lowest that the model's operators need.
    external_weights: the weights stay in `<path>.params.safetensors`, which `jit.save` writes to the same place: one set of bytes
        serves both forms. Where that file has other weights, which a model of `jit.save` there needs, they go to
        `<path>.onnx.params.safetensors`. Those of more than 2 GiB always do: no ONNX file holds as many.
    verify: arguments of a call, a tuple. The model is run in onnxruntime and by the engine on NumPy; where they differ, the first
        Value that differs is named with its line, and no file is written.
    configs: `output_spec`, the positions of the tensors of the result to keep, as for `jit.save`.

    Returns the path of the file. ConversionError, at the user's line: what has no form in ONNX; nothing is written then.
    ValueError: a version, spec or option that doesn't exist. TypeError: what is no model, path or spec. ImportError: onnx isn't
    installed.

    >>> from dy2st.static import InputSpec
    >>> dy2st.onnx.export(dy2st.nn.Linear(3, 2), "out/linear", [InputSpec([None, 3])])  # doctest: +SKIP
    'out/linear.onnx'
    """
    onnx()
    if verify is not None and not isinstance(verify, tuple | list):
        raise TypeError(f"verify is a tuple of the arguments of a call, not {type(verify).__name__}")
    target = _target(path)
    with working(f"exporting {target}"):
        _export(layer, target, input_spec, opset_version, external_weights, verify, configs)
    return target


def _export(
    layer: Any, target: str, input_spec: Any, opset_version: int | None, external_weights: bool, verify: Any, configs: dict
) -> None:  # fmt: skip
    program, info, method = model_of(layer, input_spec, configs)
    ready = prepared(program)
    lowered = lower(ready.program, opset_version, Path(target).stem, ready.interface)
    refuse_nothing(lowered)
    refuse_open_ranks(lowered)
    start_values(lowered, ready.initial)
    described(lowered, info, method, taken_for_granted(program) or InputMemory(), twins_of(program))
    is_large = _is_large(lowered.model)
    if verify is not None and is_large:
        raise ValueError("a model of more than 2 GiB can't be verified before it is written; `dy2st verify` compares files")
    if verify is not None:
        verify_model(ready, lowered, natives_of(info.name, info.inputs[method], tuple(verify), {}))
    weights = ExternalWeights(target, program, lowered) if external_weights or is_large else None
    _refuse_large(lowered.model)
    check_model(lowered.model)
    with replacing(target) as file:
        file.write(lowered.model.SerializeToString(deterministic=True))
        file.flush()
        os.fsync(file.fileno())  # both files are written before the first takes its place
        if weights is not None:
            weights.write()
    if weights is not None:
        weights.remove_unused()


def _is_large(model: Any) -> bool:
    """Whether the weights are too many for one file."""
    weights = model.graph.initializer
    is_outside = any(proto.data_location == proto.EXTERNAL for proto in weights)
    return is_outside or sum(len(proto.raw_data) for proto in weights) > protos.LARGEST


def _refuse_large(model: Any) -> None:
    """OnnxError where what stays in the file is too much for it."""
    held = [proto for proto in model.graph.initializer if proto.data_location != proto.EXTERNAL]
    if sum(len(proto.raw_data) for proto in held) > protos.LARGEST:
        name = max(held, key=lambda proto: len(proto.raw_data)).name
        raise OnnxError(
            f"an ONNX file holds at most 2 GiB, and {name} stays in it: a call changes it, or it is a constant. Only weights "
            "that no call changes go to the file beside it (external_weights=True): make it a parameter, or a buffer that is read"
        )


def _target(path: Any) -> str:
    """The path of the file."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path is a str or a path, not {type(path).__name__}")
    check_path(path)
    text = str(path)
    return text if text.endswith(SUFFIX) else f"{text}{SUFFIX}"
