"""Text generation by models of transformers, in eight ways: families of small models, and modules that generate.

`compare` checks a cell of a family and a way: static, saved and loaded, in ONNX Runtime, and that a second call needs no other
Program.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from torch import nn

if find_spec("torchvision"):  # transformers imports it, which a CPU build of torch lets only so
    import from_torch.vision  # noqa: F401

import dy2st as paddle  # noqa: E402
import dy2st.onnx  # noqa: E402
import dy2st.torch  # noqa: E402
import transformers  # noqa: E402
from dy2st.errors import Dy2stError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402
from transformers import DynamicCache, StaticCache  # noqa: E402

WORDS, END = 96, 7
SMALL = {"vocab_size": WORDS, "bos_token_id": 1, "eos_token_id": END, "pad_token_id": 0}
WIDE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, **SMALL}
LONG = {"intermediate_size": 48, "max_position_embeddings": 128, **WIDE}
ENCODER_DECODER = {
    "vocab_size": WORDS, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "max_position_embeddings": 128,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": END, "decoder_start_token_id": END, "forced_eos_token_id": None,
}  # fmt: skip
T5 = {
    "vocab_size": WORDS, "d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "pad_token_id": 0,
    "eos_token_id": END, "decoder_start_token_id": 0,
}  # fmt: skip
DECODERS = {
    "GPT-2": ("GPT2Config", "GPT2LMHeadModel", {"n_layer": 2, "n_head": 2, "n_embd": 32, "n_positions": 128, **SMALL}),
    "Llama": ("LlamaConfig", "LlamaForCausalLM", {"num_key_value_heads": 2, **LONG}),
    "Mistral": ("MistralConfig", "MistralForCausalLM", {"num_key_value_heads": 2, "sliding_window": 8, **LONG}),
    "Qwen2": ("Qwen2Config", "Qwen2ForCausalLM", {"num_key_value_heads": 2, **LONG}),
    "Gemma": ("GemmaConfig", "GemmaForCausalLM", {"num_key_value_heads": 2, "head_dim": 8, **LONG}),
    "Phi": ("PhiConfig", "PhiForCausalLM", LONG),
    "GPT-NeoX": ("GPTNeoXConfig", "GPTNeoXForCausalLM", LONG),
    "OPT": ("OPTConfig", "OPTForCausalLM", {"ffn_dim": 48, "max_position_embeddings": 128, "word_embed_proj_dim": 32, **WIDE}),
    "Bloom": ("BloomConfig", "BloomForCausalLM", {"hidden_size": 32, "n_layer": 2, "n_head": 4, **SMALL}),
    "Mamba": ("MambaConfig", "MambaForCausalLM", {"hidden_size": 32, "state_size": 4, "num_hidden_layers": 2, **SMALL}),
}
ENCODER_DECODERS = {
    "T5": ("T5Config", "T5ForConditionalGeneration", T5),
    "BART": ("BartConfig", "BartForConditionalGeneration", ENCODER_DECODER),
}
FAMILIES = {**DECODERS, **ENCODER_DECODERS}
SHAPES = ((2, 5), (1, 9), (3, 2))


class Way(nn.Module):
    """A module that generates at most so many tokens."""

    def __init__(self, model: nn.Module, count: int):
        super().__init__()
        self.model, self.count = model, count

    def best(self, last: torch.Tensor, **kwargs) -> torch.Tensor:
        return self.model(last, **kwargs).logits[:, -1].argmax(-1, keepdim=True)

    def continued(self, ids: torch.Tensor, cache: object) -> torch.Tensor:
        last = ids
        for _ in range(self.count):
            last = self.best(last, past_key_values=cache, use_cache=True)
            ids = torch.cat([ids, last], 1)
            if (last == END).all():
                break
        return ids


class Loop(Way):
    def forward(self, ids):
        for _ in range(self.count):
            last = self.best(ids, use_cache=False)
            ids = torch.cat([ids, last], 1)
            if (last == END).all():
                break
        return ids


class While(Way):
    def forward(self, ids):
        cache = DynamicCache(config=self.model.config)
        last, turns = self.best(ids, past_key_values=cache, use_cache=True), 1
        ids = torch.cat([ids, last], 1)
        while turns < self.count and not (last == END).all():
            last, turns = self.best(last, past_key_values=cache, use_cache=True), turns + 1
            ids = torch.cat([ids, last], 1)
        return ids


class For(Way):
    def forward(self, ids):
        return self.continued(ids, DynamicCache())


class ForWithConfig(Way):
    def forward(self, ids):
        return self.continued(ids, DynamicCache(config=self.model.config))


class Static(Way):
    def forward(self, ids):
        return self.continued(ids, StaticCache(config=self.model.config, max_cache_len=64))


class Greedy(Way):
    def forward(self, ids):
        return self.model.generate(ids, max_new_tokens=self.count, do_sample=False)


class Beams(Way):
    def forward(self, ids):
        return self.model.generate(ids, max_new_tokens=self.count, do_sample=False, num_beams=2)


class Sampling(Way):
    def forward(self, ids):
        return self.model.generate(ids, max_new_tokens=self.count, do_sample=True, temperature=0.8, top_k=20, top_p=0.9)


WAYS = {
    "loop": Loop, "while": While, "for": For, "for, config": ForWithConfig, "static cache": Static, "greedy": Greedy,
    "beams": Beams, "sampling": Sampling,
}  # fmt: skip
CELLS = [(family, way) for family in FAMILIES for way in WAYS if family in DECODERS or way in ("greedy", "beams", "sampling")]


@dataclass
class Told:
    """What a cell has shown. wrong: how tokens differ; refused: what was said, by form; operations: of the Program."""

    wrong: str = ""
    refused: str = ""
    of_onnx: str = ""
    operations: int = 0


def small_model(family: str) -> nn.Module:
    """A model with random weights, the same ones each time."""
    config, model, given = FAMILIES[family]
    torch.manual_seed(0)
    return getattr(transformers, model)(getattr(transformers, config)(**given)).eval()


def prompts() -> Iterator[torch.Tensor]:
    torch.manual_seed(1)
    for shape in SHAPES:
        yield torch.randint(END + 1, WORDS, shape)


def static_way(family: str, way: str, count: int) -> Way:
    """A module that generates in a way, converted for prompts of any number and length."""
    return dy2st.torch.to_static(WAYS[way](small_model(family), count).eval(), [InputSpec([None, None], "int64", "ids")])


def compare(family: str, way: str, folder: Path, count: int = 12) -> Told:
    """Hold a cell against torch in every form."""
    told, plain = Told(), WAYS[way](small_model(family), count).eval()
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        expected = [(ids, plain(ids)) for ids in prompts()]
        same = _same_shape if way == "sampling" else _same
        try:
            static = static_way(family, way, count)
            told.wrong = _wrong(static, expected, same, "static")
            told.operations = len(list(static.forward.program_cache[0].program.walk()))
            if len(static.forward.program_cache) != 1:
                told.wrong = told.wrong or "staged again at another call"
            file = io.BytesIO()
            paddle.jit.save(static, file)
            file.seek(0)
            loaded = paddle.jit.load(file)
        except Dy2stError as error:
            told.refused = str(error)
            return told
        told.wrong = told.wrong or _wrong(lambda ids: loaded(paddle.to_tensor(ids.numpy())), expected, same, "loaded")
        try:
            run = _in_onnx_runtime(static, folder)
        except Dy2stError as error:
            told.of_onnx = str(error)
            return told
        told.wrong = told.wrong or _wrong(run, expected, same, "in ONNX Runtime")
    return told


def _in_onnx_runtime(static: Way, folder: Path) -> Callable:
    import onnxruntime

    session = onnxruntime.InferenceSession(dy2st.onnx.export(static, str(folder / "model.onnx")))
    return lambda ids: session.run(None, {"ids": ids.numpy()})[0]


def _wrong(function: Callable, expected: list, same: Callable, form: str) -> str:
    for ids, tokens in expected:
        found = np.asarray(function(ids))
        if not same(found, tokens.numpy()):
            return f"{form}: {found.tolist()} of {ids.tolist()}, not {tokens.tolist()}"
    return ""


def _same(found: np.ndarray, expected: np.ndarray) -> bool:
    return np.array_equal(found, expected)


def _same_shape(found: np.ndarray, expected: np.ndarray) -> bool:
    """Of random tokens: as many prompts, and tokens from the vocabulary behind them."""
    return len(found) == len(expected) and found.min() >= 0 and found.max() < WORDS
