"""Memory of a run beside what its operations need: `python benchmarks/memory.py` writes MEMORY.md.

*Needed* is the largest sum, over the operations that run, of the bytes of arrays that are alive while one runs: what was computed
and is used by it or later, and its results. Weights, arguments and views don't count. *Held* is what NumPy reports to tracemalloc
during a call, from nothing kept between calls to the result.
"""

from __future__ import annotations

import gc
import math
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import dy2st  # noqa: E402
from cases import elementwise, loops, networks  # noqa: E402
from dy2st import nn  # noqa: E402
from dy2st.ir.core import Block, Value  # noqa: E402
from dy2st.ir.types import ListType, TensorType  # noqa: E402
from dy2st.ops.registry import OPERATORS  # noqa: E402
from dy2st.runtime.engine.liveness import Liveness  # noqa: E402

MOST = 1.2


def workloads() -> dict[str, tuple[Callable, list[np.ndarray]]]:
    """The five of the benchmark that hold most, with their inputs."""
    array = networks.array
    return {
        "20 elementwise operations on 4M float32": (elementwise.chain, [elementwise.X]),
        "ResNet-18, 1 x 3 x 224 x 224": (networks.ResNet18(), [array(1, 3, 224, 224)]),
        "Transformer block x 4, width 256, length 128": (networks.Blocks(), [array(1, 128, 256)]),
        "LSTM cell, 100 steps, batch 8, hidden 64": (loops.LSTM(), [array(100, 8, 64), array(8, 64), array(8, 64)]),
        "MLP 784-512-512-10, batch 64": (networks.DigitsMLP(), [array(64, 784)]),
    }


def needed_and_held(target: Callable, arrays: list[np.ndarray]) -> tuple[int, int]:
    """Bytes that the operations of a layer or function need for these inputs, and bytes that a call holds."""
    if isinstance(target, nn.Layer):
        target.eval()
    static = dy2st.jit.to_static(target)
    tensors = [dy2st.to_tensor(array) for array in arrays]
    concrete = getattr(static, "forward", static).get_concrete_program(*tensors)
    executable = concrete.executable
    with dy2st.no_grad():
        static(*tensors)
        executable.release()
        gc.collect()
        tracemalloc.start()
        result = static(*tensors)
        held = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        del result
    return _largest(concrete.program.entry.block, Liveness(concrete.program.entry.block)), held


def _largest(block: Block, liveness: Liveness) -> int:
    """The largest sum of live bytes in a Block. A list holds as much as what is stacked of it."""
    stacked = {v: _bytes(op.results[0]) for op in block.ops for v in op.operands if isinstance(v.type, ListType) and op.results}
    alive: dict[Value, int] = {}
    most, deaths = 0, liveness.deaths(block)
    for index, op in enumerate(block.ops):
        is_view = op.name in OPERATORS and OPERATORS[op.name].view is not None
        if op.name not in ("param", "const", "state.get") and not is_view:
            alive.update({result: stacked.get(result, _bytes(result)) for result in op.results})
        inner = max((_largest(b, liveness) for b in op.blocks), default=0)
        most = max(most, sum(alive.values()) + inner)
        for value in deaths.get(index, ()):
            alive.pop(value, None)
    return most


def _bytes(value: Value) -> int:
    type_ = value.type
    if not isinstance(type_, TensorType) or type_.shape is None or not all(isinstance(d, int) for d in type_.shape):
        return 0
    return np.dtype(type_.dtype).itemsize * math.prod(type_.shape)


def main() -> None:
    lines = ["# Memory of a run", "", *__doc__.split("\n")[2:], "| workload | needed | held | ratio |", "|---|---|---|---|"]
    for title, (target, arrays) in workloads().items():
        needed, held = needed_and_held(target, arrays)
        lines.append(f"| {title} | {needed / 1e6:.3g} MB | {held / 1e6:.3g} MB | {held / needed:.2f} |")
    page = "\n".join(lines) + "\n"
    print(page)
    (HERE / "MEMORY.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
