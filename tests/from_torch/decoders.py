"""Decoders in plain PyTorch, with the loops that generate: the one of examples/sorting.py, and other ways to keep caches."""

from __future__ import annotations

import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))

from sorting import Attention, Block, Decoder, Greedy, rotated  # noqa: E402

END, WORDS, LIMIT = 1, 23, 9


class Beam(nn.Module):
    """tokens [n, m] -> the best of `width` ways to go on, and how likely it is, until all ways of all rows have their end."""

    def __init__(self, decoder: Decoder, end: int = END, limit: int = LIMIT, width: int = 3):
        super().__init__()
        self.decoder, self.end, self.limit, self.width = decoder, end, limit, width

    def forward(self, tokens):
        n = tokens.shape[0]
        tokens = tokens.repeat_interleave(self.width, dim=0)
        keys, values = self.decoder.caches(n * self.width), self.decoder.caches(n * self.width)
        scores = self.decoder(tokens, keys, values)
        total = torch.full((n, self.width), -float("inf"))
        total[:, 0] = 0.0
        done = torch.zeros(n, self.width, dtype=torch.bool)
        first = torch.arange(n)[:, None] * self.width
        for _ in range(self.limit):
            step = F.log_softmax(scores[:, -1], dim=-1).view(n, self.width, -1)
            words = step.shape[-1]
            only_end = torch.where(torch.arange(words) == self.end, 0.0, -float("inf"))
            step = torch.where(done[..., None], only_end, step)
            total, best = (total[..., None] + step).flatten(1).topk(self.width, dim=1)
            rows = (first + best // words).flatten()
            token = (best % words).flatten()
            tokens = torch.cat([tokens[rows], token[:, None]], dim=1)
            done = done.flatten()[rows].view(n, -1) | (token == self.end).view(n, -1)
            if done.all():
                break
            keys, values = [k[rows] for k in keys], [v[rows] for v in values]
            scores = self.decoder(token[:, None], keys, values)
        return tokens.view(n, self.width, -1)[:, 0], total[:, 0]


class KeepingBlock(Block):
    """Its cache is on `self`, None at first."""

    def __init__(self, width: int, heads: int, shared: int):
        super().__init__(width, heads, shared)
        self.k = self.v = None

    def forward(self, x, angles, mask):
        past_k, past_v = self.k, self.v
        if past_k is None:
            past_k = past_v = x.new_zeros(x.shape[0], self.attention.groups, 0, self.attention.size)
        y, self.k, self.v = super().forward(x, angles, mask, past_k, past_v)
        return y


class KeepingDecoder(Decoder):
    """Its caches are those of its blocks."""

    def __init__(self, words: int, width: int = 64, depth: int = 4, heads: int = 4, shared: int = 2):
        super().__init__(words, width, depth, heads, shared)
        self.blocks = nn.ModuleList([KeepingBlock(width, heads, shared) for _ in range(depth)])
        self.past = 0

    def caches(self, n):
        self.past = 0
        for block in self.blocks:
            block.k = block.v = None

    def forward(self, tokens, keys, values):
        m = tokens.shape[1]
        places = torch.arange(self.past, self.past + m)[:, None]
        self.past += m
        mask = torch.arange(self.past) <= places
        x = self.table(tokens)
        for block in self.blocks:
            x = block(x, places * self.speeds, mask)
        return self.out(self.norm(x))


class SlotAttention(Attention):
    """Keys and values are written into slots of tensors that are made once, as long as they ever get."""

    def forward(self, x, angles, mask, places, slots_k, slots_v):
        n, m, width = x.shape
        q = rotated(self.q(x).view(n, m, self.heads, self.size).transpose(1, 2), angles)
        slots_k[:, :, places] = rotated(self.k(x).view(n, m, self.groups, self.size).transpose(1, 2), angles)
        slots_v[:, :, places] = self.v(x).view(n, m, self.groups, self.size).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, slots_k, slots_v, attn_mask=mask, enable_gqa=True)
        return self.o(y.transpose(1, 2).reshape(n, m, width))


