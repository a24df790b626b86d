"""A child-sum tree-LSTM over parse trees: the nodes are visited by recursion, their states kept by number."""

import numpy as np

import dy2st as paddle
import dy2st.nn as nn
import dy2st.nn.functional as F
from dy2st.static import InputSpec

NONE = -1


class ChildSumTreeLSTMCell(nn.Layer):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.W_iou = nn.Linear(input_size, 3 * hidden_size, bias_attr=False)
        self.U_iou = nn.Linear(hidden_size, 3 * hidden_size)
        self.W_f = nn.Linear(input_size, hidden_size, bias_attr=False)
        self.U_f = nn.Linear(hidden_size, hidden_size)

    def forward(self, x, children):
        if len(children) > 0:
            h_tilde = paddle.add_n([h for h, _ in children])
        else:
            h_tilde = paddle.zeros([self.hidden_size])
        i, o, u = paddle.split(self.W_iou(x) + self.U_iou(h_tilde), 3, axis=-1)
        c = F.sigmoid(i) * paddle.tanh(u)
        for h_k, c_k in children:
            f = F.sigmoid(self.W_f(x) + self.U_f(h_k))
            c = c + f * c_k
        return F.sigmoid(o) * paddle.tanh(c), c


class TreeLSTM(nn.Layer):
    """words [n], left and right [n] (the numbers of the children, -1 for none; node 0 is the root) -> logits [classes] of the
    tree, and a list of those of each node, in the order in which they are done."""

    def __init__(self, vocab_size=12, embed_dim=6, hidden_size=8, num_classes=3):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        self.cell = ChildSumTreeLSTMCell(embed_dim, hidden_size)
        self.classifier = nn.Linear(hidden_size, num_classes)

    def visit(self, node, words, left, right, outputs):
        children = []
        if left[node] != NONE:
            children.append(self.visit(left[node], words, left, right, outputs))
        if right[node] != NONE:
            children.append(self.visit(right[node], words, left, right, outputs))
        h, c = self.cell(self.embedding(words[node]), children)
        outputs.append(self.classifier(h))
        return h, c

    def forward(self, words, left, right):
        outputs = []
        h, _ = self.visit(0, words, left, right, outputs)
        return self.classifier(h), outputs


NODES = [None]
SPECS = [InputSpec(NODES, "int64", name) for name in ("words", "left", "right")]


def build():
    return TreeLSTM()


def tree(rng, size):
    """Words, and the children of each node: random trees of `size` nodes."""
    left, right = np.full([size], NONE), np.full([size], NONE)
    for node in range(1, size):
        while True:
            parent, side = rng.integers(0, node), (left, right)[rng.integers(0, 2)]
            if side[parent] == NONE:
                side[parent] = node
                break
    return rng.integers(0, 12, [size]), left, right


def batches(rng):
    found = []
    for size in (5, 1, 7, 4, 6):
        words, left, right = tree(rng, size)
        found.append((words, left, right, np.array(words.sum() % 3)))
    return found


def calls(rng):
    chain = np.arange(4), np.array([1, NONE, 3, NONE]), np.array([NONE, 2, NONE, NONE])
    return [tree(rng, 1), tree(rng, 9), chain]


def train(model, data):
    optimizer = paddle.optimizer.Adagrad(learning_rate=0.1, parameters=model.parameters(), weight_decay=1e-4)
    model.train()
    losses = []
    for epoch in range(2):
        for words, left, right, label in data:
            label = paddle.to_tensor(label)
            logits, outputs = model(paddle.to_tensor(words), paddle.to_tensor(left), paddle.to_tensor(right))
            loss = F.cross_entropy(logits.unsqueeze(0), label.unsqueeze(0))
            for output in outputs:
                loss = loss + 0.1 * F.cross_entropy(output.unsqueeze(0), label.unsqueeze(0)) / len(outputs)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            losses.append(float(loss))
    return losses
