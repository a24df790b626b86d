"""Text generation: `python benchmarks/generate.py` writes GENERATION.md (ten minutes), `--quick` takes a look at a small model.

Needs `pip install '.[torch,onnx]' transformers`. Everything runs on one thread.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import tempfile
import time
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))  # before NumPy is imported

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
import torch  # noqa: E402

import dy2st  # noqa: E402
import dy2st.onnx  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402
from report import machine  # noqa: E402
from transformers import DynamicCache, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM  # noqa: E402

WORDS, PROMPT = 1000, 16
ENDS = {"bos_token_id": 1, "eos_token_id": None, "pad_token_id": 0}  # no end: each call writes all tokens
PAGE = """# Text generation

Written by `python benchmarks/generate.py`. Models of transformers with random weights write {tokens} tokens after a prompt of
{prompt}, greedily, by `generate()`, unchanged. The forms run in turn, A B C A B C; a figure is the median of {rounds} rounds, in
milliseconds a token. The ratio in brackets is that over torch eager's in the same round.

{machine}

| model | batch | torch eager | static | loaded, NumPy | ONNX Runtime |
|---|---|---|---|---|---|
{rows}

Conversion, in seconds of the processor, and the Program:

| model | seconds | operations | MB of ONNX |
|---|---|---|---|
{conversions}

"""
LARGE = """A GPT-2 of {size:.0f} M parameters, in ONNX Runtime, batch 1: `generate()` as one file takes {loop:.0f} ms a token. Its
decoder, exported with the cache as inputs and outputs, and called from a loop in Python, takes {stepped:.0f} ms. The ratio is
{ratio:.2f}.

