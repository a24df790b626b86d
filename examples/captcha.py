"""Crooked digits in noise are read: a network looks at every column, and a loop puts together what it has seen.

    python examples/captcha.py

The decoder is what one writes in Python: drop blanks and repetitions, append the rest, stop at the end of the line. The loaded
file gives the lines and how sure it is of each digit.
"""

from __future__ import annotations

import tempfile
import time

import numpy as np

import dy2st
import dy2st.nn.functional as F
from dy2st import nn
from dy2st.static import InputSpec

SEED, STEPS, BATCH, ROWS, COLUMNS, BLANK, END = 5, 420, 24, 16, 72, 10, 11
DIGITS = """
.###. ..#.. .###. .###. ...#. ##### .###. ##### .###. .###.
#...# .##.. #...# #...# ..##. #.... #.... ....# #...# #...#
#..## ..#.. ....# ....# .#.#. ####. ####. ...#. #...# #...#
#.#.# ..#.. ...#. ..##. #..#. ....# #...# ..#.. .###. .####
##..# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....#
#...# ..#.. .#... #...# ...#. #...# #...# ..#.. #...# ...#.
.###. .###. ##### .###. ...#. .###. .###. ..#.. .###. .##..
"""
FONT = np.array([[[c == "#" for c in cell] for cell in row.split()] for row in DIGITS.split("\n")[1:-1]], float).swapaxes(0, 1)


class Reader(nn.Layer):
    """image float32 [1, 1, 16, 72] -> the digits that it shows, int64 [n], and how sure the reader is, float32 [n]."""

    def __init__(self, width: int = 8):
        super().__init__()
        self.near, self.far = nn.Conv2D(1, width, 5, padding=2), nn.Conv2D(width, 2 * width, (3, 9), padding=(1, 4))
        self.norm1, self.norm2 = nn.BatchNorm2D(width), nn.BatchNorm2D(2 * width)
        self.pool = nn.MaxPool2D((2, 1))
        self.column = nn.Linear(2 * width * (ROWS // 4), 64)
        self.answer = nn.Linear(64, 12)

    def columns(self, image):
        """What each column shows, logits [n, 72, 12]: a digit, in whose middle it is, a blank, or what lies behind the line."""
        x = self.pool(F.relu(self.norm1(self.near(image))))
        x = self.pool(F.relu(self.norm2(self.far(x))))
        return self.answer(F.relu(self.column(x.transpose([0, 3, 1, 2]).flatten(2))))

    def loss(self, images, shown):
        """The mean error of all columns."""
        return F.cross_entropy(self.columns(images).reshape([-1, 12]), shown)

    def forward(self, image):
        chances = F.softmax(self.columns(image)[0])
        digits, sure = [], []
        last = BLANK
        for column in chances:
            digit = int(column.argmax())
            if digit == END:
                break
            if digit != BLANK:
                if digit != last:
                    digits.append(digit)
                    sure.append(column.max())
                else:
                    sure[-1] = dy2st.maximum(sure[-1], column.max())
            last = digit
        if not digits:
            raise ValueError("no digit is seen: is the image dark on light? It has to be light on dark")
        return dy2st.to_tensor(digits, "int64"), dy2st.stack(sure)


def drawn(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """An image [16, 72], what each of its columns shows, int64 [72], and the digits."""
    image, shown = np.zeros((ROWS, COLUMNS)), np.full(COLUMNS, BLANK)
    digits, at = rng.integers(0, 10, rng.integers(3, 6)).tolist(), rng.integers(1, 4)
    for digit in digits:
        glyph = FONT[digit].repeat(rng.choice([1, 2]), 0).repeat(rng.choice([1, 2]), 1)
        height, width = glyph.shape
        top, lean = rng.integers(0, ROWS - height + 1), rng.integers(0, 2)
        for row in range(height):
            left = at + lean * (height - row) // 7
            image[top + row, left : left + width] += glyph[row]
        shown[at + width // 2 - 1 : at + width // 2 + 1] = digit
        at += width + rng.integers(1, 4)
    shown[at + 1 :] = END
    noisy = image * rng.uniform(0.7, 1.0) + rng.normal(0, 0.1, image.shape)
    return noisy.clip(-0.5, 1.5).astype(np.float32), shown, digits


def learn(net: Reader, rng: np.random.Generator) -> None:
    """Training of the loss as a static function, on what is drawn anew for each step."""
    spec = [InputSpec([None, 1, ROWS, COLUMNS], "float32"), InputSpec([None], "int64")]
    loss_of = dy2st.jit.to_static(net.loss, input_spec=spec)
    optimizer = dy2st.optimizer.Adam(learning_rate=6e-3, parameters=net.parameters())
    for step in range(1, STEPS + 1):
        if step == STEPS * 2 // 3:
            optimizer.set_lr(1e-3)
        images, shown, _ = zip(*(drawn(rng) for _ in range(BATCH)))
        loss = loss_of(dy2st.to_tensor(np.stack(images)[:, None]), dy2st.to_tensor(np.concatenate(shown)))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        if step % 60 == 0:
            print(f"step {step}: loss {float(loss):.3f}")
    net.eval()


def picture(image: np.ndarray) -> str:
    """An image in characters, two rows in each line."""
    light = (image > 0.45).reshape(ROWS // 2, 2, COLUMNS)
    return "\n".join("".join(" \u2580\u2584\u2588"[int(a) + 2 * int(b)] for a, b in zip(*pair)) for pair in light)


def main() -> None:
    begin, rng = time.perf_counter(), np.random.default_rng(SEED)
    dy2st.seed(SEED)
    net = Reader()
    learn(net, rng)
    print(f"learned in {time.perf_counter() - begin:.0f} s\n")
    static = dy2st.jit.to_static(net, input_spec=[InputSpec([1, 1, ROWS, COLUMNS], "float32", "image")])
    with tempfile.TemporaryDirectory() as folder, dy2st.no_grad():
        dy2st.jit.save(static, f"{folder}/reader")
        read = dy2st.jit.load(f"{folder}/reader")
        right = 0
        for k in range(200):
            image, _, digits = drawn(rng)
            found, sure = read(dy2st.to_tensor(image[None, None]))
            right += found.numpy().tolist() == digits
            if k < 3:
                plain, _ = net(dy2st.to_tensor(image[None, None]))
                assert plain.numpy().tolist() == found.numpy().tolist()
                print(picture(image))
                print("   ".join(f"{d} ({p:.0%})" for d, p in zip(found.numpy(), sure.numpy())), "\n")
        print(f"loaded: {right} of 200 lines are read without a mistake")
        try:
            read(dy2st.zeros([1, 1, ROWS, COLUMNS]))
        except ValueError as error:
            print(f"an empty image: {error}")


if __name__ == "__main__":
    main()
