"""The smallest member of each family of timm, on small images where it allows them.

python tests/from_torch/zoo_timm.py

That looks for them in timm's registry, and writes `timm_families.txt`: a family, which is a module of timm's, a name, a length.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import torch

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.vision import torchvision  # noqa: F401 - timm asks for it
from from_torch.zoo import Case, images

LIST = Path(__file__).with_name("timm_families.txt")
LENGTHS = (64, 96, 128, 160, 192, 224, 256)


def cases() -> Iterator[Case]:
    """Each family, as `timm/vgg/vgg11`."""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        family, name, length = line.split()
        side = int(length)
        group = "timm, the smallest of each family"
        yield Case(f"timm/{family}/{name}", group, partial(_built, name, side), partial(images, "x", side))


def _built(name: str, length: int) -> torch.nn.Module:
    import timm

    config = timm.get_pretrained_cfg(name)
    is_other = config is not None and config.fixed_input_size and config.input_size[-1] != length
    return timm.create_model(name, **({"img_size": length} if is_other else {}))


def families() -> Iterator[str]:
    """A line for each family."""
    import timm

    for family in timm.list_modules():
        counted = [(_parameters(name), name) for name in timm.list_models(module=family)]
        name = min(counted)[1]
        yield f"{family} {name} {_length(name)}"


def _parameters(name: str) -> float:
    """How many parameters a model has; infinity where it isn't built without memory."""
    import timm

    try:
        with torch.device("meta"):
            return sum(x.numel() for x in timm.create_model(name).parameters())
    except (RuntimeError, NotImplementedError):
        return float("inf")


def _length(name: str) -> int:
    """The smallest length of images that the model takes; that of its config, where it takes no smaller ones."""
    import timm

    for length in LENGTHS:
        try:
            with torch.no_grad():
                _built(name, length).eval()(torch.zeros(1, 3, length, length))
            return length
        except (RuntimeError, AssertionError, TypeError, ValueError):
            continue
    config = timm.get_pretrained_cfg(name)
    return config.input_size[-1]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    LIST.write_text("".join(f"{line}\n" for line in families()), encoding="utf-8")
