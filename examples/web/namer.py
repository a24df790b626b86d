"""A network that spells names of dinosaurs, letter by letter, until it thinks that the name is complete."""

from __future__ import annotations

import dy2st
from dy2st import nn
from dy2st.nn import functional as F
from dy2st.static import InputSpec

ALPHABET = ".abcdefghijklmnopqrstuvwxyz"
END = 0  # the letter that stands before a name, and behind it


class Namer(nn.Layer):
    """Continues a name.

    start: int64 [n], the letters that it begins with. dice: float32 [k], numbers in [0, 1), one for each turn.
    wildness: float32 [], 1 for names as they are, less for likely ones, more for strange ones.

    Returns the letters that follow, int64 [], and how likely each letter of the alphabet was at each turn, float32 [27].
    """

    def __init__(self, width: int = 96):
        super().__init__()
        self.letters = nn.Embedding(len(ALPHABET), 24)
        self.cell, self.drop, self.next = nn.GRUCell(24, width), nn.Dropout(0.3), nn.Linear(width, len(ALPHABET))
        self.width = width

    def forward(self, start, dice, wildness):
        # Read what is typed.
        state = dy2st.zeros([1, self.width])
        letter = dy2st.full([], END, "int64")
        for typed in start:
            state = self.read(letter, state)
            letter = typed

        # Write on, a letter a turn, until the end.
        name, odds = [], []
        for roll in dice:
            state = self.read(letter, state)
            chances = F.softmax(self.next(state)[0] / wildness)
            odds.append(chances)
            letter = (chances.cumsum()[:-1] < roll).sum()
            if letter == END:
                break
            name.append(letter)
        return name, odds

    def read(self, letter, state):
        """The state after a letter; letter: int64 [] or [n], state: float32 [1, width] or [n, width]."""
        _, state = self.cell(self.drop(self.letters(letter)).reshape([-1, 24]), state)
        return state

    def loss(self, names, marks):
        """What training minimises.

        names: int64 [n, length], from END to END. marks: float32 [n, length - 1], which letters count.
        """
        state, states = dy2st.zeros([names.shape[0], self.width]), []
        for place in range(names.shape[1] - 1):
            state = self.read(names[:, place], state)
            states.append(state)
        logits = self.next(self.drop(dy2st.stack(states, axis=1)))
        errors = F.cross_entropy(logits, names[:, 1:], reduction="none")
        return (errors.squeeze(-1) * marks).sum() / marks.sum()


SPECS = [InputSpec([None], "int64", "start"), InputSpec([None], "float32", "dice"), InputSpec([], "float32", "wildness")]
