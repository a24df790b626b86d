"""A GPT-2 of transformers learns Python's own manual. Its `generate()`, unchanged, becomes one ONNX file that a web page runs.

    pip install '.[torch,onnx]' transformers
    python examples/story.py [folder for the page]

The text ships with Python, as `pydoc_data`. Each call of the file writes eight tokens: the page shows them as they come.
For the page, onnxruntime-web comes from `cd examples/web && npm ci --ignore-scripts`.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import shutil
import tempfile
import textwrap
import time
from collections import Counter
from pathlib import Path
from pydoc_data.topics import topics

import numpy as np
import onnxruntime
import torch

import dy2st.onnx
import dy2st.torch
from dy2st.static import InputSpec
from transformers import GPT2Config, GPT2LMHeadModel

WEB = Path(__file__).resolve().parent / "web"
RUNTIME = ("ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm")
SEED, STEPS, BATCH, SEEN, AT_ONCE, WORDS, END = 11, 600, 24, 48, 8, 1200, 0


class Vocabulary:
    """The characters of a text and its most frequent words, each a token; token 0 ends a page of the manual."""

    def __init__(self, text: str):
        words = Counter(re.findall(r" ?[A-Za-z]+|\s{2,}", text))
        frequent = [word for word, _ in words.most_common(WORDS) if len(word) > 1]
        self.tokens = ["", *sorted(set(text)), *frequent]
        self._numbers = {token: number for number, token in enumerate(self.tokens)}
        self._longest_first = re.compile("|".join(map(re.escape, sorted(self.tokens[1:], key=len, reverse=True))))

    def encode(self, text: str) -> list[int]:
        """The tokens of a text, the longest that fits at each place; characters without one are left out."""
        return [self._numbers[token] for token in self._longest_first.findall(text)]

    def decode(self, numbers: list[int]) -> str:
        """The text of tokens."""
        return "".join(self.tokens[number] for number in numbers)


class Story(torch.nn.Module):
    """ids int64 [batch, length] -> the next tokens, int64 [batch, at most 8]; they stop at the end of a page."""

    def __init__(self, model: GPT2LMHeadModel, is_sampled: bool):
        super().__init__()
        self.model, self.is_sampled = model, is_sampled

    def forward(self, ids):
        seen = ids[:, -SEEN:]
        chosen = {"do_sample": True, "temperature": 0.8, "top_k": 20} if self.is_sampled else {"do_sample": False}
        written = self.model.generate(seen, max_new_tokens=AT_ONCE, **chosen)
        return written[:, seen.shape[1] :]


def pages() -> list[str]:
    """The pages of the manual, without the lines that underline their titles."""
    return [re.sub(r"\n[*=~^-]{3,}\n", "\n", page) for page in topics.values()]


def trained(vocabulary: Vocabulary, steps: int) -> GPT2LMHeadModel:
    """A small GPT-2 that has learned the manual, in plain PyTorch."""
    text = torch.tensor([number for page in pages() for number in (END, *vocabulary.encode(page))])
    config = GPT2Config(
        n_layer=2, n_head=4, n_embd=96, n_positions=SEEN + AT_ONCE, vocab_size=len(vocabulary.tokens),
        bos_token_id=END, eos_token_id=END, pad_token_id=END, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
    )  # fmt: skip
    model = GPT2LMHeadModel(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps)
    places = torch.arange(SEEN + AT_ONCE)
    for step in range(1, steps + 1):
        rows = text[torch.randint(0, len(text) - len(places), (BATCH, 1)) + places]
        loss = model(rows, labels=rows).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 150 == 0 or step == steps:
            print(f"step {step}: loss {loss.item():.2f}")
    return model.eval()


def continued(session: onnxruntime.InferenceSession, ids: list[int], count: int) -> list[int]:
    """The tokens, with `count` more of a model in ONNX Runtime, or less where a page ends."""
    while count > 0 and (len(ids) == 1 or ids[-1] != END):
        (written,) = session.run(["output"], {"ids": np.array([ids])})
        ids, count = ids + written[0].tolist(), count - written.shape[1]
    return ids


def write_page(site: Path, packages: Path, models: Path, vocabulary: Vocabulary) -> None:
    """The page with its models, in the folder `site`. SystemExit: onnxruntime-web isn't among the packages."""
    dist = packages / "onnxruntime-web" / "dist"
    if not dist.exists():
        raise SystemExit(f"{dist} is missing: cd examples/web && npm ci --ignore-scripts")
    shutil.copytree(WEB / "story", site, dirs_exist_ok=True)
    for file in (*(dist / name for name in RUNTIME), *models.glob("*.onnx")):
        shutil.copy(file, site)
    source = textwrap.dedent(inspect.getsource(Story.forward))
    (site / "model.json").write_text(json.dumps({"tokens": vocabulary.tokens, "end": END, "source": source}))
    print(f"the page is in {site}: python -m http.server -d {site}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path, nargs="?", help="the folder to make of the page")
    parser.add_argument("--packages", type=Path, default=WEB / "node_modules", help="where npm has put onnxruntime-web")
    parser.add_argument("--steps", type=int, default=STEPS, help="how long to train; a few are enough to try the page")
    given = parser.parse_args()
    torch.manual_seed(SEED)
    begin = time.perf_counter()
    vocabulary = Vocabulary("".join(pages()))
    model = trained(vocabulary, given.steps)
    print(f"learned in {time.perf_counter() - begin:.0f} s")
    start = [END, *vocabulary.encode("The while statement")]
    with tempfile.TemporaryDirectory() as scratch:
        sessions = {}
        for name, is_sampled in (("likeliest", False), ("sampled", True)):
            begin = time.perf_counter()
            static = dy2st.torch.to_static(Story(model, is_sampled).eval(), [InputSpec([None, None], "int64", "ids")])
            path = Path(dy2st.onnx.export(static, f"{scratch}/{name}.onnx"))
            sessions[name] = onnxruntime.InferenceSession(path)
            print(f"{path.name}: {time.perf_counter() - begin:.0f} s, {path.stat().st_size / 1000:,.0f} kB")
        with torch.no_grad():
            right = Story(model, False)(torch.tensor([start]))[0].tolist()
        same = continued(sessions["likeliest"], start, AT_ONCE)[len(start) :] == right
        print("in ONNX Runtime: same tokens" if same else "in ONNX Runtime: OTHER tokens")
        print(vocabulary.decode(continued(sessions["sampled"], start, 80)))
        if given.site:
            write_page(given.site, given.packages, Path(scratch), vocabulary)


if __name__ == "__main__":
    main()
