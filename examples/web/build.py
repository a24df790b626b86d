"""Makes the page: trains the network, exports it as ONNX, and puts onnxruntime-web beside it.

python examples/web/build.py && python -m http.server -d examples/web/site
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import shutil
import textwrap
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small: two threads would wait for each other

import onnx
from namer import ALPHABET, SPECS, Namer
from training import NAMES, trained

import dy2st

HERE = Path(__file__).resolve().parent
RUNTIME = ("ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Makes the page of examples/web.")
    parser.add_argument("--site", type=Path, default=HERE / "site", help="the folder to make")
    parser.add_argument("--packages", type=Path, default=HERE / "node_modules", help="where npm has put onnxruntime-web")
    parser.add_argument("--epochs", type=int, default=60, help="how long to train; a few are enough to try the page")
    return parser.parse_args()


def nodes(graph: onnx.GraphProto) -> list[str]:
    """The operators of a graph, and of the graphs in it."""
    inner = [part.g for node in graph.node for part in node.attribute if part.HasField("g")]
    return [node.op_type for node in graph.node] + [name for part in inner for name in nodes(part)]


def about(file: Path) -> dict[str, object]:
    """What the page says of the model."""
    model = onnx.load(file)
    found = nodes(model.graph)
    counts = f"{found.count('Loop')} Loops, {found.count('If')} Ifs and {len(found)} nodes in all"
    graph = f"As ONNX: {counts}, opset {model.opset_import[0].version}, {file.stat().st_size / 1000:,.0f} kB."
    source = textwrap.dedent(inspect.getsource(Namer.forward)).rstrip()
    return {"alphabet": ALPHABET, "names": NAMES, "source": source, "graph": graph}


def main() -> None:
    given = arguments()
    runtime = [given.packages / "onnxruntime-web" / "dist" / name for name in RUNTIME]
    missing = [str(file) for file in runtime if not file.exists()]
    if missing:
        raise SystemExit(f"{missing[0]} is missing: cd examples/web && npm ci --ignore-scripts")
    net = trained(given.epochs)
    shutil.copytree(HERE / "page", given.site, dirs_exist_ok=True)
    for file in runtime:
        shutil.copy(file, given.site)
    exported = Path(dy2st.onnx.export(net, given.site / "namer", SPECS))
    (given.site / "model.json").write_text(json.dumps(about(exported)))
    print(f"the page is in {given.site}: python -m http.server -d {given.site}")


if __name__ == "__main__":
    main()
