"""The options of `jit.save` and `jit.load`, under Paddle's names, checked."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ...saving.narrow import check_weights
from ..interface.options import check_names


@dataclass
class SaveConfigs:
    """What `jit.save` was told.

    output_spec: positions of the tensors to keep, among those of the result in order (the items of `outputs` are such). One is
        given as it is, several as a tuple.
    with_hook: hooks of the layer itself run as part of the model; where it has any they always do.
    skip_forward: only the other static methods are saved.
    input_names_after_prune: names of the inputs to keep.
    combine_params, clip_extra, skip_prune_program: True and False give the same files, in which all methods share one set of
        parameters, and in which there is nothing extra.
    one_mode: only the mode that the layer is in is saved, train or eval. The file is smaller, and passes may fold what only the
        other mode changes, such as the statistics of a batch norm; a loaded layer refuses to run in the other mode.
    weights: "float16" or "bfloat16", in which the file keeps parameters and buffers of more bits. Loading casts them back:
        the model takes and gives the dtypes that it did. Captured constants stay as they are.
    separate_parameters: parameters are in one file, which can be read one by one; True is refused.
    """

    output_spec: list | None = None
    with_hook: bool = False
    combine_params: bool = False
    clip_extra: bool = True
    skip_forward: bool = False
    input_names_after_prune: list | None = None
    skip_prune_program: bool = False
    one_mode: bool = False
    weights: str | None = None
    separate_parameters: bool = False

    @classmethod
    def of(cls, configs: dict[str, Any]) -> SaveConfigs:
        """From the keyword arguments of `save`; ValueError for one that doesn't exist, TypeError for a spec that is no list."""
        check_names("save", configs, ["input_spec", *(field.name for field in fields(cls))])
        made = cls(**configs)
        if made.output_spec is not None and not isinstance(made.output_spec, list):
            raise TypeError(f"output_spec is a list of positions, not {type(made.output_spec).__name__}")
        for position in made.output_spec or ():
            if not isinstance(position, int) or isinstance(position, bool):
                raise ValueError(f"output_spec holds positions of tensors in the result, like 0, not {position!r}")
        check_weights(made.weights)
        if made.separate_parameters:
            raise ValueError("separate_parameters: all are in one .params.safetensors file, whose readers take them one by one")
        return made
