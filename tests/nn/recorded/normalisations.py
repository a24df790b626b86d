"""Normalisation. Paddle 3.3's gradients of GroupNorm without a weight and of SpectralNorm aren't those of what it computes:
test_gradients.py holds ours against finite differences."""

from .case import array, call, layer

F = "nn.functional."
LINE = array(3, 4, 5, seed=1)
IMAGE = array(2, 4, 3, 3, seed=2)
VOLUME = array(2, 2, 3, 2, 2, seed=3)

CASES = {
    "F.group_norm": call(F + "group_norm", IMAGE, 2, 1e-3, array(4), array(4), open=(0, 2)),
    "F.group_norm last": call(F + "group_norm", array(2, 3, 3, 4), 2, 1e-5, array(4), array(4), "NHWC"),
    "F.instance_norm": call(F + "instance_norm", IMAGE, weight=array(4), bias=array(4), eps=1e-3, open=(0, 2, 3)),
    "F.instance_norm plain": call(F + "instance_norm", LINE),
    "F.layer_norm": call(F + "layer_norm", LINE, [4, 5], array(20), array(20)),
    "F.local_response_norm": call(F + "local_response_norm", IMAGE, 3, 0.1),
    "F.local_response_norm 3": call(F + "local_response_norm", LINE, 2, data_format="NCL"),
    "F.normalize": call(F + "normalize", IMAGE, 1.5, 2),
    "F.batch_norm": call(F + "batch_norm", IMAGE, array(4), abs(array(4)), array(4), array(4), gradients=False),
    "GroupNorm": layer("nn.GroupNorm", 2, 4)(IMAGE),
    "GroupNorm plain": layer("nn.GroupNorm", 4, 4, weight_attr=False, bias_attr=False, gradients=False)(LINE),
    "InstanceNorm1D": layer("nn.InstanceNorm1D", 4)(LINE),
    "InstanceNorm2D": layer("nn.InstanceNorm2D", 4)(IMAGE),
    "InstanceNorm3D": layer("nn.InstanceNorm3D", 2)(VOLUME),
    "LayerNorm": layer("nn.LayerNorm", [3, 3])(IMAGE),
    "LocalResponseNorm": layer("nn.LocalResponseNorm", 3)(IMAGE),
    "SpectralNorm": layer("nn.SpectralNorm", [4, 3, 2], 1, 2, open=(), gradients=False)(array(4, 3, 2)),
    "BatchNorm1D": layer("nn.BatchNorm1D", 4)(LINE),
    "BatchNorm1D of rows": layer("nn.BatchNorm1D", 4, momentum=0.5)(array(6, 4)),
    "BatchNorm2D": layer("nn.BatchNorm2D", 4)(IMAGE),
    "BatchNorm2D in inference": layer("nn.BatchNorm2D", 4, evaluating=True)(IMAGE),
    "BatchNorm3D": layer("nn.BatchNorm3D", 2)(VOLUME),
    "BatchNorm": layer("nn.BatchNorm", 4, act="relu")(IMAGE),
}
