"""Models that the tests of traced modules share."""

import numpy as np

import dy2st
import dy2st.nn.functional as F
from dy2st import nn
from dy2st import traced_module as tm


class Block(nn.Layer):
    """A residual block of ResNet-18."""

    def __init__(self, inner, outer, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2D(inner, outer, 3, stride, 1, bias_attr=False)
        self.bn1 = nn.BatchNorm2D(outer)
        self.conv2 = nn.Conv2D(outer, outer, 3, 1, 1, bias_attr=False)
        self.bn2 = nn.BatchNorm2D(outer)
        if inner == outer and stride == 1:
            self.downsample = nn.Identity()
        else:
            self.downsample = nn.Sequential(nn.Conv2D(inner, outer, 1, stride, bias_attr=False), nn.BatchNorm2D(outer))

    def forward(self, x):
        identity = x
        x = F.relu(self.bn1(self.conv1(x)))
        x = self.bn2(self.conv2(x))
        identity = self.downsample(identity)
        x += identity
        return F.relu(x)


class ResNet(nn.Layer):
    """ResNet-18, with fewer channels than usual."""

    def __init__(self, width=4, classes=10, pool=1):
        super().__init__()
        self.conv1 = nn.Conv2D(3, width, 7, 2, 3, bias_attr=False)
        self.bn1 = nn.BatchNorm2D(width)
        self.maxpool = nn.MaxPool2D(3, 2, 1)
        self.layer1 = nn.Sequential(Block(width, width), Block(width, width))
        self.layer2 = nn.Sequential(Block(width, 2 * width, 2), Block(2 * width, 2 * width))
        self.layer3 = nn.Sequential(Block(2 * width, 4 * width, 2), Block(4 * width, 4 * width))
        self.layer4 = nn.Sequential(Block(4 * width, 8 * width, 2), Block(8 * width, 8 * width))
        self.fc = nn.Linear(8 * width, classes)
        self.pool = pool

    def forward(self, x):
        x = self.maxpool(F.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        x = F.avg_pool2d(x, self.pool)
        x = F.flatten(x, 1)
        return self.fc(x)


def resnet(pool=1):
    """A ResNet in inference mode with statistics that aren't trivial."""
    dy2st.seed(0)
    net = ResNet(pool=pool)
    unsettle(net)
    net.eval()
    return net


def unsettle(net):
    """Give the norms statistics and weights that do something."""
    rng = np.random.default_rng(3)
    for layer in net.sublayers(include_self=True):
        if isinstance(layer, nn.BatchNorm1D | nn.BatchNorm2D):
            n = layer.num_features
            layer._mean.set_value(rng.normal(size=n).astype("float32") * 0.1)
            layer._variance.set_value(rng.uniform(0.5, 2, size=n).astype("float32"))
            layer.weight.set_value(rng.uniform(0.5, 2, size=n).astype("float32"))
            layer.bias.set_value(rng.normal(size=n).astype("float32"))


def images(batch=1, size=32, channels=3, seed=0):
    return tensor(batch, channels, size, size, seed=seed)


def tensor(*shape, seed=0):
    return dy2st.to_tensor(np.random.default_rng(seed).normal(size=shape).astype("float32"))


def same(a, b, tolerance=0.0):
    """Equal structure and numbers."""
    if isinstance(a, dict):
        assert list(a) == list(b)
        a, b = list(a.values()), list(b.values())
    if isinstance(a, list | tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b):
            same(x, y, tolerance)
        return
    if a is None:
        assert b is None
        return
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape and a.dtype == b.dtype
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


def layer(forward, **parts):
    """A Layer of a class of its own with this forward and these attributes."""

    def init(self):
        nn.Layer.__init__(self)
        for name, part in parts.items():
            setattr(self, name, part)

    name = "".join(word.title() for word in forward.__name__.strip("_<>").split("_")) or "Net"
    made = type(name, (nn.Layer,), {"__init__": init, "forward": forward})()
    made.eval()
    return made


def traced(net, *args, **kwargs):
    """Trace, and check that the traced module computes the same."""
    made = tm.trace_module(net, *args, **kwargs)
    same(made(*args, **kwargs), net(*args, **kwargs))
    return made


def body(graph):
    """The statements of a graph, without ids."""
    return [str(expr).split(": ", 1)[1] for expr in graph.exprs(recursive=False)][len(graph.inputs) :]
