"""A pole that is balanced on a cart: physics, controller and the end of an episode are one loop, and one file.

    python examples/cart_pole.py

The controller learns by the cross-entropy method: of random weights, those under which the pole stands longest are kept, and the
next ones are drawn around them. The equations of the cart are those of Barto, Sutton and Anderson (1983).
"""

from __future__ import annotations

import tempfile
import time

import numpy as np

import dy2st
from dy2st import nn
from dy2st.static import InputSpec

SEED, PATIENCE, GENERATIONS, TRIED, KEPT = 3, 500, 8, 24, 6
GRAVITY, MASS, POLE_MASS, HALF_LENGTH, FORCE, SECONDS = 9.8, 1.1, 0.1, 0.5, 10.0, 0.02


class Balance(nn.Layer):
    """start float32 [4]: place, speed, angle and its speed -> the steps until the pole falls, and each place and angle."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = self.create_parameter([4], default_initializer=nn.initializer.Constant(0.0))

    def forward(self, start):
        place, speed, angle, turn = start.unbind()
        steps = 0
        places, angles = [], []
        while steps < PATIENCE:
            push = FORCE if (self.weight * dy2st.stack([place, speed, angle, turn])).sum() > 0 else -FORCE
            sine, cosine = dy2st.sin(angle), dy2st.cos(angle)
            thrust = (push + POLE_MASS * HALF_LENGTH * turn * turn * sine) / MASS
            twist = (GRAVITY * sine - cosine * thrust) / (HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * cosine * cosine / MASS))
            pull = thrust - POLE_MASS * HALF_LENGTH * twist * cosine / MASS
            place, speed = place + SECONDS * speed, speed + SECONDS * pull
            angle, turn = angle + SECONDS * turn, turn + SECONDS * twist
            places.append(place)
            angles.append(angle)
            steps += 1
            if place.abs() > 2.4 or angle.abs() > 0.21:
                break
        return steps, dy2st.stack(places), dy2st.stack(angles)


def starts(rng: np.random.Generator, count: int) -> list:
    """States near that in which all stands still."""
    return [dy2st.to_tensor(rng.uniform(-0.05, 0.05, 4).astype(np.float32)) for _ in range(count)]


def learn(episode: Balance, rng: np.random.Generator) -> None:
    """Leave the best weights in the model."""
    middle, width = np.zeros(4), np.ones(4)
    for generation in range(1, GENERATIONS + 1):
        begin, found = starts(rng, 3), []
        for weight in rng.normal(middle, width, (TRIED, 4)):
            episode.weight.set_value(weight.astype(np.float32))
            found.append((np.mean([int(episode(start)[0]) for start in begin]), *weight))
        best = np.array(sorted(found, reverse=True)[:KEPT])
        middle, width = best[:, 1:].mean(axis=0), best[:, 1:].std(axis=0) + 0.05
        mean = np.mean([steps for steps, *_ in found])
        print(f"generation {generation}: {mean:5.0f} steps on average, {best[0, 0]:3.0f} with the best weights")
        if best[-1, 0] == PATIENCE:
            break
    episode.weight.set_value(middle.astype(np.float32))


def picture(places: np.ndarray, angles: np.ndarray) -> str:
    """Where the cart is in every fifth step, and how the pole leans."""
    rows = []
    for place, angle in zip(places[:100:5], angles[:100:5]):
        lean = "\\" if angle < -0.01 else "/" if angle > 0.01 else "|"
        rows.append(f"{'':{round(30 + 40 * float(place))}}[{lean}]".ljust(64) + f"{np.degrees(angle):+5.1f} degrees")
    return "\n".join(rows)


def main() -> None:
    rng = np.random.default_rng(SEED)
    episode = dy2st.jit.to_static(Balance(), input_spec=[InputSpec([4], "float32", "start")])
    begin = time.perf_counter()
    with dy2st.no_grad():
        learn(episode, rng)
        print(f"learned in {time.perf_counter() - begin:.1f} s\n")
        with tempfile.TemporaryDirectory() as folder:
            dy2st.jit.save(episode, f"{folder}/balance")
            loaded = dy2st.jit.load(f"{folder}/balance")
        begin = time.perf_counter()
        held = [int(loaded(start)[0]) for start in starts(rng, 20)]
        took = time.perf_counter() - begin
        print(f"loaded: {np.mean(held):.0f} steps on average in 20 new episodes, {1e6 * took / sum(held):.0f} us each")
        start = dy2st.to_tensor([-0.3, 0.2, 0.06, 0.0])
        plain = Balance()
        plain.weight.set_value(episode.weight.numpy())
        expected, found = plain(start), loaded(start)
        assert int(found[0]) == expected[0] and np.allclose(found[2].numpy(), expected[2].numpy(), rtol=0, atol=1e-5)
        print("pushed, it takes the same way as in plain Python:\n")
        print(picture(found[1].numpy(), found[2].numpy()))


if __name__ == "__main__":
    main()
