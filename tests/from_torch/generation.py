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
from transformers import DynamicCache, EncoderDecoderCache, StaticCache  # noqa: E402

WORDS, END = 96, 7
MELS, FRAMES = 8, 16  # of a spectrogram
IMAGE, PATCHES, SIDE = 95, 4, 8  # the token of a patch, how many an image has, and how many pixels wide it is
SMALL = {"vocab_size": WORDS, "bos_token_id": 1, "eos_token_id": END, "pad_token_id": 0}
WIDE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, **SMALL}
LONG = {"intermediate_size": 48, "max_position_embeddings": 128, **WIDE}
ENCODER_DECODER = {
    "vocab_size": WORDS, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "max_position_embeddings": 128,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": END, "decoder_start_token_id": 2, "forced_eos_token_id": None,
    "init_std": 0.2, "tie_word_embeddings": False,  # so that tokens differ
}  # fmt: skip
T5 = {
    "vocab_size": WORDS, "d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "pad_token_id": 0,
    "eos_token_id": END, "decoder_start_token_id": 0, "initializer_factor": 3.0,
}  # fmt: skip
WHISPER = {
    **ENCODER_DECODER, "num_mel_bins": MELS, "max_source_positions": FRAMES // 2, "max_target_positions": 128,
    "begin_suppress_tokens": None,
}  # fmt: skip
VISION = {
    "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "image_size": SIDE,
    "patch_size": SIDE // 2,
}  # fmt: skip
PALIGEMMA = {
    "vision_config": {"model_type": "siglip_vision_model", "projection_dim": 32, "vision_use_head": False, **VISION},
    "text_config": {"model_type": "gemma", "num_key_value_heads": 2, "head_dim": 8, **LONG},
    "image_token_index": IMAGE, "projection_dim": 32, "hidden_size": 32, **SMALL,
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
    "Whisper": ("WhisperConfig", "WhisperForConditionalGeneration", WHISPER),
}
WITH_IMAGES = {
    "GIT": ("GitConfig", "GitForCausalLM", {"vision_config": VISION, **LONG}),
    "PaliGemma": ("PaliGemmaConfig", "PaliGemmaForConditionalGeneration", PALIGEMMA),
}
FAMILIES = {**DECODERS, **ENCODER_DECODERS, **WITH_IMAGES}
SHAPES = ((2, 5), (1, 9), (3, 2))


class Way(nn.Module):
    """A module that generates at most so many tokens: from token ids, from a spectrogram, or from token ids and an image."""

    def __init__(self, model: nn.Module, count: int):
        super().__init__()
        self.model, self.count = model, count

    def begin(self, ids: torch.Tensor) -> tuple[torch.Tensor, object]:
        """The first tokens, and the output of the encoder, if there is one."""
        if not self.model.config.is_encoder_decoder:
            return ids, None
        return torch.full((ids.shape[0], 1), self.model.config.decoder_start_token_id), self.model.get_encoder()(ids)

    def best(self, last: torch.Tensor, encoded: object, pixels: torch.Tensor | None, **kwargs) -> torch.Tensor:
        if encoded is not None:
            found = self.model(encoder_outputs=encoded, decoder_input_ids=last, **kwargs)
        elif pixels is not None:
            found = self.model(last, pixel_values=pixels, **kwargs)
        else:
            found = self.model(last, **kwargs)
        return found.logits[:, -1].argmax(-1, keepdim=True)

    def of_both(self, make: Callable) -> object:
        """A cache; one for each attention of a decoder that has an encoder."""
        return EncoderDecoderCache(make(), make()) if self.model.config.is_encoder_decoder else make()

    def continued(self, ids: torch.Tensor, pixels: torch.Tensor | None, cache: object) -> torch.Tensor:
        tokens, encoded = self.begin(ids)
        last = tokens
        for _ in range(self.count):
            last = self.best(last, encoded, pixels, past_key_values=cache, use_cache=True)
            tokens, pixels = torch.cat([tokens, last], 1), None  # the cache has the image
            if (last == END).all():
                break
        return tokens

    def generated(self, ids: torch.Tensor, pixels: torch.Tensor | None, **kwargs) -> torch.Tensor:
        if pixels is not None:
            return self.model.generate(ids, pixel_values=pixels, max_new_tokens=self.count, **kwargs)
        return self.model.generate(ids, max_new_tokens=self.count, **kwargs)


class Loop(Way):
    def forward(self, ids, pixels=None):
        tokens, encoded = self.begin(ids)
        for _ in range(self.count):
            last = self.best(tokens, encoded, pixels, use_cache=False)
            tokens = torch.cat([tokens, last], 1)
            if (last == END).all():
                break
        return tokens


