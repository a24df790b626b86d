"""Convolutions and their transposes."""

from .case import array, call, layer

F = "nn.functional."
LINE = array(2, 4, 9, seed=1)
IMAGE = array(2, 4, 7, 6, seed=2)
VOLUME = array(1, 2, 5, 4, 5, seed=3)

CASES = {
    "F.conv1d": call(F + "conv1d", LINE, array(6, 2, 3), array(6), 2, 1, 2, 2, open=(0, 2)),
    "F.conv1d same": call(F + "conv1d", LINE, array(3, 4, 4), padding="SAME"),
    "F.conv1d uneven padding": call(F + "conv1d", LINE, array(3, 4, 3), padding=[2, 1]),
    "F.conv1d channels last": call(F + "conv1d", LINE, array(3, 9, 2), data_format="NLC"),
    "F.conv2d": call(F + "conv2d", IMAGE, array(3, 4, 3, 2), array(3), [2, 1], [1, 0], open=(0, 2, 3)),
    "F.conv2d pairs": call(F + "conv2d", IMAGE, array(3, 4, 3, 3), padding=[[0, 0], [0, 0], [1, 2], [0, 1]]),
    "F.conv1d_transpose": call(F + "conv1d_transpose", LINE, array(4, 3, 3), array(6), 2, 1, 1, 2, open=(0, 2)),
    "F.conv1d_transpose size": call(F + "conv1d_transpose", LINE, array(4, 3, 3), stride=2, output_size=[20]),
    "F.conv2d_transpose": call(F + "conv2d_transpose", IMAGE, array(4, 3, 3, 2), array(3), 2, 1, 1, open=(0, 2, 3)),
    "F.conv2d_transpose groups": call(F + "conv2d_transpose", IMAGE, array(4, 3, 3, 2), dilation=2, groups=2),
    "F.conv2d_transpose same": call(F + "conv2d_transpose", IMAGE, array(4, 3, 3, 3), padding="SAME", stride=2),
    "F.conv2d_transpose size": call(F + "conv2d_transpose", IMAGE, array(4, 3, 3, 3), stride=2, output_size=[16, 14]),
    "F.conv2d_transpose last": call(F + "conv2d_transpose", IMAGE, array(6, 3, 2, 2), data_format="NHWC"),
    "F.conv3d": call(F + "conv3d", VOLUME, array(3, 2, 3, 2, 2), array(3), 2, 1),
    "F.conv3d groups": call(F + "conv3d", VOLUME, array(4, 1, 2, 2, 3), padding=[0, 1, 1], groups=2, dilation=[1, 1, 2]),
    "Conv1D": layer("nn.Conv1D", 4, 6, 3, padding=1)(LINE),
    "Conv1D reflect": layer("nn.Conv1D", 4, 2, 3, padding=2, padding_mode="reflect")(LINE),
    "Conv1DTranspose": layer("nn.Conv1DTranspose", 4, 6, 3, stride=2, output_padding=1)(LINE),
    "Conv2D": layer("nn.Conv2D", 4, 6, 3, groups=2, bias_attr=False)(IMAGE),
    "Conv2D circular": layer("nn.Conv2D", 4, 6, 3, padding=2, padding_mode="circular")(IMAGE),
    "Conv2DTranspose": layer("nn.Conv2DTranspose", 4, 6, [3, 2], stride=2, padding=1, groups=2)(IMAGE),
    "Conv3D": layer("nn.Conv3D", 2, 3, 2, padding=1)(VOLUME),
}
