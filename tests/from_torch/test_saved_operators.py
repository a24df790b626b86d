"""torch's samples as Programs in files: in a process without torch they give the same of plain arrays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("torch")

from from_torch.alone import Alone  # noqa: E402
from from_torch.operators import DTYPES, OPERATORS, outcomes, samples  # noqa: E402
from support.sampling import sampled  # noqa: E402


@pytest.fixture(scope="module")
def alone() -> Iterator[Alone]:
    with Alone() as process:
        yield process


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(list(OPERATORS), 60) + ["istft"])
def test_the_first_sample_of_each_dtype(name: str, alone: Alone) -> None:
    found = [outcomes(name, sample, alone=alone)[1] for dtype in DTYPES for sample in samples(name, dtype, 1)]
    assert not [made for made in found if made is not None and made.kind not in ("right", "raises", "refused")]
