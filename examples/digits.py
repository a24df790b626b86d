"""From an ordinary Python model to an answer in another process, on real handwriting.

A small convolutional network learns scikit-learn's 1,797 digits (8 x 8 pixels). It leaves early where it is sure, and otherwise
refines its answer in a loop whose length the data decides. Then it becomes a Program, three files, and the same answers in a
fresh process that has no model source:

    python examples/digits.py [folder for the files]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

import dy2st
import dy2st.nn.functional as F
from dy2st import nn
from dy2st.static import InputSpec

SEED, EPOCHS, BATCH = 7, 14, 48


class DigitNet(nn.Layer):
    """image [n, 1, 8, 8] in [0, 1] -> logits [n, 10], and how many refinement steps they took (0: the early exit).

    In training -> the logits of the early exit, and a list with those of every refinement step.
    """

    def __init__(self, width: int = 16, hidden: int = 48):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2D(1, width, 3, padding=1), nn.BatchNorm2D(width)
        self.conv2, self.bn2 = nn.Conv2D(width, 2 * width, 3, padding=1), nn.BatchNorm2D(2 * width)
        self.pool, self.drop = nn.MaxPool2D(2), nn.Dropout(0.2)
        self.quick = nn.Linear(2 * width * 4, 10)
        self.enter, self.step = nn.Linear(2 * width * 4, hidden), nn.Linear(hidden, hidden)
        self.answer = nn.Linear(hidden, 10)
        self.sure, self.still, self.patience = 0.97, 0.02, 6

    def features(self, image):
        x = self.pool(F.relu(self.bn1(self.conv1(image))))
        x = self.pool(F.relu(self.bn2(self.conv2(x))))
        return self.drop(x.flatten(1))

    def forward(self, image):
        features = self.features(image)
        quick = self.quick(features)
        if not self.training and F.softmax(quick).max(axis=-1).mean() > self.sure:
            return quick, 0
        # Move a state until it stands still, and collect the answer of every step.
        pull = self.enter(features)
        state, moved = dy2st.tanh(pull), dy2st.full([], 1.0)
        answers = []
        while moved > self.still and len(answers) < self.patience:
            previous = state
            state = dy2st.tanh(pull + self.step(state))
            moved = (state - previous).abs().mean()
            answers.append(self.answer(state))
        if self.training:
            return quick, answers
        return dy2st.stack(answers).mean(axis=0), len(answers)


def loss_of(net: DigitNet, image, label):
    """What training minimises: the error of the early exit, and the mean error of the refinement steps."""
    quick, answers = net(image)
    late = sum(F.cross_entropy(answer, label) for answer in answers) / len(answers)
    return F.cross_entropy(quick, label) + late


def data() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Images float32 [n, 1, 8, 8] and labels int64 [n]: two thirds to train, one third held out."""
    digits = load_digits()
    order = np.random.default_rng(SEED).permutation(len(digits.target))
    images = (digits.images[order, None] / 16.0).astype(np.float32)
    labels = digits.target[order].astype(np.int64)
    held_out = len(labels) // 3
    return images[held_out:], labels[held_out:], images[:held_out], labels[:held_out]


def train(net: DigitNet, images: np.ndarray, labels: np.ndarray) -> None:
    """Plain eager training."""
    optimizer = dy2st.optimizer.Adam(learning_rate=3e-3, parameters=net.parameters(), weight_decay=1e-4)
    rng = np.random.default_rng(SEED)
    net.train()
    for epoch in range(EPOCHS):
        if epoch == EPOCHS * 2 // 3:
            optimizer.set_lr(5e-4)
        total, order = 0.0, rng.permutation(len(labels))
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            loss = loss_of(net, dy2st.to_tensor(images[batch]), dy2st.to_tensor(labels[batch]))
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            total += float(loss) * len(batch)
        print(f"epoch {epoch + 1:2}: loss {total / len(order):.4f}")
    net.eval()


def classify(net, images: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Logits [n, 10] and, for each batch, the number of refinement steps."""
    logits, steps = [], []
    for at in range(0, len(images), BATCH):
        out, depth = net(dy2st.to_tensor(images[at : at + BATCH]))
        logits.append(out.numpy())
        steps.append(int(depth))
    return np.concatenate(logits), steps


# What the fresh process runs: it has the three files and the held-out images, and no way to import the model.
CHILD = f"""
import importlib.util, sys, time
import numpy as np
assert importlib.util.find_spec("digits") is None, "the model's source must not be importable here"
start = time.perf_counter()
import dy2st
net = dy2st.jit.load(sys.argv[1])
print(f"import and load: {{time.perf_counter() - start:.2f}} s")
given = np.load(sys.argv[2])
images, expected = given["images"], given["logits"]
found = [net(dy2st.to_tensor(images[at : at + {BATCH}])) for at in range(0, len(images), {BATCH})]
logits = np.concatenate([out.numpy() for out, _ in found])
accuracy = (logits.argmax(1) == given["labels"]).mean()
print(f"refinement steps per batch: {{[int(depth) for _, depth in found]}}")
print(f"loaded model: accuracy {{accuracy:.2%}} on {{len(images)}} held-out digits")
assert [int(depth) for _, depth in found] == given["steps"].tolist(), "the loaded model took other paths"
assert (logits.argmax(1) == expected.argmax(1)).all(), "the loaded model gives other answers"
assert np.allclose(logits, expected, rtol=1e-4, atol=1e-4), "the loaded model gives other numbers"
assert accuracy >= 0.96, "the accuracy is below 96 %"
print("same answers as the Python model")
"""


def deploy(net: DigitNet, folder: Path, images: np.ndarray, labels: np.ndarray) -> None:
    """Convert, show, save, and classify in a fresh process."""
    logits, steps = classify(net, images)
    print(f"Python model: accuracy {(logits.argmax(1) == labels).mean():.2%} on {len(labels)} held-out digits\n")

    static = dy2st.jit.to_static(net, input_spec=[InputSpec([None, 1, 8, 8], "float32", "image")])
    print(static.forward.code)
    dy2st.jit.save(static, str(folder / "digits"))
    for file in sorted(folder.glob("digits.*")):
        print(f"{file.name}: {file.stat().st_size:,} bytes")

    np.savez(folder / "held_out.npz", images=images, labels=labels, logits=logits, steps=steps)
    library = str(Path(dy2st.__file__).resolve().parent.parent)
    command = [sys.executable, "-c", CHILD, str(folder / "digits"), str(folder / "held_out.npz")]
    sys.stdout.flush()
    subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": library}, check=True)


def main() -> None:
    start = time.perf_counter()
    dy2st.seed(SEED)
    train_images, train_labels, images, labels = data()
    net = DigitNet()
    train(net, train_images, train_labels)
    print(f"trained on {len(train_labels)} digits in {time.perf_counter() - start:.1f} s")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else scratch).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        deploy(net, folder, images, labels)


if __name__ == "__main__":
    main()
