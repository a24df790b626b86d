"""BatchNorm1D, BatchNorm2D, BatchNorm3D, BatchNorm, SyncBatchNorm, LayerNorm."""

from __future__ import annotations

from typing import Any

from ...errors import ShapeError
from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..initializer import Constant
from ..layer import Layer
from .activation import activation_named


class _BatchNorm(Layer):
    """Per channel: normalised, scaled by weight [C], shifted by bias [C].

    In training with the statistics of the batch; the buffers _mean and _variance [C] follow them with `momentum`:
    running = momentum * running + (1 - momentum) * batch. In inference with the buffers. `use_global_stats`, where not None,
    decides instead.
    """

    _ranks: tuple[int, ...] = ()

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        use_global_stats: bool | None = None,
        name: str | None = None,
    ):
        super().__init__()
        self.num_features, self.momentum, self.epsilon = num_features, momentum, epsilon
        self.data_format, self.use_global_stats = data_format, use_global_stats
        self.weight = self.create_parameter([num_features], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_features], bias_attr, is_bias=True)
        self.register_buffer("_mean", self._statistic(0.0))
        self.register_buffer("_variance", self._statistic(1.0))

    def _statistic(self, value: float) -> Tensor:
        made = self.create_parameter([self.num_features], default_initializer=Constant(value))
        return Tensor(made._data, name=made.name)

    def forward(self, input: Tensor) -> Tensor:
        rank = input.type.rank
        if rank is not None and rank not in self._ranks:
            raise ShapeError(
                f"{type(self).__name__} takes a tensor of {' or '.join(map(str, self._ranks))} axes, not {input.type}"
            )
        return F.batch_norm(
            input,
            self._mean,
            self._variance,
            self.weight,
            self.bias,
            training=self.training,
            momentum=self.momentum,
            epsilon=self.epsilon,
            data_format=self.data_format,
            use_global_stats=self.use_global_stats,
        )

    def extra_repr(self) -> str:
        return f"num_features={self.num_features}, momentum={self.momentum}, epsilon={self.epsilon}"


class BatchNorm2D(_BatchNorm):
    """Batch normalisation of x [N, C, H, W] -> its shape and dtype (Ioffe and Szegedy, 2015).

    Per channel: normalised, scaled by weight [C], shifted by bias [C]. In training with the statistics of the batch; the buffers
    _mean and _variance [C] follow them with `momentum`: running = momentum * running + (1 - momentum) * batch. In inference with
    the buffers. `use_global_stats`, where not None, decides instead. num_features: C. epsilon: added to the variance.
    weight_attr, bias_attr as in `Linear`, False for none. data_format: "NCHW", or "NHWC" for channels last. ShapeError: another
    number of axes.

    >>> dy2st.nn.BatchNorm2D(3)(dy2st.ones([2, 3, 4, 4])).shape
    [2, 3, 4, 4]
    """

    _ranks = (4,)


class BatchNorm1D(_BatchNorm):
    """Batch normalisation of x [N, C] or [N, C, L] (or [N, L, C] with data_format="NLC"). The rest as in `BatchNorm2D`."""

    _ranks = (2, 3)

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCL",
        use_global_stats: bool | None = None,
        name: str | None = None,
    ):
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, use_global_stats, name)


class BatchNorm3D(BatchNorm2D):
    """Batch normalisation of x [N, C, D, H, W] (or channels last with data_format="NDHWC"). The rest as in `BatchNorm2D`."""

    _ranks = (5,)

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-05, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCDHW", use_global_stats: bool | None = None, name: str | None = None,
    ):  # fmt: skip
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, use_global_stats, name)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation of x [N, C, ...] whose statistics are those of all processes: here there is one. As `BatchNorm2D`."""

    _ranks = (2, 3, 4, 5)

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-05, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCHW", name: str | None = None,
    ):  # fmt: skip
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, None, name)

    @classmethod
    def convert_sync_batchnorm(cls, layer: Layer) -> Layer:
        """`layer` itself: batch normalisation in one process is in step already."""
        return layer


def _rename(buffer: Tensor, name: str | None) -> None:
    """Give a buffer the name that the user wants, if any."""
    buffer.name = name or buffer.name


class BatchNorm(_BatchNorm):
    """Batch normalisation of [N, C, ...], followed by the activation `act` of nn.functional, where that is named.

    num_channels, param_attr, data_layout: num_features, weight_attr and data_format of `BatchNorm2D`, as are momentum, epsilon,
    bias_attr, use_global_stats, the result and the errors, as in `BatchNorm2D`. is_test: begin in inference. ValueError: no such
    activation. trainable_statistics: take those of the batch in inference, too. dtype: of the parameters and buffers.
    moving_mean_name, moving_variance_name: of the buffers. `in_place` and `do_model_average_for_mean_and_var` have no effect.
    """

    _ranks = (2, 3, 4, 5)

    def __init__(
        self, num_channels: int, act: str | None = None, is_test: bool = False, momentum: float = 0.9, epsilon: float = 1e-05,
        param_attr: Any = None, bias_attr: Any = None, dtype: str = "float32", data_layout: str = "NCHW", in_place: bool = False,
        moving_mean_name: str | None = None, moving_variance_name: str | None = None,
        do_model_average_for_mean_and_var: bool = True, use_global_stats: bool = False, trainable_statistics: bool = False,
    ):  # fmt: skip
        super().__init__(num_channels, momentum, epsilon, param_attr, bias_attr, data_layout, use_global_stats or None)
        if trainable_statistics and not use_global_stats:
            self.use_global_stats = False
        self.act = act
        _rename(self._mean, moving_mean_name)
        _rename(self._variance, moving_variance_name)
        if dtype != "float32":
            self.astype(dtype)
        if is_test:
            self.eval()

    def forward(self, input: Tensor) -> Tensor:
        out = super().forward(input)
        return out if self.act is None else activation_named(self.act)(out)


class LayerNorm(Layer):
    """The last axes of x, of shape `normalized_shape`, normalised; scaled by weight, shifted by bias -> the shape and dtype of x.

    weight and bias have as many elements as normalized_shape, an int or a list; weight_attr, bias_attr as in `Linear`, False for
    none. epsilon and the errors as in `nn.functional.layer_norm`. See Ba et al., 2016.

    >>> dy2st.nn.LayerNorm(2)(dy2st.to_tensor([[1.0, 1.0]])).tolist()
    [[0.0, 0.0]]
    """

    def __init__(
        self,
        normalized_shape: Any,
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ):
        super().__init__()
        self.normalized_shape = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
        self.epsilon = epsilon
        size = 1
        for length in self.normalized_shape:
            size *= length
        self.weight = self.create_parameter([size], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([size], bias_attr, is_bias=True)

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.epsilon)

    def extra_repr(self) -> str:
        return f"normalized_shape={self.normalized_shape}, epsilon={self.epsilon}"