class While(Way):
    def forward(self, ids, pixels=None):
        tokens, encoded = self.begin(ids)
        cache = self.of_both(lambda: DynamicCache(config=self.model.config.get_text_config(decoder=True)))
        last, steps = self.best(tokens, encoded, pixels, past_key_values=cache, use_cache=True), 1
        tokens = torch.cat([tokens, last], 1)
        while steps < self.count and not (last == END).all():
            last, steps = self.best(last, encoded, None, past_key_values=cache, use_cache=True), steps + 1
            tokens = torch.cat([tokens, last], 1)
        return tokens


class For(Way):
    def forward(self, ids, pixels=None):
        return self.continued(ids, pixels, self.of_both(DynamicCache))


class ForWithConfig(Way):
    def forward(self, ids, pixels=None):
        config = self.model.config.get_text_config(decoder=True)
        return self.continued(ids, pixels, self.of_both(lambda: DynamicCache(config=config)))


class Static(Way):
    def forward(self, ids, pixels=None):
        config = self.model.config.get_text_config(decoder=True)
        cache = StaticCache(config=config, max_cache_len=64)
        if self.model.config.is_encoder_decoder:
            cache = EncoderDecoderCache(cache, DynamicCache(config=config))
        return self.continued(ids, pixels, cache)


class Greedy(Way):
    def forward(self, ids, pixels=None):
        return self.generated(ids, pixels, do_sample=False)


class Beams(Way):
    def forward(self, ids, pixels=None):
        return self.generated(ids, pixels, do_sample=False, num_beams=2)


class Sampling(Way):
    def forward(self, ids, pixels=None):
        return self.generated(ids, pixels, do_sample=True, temperature=0.8, top_k=20, top_p=0.9)


WAYS = {
    "loop": Loop, "while": While, "for": For, "for, config": ForWithConfig, "static cache": Static, "greedy": Greedy,
    "beams": Beams, "sampling": Sampling,
}  # fmt: skip
CELLS = [(family, way) for family in FAMILIES for way in WAYS]


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


def inputs(family: str) -> Iterator[tuple[torch.Tensor, ...]]:
    """Arguments of different shapes."""
    torch.manual_seed(1)
    for batch, length in SHAPES:
        ids = torch.randint(END + 1, IMAGE, (batch, length))
        if family == "Whisper":
            yield (torch.randn(batch, MELS, FRAMES),)
        elif family in WITH_IMAGES:
            yield torch.cat([torch.full((batch, PATCHES), IMAGE), ids], 1), torch.randn(batch, 3, SIDE, SIDE)
        else:
            yield (ids,)


def specs(family: str) -> list[InputSpec]:
    """The InputSpecs of the arguments: batch size and length of the prompt are dynamic."""
    if family == "Whisper":
        return [InputSpec([None, MELS, FRAMES], "float32", "ids")]
    images = [InputSpec([None, 3, SIDE, SIDE], "float32", "pixels")] if family in WITH_IMAGES else []
    return [InputSpec([None, None], "int64", "ids"), *images]


def static_way(family: str, way: str, count: int) -> Way:
    """A module that generates in a way, converted for prompts of any number and length."""
    return dy2st.torch.to_static(WAYS[way](small_model(family), count).eval(), specs(family))


def compare(family: str, way: str, folder: Path, count: int = 12) -> Told:
    """Hold a cell against torch in every form."""
    told, plain = Told(), WAYS[way](small_model(family), count).eval()
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        expected = [(given, plain(*given)) for given in inputs(family)]
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
        told.wrong = told.wrong or _wrong(lambda *given: loaded(*map(_own, given)), expected, same, "loaded")
        try:
            run = _in_onnx_runtime(static, folder)
        except Dy2stError as error:
            told.of_onnx = str(error)
            return told
        told.wrong = told.wrong or _wrong(run, expected, same, "in ONNX Runtime")
    return told


def _own(x: torch.Tensor) -> paddle.Tensor:
    return paddle.to_tensor(x.numpy())


def _in_onnx_runtime(static: Way, folder: Path) -> Callable:
    import onnxruntime

    session = onnxruntime.InferenceSession(dy2st.onnx.export(static, str(folder / "model.onnx")))
    return lambda *given: session.run(None, dict(zip(("ids", "pixels"), (x.numpy() for x in given))))[0]


def _wrong(function: Callable, expected: list, same: Callable, form: str) -> str:
    for given, tokens in expected:
        found = np.asarray(function(*given))
        if not same(found, tokens.numpy()):
            return f"{form}: {found.tolist()} of {given[0].tolist()}, not {tokens.tolist()}"
    return ""


def _same(found: np.ndarray, expected: np.ndarray) -> bool:
    return np.array_equal(found, expected)


def _same_shape(found: np.ndarray, expected: np.ndarray) -> bool:
    """Of random tokens: as many prompts, and tokens from the vocabulary behind them."""
    return len(found) == len(expected) and found.min() >= 0 and found.max() < WORDS
