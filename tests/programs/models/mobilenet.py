"""MobileNetV2 at its full depth: depthwise convolutions, blocks that are Sequential, weights initialised by hand."""

import dy2st as paddle
import dy2st.nn as nn
import dy2st.nn.functional as F
from dy2st.static import InputSpec


def _make_divisible(v, divisor, min_value=None):
    if min_value is None:
        min_value = divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < 0.9 * v:
        new_v += divisor
    return new_v


class ConvNormActivation(nn.Sequential):
    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, groups=1, norm_layer=nn.BatchNorm2D):
        padding = (kernel_size - 1) // 2
        layers = [nn.Conv2D(in_channels, out_channels, kernel_size, stride, padding, groups=groups, bias_attr=False)]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        layers.append(nn.ReLU6())
        super().__init__(*layers)


class InvertedResidual(nn.Layer):
    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=nn.BatchNorm2D):
        super().__init__()
        self.stride = stride
        assert stride in [1, 2]
        hidden_dim = int(round(inp * expand_ratio))
        self.use_res_connect = self.stride == 1 and inp == oup
        layers = []
        if expand_ratio != 1:
            layers.append(ConvNormActivation(inp, hidden_dim, kernel_size=1, norm_layer=norm_layer))
        layers.extend(
            [
                ConvNormActivation(hidden_dim, hidden_dim, stride=stride, groups=hidden_dim, norm_layer=norm_layer),
                nn.Conv2D(hidden_dim, oup, 1, 1, 0, bias_attr=False),
                norm_layer(oup),
            ]
        )
        self.conv = nn.Sequential(*layers)

    def forward(self, x):
        if self.use_res_connect:
            return x + self.conv(x)
        else:
            return self.conv(x)


class MobileNetV2(nn.Layer):
    """images [n, 3, h, w] -> logits [n, num_classes]."""

    def __init__(self, scale=1.0, num_classes=1000, with_pool=True, divisor=8):
        super().__init__()
        self.num_classes = num_classes
        self.with_pool = with_pool
        input_channel = _make_divisible(32 * scale, divisor)
        self.last_channel = _make_divisible(1280 * scale, divisor)
        features = [ConvNormActivation(3, input_channel, stride=2)]
        settings = [
            [1, 16, 1, 1],
            [6, 24, 2, 2],
            [6, 32, 3, 2],
            [6, 64, 4, 2],
            [6, 96, 3, 1],
            [6, 160, 3, 2],
            [6, 320, 1, 1],
        ]
        for t, c, n, s in settings:
            output_channel = _make_divisible(c * scale, divisor)
            for i in range(n):
                stride = s if i == 0 else 1
                features.append(InvertedResidual(input_channel, output_channel, stride, expand_ratio=t))
                input_channel = output_channel
        features.append(ConvNormActivation(input_channel, self.last_channel, kernel_size=1))
        self.features = nn.Sequential(*features)
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if self.num_classes > 0:
            self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(self.last_channel, num_classes))
        self._init_weights()

    def _init_weights(self):
        for m in self.sublayers():
            if isinstance(m, nn.Conv2D):
                nn.initializer.KaimingNormal()(m.weight)
            elif isinstance(m, nn.BatchNorm2D):
                nn.initializer.Constant(1.0)(m.weight)
                nn.initializer.Constant(0.0)(m.bias)

    def forward(self, x):
        x = self.features(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        if self.num_classes > 0:
            x = paddle.flatten(x, 1)
            x = self.classifier(x)
        return x


SPECS = [InputSpec([None, 3, None, None], "float32", "image")]


def build():
    return MobileNetV2(scale=0.1, num_classes=4, divisor=2)


def batches(rng):
    return [(rng.normal(size=[4, 3, 48, 48]).astype("float32"), rng.integers(0, 4, [4, 1])) for _ in range(3)]


def calls(rng):
    return [(rng.normal(size=size).astype("float32"),) for size in ([1, 3, 32, 32], [2, 3, 40, 24])]


def train(net, data):
    paddle.seed(5)
    scheduler = paddle.optimizer.lr.StepDecay(learning_rate=0.01, step_size=2, gamma=0.5)
    clip = paddle.nn.ClipGradByGlobalNorm(1.0)
    optimizer = paddle.optimizer.Momentum(scheduler, momentum=0.9, parameters=net.parameters(), grad_clip=clip)
    net.train()
    losses = []
    for image, label in data:
        target = F.label_smooth(F.one_hot(paddle.to_tensor(label).squeeze(-1), 4), epsilon=0.1)
        loss = F.cross_entropy(net(paddle.to_tensor(image)), target, soft_label=True)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        scheduler.step()
        losses.append(loss.item())
    return losses
