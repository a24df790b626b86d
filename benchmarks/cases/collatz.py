"""The lengths of the Collatz sequences of the integers below 1,000: scalar control flow and nothing else."""

from __future__ import annotations

import numpy as np

import dy2st
from cases.common import loaded, torch
from harness import EAGER, HAND, LOADED, SCRIPT, STATIC, Aim, Case

COUNT = 1000
N = np.arange(1, COUNT + 1, dtype=np.int64)


def by_hand(numbers):
    total = 0
    longest = 0
    for n in numbers:
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        total += steps
        longest = max(longest, steps)
    return total, longest


def collatz(numbers):
    total = 0
    longest = 0
    for n in numbers:
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        total += steps
        longest = max(longest, steps)
    return total, longest


def script_collatz(numbers: torch.Tensor) -> tuple[int, int]:
    total = 0
    longest = 0
    for k in range(numbers.size(0)):
        n = int(numbers[k])
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        total += steps
        longest = max(longest, steps)
    return total, longest


def cases() -> list[Case]:
    numbers, ints = dy2st.to_tensor(N), list(range(1, COUNT + 1))
    static = dy2st.jit.to_static(collatz, input_spec=[dy2st.static.InputSpec([None], "int64", "numbers")])
    again = loaded(static)
    variants = {
        HAND: lambda: by_hand(ints),
        EAGER: lambda: collatz(numbers),
        STATIC: lambda: static(numbers),
        LOADED: lambda: again(numbers),
    }
    if torch is not None:
        script, torch_numbers = torch.jit.script(script_collatz), torch.from_numpy(N)
        variants[SCRIPT] = lambda: script(torch_numbers)
    aims = [Aim(STATIC, HAND, 1.5), Aim(LOADED, HAND, 1.5), Aim(STATIC, EAGER, 1.0)]
    note = "By hand is plain Python on ints; the script variant reads each number as an int first."
    return [Case("Collatz, 1,000 integers", variants, aims, note)]
