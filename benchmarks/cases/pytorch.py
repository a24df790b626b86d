"""PyTorch modules as they are: calls beside torch eager, torch.compile and torch.jit.script; the time that a conversion takes."""

from __future__ import annotations

import copy
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dy2st
from cases.common import loaded, torch
from dy2st.static import InputSpec
from harness import COMPILED, CONVERTED, LOADED, SCRIPT, STATIC, TORCH, Case, Limit

WORDS, PROMPT, TOKENS = 1000, 8, 48

if torch is not None:
    import dy2st.torch
    from cases.torch_networks import TorchMLP, TorchResNet18

    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
    from sorting import Decoder, Greedy

    class Bottleneck(torch.nn.Module):
        def __init__(self, inner: int, width: int, stride: int):
            super().__init__()
            self.conv1, self.bn1 = torch.nn.Conv2d(inner, width, 1, bias=False), torch.nn.BatchNorm2d(width)
            self.conv2 = torch.nn.Conv2d(width, width, 3, stride, 1, bias=False)
            self.bn2 = torch.nn.BatchNorm2d(width)
            self.conv3, self.bn3 = torch.nn.Conv2d(width, 4 * width, 1, bias=False), torch.nn.BatchNorm2d(4 * width)
            self.short = torch.nn.Sequential()
            if inner != 4 * width:
                narrow = torch.nn.Conv2d(inner, 4 * width, 1, stride, bias=False)
                self.short = torch.nn.Sequential(narrow, torch.nn.BatchNorm2d(4 * width))

        def forward(self, x):
            y = torch.relu(self.bn1(self.conv1(x)))
            y = self.bn3(self.conv3(torch.relu(self.bn2(self.conv2(y)))))
            return torch.relu(y + self.short(x))

    class ResNet50(TorchResNet18):
        def __init__(self) -> None:
            super().__init__()
            inner, blocks = 64, []
            for width, count in ((64, 3), (128, 4), (256, 6), (512, 3)):
                for k in range(count):
                    blocks.append(Bottleneck(inner, width, 2 if k == 0 and width > 64 else 1))
                    inner = 4 * width
            self.blocks, self.fc = torch.nn.Sequential(*blocks), torch.nn.Linear(inner, 1000)


def cases() -> list[Case]:
    if torch is None:
        print("pytorch: torch isn't installed, so nothing is measured", file=sys.stderr)
        return []
    torch.manual_seed(5)
    image, row = InputSpec([None, 3, 224, 224], "float32", "x"), InputSpec([None, 16], "float32", "x")
    prompt = InputSpec([None, None], "int64", "tokens")
    decoder = Decoder(WORDS, width=256, heads=8, shared=4)
    return [
        *_of("Tiny MLP of PyTorch's, batch 1", TorchMLP(16, 32, 16, 4), torch.randn(1, 16), row),
        *_of("ResNet-50 of PyTorch's, 1 x 3 x 224 x 224", ResNet50(), torch.randn(1, 3, 224, 224), image, 2.0),
        *_of(
            f"LLaMA of PyTorch's, 4 layers, greedy, {TOKENS} tokens",
            Greedy(decoder, -1, TOKENS), torch.randint(0, WORDS, (1, PROMPT)), prompt, 3.0,
        ),
    ]  # fmt: skip


def _of(title: str, module: Any, given: Any, spec: InputSpec, seconds: float | None = None) -> list[Case]:
    """The calls of a module with one tensor, and its conversion, which should take at most so many seconds."""
    module.eval()
    static, script = dy2st.torch.to_static(module, [spec]), torch.jit.script(module)
    again, array = loaded(static), dy2st.to_tensor(given.numpy())
    variants: dict[str, Callable] = {
        TORCH: lambda: module(given),
        SCRIPT: lambda: script(given),
        STATIC: lambda: static(given),
        LOADED: lambda: again(array).numpy(),
    }
    if shutil.which("g++"):
        compiled = torch.compile(copy.deepcopy(module))
        variants[COMPILED] = lambda: compiled(given)
    else:
        print(f"{title}: torch.compile needs g++, and doesn't take part", file=sys.stderr)
    variants = {name: torch.no_grad()(function) for name, function in variants.items()}
    first = {STATIC: lambda: dy2st.torch.to_static(module, [spec])(given), SCRIPT: lambda: torch.jit.script(module)(given)}
    steady = Case(title, variants, first={name: torch.no_grad()(function) for name, function in first.items()})
    if seconds is None:
        return [steady]
    variants = {CONVERTED: lambda: _convert(module, spec)}
    return [steady, Case(f"{title}: conversion", variants, limits=[Limit(CONVERTED, seconds)])]


def _convert(module: Any, spec: InputSpec) -> None:
    dy2st.torch.to_static(module, [spec]).forward.concrete_program  # noqa: B018 - which is made when it is asked for
