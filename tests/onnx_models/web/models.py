"""Models that leave Python: ordinary code with loops whose number of turns the data decides, in the dtypes of their trade."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import dy2st
from dy2st import nn
from dy2st.nn import functional as F
from dy2st.static import InputSpec

BATCHES = (0, 1, 5)
END = 0


class Residual(nn.Layer):
    """Two convolutions and a way around them."""

    def __init__(self, inner: int, outer: int, stride: int):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2D(inner, outer, 3, stride, 1, bias_attr=False), nn.BatchNorm2D(outer)
        self.conv2, self.bn2 = nn.Conv2D(outer, outer, 3, 1, 1, bias_attr=False), nn.BatchNorm2D(outer)
        self.short = nn.Sequential() if inner == outer else nn.Conv2D(inner, outer, 1, stride, bias_attr=False)

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + self.short(x))


class ResNet(nn.Layer):
    """image [n, 3, 32, 32] -> logits [n, 10]"""

    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.pool = nn.Conv2D(3, 8, 7, 2, 3, bias_attr=False), nn.BatchNorm2D(8), nn.MaxPool2D(3, 2, 1)
        self.blocks = nn.Sequential(Residual(8, 8, 1), Residual(8, 16, 2), Residual(16, 32, 2))
        self.fc = nn.Linear(32, 10)

    def forward(self, image):
        x = self.blocks(self.pool(F.relu(self.norm(self.conv(image)))))
        return self.fc(x.mean([2, 3]))


class Block(nn.Layer):
    """A transformer block: x [n, words, 32] -> the same shape."""

    def __init__(self, width: int = 32, heads: int = 4):
        super().__init__()
        self.heads, self.scale = heads, (width // heads) ** -0.5
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        n, words, width = x.shape
        qkv = self.qkv(self.norm1(x)).reshape([n, words, 3, self.heads, width // self.heads])
        q, k, v = qkv.transpose([2, 0, 3, 1, 4]).unbind(0)
        weights = F.softmax(q.matmul(k.transpose([0, 1, 3, 2])) * self.scale, axis=-1)
        x = x + self.out(weights.matmul(v).transpose([0, 2, 1, 3]).reshape([n, words, width]))
        return x + self.narrow(F.gelu(self.wide(self.norm2(x))))


class Decoder(nn.Layer):
    """What greedy search and beam search share: a word and a state give the next words' chances and the next state."""

    def __init__(self, words: int = 9, width: int = 16, limit: int = 12):
        super().__init__()
        self.words, self.limit = words, limit
        self.embedding, self.cell, self.next = nn.Embedding(words, width), nn.GRUCell(width, width), nn.Linear(width, words)

    def step(self, word, state):
        state, _ = self.cell(self.embedding(word), state)
        return F.log_softmax(self.next(state) * 4.0), state


class Greedy(Decoder):
    """state [n, 16] -> words int64 [n, turns], whether each sentence has ended [n]; it stops when the last one ends."""

    def forward(self, state):
        word = dy2st.zeros([state.shape[0]], dtype="int64")
        ended = word > 0
        sentence = []
        while len(sentence) < self.limit:
            chances, state = self.step(word, state)
            word = dy2st.where(ended, dy2st.full_like(word, END), chances.argmax(-1))
            sentence.append(word)
            ended = ended | (word == END)
            if ended.all():
                break
        return dy2st.stack(sentence, axis=1), ended


class Beam(Decoder):
    """states [n, 16] -> for each the best sentence, int64 [limit], and its score: lists of n; three beams at a time."""

    beams = 3

    def forward(self, states):
        sentences, scores = [], []
        for state in states:
            sentence, score = self.search(state)
            sentences.append(sentence)
            scores.append(score)
        return sentences, scores

    def search(self, state):
        state = state.unsqueeze(0).tile([self.beams, 1])
        word = dy2st.zeros([self.beams], dtype="int64")
        score = dy2st.where(dy2st.arange(self.beams) == 0, 0.0, -1e9)
        sentence = dy2st.zeros([self.beams, self.limit], dtype="int64")
        ended = word > 0
        place = dy2st.arange(self.limit)
        turn = 0
        while turn < self.limit and not ended.all():
            chances, state = self.step(word, state)
            stay = F.one_hot(dy2st.zeros_like(word) + END, self.words) * 1e9 - 1e9
            chances = dy2st.where(ended.unsqueeze(1), stay, chances)
            score, at = (score.unsqueeze(1) + chances).flatten().topk(self.beams)
            beam, word = at // self.words, at % self.words
            state, sentence, ended = state[beam], sentence[beam], ended[beam] | (word == END)
            sentence = dy2st.where(place == turn, word.unsqueeze(1), sentence)
            turn += 1
        return sentence[0], score[0]


