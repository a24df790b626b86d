"""Programs in the engines of files: loaded, in ONNX Runtime, in JAX. Each is called with torch's tensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dy2st
from dy2st.torch.values import array_of


def loaded_call(net: Any, form: str, folder: Path) -> Callable:
    """A call of a static function, as a Program of a file where the form is "loaded", "onnx" or "jax"."""
    path = str(folder / "net")
    if form == "loaded":
        dy2st.jit.save(net, path)
        program: Any = dy2st.jit.load(path)
    elif form == "onnx":
        pytest.importorskip("onnxruntime")
        program = dy2st.onnx.Session(dy2st.onnx.export(net, f"{path}.onnx"))
    elif form == "jax":
        pytest.importorskip("jax")
        dy2st.jit.save(net, path)
        program = dy2st.jit.load(path, backend="jax")
    else:
        return net
    return lambda *tensors: program(*map(array_of, tensors))
