"""The Program of what `export` is given."""

from __future__ import annotations

import os
from typing import Any

from ..errors import ModelFileError
from ..ir.core import Program
from ..jit.interface.info_keys import CALLED
from ..jit.loading.load import load
from ..jit.loading.translated_layer import TranslatedLayer
from ..jit.saving.configs import SaveConfigs
from ..jit.saving.save import saved_form
from ..saving import Info


def model_of(layer: Any, input_spec: Any, configs: dict[str, Any], trains: bool = False) -> tuple[Program, Info, str]:
    """The Program of the method that a call runs, what a file would say of the model, and the name of that method.

    layer, input_spec, configs: as for `export`; errors as there. trains: whether the model is to be trained.
    """
    for name in configs.keys() - {"output_spec"}:
        raise ValueError(
            f"export has no option {name}; it has input_spec, opset_version, external_weights, verify and output_spec"
        )
    if isinstance(layer, (str, os.PathLike)):
        layer = load(layer)
        if not isinstance(layer, TranslatedLayer):
            raise ModelFileError("a model that script or trace saved isn't exported; export what to_static makes of the layer")
    if isinstance(layer, type) or not callable(layer):
        kind = f"the class {layer.__name__}: make one of it" if isinstance(layer, type) else type(layer).__name__
        raise TypeError(f"export takes a Layer, a function, or the path of a saved model, not {kind}")
    program, info = saved_form(layer, input_spec, SaveConfigs.of({"one_mode": True, **configs}), trains)
    method = info.extra.get(CALLED) or ("forward" if "forward" in info.entries else next(iter(info.entries)))
    return program.starting_at(info.entries[method]), info, method
