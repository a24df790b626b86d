"""Images in other sizes and orders."""

import numpy as np

from .case import array, call, layer

F = "nn.functional."
LINE, IMAGE, VOLUME = array(2, 3, 6, seed=1), array(2, 4, 5, 6, seed=2), array(1, 2, 3, 4, 3, seed=3)
THETA = array(2, 2, 3, seed=4, scale=0.5)
PLACES = array(2, 3, 4, 2, seed=5, scale=0.7)
COLUMNS = array(2, 12, 12, seed=6)
SIZES = {"open": (0, 2, 3)}

CASES = {
    "F.interpolate nearest": call(F + "interpolate", IMAGE, [7, 4], **SIZES),
    "F.interpolate nearest factor": call(F + "interpolate", IMAGE, scale_factor=2, **SIZES),
    "F.interpolate nearest volume": call(F + "interpolate", VOLUME, [2, 7, 3]),
    "F.interpolate bilinear": call(F + "interpolate", IMAGE, [7, 4], mode="bilinear", **SIZES),
    "F.interpolate bilinear factor": call(F + "interpolate", IMAGE, scale_factor=[1.7, 0.6], mode="bilinear", **SIZES),
    "F.interpolate recomputed": call(
        F + "interpolate", IMAGE, scale_factor=[1.7, 0.6], mode="bilinear", recompute_scale_factor=True
    ),
    "F.interpolate corners": call(F + "interpolate", IMAGE, [9, 4], mode="bilinear", align_corners=True, **SIZES),
    "F.interpolate starts": call(F + "interpolate", IMAGE, [9, 4], mode="bilinear", align_mode=1),
    "F.interpolate bicubic": call(F + "interpolate", IMAGE, [7, 9], mode="bicubic"),
    "F.interpolate bicubic corners": call(F + "interpolate", IMAGE, [3, 9], mode="bicubic", align_corners=True),
    "F.interpolate linear": call(F + "interpolate", LINE, [9], mode="linear", data_format="NCW", open=(0, 2)),
    "F.interpolate trilinear": call(F + "interpolate", VOLUME, [5, 3, 4], mode="trilinear"),
    "F.interpolate area": call(F + "interpolate", IMAGE, [2, 3], mode="area"),
    "F.interpolate last": call(F + "interpolate", IMAGE, [7, 3], mode="bilinear", data_format="NHWC"),
    "F.upsample": call(F + "upsample", IMAGE, scale_factor=3),
    "F.pixel_shuffle": call(F + "pixel_shuffle", IMAGE, 2, **SIZES),
    "F.pixel_shuffle last": call(F + "pixel_shuffle", array(2, 3, 2, 8), 2, "NHWC"),
    "F.pixel_unshuffle": call(F + "pixel_unshuffle", IMAGE[:, :, :4], 2, **SIZES),
    "F.pixel_unshuffle last": call(F + "pixel_unshuffle", array(2, 4, 6, 3), 2, "NHWC"),
    "F.channel_shuffle": call(F + "channel_shuffle", IMAGE, 2),
    "F.unfold": call(F + "unfold", IMAGE, [3, 2], 2, [1, 0], 1, **SIZES),
    "F.unfold sides": call(F + "unfold", IMAGE, 2, 1, [1, 0, 2, 1], 2),
    "F.fold": call(F + "fold", COLUMNS, [4, 5], 2),
    "F.fold spread": call(F + "fold", array(1, 8, 20, seed=7), [5, 6], 2, 1, [1, 0], 2),
    "F.grid_sample": call(F + "grid_sample", IMAGE, PLACES, open=(0, 2, 3)),
    "F.grid_sample border": call(F + "grid_sample", IMAGE, PLACES * 2, padding_mode="border", align_corners=False),
    "F.grid_sample reflection": call(F + "grid_sample", IMAGE, PLACES * 2, padding_mode="reflection", gradients=False),
    "F.grid_sample edges": call(
        F + "grid_sample", IMAGE, PLACES * 2, padding_mode="reflection", align_corners=False, gradients=False
    ),
    "F.grid_sample nearest": call(F + "grid_sample", IMAGE, PLACES, "nearest", of=(0,)),
    "F.affine_grid": call(F + "affine_grid", THETA, [2, 3, 4, 5]),
    "F.affine_grid centres": call(F + "affine_grid", THETA, [2, 3, 4, 5], False),
    "F.pad reflect": call(F + "pad", IMAGE, [1, 2, 0, 3], "reflect"),
    "F.pad from the right": call(F + "pad", IMAGE, [1, 0, 0, 0, 2, 1, 0, 0], pad_from_left_axis=False),
    "F.zeropad2d": call(F + "zeropad2d", IMAGE, [1, 0, 2, 1]),
    "F.bilinear": call(F + "bilinear", array(3, 2), array(3, 4), array(5, 2, 4), array(1, 5)),
    "Upsample": layer("nn.Upsample", scale_factor=2, mode="bilinear")(IMAGE),
    "UpsamplingNearest2D": layer("nn.UpsamplingNearest2D", [7, 8])(IMAGE),
    "UpsamplingBilinear2D": layer("nn.UpsamplingBilinear2D", scale_factor=2)(IMAGE),
    "PixelShuffle": layer("nn.PixelShuffle", 2)(IMAGE),
    "PixelUnshuffle": layer("nn.PixelUnshuffle", 2)(IMAGE[:, :, :4]),
    "ChannelShuffle": layer("nn.ChannelShuffle", 2)(IMAGE),
    "Unfold": layer("nn.Unfold", 2, 1, 1, 2)(IMAGE),
    "Fold": layer("nn.Fold", [4, 5], 2)(COLUMNS),
    "Pad1D": layer("nn.Pad1D", [1, 2], "replicate")(LINE),
    "Pad2D": layer("nn.Pad2D", 1, value=2.0)(IMAGE),
    "Pad3D": layer("nn.Pad3D", [1, 0, 2, 1, 0, 1], "circular")(VOLUME),
    "ZeroPad2D": layer("nn.ZeroPad2D", [1, 0, 2, 1])(IMAGE),
    "ConstantPad1D": layer("nn.ConstantPad1D", 2, 0.5)(LINE),
    "ReflectionPad2D": layer("nn.ReflectionPad2D", 2)(IMAGE),
    "ReflectionPad3D": layer("nn.ReflectionPad3D", [1, 0, 1, 1, 0, 1])(VOLUME),
    "ReplicationPad3D": layer("nn.ReplicationPad3D", 1)(VOLUME),
    "CircularPad3D": layer("nn.CircularPad3D", [1, 0, 0, 1, 1, 0])(VOLUME),
    "Bilinear": layer("nn.Bilinear", 2, 4, 5)(array(3, 2), array(3, 4)),
    "Unflatten": layer("nn.Unflatten", 1, [2, -1])(IMAGE),
    "AlphaDropout in inference": layer("nn.AlphaDropout", evaluating=True)(IMAGE),
    "Dropout3D in inference": layer("nn.Dropout3D", evaluating=True)(VOLUME),
    "Embedding": layer("nn.Embedding", 6, 4, padding_idx=2)(np.array([[1, 2, 5], [0, 2, 3]])),
}
