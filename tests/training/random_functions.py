"""Random functions of tensors, as source: branches, loops, lists, views and writes in place."""

from __future__ import annotations

import random

NAMES = ("a", "b", "c")
HEADER = """import dy2st as paddle


def f(x, w):
    a, b, c = x[0], x[0] * w[0], w[1]
    items = [a]
"""


class Writer:
    """Writes one function; tensors called `a`, `b`, `c` have the shape [3], whatever the path.

    smooth: nothing is detached, so that finite differences see what gradients see.
    """

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.smooth = seed % 2 == 0
        self.lines: list[str] = []

    def text(self) -> str:
        """The source of a module with the function `f(x, w)`, for x float64 [n, 3] and w float64 [3, 3]."""
        self.block(1, 0, self.random.randint(2, 4))
        return HEADER + "\n".join(self.lines) + "\n    return a.sum() + (b * c).mean() + paddle.stack(items).mean()\n"

    def put(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def name(self) -> str:
        return self.random.choice(NAMES)

    def block(self, depth: int, loops: int, count: int) -> None:
        for _ in range(count):
            kinds = [self.assignment, self.assignment, self.of_list, self.in_place]
            if depth < 3:
                kinds += [self.branch, self.branch, self.loop] if loops < 2 else [self.branch]
            self.random.choice(kinds)(depth, loops)

    def expression(self) -> str:
        p, q = self.name(), self.name()
        return self.random.choice(
            (
                f"{p} * 0.5 + {q}",
                f"paddle.tanh({p} * {q})",
                f"{p} @ w * 0.4",
                f"{p} - {q} * x[0]",
                f"{p} / (1.5 + {q} * {q})",
                f"paddle.concat([{p}[1:], {q}[:1]])",
                f"({p}.reshape([3, 1]) * w).sum(axis=0).tanh()",
                f"x.transpose([1, 0]).mean(axis=1) + {p}",
                f"paddle.where({p} > {q}, {p}, {q} * 0.3)",
                f"paddle.nn.functional.softmax({p}, axis=-1)",
            )
        )

    def cut(self) -> str:
        return f"{self.name()} * {self.name()}.detach()"

    def condition(self) -> str:
        return f"{self.name()}.sum() > {self.random.choice((-0.5, 0.0, 0.4))}"

    def assignment(self, depth: int, loops: int) -> None:
        cut = not self.smooth and self.random.random() < 0.2
        self.put(depth, f"{self.name()} = {self.cut() if cut else self.expression()}")

    def of_list(self, depth: int, loops: int) -> None:
        p = self.name()
        self.put(
            depth,
            self.random.choice(
                (
                    f"items.append({p})",
                    f"items.append({self.expression()})",
                    f"items[0] = {p}",
                    f"{p} = items[-1]",
                    f"{p} = paddle.stack(items).mean(axis=0)",
                    f"{p} = paddle.concat(items)[:3]",
                    f"{p} = items.pop() if len(items) > 1 else {self.name()}",
                )
            ),
        )

    def in_place(self, depth: int, loops: int) -> None:
        p, q = self.name(), self.name()
        self.put(depth, f"t = {q}.clone()")
        write = self.random.choice(("t.add_({})", "t[1:] = {}[:2]", "t[0:2].add_({}[1:])", "t[1:][0] = {}[2]"))
        self.put(depth, write.format(self.name()))
        self.put(depth, f"{p} = t * 0.9")

    def branch(self, depth: int, loops: int) -> None:
        self.put(depth, f"if {self.condition()}:")
        self.block(depth + 1, loops, self.random.randint(1, 2))
        if self.random.random() < 0.5:
            self.put(depth, "else:")
            self.block(depth + 1, loops, 1)

    def loop(self, depth: int, loops: int) -> None:
        index = "ij"[loops]
        self.put(depth, f"for {index} in range(x.shape[0] - {self.random.randint(0, 1)}):")
        self.block(depth + 1, loops + 1, self.random.randint(1, 2))
        if self.random.random() < 0.3:
            self.put(depth + 1, f"if {self.condition()}:")
            self.put(depth + 2, self.random.choice(("break", "continue")))
