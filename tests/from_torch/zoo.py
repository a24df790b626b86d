"""The models: torchvision's classifiers, timm's families, and architectures of transformers from tiny configs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch

from . import paths  # noqa: F401
from .vision import torchvision  # timm and transformers ask for it

TEXT = """bert roberta distilbert albert electra mpnet deberta deberta-v2 convbert mobilebert roformer nystromformer fnet ernie
    splinter squeezebert gpt2 gpt_neox gptj opt bloom llama mistral qwen2 qwen3 gemma gemma2 phi phi3 codegen mpt stablelm
    starcoder2 olmo cohere granite persimmon mixtral xglm biogpt openai-gpt ctrl rwkv mamba""".split()
PAIRS = "t5 mt5 bart mbart pegasus marian blenderbot blenderbot-small m2m_100 led longt5 umt5 switch_transformers".split()
IMAGES = """vit deit beit dinov2 poolformer resnet regnet mobilenet_v1 mobilenet_v2 mobilevit vit_msn dpt focalnet bit
    data2vec-vision clip_vision_model siglip_vision_model""".split()
SOUND = "wav2vec2 hubert sew unispeech wavlm data2vec-audio".split()
TINY = dict(
    vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=64,
    max_position_embeddings=64, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
    decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, n_embd=32, n_layer=2, n_head=4, n_positions=64, d_ff=64,
    d_kv=8, num_layers=2, num_heads=4, dim=32, hidden_dim=64, n_layers=2, n_heads=4, ffn_dim=64, word_embed_proj_dim=32,
    embedding_size=32, image_size=32, patch_size=8, rotary_dim=4, head_dim=8, pad_token_id=0, bos_token_id=1, eos_token_id=2,
    use_cache=False,
)  # fmt: skip


class Case(NamedTuple):
    """A model, `build()`, and what it is called with, `inputs(batch)`: arguments by name, or without one by position."""

    name: str
    build: Callable[[], torch.nn.Module]
    inputs: Callable[[int], dict[str, torch.Tensor]]


def cases(parts: list[str]) -> Iterator[Case]:
    """The models with one of these parts in their names, or all."""
    for case in (*_torchvision(), *_timm(), *_transformers()):
        if not parts or any(part in case.name for part in parts):
            yield case


def _images(name: str, size: int, batch: int) -> dict[str, torch.Tensor]:
    return {name: torch.randn(batch, 3, size, size)}


def _torchvision() -> Iterator[Case]:
    """Each builder of a classifier, for small images."""
    for name in torchvision.models.list_models(module=torchvision.models):
        size = 224 if name == "maxvit_t" else 96 if name == "inception_v3" else 56 if name == "vit_h_14" else 64
        options = {"image_size": size} if name.startswith("vit") else {}
        if name in ("inception_v3", "googlenet"):
            options = {"init_weights": False}
        yield Case(f"torchvision/{name}", partial(getattr(torchvision.models, name), **options), partial(_images, "x", size))


def _timm() -> Iterator[Case]:
    """The smallest member of each family."""
    listed = Path(__file__).with_name("timm_families.txt").read_text().split("\n")
    for family, name, size in (line.split() for line in listed if line):
        yield Case(f"timm/{family}/{name}", partial(_timm_model, name), partial(_images, "x", int(size)))


def _timm_model(name: str) -> torch.nn.Module:
    import timm

    return timm.create_model(name)


def _transformers() -> Iterator[Case]:
    """Architectures from tiny configs."""
    ids = lambda length, batch: torch.randint(3, 99, (batch, length))  # noqa: E731
    kinds: dict[Any, list[str]] = {
        lambda batch: {"input_ids": ids(7, batch)}: TEXT,
        lambda batch: {"input_ids": ids(7, batch), "decoder_input_ids": ids(5, batch)}: PAIRS,
        lambda batch: _images("pixel_values", 32, batch): IMAGES,
        lambda batch: {"input_values": torch.randn(batch, 4000)}: SOUND,
        lambda batch: {"input_features": torch.randn(batch, 80, 128), "decoder_input_ids": ids(5, batch)}: ["whisper"],
        lambda batch: {"input_features": torch.randn(batch, 64, 80), "decoder_input_ids": ids(5, batch)}: ["speech_to_text"],
        lambda batch: {"input_values": torch.randn(batch, 1024, 128)}: ["audio-spectrogram-transformer"],
    }
    for inputs, names in kinds.items():
        yield from (Case(f"transformers/{name}", partial(_transformer, name), inputs) for name in names)


def _transformer(name: str) -> torch.nn.Module:
    from transformers import CONFIG_MAPPING, AutoModel

    cls = CONFIG_MAPPING[name]
    plain, renamed = cls(), getattr(cls, "attribute_map", {})
    options = {key: value for key, value in TINY.items() if hasattr(plain, key) or key in renamed}
    if name == "whisper":
        options["max_source_positions"] = 64
    return AutoModel.from_config(cls(**options), attn_implementation="eager")
