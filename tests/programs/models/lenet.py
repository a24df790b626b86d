"""LeNet, trained from a DataLoader with Adam, its accuracy counted by a metric."""


import dy2st as paddle
import dy2st.nn as nn
from dy2st.static import InputSpec


class LeNet(nn.Layer):
    """images [n, 1, 28, 28] -> logits [n, num_classes]; without classes, the features."""

    def __init__(self, num_classes=10):
        super(LeNet, self).__init__()  # noqa: UP008
        self.num_classes = num_classes
        self.features = nn.Sequential(
            nn.Conv2D(1, 6, 3, stride=1, padding=1),
            nn.ReLU(),
            nn.MaxPool2D(2, 2),
            nn.Conv2D(6, 16, 5, stride=1, padding=0),
            nn.ReLU(),
            nn.MaxPool2D(2, 2),
        )
        if num_classes > 0:
            self.fc = nn.Sequential(nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, num_classes))

    def forward(self, inputs):
        x = self.features(inputs)
        if self.num_classes > 0:
            x = paddle.flatten(x, 1)
            x = self.fc(x)
        return x


SPECS = [InputSpec([None, 1, 28, 28], "float32", "image")]


def build():
    return LeNet()


def batches(rng):
    labels = rng.integers(0, 10, [24, 1])
    images = rng.normal(size=[24, 1, 28, 28]).astype("float32") * 0.3
    for image, label in zip(images, labels[:, 0]):
        image[0, label * 2 : label * 2 + 5] += 1
    return images, labels


def calls(rng):
    return [(rng.normal(size=[n, 1, 28, 28]).astype("float32"),) for n in (1, 5)]


def train(model, data):
    images, labels = data
    loader = paddle.io.DataLoader(
        paddle.io.TensorDataset([paddle.to_tensor(images), paddle.to_tensor(labels)]), batch_size=6, shuffle=False
    )
    optim = paddle.optimizer.Adam(learning_rate=0.001, parameters=model.parameters())
    loss_fn = paddle.nn.CrossEntropyLoss()
    accuracy = paddle.metric.Accuracy()
    losses = []
    model.train()
    for epoch in range(2):
        for batch_id, data in enumerate(loader()):
            x_data, y_data = data[0], data[1]
            predicts = model(x_data)
            loss = loss_fn(predicts, y_data)
            accuracy.update(accuracy.compute(predicts, y_data))
            loss.backward()
            optim.step()
            optim.clear_grad()
            losses.append(loss.item())
        losses.append(accuracy.accumulate())
        accuracy.reset()
    return losses
