"""Architectures of transformers from tiny configs: encoders, decoders, both, of images and of sound."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch

from . import paths  # noqa: F401
from .vision import torchvision  # noqa: F401 - transformers asks for it
from .zoo import Case, images

ENCODERS = """bert roberta distilbert albert electra mpnet deberta deberta-v2 convbert mobilebert roformer nystromformer fnet
    ernie splinter squeezebert xlm-roberta camembert esm ibert layoutlm longformer big_bird xlnet""".split()
DECODERS = """gpt2 gpt_neo gptj opt bloom llama mistral qwen2 qwen3 gemma gemma2 phi phi3 codegen mpt stablelm
    starcoder2 olmo cohere granite persimmon mixtral xglm biogpt openai-gpt ctrl rwkv mamba gpt_neox falcon""".split()
PAIRS = "t5 mt5 bart mbart pegasus marian blenderbot blenderbot-small m2m_100 led longt5 umt5 switch_transformers".split()
IMAGES = """vit deit beit dinov2 poolformer resnet regnet mobilenet_v1 mobilenet_v2 mobilevit vit_msn dpt focalnet bit
    data2vec-vision clip_vision_model siglip_vision_model swin swinv2 segformer convnext convnextv2 levit""".split()
SOUND = "wav2vec2 hubert sew unispeech wavlm data2vec-audio".split()
TINY = dict(
    vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=64,
    max_position_embeddings=64, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
    decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, n_embd=32, n_layer=2, n_head=4, n_positions=64, d_ff=64,
    d_kv=8, num_layers=2, num_heads=4, dim=32, hidden_dim=64, n_layers=2, n_heads=4, ffn_dim=64, word_embed_proj_dim=32,
    embedding_size=32, image_size=32, patch_size=8, rotary_dim=4, head_dim=8, pad_token_id=0, bos_token_id=1, eos_token_id=2,
    use_cache=False,
)  # fmt: skip
STAGES: dict[str, Any] = dict(num_attention_heads=None, num_hidden_layers=None)
OWN: dict[str, dict[str, Any]] = {  # where the tiny numbers don't fit together; None leaves one out
    "whisper": dict(max_source_positions=64),
    "xlnet": dict(max_position_embeddings=None),
    "gpt_neo": dict(attention_types=[[["global", "local"], 1]]),
    "falcon": dict(head_dim=None),
    **dict.fromkeys(("swin", "swinv2"), dict(depths=[1, 1], num_heads=[2, 4], patch_size=4, window_size=4, **STAGES)),
    "segformer": STAGES,
    **dict.fromkeys(("convnext", "convnextv2"), dict(patch_size=4, num_hidden_layers=None)),
    "levit": dict(num_attention_heads=None, patch_size=None),
    "longformer": dict(attention_window=4),
    "layoutlm": dict(max_2d_position_embeddings=64),
}


def cases() -> Iterator[Case]:
    """Each architecture, as `transformers/gpt2`."""
    ids = lambda length, batch: torch.randint(3, 99, (batch, length))  # noqa: E731
    spoken = lambda *shape: lambda batch: {"input_features": torch.randn(batch, *shape), "decoder_input_ids": ids(5, batch)}  # noqa: E731
    kinds: list[tuple[str, Any, list[str]]] = [
        ("encoders", lambda batch: {"input_ids": ids(8, batch)}, ENCODERS),
        ("decoders", lambda batch: {"input_ids": ids(7, batch)}, DECODERS),
        ("encoder-decoders", lambda batch: {"input_ids": ids(7, batch), "decoder_input_ids": ids(5, batch)}, PAIRS),
        ("images", partial(images, "pixel_values", 32), IMAGES),
        ("sound", lambda batch: {"input_values": torch.randn(batch, 4000)}, SOUND),
        ("sound", spoken(80, 128), ["whisper"]),
        ("sound", spoken(64, 80), ["speech_to_text"]),
        ("sound", lambda batch: {"input_values": torch.randn(batch, 1024, 128)}, ["audio-spectrogram-transformer"]),
    ]
    for group, inputs, names in kinds:
        yield from (Case(f"transformers/{name}", f"transformers, {group}", partial(_built, name), inputs) for name in names)


def _built(name: str) -> torch.nn.Module:
    from transformers import CONFIG_MAPPING, AutoModel

    cls = CONFIG_MAPPING[name]
    plain, renamed = cls(), getattr(cls, "attribute_map", {})
    options = {key: value for key, value in TINY.items() if hasattr(plain, key) or key in renamed}
    chosen = {key: value for key, value in {**options, **OWN.get(name, {})}.items() if value is not None}
    return AutoModel.from_config(cls(**chosen))
