"""Gradients of twenty whole models in float64 against torch's own, in train and in eval mode, and the buffers after a call.

python tests/from_torch/gradients_of_models.py [parts of names...]

Without arguments all are tried, and the page is written. What is dropped at random isn't: each generator has its own numbers.
"""

from __future__ import annotations

import copy
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.zoo import Case, cases
from support.sections import cell, write_section

import dy2st.torch
from dy2st.torch.values import leaves

MODELS = """torchvision/resnet18 torchvision/mobilenet_v3_small torchvision/shufflenet_v2_x0_5 torchvision/squeezenet1_1
    torchvision/densenet121 torchvision/efficientnet_b0 torchvision/regnet_y_400mf timm/convnext timm/resnetv2 timm/pvt_v2
    timm/edgenext timm/levit transformers/bert transformers/albert transformers/gpt2 transformers/llama transformers/opt
    transformers/t5 transformers/bart transformers/vit""".split()
BOUND = 3e-4  # of the largest element of a gradient: some models compute parts in float32


class Outcome(NamedTuple):
    """What became of a model: "right" or the words; how many gradients there are, and the largest difference."""

    words: str
    count: int
    difference: float


def chosen(parts: list[str]) -> list[Case]:
    """The twenty models, or those with one of these parts in their names."""
    found = {name: next(case for case in cases([name]) if f"{case.name}/".startswith(f"{name}/")) for name in MODELS}
    return [case for name, case in found.items() if not parts or any(part in name for part in parts)]


def outcome(case: Case, training: bool) -> Outcome:
    """The gradients of one model. A parameter without one in torch must have none."""
    torch.manual_seed(0)
    module = undropped(case.build().train(training).double())
    twin = copy.deepcopy(module)
    given = {name: x.double() if x.is_floating_point() else x for name, x in case.inputs(4).items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            right = step(module, module, given)
            found = step(twin, dy2st.torch.to_static(twin), given)
            return compared(found, right)
        except Exception as error:
            if "--trace" in sys.argv:
                traceback.print_exc()
            return Outcome(f"{type(error).__name__}: {str(error).splitlines()[0][:200]}", 0, 0.0)


def undropped(module: torch.nn.Module) -> torch.nn.Module:
    """The module, which drops nothing at random."""
    for part in module.modules():
        for name, value in vars(part).items():
            if type(value) is float and (name == "p" or "drop" in name):
                setattr(part, name, 0.0)
    return module


def step(module: torch.nn.Module, call: Any, given: dict[str, torch.Tensor]) -> dict[str, torch.Tensor | None]:
    """The gradients of inputs and parameters for the mean square of all results, and the buffers after the call, by name."""
    given = {name: x.clone().requires_grad_(x.is_floating_point()) for name, x in given.items()}
    result = call(**given)
    outputs = [x for x in leaves(result.to_tuple() if hasattr(result, "to_tuple") else result) if isinstance(x, torch.Tensor)]
    sum((x.square().mean() for x in outputs if x.requires_grad), torch.zeros(())).backward()
    gradients = {name: x.grad for name, x in (*given.items(), *module.named_parameters())}
    return {**gradients, **{f"buffer {name}": x.detach() for name, x in module.named_buffers()}}


def compared(found: dict[str, torch.Tensor | None], right: dict[str, torch.Tensor | None]) -> Outcome:
    """How far gradients and buffers are from torch's, in parts of the largest element of each."""
    largest = 0.0
    floor = 1e-3 * max(float(x.abs().max()) for x in right.values() if x is not None and x.is_floating_point() and x.numel())
    for name, theirs in right.items():
        mine = found[name]
        if (mine is None) != (theirs is None):
            return Outcome(f"{name}: {'no' if mine is None else 'a'} gradient, unlike torch", 0, 0.0)
        if mine is None or theirs is None or not theirs.numel():
            continue
        scale = max(float(theirs.abs().max()), floor) if theirs.is_floating_point() else 1.0
        apart = float((mine.double() - theirs.double()).abs().max()) / scale
        if not apart < BOUND:
            return Outcome(f"{name} is {apart:.1e} off", 0, apart)
        largest = max(largest, apart)
    return Outcome("right", sum(x is not None for x in right.values()), largest)


def main(parts: list[str]) -> None:
    """Print a line for each model and mode; write the page where all were tried."""
    rows = []
    for case in chosen(parts):
        made = {mode: outcome(case, mode == "train") for mode in ("train", "eval")}
        said = [f"{x.count} within {x.difference:.0e}" if x.words == "right" else cell(x.words) for x in made.values()]
        rows.append(f"| {case.name} | {' | '.join(said)} |")
        print(rows[-1], flush=True)
    if not parts:
        what = "Gradients and buffers of whole models in float64, batches of 4"
        head = f"{what}: their number, and how far they are from torch's, in parts of the largest element of each."
        text = "\n".join([head, "", "| model | train | eval |", "|---|---|---|", *rows])
        write_section("from-pytorch.md", "python tests/from_torch/gradients_of_models.py", text)


if __name__ == "__main__":
    main([part for part in sys.argv[1:] if not part.startswith("--")])
