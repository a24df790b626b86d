"""Lists and dicts that lie in a container which a call changes, and are read by another path: one container, by either path."""

from __future__ import annotations

import io

import pytest

import dy2st as paddle

from .agreement import VECTOR, outcome


class Board(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.board = [[0, 1], [2], {"a": 1}]
        self.index = {"first": self.board[0]}
        self.entries = self.board[2]
        self.same = self.board

    def report(self):
        return self.board, self.index, self.entries, self.same


class Grown(Board):
    def forward(self, x):
        if x.sum() > 1:
            self.board.append([3])
        self.board[0].append(7)
        return self.index, len(self.index["first"]), sum(self.index["first"])


class Stored(Board):
    def forward(self, x):
        before = self.index["first"][0]
        if x.sum() > 1:
            self.board.append([3])
        self.board[0][0] = int(x.sum()) + before
        return self.index["first"], 4 in self.index["first"], [v + 1 for v in self.index["first"]], self.index["first"] == [1, 1]


class OfAnotherKind(Board):
    def forward(self, x):
        if x.sum() > 1:
            self.board.append([3])
        self.index["first"].append("a")
        return self.board[0][-1], len(self.board[0])


class Dict(Board):
    def forward(self, x):
        if x.sum() > 1:
            self.board[2]["b"] = 2
            self.board.append([])
        return len(self.entries), [*self.entries], "b" in self.entries, self.entries


class Replaced(Board):
    def forward(self, x):
        if x.sum() > 1:
            self.board = [*self.board, [1]]
        self.board[0].append(1)
        return len(self.same), self.index["first"], len(self.board)


class ReplacedWithin(Board):
    def forward(self, x):
        if x.sum() > 1:
            self.board[0] = [9]
        self.board[0].append(1)
        return self.index["first"], self.board[0], len(self.same[0])


class ChangedThenReplaced(Board):
    def forward(self, x):
        self.board[0] = [5]
        self.board = [[v for v in self.board[0] if v > 1], [2], {}]
        if x.sum() > 1:
            self.entries["b"] = 2
            self.entries = {"c": 3}
            if x.sum() > 3:
                raise ValueError("changed, and replaced")
        return x


@pytest.mark.parametrize("layer", Board.__subclasses__())
def test_one_container_by_either_path(layer):
    plain, static = layer(), paddle.jit.to_static(layer(), input_spec=[VECTOR])
    file = io.BytesIO()
    paddle.jit.save(static, file)
    file.seek(0)
    loaded = paddle.jit.load(file)
    for values in ([0.5], [1.0, 2.0], [0.5], [4.0]):
        expected = repr(outcome(plain, [values]))
        assert repr(outcome(static, [values])) == expected
        assert static.report() == plain.report()
        assert repr(outcome(loaded, [values])) == expected
