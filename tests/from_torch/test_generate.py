"""Loops that generate, in plain Python around PyTorch decoders: by torch, as Programs, loaded without torch, in ONNX Runtime."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec

import pytest
from from_torch import paths  # noqa: F401

missing = [name for name in ("torch", "torchvision", "transformers", "timm", "onnx", "onnxruntime") if find_spec(name) is None]
if missing:
    pytest.skip(f"whole models need {', '.join(missing)}", allow_module_level=True)

import onnx  # noqa: E402
import torch  # noqa: E402
from from_torch import decoders  # noqa: E402
from from_torch.forms import SIZES, checks  # noqa: E402
from from_torch.zoo import Case  # noqa: E402

import dy2st  # noqa: E402
import dy2st.onnx  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.runtime.outside.roots import Search  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

LOOPS = {
    "greedy, caches carried": partial(decoders.greedy, decoders.Decoder),
    "beam, caches carried": partial(decoders.beam, decoders.Decoder),
    "greedy, caches on self": partial(decoders.greedy, decoders.KeepingDecoder),
    "greedy, caches of slots": partial(decoders.greedy, decoders.SlotDecoder),
}


OF_TRANSFORMERS = {
    **{f"{name}, no cache": partial(decoders.Again, name, use_cache=False) for name in ("gpt2", "llama")},
    "gpt2, a cache for each turn": partial(decoders.Again, "gpt2"),
    "gpt2, a cache that the loop fills": partial(decoders.Filled, "gpt2"),
    **{f"{name}, DynamicCache": partial(decoders.Talk, name) for name in ("gpt2", "llama")},
}


def prompts(batch):
    return {"tokens": torch.randint(2, decoders.WORDS, (batch, 4))}


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_gives_the_same_tokens_in_all_forms(name, tmp_path):
    for _, check in checks(Case(name, "loops", LOOPS[name], prompts), tmp_path):
        check()


@pytest.mark.parametrize("name", OF_TRANSFORMERS)
def test_a_loop_around_a_model_of_transformers_gives_the_same_tokens_in_all_forms(name, tmp_path):
    for _, check in checks(Case(name, "loops", OF_TRANSFORMERS[name], prompts), tmp_path):
        check()


@pytest.mark.parametrize("name", LOOPS)
def test_the_loop_of_a_case_ends_early_and_not_at_once(name):
    torch.manual_seed(0)
    module = LOOPS[name]()
    found = [module(**prompts(batch)) for batch in SIZES]
    lengths = [(x[0] if isinstance(x, tuple) else x).shape[1] - 4 for x in found]
    assert min(lengths) > 1 and min(lengths) < decoders.LIMIT, lengths


def test_prompts_of_any_length_have_one_program_with_its_loop(tmp_path):
    model = decoders.greedy(decoders.Decoder)
    net = dy2st.torch.to_static(model, [InputSpec([None, None], "int64", "tokens")])
    with torch.no_grad():
        for n, m in ((1, 1), (3, 2), (2, 6)):
            tokens = torch.randint(2, decoders.WORDS, (n, m))
            assert torch.equal(net(tokens), model(tokens))
    graph = onnx.load(dy2st.onnx.export(net, str(tmp_path / "net.onnx"))).graph
    assert "Loop" in {node.op_type for node in graph.node}


def test_where_a_cache_of_transformers_lives_isnt_asked_at_each_operation(monkeypatch):
    begun, begin = [], Search.__init__
    monkeypatch.setattr(Search, "__init__", lambda search, starts: (begun.append(starts), begin(search, starts))[1])
    dy2st.torch.to_static(decoders.Talk("gpt2").eval(), [InputSpec([None, None], "int64", "tokens")])(prompts(2)["tokens"])
    assert len(begun) < 200