class SlotDecoder(Decoder):
    """Its caches are buffers, long and wide enough for all that comes."""

    LONGEST, WIDEST = 24, 4

    def __init__(self, words: int, width: int = 64, depth: int = 4, heads: int = 4, shared: int = 2):
        super().__init__(words, width, depth, heads, shared)
        for block in self.blocks:
            block.attention = SlotAttention(width, heads, shared)
            block.register_buffer("k", torch.zeros(self.WIDEST, self.groups, self.LONGEST, self.size), persistent=False)
            block.register_buffer("v", torch.zeros(self.WIDEST, self.groups, self.LONGEST, self.size), persistent=False)
        self.register_buffer("past", torch.tensor(0))

    def caches(self, n):
        self.past.zero_()

    def forward(self, tokens, keys, values):
        places = self.past + torch.arange(tokens.shape[1])
        self.past += tokens.shape[1]
        angles, mask = places[:, None] * self.speeds, torch.arange(self.LONGEST) <= places[:, None]
        x = self.table(tokens)
        for block in self.blocks:
            x = x + block.attention(block.norm1(x), angles, mask, places, block.k[: len(x)], block.v[: len(x)])
            y = block.norm2(x)
            x = x + block.down(F.silu(block.gate(y)) * block.up(y))
        return self.out(self.norm(x))


def likely_to_end(cls: type, seed: int) -> nn.Module:
    """A decoder with random weights, whose sentences end after a few tokens, each after its own number of them."""
    torch.manual_seed(seed)
    decoder = cls(WORDS, width=32, depth=2)
    with torch.no_grad():
        decoder.out.weight[END] *= 3
    return decoder


def greedy(cls: type) -> nn.Module:
    return Greedy(likely_to_end(cls, 55), END, LIMIT).eval()


def beam(cls: type) -> nn.Module:
    return Beam(likely_to_end(cls, 32)).eval()


class Talk(nn.Module):
    """A language model of transformers, asked for one token after another, with the cache that it makes."""

    def __init__(self, name: str):
        super().__init__()
        from transformers import CONFIG_MAPPING, AutoModelForCausalLM

        from .zoo_transformers import TINY

        cls = CONFIG_MAPPING[name]
        known = {key: value for key, value in TINY.items() if hasattr(cls(), key) or key in getattr(cls, "attribute_map", {})}
        config = cls(**{**known, "vocab_size": WORDS, "tie_word_embeddings": False, "use_cache": True})
        self.model = AutoModelForCausalLM.from_config(config, attn_implementation="eager")
        with torch.no_grad():
            self.model.get_output_embeddings().weight[END] *= 3

    def forward(self, tokens):
        from transformers import DynamicCache

        cache = DynamicCache()
        scores = self.model(input_ids=tokens, past_key_values=cache).logits
        done = torch.zeros(tokens.shape[0], dtype=torch.bool)
        for _ in range(LIMIT):
            token = scores[:, -1].argmax(-1).masked_fill(done, END)
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            done = done | (token == END)
            if done.all():
                break
            scores = self.model(input_ids=token[:, None], past_key_values=cache).logits
        return tokens


class Again(Talk):
    """Without a cache: the whole sentence each time. options: of the model's call; each makes a cache of its own unless told."""

    def __init__(self, name: str, **options):
        super().__init__(name)
        self.options = options

    def forward(self, tokens):
        done = torch.zeros(tokens.shape[0], dtype=torch.bool)
        for _ in range(LIMIT):
            token = self.model(input_ids=tokens, **self.options).logits[:, -1].argmax(-1).masked_fill(done, END)
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            done = done | (token == END)
            if done.all():
                break
        return tokens


class Filled(Talk):
    """The cache is filled in the loop: the first turn reads the whole sentence, each other one a token."""

    def forward(self, tokens):
        from transformers import DynamicCache

        cache, step = DynamicCache(), tokens
        for _ in range(LIMIT):
            step = self.model(input_ids=step, past_key_values=cache).logits[:, -1].argmax(-1, keepdim=True)
            tokens = torch.cat([tokens, step], dim=1)
            if (step == END).all():
                break
        return tokens
