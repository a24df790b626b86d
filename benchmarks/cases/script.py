"""What `script` compiles from typed Python: scalar loops against the plain Python that they came from, an LSTM against eager."""

from __future__ import annotations

import dy2st
from cases.common import torch
from cases.lstm import ZEROS, B, U, W, X, lstm
from harness import EAGER, HAND, SCRIPT, SCRIPTED, Aim, Case


def gcd(a: int, b: int) -> int:
    while b != 0:
        a, b = b, a % b
    return a


def collatz(count: int) -> int:
    longest = 0
    for first in range(1, count):
        n = first
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        longest = max(longest, steps)
    return longest


def bubble_sort(numbers: list[int]) -> list[int]:
    for i in range(len(numbers)):
        for j in range(len(numbers) - 1 - i):
            if numbers[j] > numbers[j + 1]:
                numbers[j], numbers[j + 1] = numbers[j + 1], numbers[j]
    return numbers


FIBONACCI = [1, 1]  # two of them in a row keep Euclid's algorithm busy longest
while len(FIBONACCI) < 90:
    FIBONACCI.append(sum(FIBONACCI[-2:]))
SHUFFLED = [(k * 7919) % 101 for k in range(60)]


def cases() -> list[Case]:
    return [
        _scalars("Scripted gcd of two Fibonacci numbers", gcd, lambda: tuple(FIBONACCI[-2:])),
        _scalars("Scripted Collatz, integers below 300", collatz, lambda: (300,)),
        _scalars("Scripted bubble sort, 60 integers", bubble_sort, lambda: (SHUFFLED.copy(),)),
        _lstm(),
    ]


def _scalars(title, function, arguments) -> Case:
    script = dy2st.jit.script(function)
    variants = {HAND: lambda: function(*arguments()), SCRIPTED: lambda: script(*arguments())}
    if torch is not None:
        torch_script = torch.jit.script(function)
        variants[SCRIPT] = lambda: torch_script(*arguments())
    return Case(title, variants, [Aim(SCRIPTED, HAND, 1.2)])


def _lstm() -> Case:
    tensors = [dy2st.to_tensor(a) for a in (X, W, U, B, ZEROS, ZEROS)]
    script = dy2st.jit.script(lstm)
    variants = {EAGER: lambda: lstm(*tensors), SCRIPTED: lambda: script(*tensors)}
    return Case("Scripted LSTM, 100 steps", variants, [Aim(SCRIPTED, EAGER, 1 / 3)])
