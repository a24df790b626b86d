"""A layer of a loaded model: the Program runs on the parameters and buffers that it holds, also on those that replace them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from weakref import ref

from ...errors import ConversionError
from ...nn.layer import Layer
from ...ops import dispatch

if TYPE_CHECKING:
    from .translated_layer import TranslatedLayer

_LAYER = re.compile(r"_sub_layers\['([^']*)'\]")


def state_paths(names: list[str]) -> set[str]:
    """The state that attributes of layers hold, each by its path: `encoder.count` for `self._sub_layers['encoder'].count`."""
    return {_LAYER.sub(r"\1", name).removeprefix("self.") for name in names}


class HoldingLayer(Layer):
    """Stores and deletions of what the Program reads go to the loaded model, which takes the new tensor or says why not."""

    def _belongs_to(self, model: TranslatedLayer, path: str) -> None:
        """From now on, this is the layer `path` of a loaded model, "" for all of it."""
        vars(self)["_model"], vars(self)["_path"] = ref(model), f"{path}." if path else ""

    def _known_as(self, name: str) -> tuple[TranslatedLayer, str] | None:
        """The model and the path of an attribute that the Program reads; None of any other."""
        model = vars(self)["_model"]() if "_model" in vars(self) else None
        path = f"{vars(self).get('_path')}{name}"
        return None if model is None or not model._reads(path) else (model, path)

    def _switch(self, training: bool) -> None:
        """The layer is in a mode from now on."""
        raise NotImplementedError

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "training":
            return self._switch(value)
        known = self._known_as(name)
        if known is None:
            return super().__setattr__(name, value)
        model, path = known
        if dispatch.current_mode().rec is not None:
            raise ConversionError(f"{path} of a loaded model is set in compiled code: only its own methods can")
        return model._replace(path, value)

    def __delattr__(self, name: str) -> None:
        if (known := self._known_as(name)) is not None:
            raise AttributeError(f"the loaded {known[0].info.name} needs {known[1]}, which can't be deleted")
        super().__delattr__(name)

    def _fresh(self, name: str, dots: bool = False) -> str:
        if isinstance(name, str) and (known := self._known_as(name)) is not None:
            raise KeyError(f"the loaded {known[0].info.name} has {known[1]} already: assign the attribute to replace it")
        return super()._fresh(name, dots)


class LoadedPart(HoldingLayer):
    """A layer inside a loaded one: it has the parameters and buffers that the saved one had, and no code of its own."""

    def _switch(self, training: bool) -> None:
        model = vars(self)["_model"]()
        if model is not None and model.follows_modes and model.training is not training:
            raise RuntimeError(
                f"{vars(self)['_path'].removesuffix('.')} is a part of the loaded {model.info.name}, whose file has the modes "
                "that the parts were saved in, and train() and eval() of the whole: switch the part before the model is saved"
            )
        vars(self)["training"] = training

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        raise RuntimeError("this is a part of a loaded model: the file holds the methods of the whole; call that")

    def __reduce__(self) -> Any:
        raise TypeError("this is a part of a loaded model, which is pickled and copied as a whole; of a part, give state_dict()")
