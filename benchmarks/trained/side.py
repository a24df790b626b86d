"""The sides: each builds a model from the same weights, and trains it on the same batch with SGD.

What a side doesn't need isn't imported: torch's has no dy2st, and that of dy2st's names has no torch.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .works import WORKS, Work, first_values

RATE = 0.01
TORCH, TORCH_CHECKPOINT, SCRIPT = "torch eager", "torch eager, checkpoint", "torch.jit.script"
EAGER, STATIC, RECOMPUTE = "dy2st eager", "dy2st static", "dy2st static, recompute"
CONVERTED, CONVERTED_CHECKPOINT = "dy2st.torch.to_static", "dy2st.torch.to_static, checkpoint"
PADDLE = "paddle to_static"
SIDES = (TORCH, SCRIPT, EAGER, STATIC, CONVERTED, PADDLE, TORCH_CHECKPOINT, RECOMPUTE, CONVERTED_CHECKPOINT)
CHECKPOINTED = (TORCH_CHECKPOINT, RECOMPUTE, CONVERTED_CHECKPOINT)


def main(side: str, name: str, steps: str) -> None:
    """Train, and print what was measured."""
    step = (_torch if side in (TORCH, TORCH_CHECKPOINT, SCRIPT, CONVERTED, CONVERTED_CHECKPOINT) else _paddle)(side, name)
    start, losses, seconds = _memory("VmRSS"), [], []
    for _ in range(int(steps)):
        before = time.perf_counter()
        losses.append(step())
        seconds.append(time.perf_counter() - before)
    print(json.dumps({"start": start, "peak": _memory("VmHWM"), "losses": losses, "seconds": seconds}))


def _memory(field: str) -> int:
    """Bytes of this process in memory: now (VmRSS), or the most so far (VmHWM)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))


def _torch(side: str, name: str) -> Callable[[], float]:
    """A module of torch's: as it is, scripted, or made static by dy2st."""
    import torch

    torch.set_num_threads(1)
    from .by_torch import MODULES

    net, work = MODULES[name](side in CHECKPOINTED), WORKS[name]
    turned = {id(m.weight) for m in net.modules() if isinstance(m, torch.nn.Linear)}
    parameters = dict(net.named_parameters())
    shapes = [(n, tuple(p.shape[::-1] if id(p) in turned else p.shape)) for n, p in parameters.items()]
    with torch.no_grad():
        for p, value in zip(parameters.values(), first_values(shapes)):
            p.copy_(torch.from_numpy(value.T if id(p) in turned else value))
    if side == SCRIPT:
        net = torch.jit.script(net)
    elif side in (CONVERTED, CONVERTED_CHECKPOINT):
        import dy2st.torch

        net = dy2st.torch.to_static(net, work.specs(dy2st.static.InputSpec))
    optimizer, lost = torch.optim.SGD(net.parameters(), RATE), getattr(torch.nn.functional, work.loss)
    inputs, target = _given(torch.from_numpy, work)

    def step() -> float:
        optimizer.zero_grad()
        loss = lost(net(*inputs), target)
        loss.backward()
        optimizer.step()
        return float(loss.detach())

    return step


def _paddle(side: str, name: str) -> Callable[[], float]:
    """A layer of dy2st's, as it is or static; or of Paddle's, of the same source. Without torch, as if it weren't installed."""
    sys.modules["torch"] = None  # type: ignore[assignment]
    from .by_dy2st import LAYERS, WITH_CHECKPOINTS

    made, work = (WITH_CHECKPOINTS if side in CHECKPOINTED else LAYERS)[name], WORKS[name]
    if side == PADDLE:
        import paddle

        from cases.pairs import with_paddle

        paddle.set_device("cpu")
        made = with_paddle(made, paddle)
    else:
        import dy2st as paddle
    net = made()
    parameters = list(net.named_parameters())
    for (_, p), value in zip(parameters, first_values((n, tuple(p.shape)) for n, p in parameters)):
        p.set_value(value)
    net = net if side == EAGER else paddle.jit.to_static(net, input_spec=work.specs(paddle.static.InputSpec))
    optimizer, lost = paddle.optimizer.SGD(RATE, net.parameters()), getattr(paddle.nn.functional, work.loss)
    inputs, target = _given(paddle.to_tensor, work)

    def step() -> float:
        loss = lost(net(*inputs), target)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return float(loss)

    return step


def _given(tensor_of: Callable[[np.ndarray], Any], work: Work) -> tuple[list, Any]:
    inputs, target = work.arrays()
    return [tensor_of(x) for x in inputs], tensor_of(target)