def nms(boxes, scores):
    """boxes float32 [n, 4] as x1 y1 x2 y2, scores [n] -> the kept ones' numbers, best first: a list of int64 []."""
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    left = scores.argsort(descending=True)
    kept = []
    while left.shape[0] > 0:
        best = left[0]
        kept.append(best)
        left = left[1:]
        corner = dy2st.maximum(boxes[best, :2], boxes[left, :2])
        other = dy2st.minimum(boxes[best, 2:], boxes[left, 2:])
        shared = (other - corner).clip(min=0).prod(axis=1)
        left = left[shared / (area[best] + area[left] - shared) < 0.5]
    return kept


def k_means(points, centres):
    """points [n, 2], centres [3, 2] -> the centres, each point's centre int64 [n], and how many turns it took."""
    turns, moved = 0, True
    nearest = dy2st.zeros([points.shape[0]], dtype="int64")
    while moved:
        distance = ((points.unsqueeze(1) - centres) ** 2).sum(-1)
        nearest = distance.argmin(-1)
        member = F.one_hot(nearest, 3)
        count = member.sum(0).unsqueeze(1)
        mean = member.transpose([1, 0]).matmul(points) / count.clip(min=1)
        new = dy2st.where(count > 0, mean, centres)
        moved = bool((new - centres).abs().max() > 1e-4)
        centres = new
        turns += 1
    return centres, nearest, turns


def reductions(x):
    """x [n, words, 4] -> what is left of it: of no items, nothing, in the shapes that it would have."""
    nearest = x.argmax(-1), x.argmin(1, keepdim=True)
    return *nearest, x.max(1), x.amin(-1, keepdim=True), x.sum([1, 2]), x.mean(-1), (x > 0).any(1), x.logsumexp(-1), x.sum(0)


def middle(rows):
    """rows [n, 2] -> their mean; of none, an error."""
    if rows.shape[0] == 0:
        raise ValueError(f"{rows.shape[0]} rows have no middle")
    return rows.mean(0)


@dataclass(frozen=True)
class Model:
    """A model to export: how it is made, what goes in, and inputs for a batch size."""

    make: Callable[[], object]
    specs: tuple[InputSpec, ...]
    inputs: Callable[[np.random.Generator, int], tuple[np.ndarray, ...]]

    def made(self) -> object:
        """The layer or function, with the same weights each time."""
        dy2st.seed(7)
        model = self.make()
        if isinstance(model, nn.Layer):
            model.eval()
        return model

    def batches(self) -> list[tuple[np.ndarray, ...]]:
        """The inputs of each call: no item, one, five."""
        return [self.inputs(np.random.default_rng(n), n) for n in BATCHES]


def _normal(*shape: int) -> Callable[[np.random.Generator, int], tuple[np.ndarray, ...]]:
    return lambda random, n: (random.standard_normal((n, *shape), dtype=np.float32),)


def _boxes(random: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    corner = random.uniform(0, 2, (n, 2))
    boxes = np.concatenate([corner, corner + random.uniform(1, 3, (n, 2))], 1)
    return boxes.astype(np.float32), random.permutation(n).astype(np.float32)


def _points(random: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    return random.uniform(-1, 4, (n, 2)).astype(np.float32), np.asarray([[-1, 0], [0, 0], [1, 0]], np.float32)


IMAGE, STATE, WORDS = [None, 3, 32, 32], [None, 16], [None, None, 32]
BOXES, SCORES = InputSpec([None, 4], "float32", "boxes"), InputSpec([None], "float32", "scores")
POINTS, CENTRES = InputSpec([None, 2], "float32", "points"), InputSpec([3, 2], "float32", "centres")

MODELS = {
    "resnet": Model(ResNet, (InputSpec(IMAGE, "float32", "image"),), _normal(3, 32, 32)),
    "transformer": Model(Block, (InputSpec(WORDS, "float32", "x"),), _normal(7, 32)),
    "reductions": Model(lambda: reductions, (InputSpec([None, None, 4], "float32", "x"),), _normal(3, 4)),
    "greedy": Model(Greedy, (InputSpec(STATE, "float32", "state"),), _normal(16)),
    "beam": Model(Beam, (InputSpec(STATE, "float32", "states"),), _normal(16)),
    "nms": Model(lambda: nms, (BOXES, SCORES), _boxes),
    "middle": Model(lambda: middle, (InputSpec([None, 2], "float32", "rows"),), _normal(2)),
    "k_means": Model(lambda: k_means, (POINTS, CENTRES), _points),
}
