"""Parameter: a tensor that an optimizer changes; and ParamAttr, how a layer is told to make one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..runtime.tensors.tensor import Tensor


class Parameter(Tensor):
    """A leaf tensor with `stop_gradient=False` that belongs to a Layer.

    data: an array, which gives shape and dtype, or a Tensor, of which it is a copy. trainable: whether gradients flow into it.
    `optimize_attr["learning_rate"]` scales the optimizer's learning rate for this parameter; `need_clip` says whether gradient
    clipping looks at it.
    """

    __slots__ = ()

    def __init__(self, data: np.ndarray | Tensor, trainable: bool = True, name: str | None = None):
        super().__init__(data, stop_gradient=not trainable, name=name)
        self.persistable = True
        self.optimize_attr = {"learning_rate": 1.0}
        self.regularizer: Any = None
        self.need_clip = True

    @property
    def block(self) -> None:
        """None: a parameter is part of no Program. Initializers take it, `initializer(parameter, parameter.block)`."""
        return None

    @property
    def trainable(self) -> bool:
        """Whether gradients are kept for this parameter."""
        return not self.stop_gradient

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self.stop_gradient = not value


class ParamAttr:
    """How to make a parameter: its name, initializer, learning-rate factor, and whether it is trained and clipped.

    name: of the parameter. initializer: one of `nn.initializer`. learning_rate: the factor. regularizer: one of `regularizer`, in
    place of the optimizer's weight decay. trainable, need_clip: bools. `do_model_average` has no effect.
    """

    def __init__(
        self,
        name: str | None = None,
        initializer: Any = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = True,
        need_clip: bool = True,
    ):
        self.name, self.initializer, self.learning_rate, self.regularizer = name, initializer, learning_rate, regularizer
        self.trainable, self.do_model_average, self.need_clip = trainable, do_model_average, need_clip

    @staticmethod
    def of(attr: Any) -> ParamAttr | None:
        """A ParamAttr from a layer's `attr`: None, a ParamAttr, a name, an initializer; None from False (no parameter).

        TypeError: another kind.
        """
        from .initializer import Initializer

        if attr is None or attr is True:
            return ParamAttr()
        if attr is False:
            return None
        if isinstance(attr, ParamAttr):
            return attr
        if isinstance(attr, str):
            return ParamAttr(name=attr)
        if isinstance(attr, Initializer):
            return ParamAttr(initializer=attr)
        raise TypeError(f"a parameter attribute is a ParamAttr, an initializer, a name or False, not {type(attr).__name__}")