"""
MEMORY = """Memory of `generate()` as a static function ({model}, batch 8): {grown:,.0f} bytes more for each further token at the
peak. The cache of keys and values takes {cache:,.0f} of them.
"""


class Writer(torch.nn.Module):
    """ids int64 [batch, length] -> [batch, length + count]."""

    def __init__(self, model: Any, count: int):
        super().__init__()
        self.model, self.count = model, count

    def forward(self, ids):
        return self.model.generate(ids, max_new_tokens=self.count, do_sample=False)


class Step(torch.nn.Module):
    """One call of the decoder: the next token int64 [batch, 1] and the cache, from ids and the cache before."""

    def __init__(self, model: Any):
        super().__init__()
        self.model = model

    def forward(self, ids, keys, values):
        cache = DynamicCache()
        for layer in range(len(self.model.transformer.h)):
            cache.update(keys[layer], values[layer], layer)
        scores = self.model(ids, past_key_values=cache, use_cache=True).logits
        held = cache.layers
        return scores[:, -1:].argmax(-1), *[layer.keys for layer in held], *[layer.values for layer in held]


def gpt2(layers: int, width: int, heads: int) -> Any:
    config = GPT2Config(n_layer=layers, n_embd=width, n_head=heads, n_positions=512, vocab_size=WORDS, **ENDS)
    return GPT2LMHeadModel(config).eval()


def llama(layers: int, width: int, heads: int) -> Any:
    config = LlamaConfig(
        num_hidden_layers=layers, hidden_size=width, num_attention_heads=heads, num_key_value_heads=heads // 2,
        intermediate_size=2 * width, max_position_embeddings=512, vocab_size=WORDS, **ENDS,
    )  # fmt: skip
    return LlamaForCausalLM(config).eval()


SMALL: dict[str, Callable[[], Any]] = {
    "GPT-2, 2 layers of width 64": lambda: gpt2(2, 64, 4),
    "GPT-2, 12 layers of width 64": lambda: gpt2(12, 64, 4),
    "Llama, 4 layers of width 128": lambda: llama(4, 128, 4),
}


def converted(module: torch.nn.Module) -> tuple[Any, float]:
    """The static module for prompts of any number and length, and the seconds of the processor that its conversion took."""
    began = time.process_time()
    static = dy2st.torch.to_static(module.eval(), [InputSpec([None, None], "int64", "ids")])
    assert len(static.forward.concrete_program.program.functions)
    return static, time.process_time() - began


def session_of(path: str) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options)


def in_turn(forms: dict[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """The seconds of each form in each round."""
    for form in forms.values():
        form()
    seconds: dict[str, list[float]] = {name: [] for name in forms}
    for _ in range(rounds):
        for name, form in forms.items():
            began = time.perf_counter()
            form()
            seconds[name].append(time.perf_counter() - began)
    return seconds


def row_of(name: str, forms: dict[str, Callable[[], Any]], batch: int, tokens: int, rounds: int) -> str:
    """A row of the first table."""
    seconds = in_turn(forms, rounds)
    cells = []
    for taken in seconds.values():
        ratio = statistics.median(a / b for a, b in zip(taken, seconds["torch"]))
        compared = f" ({ratio:.2f})" if taken is not seconds["torch"] else ""
        cells.append(f"{statistics.median(taken) / tokens * 1000:.2f}{compared}")
    return f"| {name} | {batch} | {' | '.join(cells)} |"


def measured(name: str, model: Any, folder: Path, tokens: int, rounds: int) -> tuple[list[str], str]:
    """The rows of a model for batches of 1 and 8, and that of its conversion."""
    module = Writer(model, tokens)
    static, seconds = converted(module)
    path = dy2st.onnx.export(static, str(folder / "model.onnx"))
    dy2st.jit.save(static, str(folder / "model"))
    loaded, session = dy2st.jit.load(str(folder / "model")), session_of(path)
    rows = []
    for batch in (1, 8):
        ids = torch.randint(8, WORDS, (batch, PROMPT))
        own, array = dy2st.to_tensor(ids.numpy()), ids.numpy()
        forms = {
            "torch": lambda ids=ids: module(ids),
            "static": lambda ids=ids: static(ids),
            "loaded": lambda own=own: loaded(own),
            "ONNX": lambda array=array: session.run(["output"], {"ids": array})[0],
        }
        right = forms["torch"]().numpy()
        assert all((np.asarray(form()) == right).all() for form in forms.values()), name
        rows.append(row_of(name, forms, batch, tokens, rounds))
    operations = sum(1 for _ in static.forward.concrete_program.program.walk())
    return rows, f"| {name} | {seconds:.1f} | {operations:,} | {Path(path).stat().st_size / 1e6:.1f} |"


def against_a_python_loop(folder: Path, tokens: int, rounds: int) -> str:
    """A large decoder in ONNX Runtime: one file with a Loop, beside calls of one step."""
    model = gpt2(12, 768, 12)
    static, _ = converted(Writer(model, tokens))
    whole = session_of(dy2st.onnx.export(static, str(folder / "whole.onnx")))
    held = [InputSpec([None, 12, None, 64], "float32") for _ in range(12)]
    step = dy2st.torch.to_static(Step(model).eval(), [InputSpec([None, None], "int64", "ids"), held, list(held)])
    stepped = session_of(dy2st.onnx.export(step, str(folder / "step.onnx")))
    inputs = [x.name for x in stepped.get_inputs()]
    outputs = [x.name for x in stepped.get_outputs() if not x.name.startswith("error")]
    ids = torch.randint(8, WORDS, (1, PROMPT)).numpy()

    def by_steps() -> np.ndarray:
        empty = onnxruntime.OrtValue.ortvalue_from_numpy(np.zeros((1, 12, 0, 64), np.float32))
        given = [onnxruntime.OrtValue.ortvalue_from_numpy(ids), *[empty] * 24]
        written = [ids]
        for _ in range(tokens):
            given = stepped.run_with_ort_values(outputs, dict(zip(inputs, given)))
            written.append(given[0].numpy())
        return np.concatenate(written, axis=1)

    forms = {"whole": lambda: whole.run(["output"], {"ids": ids})[0], "stepped": by_steps}
    assert (forms["whole"]() == by_steps()).all()
    seconds = in_turn(forms, rounds)
    a, b = (statistics.median(taken) / tokens * 1000 for taken in seconds.values())
    ratio = statistics.median(x / y for x, y in zip(*seconds.values()))
    return LARGE.format(size=sum(p.numel() for p in model.parameters()) / 1e6, loop=a, stepped=b, ratio=ratio)


def memory(tokens: int) -> str:
    """Bytes that each further token adds to the peak of a call."""
    name, build = next(iter(SMALL.items()))
    model, ids = build(), torch.randint(8, WORDS, (8, PROMPT))
    peaks = []
    for count in (tokens, 2 * tokens):
        static, _ = converted(Writer(model, count))
        static(ids)
        gc.collect()
        tracemalloc.start()
        static(ids)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    cache = 2 * 2 * 8 * 64 * 4  # keys and values, layers, batch, width, bytes
    return MEMORY.format(model=name, grown=(peaks[1] - peaks[0]) / tokens, cache=cache)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the first model, few rounds; nothing is written")
    quick = parser.parse_args().quick
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    warnings.simplefilter("ignore")
    tokens, rounds, rows, conversions = 64, 3 if quick else 9, [], []
    with tempfile.TemporaryDirectory() as scratch:
        for name, build in list(SMALL.items())[: 1 if quick else None]:
            print(f"{name} ...", file=sys.stderr, flush=True)
            of_model, conversion = measured(name, build(), Path(scratch), tokens, rounds)
            rows += of_model
            conversions.append(conversion)
        tables = {"rows": "\n".join(rows), "conversions": "\n".join(conversions)}
        page = PAGE.format(tokens=tokens, prompt=PROMPT, rounds=rounds, machine=machine(), **tables)
        if not quick:
            page += against_a_python_loop(Path(scratch), 32, 3)
        page += memory(tokens)
    print(page)
    if not quick:
        (HERE / "GENERATION.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
