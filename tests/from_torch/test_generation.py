"""Text that models of transformers generate, `generate()` unchanged and by loops of the user's, is torch's in every form."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from support.sampling import sampled

missing = [name for name in ("torch", "tokenizers", "onnxruntime") if find_spec(name) is None]
if missing:
    pytest.skip(f"generating models need {', '.join(missing)}", allow_module_level=True)
if find_spec("transformers.generation") is None:
    pytest.skip("the repository's folder `transformers` hides the package", allow_module_level=True)

import torch  # noqa: E402
from from_torch.generation import CELLS, END, WORDS, Way, compare, small_model, static_way  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

TRIED = [(family, way) for family, way in CELLS if family in ("GPT-2", "Llama", "Mistral")]  # `generation_table.py` tries all


@pytest.mark.long
@pytest.mark.parametrize(("family", "way"), sampled(TRIED, 3))
def test_the_tokens_are_those_of_torch(family, way, tmp_path):
    told = compare(family, way, tmp_path)
    assert not (told.wrong or told.refused or told.of_onnx)


@pytest.mark.long
@pytest.mark.parametrize("way", sampled(["for", "greedy", "beams"], 1))
def test_the_program_is_no_longer_for_more_tokens(way):
    few, many = (static_way("GPT-2", way, count).forward.concrete_program.program for count in (12, 30))
    assert len(list(few.walk())) == len(list(many.walk()))


class Drawn(Way):
    def forward(self, ids):
        return self.model.generate(
            ids, max_new_tokens=self.count, do_sample=True, temperature=0.7, top_k=6, top_p=0.9, repetition_penalty=1.3,
            min_new_tokens=2, no_repeat_ngram_size=2,
        )  # fmt: skip


def test_samples_come_from_the_distribution_of_torch():
    model = small_model("GPT-2")
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4)  # so that some tokens are more likely than others
        static = dy2st.torch.to_static(Drawn(model, 2).eval(), [InputSpec([None, None], "int64", "ids")])
        ids = torch.tensor([[9, 11, 12, 9]]).repeat(4000, 1)
        torch.manual_seed(0)
        expected = Drawn(model, 2).eval()(ids)[:, 4:]
        torch.manual_seed(5)
        found = static(ids)[:, 4:]
        torch.manual_seed(5)
        again = static(ids)[:, 4:]
    assert torch.equal(found, again)
    a, b = (torch.bincount(x[:, 0] * WORDS + x[:, 1], minlength=WORDS**2).double() for x in (expected, found))
    often = a + b > 20
    degrees = int(often.sum())
    assert degrees > 5 and END not in found
    assert float(((a - b) ** 2 / (a + b))[often].sum()) < degrees + 6 * (2 * degrees) ** 0.5  # chi-squared
