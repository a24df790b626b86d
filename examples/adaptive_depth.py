"""A classifier looks closer only where it is unsure: easy digits take a glance, hard ones every layer.

    python examples/adaptive_depth.py

The first layer sees the image in squares of 4 x 4 pixels, the next one in squares of 2 x 2, the others see each pixel; and each
has an answer of its own. How sure the model has to be is an input, so that who runs the file chooses between speed and accuracy.
scikit-learn has the handwriting.
"""

from __future__ import annotations

import tempfile
import time

import numpy as np
from sklearn.datasets import load_digits

import dy2st
import dy2st.nn.functional as F
from dy2st import nn
from dy2st.static import InputSpec

SEED, EPOCHS, BATCH, WIDTH = 4, 60, 64, 48
SQUARES = (4, 2, 1, 1, 1)  # pixels to a side, of which a layer sees the mean


class Classifier(nn.Layer):
    """image float32 [1, 1, 8, 8], and how sure is sure enough, float32 [] -> the digit, its chance, and the layers it took."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.LayerList([nn.Linear(WIDTH + (8 // side) ** 2, WIDTH) for side in SQUARES])
        self.answers = nn.LayerList([nn.Linear(WIDTH, 10) for _ in SQUARES])

    def forward(self, image, enough):
        x, depth = dy2st.zeros([1, WIDTH]), 0
        for side, layer, answer in zip(SQUARES, self.layers, self.answers):
            x = F.relu(layer(dy2st.concat([x, F.avg_pool2d(image, side).flatten(1)], axis=1)))
            chances = F.softmax(answer(x))
            depth += 1
            if chances.max() > enough:
                break
        return chances.argmax(), chances.max(), depth

    def loss(self, images, labels):
        """The mean error of all answers."""
        x, total = dy2st.zeros([images.shape[0], WIDTH]), 0.0
        for side, layer, answer in zip(SQUARES, self.layers, self.answers):
            x = F.relu(layer(dy2st.concat([x, F.avg_pool2d(images, side).flatten(1)], axis=1)))
            total = total + F.cross_entropy(answer(x), labels)
        return total / len(SQUARES)


def learn(net: Classifier, images: np.ndarray, labels: np.ndarray) -> None:
    """Training of the loss as a static function: the same steps as in eager code, in less time."""
    rng = np.random.default_rng(SEED)
    loss_of = dy2st.jit.to_static(net.loss, input_spec=[InputSpec([None, 1, 8, 8], "float32"), InputSpec([None], "int64")])
    optimizer = dy2st.optimizer.Adam(learning_rate=1e-3, parameters=net.parameters(), weight_decay=1e-4)
    for _ in range(EPOCHS):
        order = rng.permutation(len(labels))
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            noise = rng.normal(0, 0.05, (len(batch), 1, 8, 8)).astype(np.float32)
            loss_of(dy2st.to_tensor(images[batch] + noise), dy2st.to_tensor(labels[batch])).backward()
            optimizer.step()
            optimizer.clear_grad()


def main() -> None:
    digits = load_digits()
    order = np.random.default_rng(SEED).permutation(len(digits.target))
    images, labels = (digits.images[order, None] / 16).astype(np.float32), digits.target[order].astype(np.int64)
    dy2st.seed(SEED)
    net, begin = Classifier(), time.perf_counter()
    learn(net, images[500:], labels[500:])
    print(f"learned {len(labels) - 500} digits in {time.perf_counter() - begin:.0f} s\n")
    spec = [InputSpec([1, 1, 8, 8], "float32", "image"), InputSpec([], "float32", "enough")]
    static = dy2st.jit.to_static(net, input_spec=spec)
    with tempfile.TemporaryDirectory() as folder, dy2st.no_grad():
        dy2st.jit.save(static, f"{folder}/classifier")
        classify = dy2st.jit.load(f"{folder}/classifier")
        print("sure enough   accuracy   layers   time for one   how many digits stop at layer 1, 2, ...")
        for enough in (0.5, 0.8, 0.95, 0.99, 0.999, 1.0):
            asked, start = dy2st.to_tensor(enough), time.perf_counter()
            found = [classify(dy2st.to_tensor(image[None]), asked) for image in images[:500]]
            took = (time.perf_counter() - start) / 500
            right = np.mean([int(digit) == label for (digit, _, _), label in zip(found, labels)])
            depths = [int(depth) for *_, depth in found]
            counts = " ".join(f"{count:3}" for count in np.bincount(depths, minlength=len(SQUARES) + 1)[1:])
            print(f"{enough:<11} {right:>10.1%} {np.mean(depths):>8.2f} {1e6 * took:>11.0f} us   {counts}")
            for image, (digit, chance, depth) in zip(images[:20], found):
                plain = Classifier.forward(net, dy2st.to_tensor(image[None]), asked)
                assert (int(digit), int(depth)) == (int(plain[0]), plain[2]) and abs(float(chance - plain[1])) < 1e-5


if __name__ == "__main__":
    main()
