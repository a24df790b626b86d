"""Reading lines of text: convolutions, a GRU over the columns, a decoder with attention that stops when all have ended."""

import numpy as np

import dy2st as paddle
import dy2st.nn as nn
import dy2st.nn.functional as F
from dy2st.static import InputSpec

BLANK, EOS = 0, 1


class ConvBNLayer(nn.Layer):
    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, act=None):
        super().__init__()
        self.conv = nn.Conv2D(
            in_channels, out_channels, kernel_size, stride=stride, padding=(kernel_size - 1) // 2, bias_attr=False
        )
        self.bn = nn.BatchNorm(out_channels, act=act)

    def forward(self, x):
        return self.bn(self.conv(x))


class Backbone(nn.Layer):
    """[n, 1, 16, w] -> [n, channels, 1, w / 2]"""

    def __init__(self, channels):
        super().__init__()
        self.conv1 = ConvBNLayer(1, channels // 2, act="relu")
        self.pool = nn.MaxPool2D(2, 2)
        self.conv2 = ConvBNLayer(channels // 2, channels, stride=(2, 1), act="relu")
        self.conv3 = ConvBNLayer(channels, channels, stride=(2, 1), act="relu")

    def forward(self, x):
        x = self.conv3(self.conv2(self.pool(self.conv1(x))))
        return F.max_pool2d(x, (x.shape[2], 1), stride=(x.shape[2], 1))


class SequenceEncoder(nn.Layer):
    def __init__(self, in_channels, hidden_size):
        super().__init__()
        self.out_channels = hidden_size * 2
        self.gru = nn.GRU(in_channels, hidden_size, direction="bidirectional")

    def forward(self, x):
        B, C, H, W = x.shape
        assert H == 1
        x = x.squeeze(axis=2)
        x = x.transpose([0, 2, 1])
        x, _ = self.gru(x)
        return x


class AttentionGRUCell(nn.Layer):
    def __init__(self, input_size, hidden_size, num_embeddings):
        super().__init__()
        self.i2h = nn.Linear(input_size, hidden_size, bias_attr=False)
        self.h2h = nn.Linear(hidden_size, hidden_size)
        self.score = nn.Linear(hidden_size, 1, bias_attr=False)
        self.rnn = nn.GRUCell(input_size=input_size + num_embeddings, hidden_size=hidden_size)
        self.hidden_size = hidden_size

    def forward(self, prev_hidden, batch_H, char_onehots):
        batch_H_proj = self.i2h(batch_H)
        prev_hidden_proj = paddle.unsqueeze(self.h2h(prev_hidden), axis=1)
        res = paddle.add(batch_H_proj, prev_hidden_proj)
        res = paddle.tanh(res)
        e = self.score(res)
        alpha = F.softmax(e, axis=1)
        alpha = paddle.transpose(alpha, [0, 2, 1])
        context = paddle.squeeze(paddle.mm(alpha, batch_H), axis=1)
        concat_context = paddle.concat([context, char_onehots], 1)
        cur_hidden = self.rnn(concat_context, prev_hidden)
        return cur_hidden, alpha


class AttentionHead(nn.Layer):
    def __init__(self, in_channels, out_channels, hidden_size):
        super().__init__()
        self.input_size = in_channels
        self.hidden_size = hidden_size
        self.num_classes = out_channels
        self.attention_cell = AttentionGRUCell(in_channels, hidden_size, out_channels)
        self.generator = nn.Linear(hidden_size, out_channels)

    def _char_to_onehot(self, input_char, onehot_dim):
        return F.one_hot(input_char, onehot_dim)

    def forward(self, inputs, targets=None, batch_max_length=8):
        batch_size = inputs.shape[0]
        num_steps = batch_max_length

        hidden = paddle.zeros((batch_size, self.hidden_size))
        output_hiddens = []
        if targets is not None:
            for i in range(num_steps):
                char_onehots = self._char_to_onehot(targets[:, i], onehot_dim=self.num_classes)
                (outputs, hidden), alpha = self.attention_cell(hidden, inputs, char_onehots)
                output_hiddens.append(paddle.unsqueeze(outputs, axis=1))
            output = paddle.concat(output_hiddens, axis=1)
            probs = self.generator(output)
        else:
            targets = paddle.zeros(shape=[batch_size], dtype="int32")
            ended = paddle.zeros(shape=[batch_size], dtype="bool")
            probs = None
            for i in range(num_steps):
                char_onehots = self._char_to_onehot(targets, onehot_dim=self.num_classes)
                (outputs, hidden), alpha = self.attention_cell(hidden, inputs, char_onehots)
                probs_step = self.generator(outputs)
                if probs is None:
                    probs = paddle.unsqueeze(probs_step, axis=1)
                else:
                    probs = paddle.concat([probs, paddle.unsqueeze(probs_step, axis=1)], axis=1)
                next_input = probs_step.argmax(axis=1)
                targets = next_input
                ended = paddle.logical_or(ended, next_input == EOS)
                if ended.all():
                    break
        if not self.training:
            probs = F.softmax(probs, axis=2)
        return probs


class OCRModel(nn.Layer):
    """images [n, 1, 16, w] (and, in training, the characters [n, 8] before those to read) -> scores [n, t, classes], t <= 8."""

    def __init__(self, channels=8, hidden_size=10, num_classes=9):
        super().__init__()
        self.backbone = Backbone(channels)
        self.neck = SequenceEncoder(channels, hidden_size)
        self.head = AttentionHead(self.neck.out_channels, num_classes, hidden_size)

    def forward(self, x, data=None):
        x = self.backbone(x)
        x = self.neck(x)
        if self.training:
            x = self.head(x, targets=data)
        else:
            x = self.head(x)
        return x


IMAGE = InputSpec([None, 1, 16, None], "float32", "image")
SPECS = [IMAGE, InputSpec([None, 8], "int64", "data")]
DEPLOYED_SPECS = [IMAGE]


def build():
    return OCRModel()


def lines(rng, count, longest):
    """Images of `count` lines in which character k is a bar k pixels high, and the characters."""
    labels = np.zeros([count, 8], "int64")
    images = rng.normal(size=[count, 1, 16, 32]).astype("float32") * 0.1
    for label, image in zip(labels, images):
        length = rng.integers(1, longest + 1)
        label[:length] = rng.integers(2, 9, [length])
        label[length] = EOS
        for i in range(length):
            image[0, : label[i], i * 4 : i * 4 + 3] += 1
    return images, labels


def batches(rng):
    return [lines(rng, 4, 6) for _ in range(4)]


def calls(rng):
    noise = rng.normal(size=[4, 1, 16, 32]).astype("float32")
    return [(lines(rng, 3, 5)[0],), (noise,), (np.full([1, 1, 16, 40], 3, "float32"),)]


def train(model, data):
    scheduler = paddle.optimizer.lr.PolynomialDecay(learning_rate=0.1, decay_steps=20, end_lr=0.01)
    optimizer = paddle.optimizer.Momentum(scheduler, momentum=0.9, parameters=model.parameters(), weight_decay=1e-4)
    loss_func = paddle.nn.CrossEntropyLoss(weight=None, reduction="none", ignore_index=0)
    model.train()
    losses = []
    for epoch in range(2):
        for images, labels in data:
            images, labels = paddle.to_tensor(images), paddle.to_tensor(labels)
            before = paddle.concat([paddle.zeros([labels.shape[0], 1], dtype="int64"), labels[:, :-1]], axis=1)
            predicts = model(images, before)
            inputs = paddle.reshape(predicts, [-1, predicts.shape[-1]])
            loss = paddle.sum(loss_func(inputs, paddle.reshape(labels, [-1])))
            avg_loss = loss / labels.shape[0]
            avg_loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            scheduler.step()
            losses.append(float(avg_loss))
    return losses
