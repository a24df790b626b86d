"""ResNet-18 at its full depth: blocks chosen by class, layers by name, momentum with a schedule that warms up."""

import dy2st as paddle
import dy2st.nn as nn
import dy2st.nn.functional as F
from dy2st.static import InputSpec


class BasicBlock(nn.Layer):
    expansion = 1

    def __init__(self, inplanes, planes, stride=1, downsample=None, norm_layer=None):
        super().__init__()
        if norm_layer is None:
            norm_layer = nn.BatchNorm2D
        self.conv1 = nn.Conv2D(inplanes, planes, 3, padding=1, stride=stride, bias_attr=False)
        self.bn1 = norm_layer(planes)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2D(planes, planes, 3, padding=1, bias_attr=False)
        self.bn2 = norm_layer(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        identity = x
        out = self.conv1(x)
        out = self.bn1(out)
        out = self.relu(out)
        out = self.conv2(out)
        out = self.bn2(out)
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        out = self.relu(out)
        return out


class ResNet(nn.Layer):
    """images [n, 3, h, w] -> logits [n, num_classes]."""

    def __init__(self, block, depth, width=64, num_classes=1000, with_pool=True):
        super().__init__()
        layer_cfg = {18: [2, 2, 2, 2], 34: [3, 4, 6, 3]}
        layers = layer_cfg[depth]
        self.num_classes = num_classes
        self.with_pool = with_pool
        self._norm_layer = nn.BatchNorm2D
        self.inplanes = width
        self.conv1 = nn.Conv2D(3, self.inplanes, kernel_size=7, stride=2, padding=3, bias_attr=False)
        self.bn1 = self._norm_layer(self.inplanes)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2D(kernel_size=3, stride=2, padding=1)
        for i, count in enumerate(layers):
            stage = self._make_layer(block, width * 2**i, count, stride=1 if i == 0 else 2)
            setattr(self, f"layer{i + 1}", stage)
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D((1, 1))
        if num_classes > 0:
            self.fc = nn.Linear(width * 8 * block.expansion, num_classes)

    def _make_layer(self, block, planes, blocks, stride=1):
        norm_layer = self._norm_layer
        downsample = None
        if stride != 1 or self.inplanes != planes * block.expansion:
            downsample = nn.Sequential(
                nn.Conv2D(self.inplanes, planes * block.expansion, 1, stride=stride, bias_attr=False),
                norm_layer(planes * block.expansion),
            )
        layers = [block(self.inplanes, planes, stride, downsample, norm_layer)]
        self.inplanes = planes * block.expansion
        for _ in range(1, blocks):
            layers.append(block(self.inplanes, planes, norm_layer=norm_layer))
        return nn.Sequential(*layers)

    def forward(self, x):
        x = self.conv1(x)
        x = self.bn1(x)
        x = self.relu(x)
        x = self.maxpool(x)
        for i in range(1, 5):
            x = getattr(self, f"layer{i}")(x)
        if self.with_pool:
            x = self.avgpool(x)
        if self.num_classes > 0:
            x = paddle.flatten(x, 1)
            x = self.fc(x)
        return x


SPECS = [InputSpec([None, 3, None, None], "float32", "image")]


def build():
    return ResNet(BasicBlock, 18, width=4, num_classes=5)


def batches(rng):
    return [(rng.normal(size=[4, 3, 48, 48]).astype("float32"), rng.integers(0, 5, [4])) for _ in range(4)]


def calls(rng):
    return [(rng.normal(size=size).astype("float32"),) for size in ([1, 3, 32, 32], [3, 3, 48, 40])]


def train(net, data):
    cosine = paddle.optimizer.lr.CosineAnnealingDecay(learning_rate=0.01, T_max=10)
    schedule = paddle.optimizer.lr.LinearWarmup(cosine, warmup_steps=2, start_lr=0.0, end_lr=0.01)
    optimizer = paddle.optimizer.Momentum(
        learning_rate=schedule,
        momentum=0.9,
        weight_decay=paddle.regularizer.L2Decay(1e-4),
        parameters=net.parameters(),
        use_nesterov=True,
    )
    net.train()
    losses = []
    for image, label in data:
        logits = net(paddle.to_tensor(image))
        loss = F.cross_entropy(logits, paddle.to_tensor(label))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        schedule.step()
        losses.append(float(loss))
    return losses
