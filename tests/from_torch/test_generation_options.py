"""Options of `generate()`: masks of padded prompts, several ends, criteria and processors of the user's own, scores."""

from __future__ import annotations

import io
from importlib.util import find_spec
from itertools import product

import pytest
from support.sampling import sampled

missing = [name for name in ("torch", "tokenizers", "onnxruntime") if find_spec(name) is None]
if missing:
    pytest.skip(f"generating models need {', '.join(missing)}", allow_module_level=True)
if find_spec("transformers.generation") is None:
    pytest.skip("the repository's folder `transformers` hides the package", allow_module_level=True)

import numpy as np  # noqa: E402
import torch  # noqa: E402
from from_torch.generation import END, WORDS, small_model  # noqa: E402

import dy2st  # noqa: E402
import dy2st.onnx  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402
from transformers import LogitsProcessor, StoppingCriteria  # noqa: E402

SHAPES = ((2, 5), (1, 4), (3, 2))
SPECS = [InputSpec([None, None], "int64", name) for name in ("ids", "mask")]
ENDS = [END, *range(20, 32)]  # so many that some prompts end early


class Enough(StoppingCriteria):
    """A prompt ends after a token of a range."""

    def __call__(self, input_ids, scores, **kwargs):
        return (input_ids[:, -1] >= 60) & (input_ids[:, -1] < 75)


class Even(LogitsProcessor):
    """Takes odd tokens out, and the last one; the object counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, input_ids, scores):
        self.calls += 1
        scores = scores.masked_fill(torch.arange(scores.shape[-1]) % 2 == 1, -float("inf"))
        scores = scores.scatter(1, input_ids[:, -1:], -5.0)
        return scores + self.calls * 0.01


OPTIONS = {
    "padding": lambda model, ids, **given: model.generate(ids, **given),
    "ends": lambda model, ids, **given: model.generate(ids, eos_token_id=ENDS, **given),
    "criteria": lambda model, ids, **given: model.generate(ids, stopping_criteria=[Enough()], **given),
    "processors": lambda model, ids, **given: model.generate(ids, logits_processor=[Even()], **given),
    "scores": lambda model, ids, **given: model.generate(ids, return_dict_in_generate=True, output_scores=True, **given),
    "beams with scores": lambda model, ids, **given: model.generate(
        ids, num_beams=2, return_dict_in_generate=True, output_scores=True, **given
    ),
    "all": lambda model, ids, **given: model.generate(
        ids, eos_token_id=ENDS, stopping_criteria=[Enough()], logits_processor=[Even()], return_dict_in_generate=True,
        output_scores=True, output_logits=True, **given,
    ),
}  # fmt: skip


class Generates(torch.nn.Module):
    def __init__(self, model, option):
        super().__init__()
        self.model, self.option = model, option

    def forward(self, ids, mask):
        return OPTIONS[self.option](self.model, ids, attention_mask=mask, max_new_tokens=8, do_sample=False)


def prompts():
    """Prompts that are padded on the left, each by another length, and their masks."""
    torch.manual_seed(1)
    for count, length in SHAPES:
        ids = torch.randint(END + 1, WORDS, (count, length))
        mask = torch.ones_like(ids)
        for row in range(count):
            ids[row, : row % length], mask[row, : row % length] = 0, 0
        yield ids, mask


def arrays(result):
    """The arrays of tokens and scores in a result, by name."""
    if not hasattr(result, "keys"):
        return {"sequences": np.asarray(result)}
    kinds = {name: result[name] for name in result if name != "cache"}
    return {name: np.stack(one) if isinstance(one, tuple) else np.asarray(one) for name, one in kinds.items()}


def assert_same(found, expected):
    found, expected = arrays(found), arrays(expected)
    assert list(found) == list(expected)
    for name, one in expected.items():
        np.testing.assert_allclose(found[name], one, rtol=1e-4, atol=1e-5, err_msg=name)


def check(family, option, folder):
    """Hold a family and an option against torch in every form; a second call stages nothing."""
    plain = Generates(small_model(family), option).eval()
    with torch.no_grad():
        expected = [(given, plain(*given)) for given in prompts()]
        static = dy2st.torch.to_static(Generates(small_model(family), option).eval(), SPECS)
        staged = static.forward.concrete_program
        for given, result in [*expected, *expected]:
            found = static(*given)
            assert type(found) is type(result)
            assert_same(found, result)
        assert [*static.forward.program_cache] == [staged]
        file = io.BytesIO()
        dy2st.jit.save(static, file)
        file.seek(0)
        loaded = dy2st.jit.load(file)
        assert static.forward.concrete_program is staged
        session = dy2st.onnx.Session(dy2st.onnx.export(static, str(folder / "model.onnx")))
    for given, result in expected:
        tensors = [dy2st.to_tensor(x.numpy()) for x in given]
        assert_same(loaded(*tensors), result)
        assert_same(session(*tensors), result)
    return expected


def test_all_options_at_once(tmp_path):
    expected = check("GPT-2", "all", tmp_path)
    assert len({result.sequences.shape[1] - ids.shape[1] for (ids, _), result in expected}) > 1  # some end early


@pytest.mark.long
@pytest.mark.parametrize(("family", "option"), sampled([*product(("GPT-2", "Llama"), OPTIONS)], 1))
def test_options(family, option, tmp_path):
    check(family, option, tmp_path)
