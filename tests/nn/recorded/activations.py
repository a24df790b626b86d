"""Activations."""

from .case import array, call, layer

X = array(3, 4, seed=1, scale=3.0)
WIDE = array(2, 6, 3, seed=2)
IMAGE = array(2, 4, 3, 3, seed=3)
F = "nn.functional."

CASES = {
    "F.celu": call(F + "celu", X, 0.7),
    "F.selu": call(F + "selu", X),
    "F.elu": call(F + "elu", X, alpha=0.3),
    "F.hardtanh": call(F + "hardtanh", X, -0.5, 2.0),
    "F.hardshrink": call(F + "hardshrink", X, 0.7),
    "F.softshrink": call(F + "softshrink", X, 0.7),
    "F.tanhshrink": call(F + "tanhshrink", X),
    "F.thresholded_relu": call(F + "thresholded_relu", X, 0.5, -1.0),
    "F.log_sigmoid": call(F + "log_sigmoid", X),
    "F.mish": call(F + "mish", X),
    "F.softsign": call(F + "softsign", X),
    "F.softplus": call(F + "softplus", X, 2, 3),
    "F.relu6": call(F + "relu6", X),
    "F.gelu": call(F + "gelu", X, approximate="tanh"),
    "F.swish": call(F + "swish", X),
    "F.maxout": call(F + "maxout", IMAGE, 2),
    "F.maxout last axis": call(F + "maxout", IMAGE, 3, axis=-1),
    "F.glu": call(F + "glu", X),
    "F.glu axis 1": call(F + "glu", WIDE, axis=1),
    "F.swiglu": call(F + "swiglu", X),
    "F.swiglu of two": call(F + "swiglu", X, X * 0.5),
    "F.prelu": call(F + "prelu", X, array(1)),
    "F.prelu per channel": call(F + "prelu", IMAGE, array(4)),
    "F.rrelu in inference": call(F + "rrelu", X, 0.1, 0.3, training=False),
    "F.log_softmax": call(F + "log_softmax", X, 0),
    "F.softmax": call(F + "softmax", X, 0),
    "CELU": layer("nn.CELU", 1.5)(X),
    "SELU": layer("nn.SELU")(X),
    "Hardtanh": layer("nn.Hardtanh", -2.0, 2.0)(X),
    "Hardshrink": layer("nn.Hardshrink")(X),
    "Softshrink": layer("nn.Softshrink")(X),
    "Tanhshrink": layer("nn.Tanhshrink")(X),
    "ThresholdedReLU": layer("nn.ThresholdedReLU")(X),
    "LogSigmoid": layer("nn.LogSigmoid")(X),
    "Mish": layer("nn.Mish")(X),
    "Softsign": layer("nn.Softsign")(X),
    "Maxout": layer("nn.Maxout", 2)(IMAGE),
    "GLU": layer("nn.GLU")(X),
    "PReLU": layer("nn.PReLU")(X),
    "PReLU per channel": layer("nn.PReLU", 4)(IMAGE),
    "PReLU channels last": layer("nn.PReLU", 3, data_format="NHWC")(IMAGE),
    "RReLU in inference": layer("nn.RReLU", evaluating=True)(X),
    "Softmax2D": layer("nn.Softmax2D")(IMAGE),
    "SiLU": layer("nn.SiLU")(X),
}
