"""Training on many devices, in processes of their own: what each scenario gives, as a line of JSON.

    python -m on_jax.many_devices digits                              on all devices of this process; or points, tensor, paths
    python -m on_jax.many_devices process NUMBER COUNT PORT           as one of several processes

Environment: XLA_FLAGS and JAX_PLATFORMS say which devices there are.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import dy2st as paddle
import dy2st.jax
from dy2st import nn
from dy2st.static import InputSpec

STEPS, BATCH = 8, 64


class Trainer:
    """A network, its optimizer, and a step in plain Python."""

    def __init__(self, net: Any):
        self.net = net
        clip = nn.ClipGradByGlobalNorm(1.0)
        self.opt = paddle.optimizer.AdamW(0.01, parameters=net.parameters(), weight_decay=0.01, grad_clip=clip)

    def step(self, x, y):
        loss = nn.functional.cross_entropy(self.net(x), y)
        loss.backward()
        self.opt.step()
        self.opt.clear_grad()
        return loss


def perceptron() -> Trainer:
    paddle.seed(1)
    return Trainer(nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 8)))


def convolutions() -> Trainer:
    paddle.seed(2)
    return Trainer(nn.Sequential(
        nn.Conv2D(1, 8, 3, padding=1), nn.BatchNorm2D(8), nn.ReLU(), nn.MaxPool2D(2), nn.Flatten(), nn.Linear(128, 10)
    ))  # fmt: skip


def points(count: int = STEPS) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(0)
    return [(rng.normal(size=(BATCH, 16)).astype("float32"), rng.integers(0, 8, BATCH).astype("int32")) for _ in range(count)]


def digits() -> list[tuple[np.ndarray, np.ndarray]]:
    from sklearn.datasets import load_digits

    found = load_digits()
    images, labels = (found.images[:, None] / 16).astype("float32"), found.target.astype("int32")
    return [(images[k : k + BATCH], labels[k : k + BATCH]) for k in range(0, STEPS * BATCH, BATCH)]


class Trained:
    """A step in JAX that has run for each batch.

    place: where parameters lie. spread: where a batch lies. losses: those of the calls. sent: how many bytes a call sends.
    """

    def __init__(
        self, make: Callable[[], Trainer], batches: list, spread: Callable = lambda x: x, place: Callable = lambda *held: held
    ):
        trainer, (x, y) = make(), batches[0]
        specs = [InputSpec([None, *x.shape[1:]], "float32", "x"), InputSpec([None], "int32", "y")]
        f, params, opt_state = dy2st.jax.training_step(trainer.step, specs)
        params, opt_state = place(params, opt_state)
        f = jax.jit(f, donate_argnums=(0, 1))
        step, self.losses = f.lower(params, opt_state, spread(x), spread(y)).compile(), []
        for x, y in batches:
            params, opt_state, loss, status = step(params, opt_state, spread(x), spread(y))
            self.losses.append(float(loss))
        status.throw()
        self.size = sum(x.nbytes for x in params.values())
        self.sent = dy2st.jax.traffic(step)
        self.shards = {name: x.addressable_shards[0].data.shape for name, x in (params | opt_state).items()}


def of_python(make: Callable[[], Trainer], batches: list) -> list[float]:
    trainer, losses = make(), []
    for x, y in batches:
        losses.append(float(trainer.step(paddle.to_tensor(x), paddle.to_tensor(y))))
    return losses


def in_parallel(make: Callable[[], Trainer], batches: list) -> dict[str, Any]:
    """Each device has its rows of the batch."""
    rows = NamedSharding(Mesh(np.array(jax.devices()), ("data",)), P("data"))
    many = Trained(make, batches, spread=lambda x: jax.device_put(x, rows))
    return {"python": of_python(make, batches), "one": Trained(make, batches).losses, **vars(many)}


def in_parts(make: Callable[[], Trainer], batches: list) -> dict[str, Any]:
    """Layers are split, columns of one and rows of the next, and so are the batches."""
    across = 2 if jax.device_count() % 2 == 0 else 1
    mesh = Mesh(np.array(jax.devices()).reshape(-1, across), ("data", "model"))
    rules = {"net.0.weight": P(None, "model"), "net.0.bias": P("model"), "net.2.weight": P("model", None)}

    def place(*held):
        return dy2st.jax.place(mesh, rules, *held)

    many = Trained(make, batches, lambda x: jax.device_put(x, NamedSharding(mesh, P("data"))), place)
    return {"python": of_python(make, batches), "one": Trained(make, batches).losses, **vars(many)}


class TwoPaths(nn.Layer):
    """What is computed depends on the rows."""

    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        for _ in range(3):
            x = self.one(x) if x.sum() > 0 else paddle.tanh(self.other(x)) + x
        return (x * x).sum()


def on_two_paths() -> dict[str, Any]:
    """Devices take another path each: the gradients of parameters that all have are the sums of those of the devices."""
    paddle.seed(3)
    count, net = jax.device_count(), TwoPaths()
    rows = np.random.default_rng(0).normal(size=(count, 4)).astype("float32")
    f, params = dy2st.jax.function(net, [InputSpec([4], "float32", "x")])
    slopes = jax.grad(lambda params, x: f(params, x[0])[0])
    mesh = Mesh(np.array(jax.devices()), ("data",))
    found = jax.jit(jax.shard_map(slopes, mesh=mesh, in_specs=(P(), P("data")), out_specs=P()))(params, rows)
    for row in rows:
        net(paddle.to_tensor(row)).backward()
    python = {name: parameter.grad.numpy().tolist() for name, parameter in net.named_parameters()}
    return {"python": python, "many": {name: np.asarray(found[name]).tolist() for name in python}}


def as_process(number: int, count: int, port: int) -> dict[str, Any]:
    """As one of several processes: each gives its rows of the batch."""
    jax.distributed.initialize(f"127.0.0.1:{port}", count, number)
    mesh = Mesh(np.array(jax.devices()), ("data",))
    rows, each = NamedSharding(mesh, P("data")), BATCH // count

    def spread(x):
        return jax.make_array_from_process_local_data(rows, x[number * each : (number + 1) * each])

    def place(*held):
        return dy2st.jax.place(mesh, {}, *held)

    many = Trained(perceptron, points(), spread, place)
    return {"python": of_python(perceptron, points()), **vars(many)}


SCENARIOS = {
    "digits": lambda: in_parallel(convolutions, digits()),
    "points": lambda: in_parallel(perceptron, points()),
    "tensor": lambda: in_parts(perceptron, points()),
    "paths": on_two_paths,
    "process": lambda: as_process(*map(int, sys.argv[2:])),
}

if __name__ == "__main__":
    found = SCENARIOS[sys.argv[1]]()
    print(json.dumps({"devices": jax.device_count(), **found}))
