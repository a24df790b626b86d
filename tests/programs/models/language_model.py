"""An LSTM language model: its state goes from batch to batch, gradients are clipped, and it writes until a sentence ends."""

import numpy as np

import dy2st as paddle
import dy2st.nn as nn
from dy2st.static import InputSpec

HIDDEN, LAYERS, VOCABULARY, EOS = 12, 2, 11, 10


class LanguageModel(nn.Layer):
    """ids [n, t], h and c [layers, n, hidden] -> logits [n, t, vocabulary], the last h and c."""

    def __init__(self, vocab_size, hidden_size, num_layers, dropout=0.2, init_scale=0.5):
        super().__init__()
        uniform = paddle.nn.initializer.Uniform(low=-init_scale, high=init_scale)
        self.embedding = nn.Embedding(vocab_size, hidden_size, weight_attr=paddle.ParamAttr(initializer=uniform))
        self.lstm = nn.LSTM(
            hidden_size,
            hidden_size,
            num_layers=num_layers,
            weight_ih_attr=paddle.ParamAttr(initializer=uniform),
            weight_hh_attr=paddle.ParamAttr(initializer=uniform),
        )
        self.dropout = nn.Dropout(dropout)
        self.fc = nn.Linear(hidden_size, vocab_size)

    def forward(self, x, h, c):
        x = self.dropout(self.embedding(x))
        y, (h, c) = self.lstm(x, (h, c))
        return self.fc(self.dropout(y)), h.detach(), c.detach()


class Writer(nn.Layer):
    """prompt [n, t], how many words at most -> the words [n, t + ...], written greedily until each sentence has ended."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, prompt, max_length):
        batch_size = prompt.shape[0]
        h = paddle.zeros([LAYERS, batch_size, HIDDEN])
        c = paddle.zeros_like(h)
        finished = paddle.zeros([batch_size, 1], dtype="bool")
        words, word = [prompt], prompt
        while len(words) <= max_length:
            logits, h, c = self.model(word, h, c)
            word = paddle.argmax(logits[:, -1], axis=-1, keepdim=True)
            word = paddle.where(finished, paddle.full_like(word, EOS), word)
            words.append(word)
            finished = paddle.logical_or(finished, word == EOS)
            if finished.all():
                break
        return paddle.concat(words, axis=1)


state = [LAYERS, None, HIDDEN]
SPECS = [InputSpec([None, None], "int64", "x"), InputSpec(state, "float32", "h"), InputSpec(state, "float32", "c")]
DEPLOYED_SPECS = [InputSpec([None, None], "int64", "prompt"), InputSpec([], "int64", "max_length")]


def build():
    return LanguageModel(VOCABULARY, HIDDEN, LAYERS)


def deployed(model):
    return Writer(model)


def batches(rng):
    ids = np.cumsum(rng.integers(1, 3, [4, 33]), axis=1) % VOCABULARY
    return [(ids[:, i : i + 8], ids[:, i + 1 : i + 9]) for i in range(0, 32, 8)]


def calls(rng):
    return [(rng.integers(0, EOS, size), np.array(n)) for size, n in (([1, 3], 0), ([2, 1], 1), ([4, 2], 12))]


def train(model, data):
    paddle.seed(5)
    layers, hidden = 2, 12
    scheduler = paddle.optimizer.lr.NaturalExpDecay(learning_rate=1.0, gamma=0.1)
    clip = paddle.nn.ClipGradByGlobalNorm(5.0)
    optimizer = paddle.optimizer.SGD(learning_rate=scheduler, parameters=model.parameters(), grad_clip=clip)
    criterion = paddle.nn.CrossEntropyLoss(reduction="none")
    model.train()
    losses = []
    for epoch in range(2):
        h = paddle.zeros([layers, 4, hidden])
        c = paddle.zeros([layers, 4, hidden])
        for x, y in data:
            logits, h, c = model(paddle.to_tensor(x), h, c)
            loss = criterion(logits, paddle.to_tensor(y).unsqueeze(-1))
            loss = loss.squeeze(-1).mean(axis=[0]).sum()
            loss.backward()
            optimizer.step()
            optimizer.clear_gradients()
            losses.append(float(loss) / x.shape[1])
        scheduler.step()
    return losses
