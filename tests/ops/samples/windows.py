"""Convolution and pooling."""

from __future__ import annotations

from .sample import sample, values

IMAGE, WEIGHT = values(2, 2, 5, 4), values(4, 1, 3, 2, seed=1)
GEOMETRY = {"stride": [2, 1], "padding": [1, 0, 1, 2], "dilation": [1, 2], "groups": 2}
PLAIN = {"stride": [1, 1], "padding": [0, 0, 0, 0], "dilation": [1, 1], "groups": 1}
OUT = values(2, 4, 2, 5, seed=2)
WINDOW = {"kernel_size": [3, 2], "stride": [2, 2], "padding": [1, 0, 0, 1], "ceil_mode": True}
SIDE_BY_SIDE = {"kernel_size": [2, 2], "stride": [2, 2], "padding": [0, 0, 0, 0], "ceil_mode": False}
MEAN = {"exclusive": True, "divisor_override": None}

SAMPLES = {
    "conv2d": [sample(IMAGE, WEIGHT, **GEOMETRY), sample(IMAGE, values(3, 2, 1, 1, seed=1), **PLAIN)],
    "conv2d_input_grad": [sample(OUT, WEIGHT, input_size=[5, 4], **GEOMETRY)],
    "conv2d_weight_grad": [sample(IMAGE, OUT, kernel_size=[3, 2], **GEOMETRY)],
    "max_pool2d": [sample(IMAGE, **WINDOW), sample(IMAGE, **SIDE_BY_SIDE)],
    "max_pool2d_indices": [sample(IMAGE, **WINDOW), sample(IMAGE, **SIDE_BY_SIDE)],
    "avg_pool2d": [
        sample(IMAGE, **WINDOW, **MEAN),
        sample(IMAGE, **WINDOW, exclusive=False, divisor_override=None),
        sample(IMAGE, **SIDE_BY_SIDE, exclusive=True, divisor_override=3),
    ],
    "avg_pool2d_grad": [
        sample(values(2, 2, 3, 2), input_size=[5, 4], **WINDOW, **MEAN),
        sample(values(2, 2, 2, 2), input_size=[5, 4], **SIDE_BY_SIDE, exclusive=False, divisor_override=3),
    ],
    "adaptive_avg_pool2d": [
        sample(IMAGE, output_size=[2, 3]),
        sample(IMAGE, output_size=[1, 1]),
        sample(IMAGE, output_size=[None, 2]),
    ],
    "adaptive_avg_pool2d_grad": [sample(values(2, 2, 2, 3), input_size=[5, 4])],
}
