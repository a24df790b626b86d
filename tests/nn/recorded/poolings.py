"""Pooling."""

from .case import array, call, layer

F = "nn.functional."
LINE = array(2, 3, 9, seed=1)
IMAGE = array(2, 3, 7, 6, seed=2)
VOLUME = array(1, 2, 5, 4, 5, seed=3)

CASES = {
    "F.max_pool1d": call(F + "max_pool1d", LINE, 3, 2, 1, open=(0, 2)),
    "F.max_pool1d mask": call(F + "max_pool1d", LINE, 2, return_mask=True, ceil_mode=True),
    "F.avg_pool1d": call(F + "avg_pool1d", LINE, 3, 2, 1),
    "F.avg_pool1d inclusive": call(F + "avg_pool1d", LINE, 3, 2, 1, exclusive=False, ceil_mode=True),
    "F.max_pool2d": call(F + "max_pool2d", IMAGE, 3, 2, 1, return_mask=True, open=(0, 2, 3)),
    "F.avg_pool2d": call(F + "avg_pool2d", IMAGE, [3, 2], 2, [1, 0], divisor_override=5),
    "F.max_pool3d": call(F + "max_pool3d", VOLUME, 2, 1, 1),
    "F.avg_pool3d": call(F + "avg_pool3d", VOLUME, 2, 2, 0),
    "F.avg_pool3d exclusive": call(F + "avg_pool3d", VOLUME, [3, 2, 2], [2, 1, 2], [1, 0, 1]),
    "F.adaptive_avg_pool1d": call(F + "adaptive_avg_pool1d", LINE, 4),
    "F.adaptive_avg_pool3d": call(F + "adaptive_avg_pool3d", VOLUME, [2, 3, 2]),
    "F.adaptive_max_pool1d": call(F + "adaptive_max_pool1d", LINE, 4),
    "F.adaptive_max_pool2d": call(F + "adaptive_max_pool2d", IMAGE, [3, 4]),
    "F.adaptive_max_pool2d mask": call(F + "adaptive_max_pool2d", IMAGE, 2, return_mask=True),
    "F.lp_pool1d": call(F + "lp_pool1d", abs(LINE), 3.0, 2),
    "F.lp_pool2d": call(F + "lp_pool2d", IMAGE, 2.0, 2, 1),
    "F.max_unpool2d": call(F + "max_unpool2d", array(1, 1, 2, 2), (array(1, 1, 2, 2) * 0 + [[0, 3], [8, 10]]).astype("int32"), 2),
    "MaxPool1D": layer("nn.MaxPool1D", 2, 2)(LINE),
    "AvgPool1D": layer("nn.AvgPool1D", 2, 1, 1)(LINE),
    "MaxPool3D": layer("nn.MaxPool3D", 2)(VOLUME),
    "AvgPool3D": layer("nn.AvgPool3D", 2)(VOLUME),
    "AdaptiveAvgPool1D": layer("nn.AdaptiveAvgPool1D", 2)(LINE),
    "AdaptiveAvgPool3D": layer("nn.AdaptiveAvgPool3D", 2)(VOLUME),
    "AdaptiveMaxPool1D": layer("nn.AdaptiveMaxPool1D", 2)(LINE),
    "AdaptiveMaxPool2D": layer("nn.AdaptiveMaxPool2D", [2, 3])(IMAGE),
    "LPPool2D": layer("nn.LPPool2D", 2.0, 2)(IMAGE),
}
