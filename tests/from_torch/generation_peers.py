"""Other exporters beside dy2st, on loops that generate text: into `docs/cookbook/generate.md`.

python tests/from_torch/generation_peers.py

Needs onnxscript besides. Run it where dy2st is installed: the folder `transformers` of the repository must not be on the path.
"""

from __future__ import annotations

import contextlib
import io
import logging
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import from_torch.generation as ways  # noqa: I001 - it makes transformers importable beside a CPU build of torch
import onnx
import onnxruntime
import torch
from support.sections import write_section
from transformers import DynamicCache

import dy2st.onnx
import dy2st.torch
from dy2st.static import InputSpec

SHAPES = ((2, 5), (1, 9))
OPEN = {"ids": {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}}


class Unchanged(torch.nn.Module):
    """Text by `generate()`."""

    def __init__(self, model, end):
        super().__init__()
        self.model, self.end = model, end

    def forward(self, ids):
        return self.model.generate(ids, max_new_tokens=20, do_sample=False, eos_token_id=self.end)


class ByHand(Unchanged):
    """Text by a loop that ends where all rows have."""

    def forward(self, ids):
        cache, last = DynamicCache(), ids
        for _ in range(20):
            scores = self.model(last, past_key_values=cache, use_cache=True).logits
            last = scores[:, -1].argmax(-1, keepdim=True)
            ids = torch.cat([ids, last], dim=1)
            if (last == self.end).all():
                break
        return ids


def by_dy2st(module: torch.nn.Module, path: str) -> None:
    dy2st.onnx.export(dy2st.torch.to_static(module, [InputSpec([None, None], "int64", "ids")]), path)


def by_export(module: torch.nn.Module, path: str) -> None:
    torch.onnx.export(module, (torch.randint(8, ways.WORDS, SHAPES[0]),), path, dynamo=True, dynamic_shapes=OPEN, verbose=False)


def by_tracing(module: torch.nn.Module, path: str) -> None:
    example = torch.randint(8, ways.WORDS, SHAPES[0])
    torch.onnx.export(module, (example,), path, dynamo=False, input_names=["ids"], dynamic_axes={"ids": {0: "b", 1: "l"}})


TOOLS: dict[str, Callable] = {
    "dy2st": by_dy2st,
    "`torch.onnx.export`, which uses `torch.export`": by_export,
    "`torch.onnx.export(dynamo=False)`, which traces": by_tracing,
}


def nodes(graph: onnx.GraphProto) -> list[str]:
    """The operators of a graph, and of the graphs in it."""
    inner = [part.g for node in graph.node for part in node.attribute if part.HasField("g")]
    return [node.op_type for node in graph.node] + [name for part in inner for name in nodes(part)]


def outcome(tool: Callable, kind: type, folder: Path) -> str:
    """A cell of the table."""
    model = ways.small_model("GPT-2").eval()
    ids = torch.randint(8, ways.WORDS, SHAPES[1])
    early = int(kind(model, ways.WORDS + 1).eval()(ids)[0, SHAPES[1][1] + 3])  # a token that comes early is the end
    module, path = kind(model, early).eval(), str(folder / "model.onnx")
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            tool(module, path)
    except Exception as error:
        return f"{type(error).__name__}"
    found = nodes(onnx.load(path).graph)
    session = onnxruntime.InferenceSession(path)
    (name,) = [x.name for x in session.get_outputs() if not x.name.startswith("error")]
    (made,) = session.run([name], {"ids": ids.numpy()})
    right = module(ids).numpy()
    is_right = made.shape == right.shape and bool((made == right).all())
    counts = [x.shape[1] - ids.shape[1] for x in (made, right)]
    comparison = "the tokens of torch" if is_right else f"{counts[0]} tokens, torch has {counts[1]}"
    loops = found.count("Loop")
    return f"{len(found):,} nodes, {loops} Loop{'s' * (loops != 1)}: {comparison}"


def main() -> None:
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    torch.manual_seed(0)
    lines = ["| | `generate()` | the loop by hand |", "|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        for name, tool in TOOLS.items():
            lines.append(f"| {name} | {outcome(tool, Unchanged, Path(folder))} | {outcome(tool, ByHand, Path(folder))} |")
    print("\n".join(lines))
    write_section("cookbook/generate.md", "python tests/from_torch/generation_peers.py", "\n".join(lines))


if __name__ == "__main__":
    main()
