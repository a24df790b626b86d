"""Random functions with all that decides about gradients: modes, late writes, leaves, a backward of their own, early return."""

from __future__ import annotations

from collections.abc import Callable

from .random_functions import BOX, IMPORT, STRUCTURES
from .random_results import HEADER, ZEROS, ResultWriter

FEATURES = ("modes", "late", "leaves", "layers", "returns", "flags", "detached", "parts")
MORE = ("zeros_like({}) + v", "ones_like({}) * u", "cumsum({}, 0)", "flip({}, [0]) * 0.5", "full_like({}, 0.5)")
SHARE = 0.35  # of the functions that have a feature
LAYERS = '''

class Scaled(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.scale = 3.0
        return x * ctx.scale

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensor()
        return gradient * x * ctx.scale


class Crossed(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y, x - y

    @staticmethod
    def backward(ctx, g, h):
        x, y = ctx.saved_tensor()
        return g * y + h, g * x * 2


class Aside(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x, y):
        aside = y * 2
        ctx.mark_non_differentiable(aside)
        return x + y, aside

    @staticmethod
    def backward(ctx, g, h):
        return g * 2, g * 0.5


class Partly(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x, y):
        return x - y

    @staticmethod
    def backward(ctx, gradient):
        return None, gradient * 0.5
'''


class GradientWriter(ResultWriter):
    """The same functions `f(x, w, u, v)`, with a random share of FEATURES, so that a few of them meet often."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self.features = [name for name in FEATURES if self.random.random() < SHARE]

    def text(self) -> str:
        """The source of a module with the function, in Paddle's names."""
        self.block(1, 0, self.random.randint(2, self.depth + 1))
        body = f"{self.body()}    return {self.result()}\n"
        head = f"{IMPORT}{LAYERS if 'layers' in self.features else ''}{BOX if self.structured else ''}{HEADER}"
        return f"{head}    seen = []\n{STRUCTURES if self.structured else ''}{body}"

    def result(self) -> str:
        return f'{super().result()[:-1]}, "seen": seen}}'

    def kinds(self) -> list[Callable[[int, int], None]]:
        return super().kinds() + [getattr(self, f"of_{name}") for name in self.features]

    def expression(self) -> str:
        p = self.name()
        return super().expression() if self.random.random() < 0.85 else f"paddle.{self.random.choice(MORE)}".format(p)

    def of_modes(self, depth: int, loops: int) -> None:
        """Statements without gradients, or with them again."""
        modes = ("no_grad()", "no_grad()", "enable_grad()", "set_grad_enabled(False)", "set_grad_enabled(v.stop_gradient)")
        self.put(depth, f"with paddle.{self.random.choice(modes)}:")
        if depth <= self.depth:
            self.block(depth + 1, loops, self.random.randint(1, 2))
        else:
            self.assignment(depth + 1, loops)

    def of_late(self, depth: int, loops: int) -> None:
        """A tensor is written after it was used, which a backward that needs it must notice."""
        p, q, r = self.name(), self.name(), self.name()
        self.put(depth, f"s = {self.random.choice((f'{q} * 1.1', f'{q}.clone()', f'{q}.detach() * 2', ZEROS))}")
        uses = ("paddle.tanh(s)", "s + 0.5", "paddle.exp(s * 0.3)", "s[1:].sum() * w[0]")
        uses += (f"s * {r}", f"{r} / (2 + s * s)", f"s.sum() * {r}")
        self.put(depth, f"{p} = {self.random.choice(uses)}")
        if self.random.random() < 0.15:
            self.put(depth, "with paddle.no_grad():")
            depth += 1
        writes = ("s.zero_()", "s[1:].add_(0.1)", "s[-1] = 2.0")
        writes += (f"s.add_({r})", f"s[0] = {r}[1]", f"s.multiply_({r})", f"s[{r} > 0] = 0.3")
        self.put(depth, self.random.choice(writes))
        self.put(depth, self.random.choice((f"{q} = s * 0.9", f"items.append(s * {r})", f"{q} = s")))

    def of_leaves(self, depth: int, loops: int) -> None:
        """An argument or parameter is written: it gets a history; a leaf that a gradient is asked of raises."""
        p = self.name()
        if self.random.random() < 0.6:
            self.put(depth, "with paddle.no_grad():")
            depth += 1
        writes = (f"u.add_({p} * 0.1)", "v.multiply_(0.9)", f"v[0] = {p}[1]", f"x[0] = {p}", "x[-1:].multiply_(0.7)")
        writes += ("w[0].zero_()",)
        self.put(depth, self.random.choice(writes))

    def of_layers(self, depth: int, loops: int) -> None:
        """A backward of the user's own."""
        p, q, r = self.name(), self.name(), self.name()
        calls = (f"{p}, {q} = Aside.apply({r}, {q})", f"items.append(Aside.apply({p}, v)[1])")
        calls += (f"{p} = Scaled.apply({q})", f"{p}, _ = Crossed.apply({q}, {r})", f"{p}, {q} = Crossed.apply({r}, {q} * u)")
        calls += (f"{p} = Partly.apply({q}, {r})",)
        self.put(depth, self.random.choice(calls))

    def of_returns(self, depth: int, loops: int) -> None:
        """An early return."""
        self.put(depth, f"if {self.condition()}:")
        self.put(depth + 1, f"return {self.result()}")

    def of_flags(self, depth: int, loops: int) -> None:
        """The function looks at the flags of an argument, or of what is computed of one."""
        p, q = self.name(), self.random.choice("xwuv")
        kind = self.random.randrange(4)
        if kind == 0:
            self.put(depth, f"seen.append({q}.stop_gradient)")
        elif kind == 1:
            self.put(depth, f"s = {q} * 2")
            self.put(depth, "seen.append(s.stop_gradient)")
        elif kind == 2:
            self.put(depth, "seen.append(paddle.is_grad_enabled())")
        else:
            self.put(depth, f"if {q}.stop_gradient:")
            self.put(depth + 1, f"{p} = {self.expression()}")

    def of_detached(self, depth: int, loops: int) -> None:
        """What is detached shares memory, which may be written through it."""
        p, q, r = self.name(), self.name(), self.name()
        self.put(depth, f"s = {q}.detach()")
        if self.random.random() < 0.4:
            writes = ("s.add_(0.1)", f"s[0] = {r}[1].detach()", f"s.multiply_({r}.detach())", f"s.add_({r})")
            self.put(depth, self.random.choice(writes))
        self.put(depth, f"{p} = {self.random.choice((f's * {r}', f's + {q}', 's', f'{q} * {q}'))}")

    def of_parts(self, depth: int, loops: int) -> None:
        """Several views at once, one of which may be written."""
        p, q, r = self.name(), self.name(), self.name()
        of = self.random.choice(("w", "w * 0.5", "paddle.stack([a, b, c])"))
        ways = (f"paddle.unbind({of})", f"[y.reshape([3]) for y in paddle.chunk({of}, 3)]")
        self.put(depth, f"{p}, s, _ = {self.random.choice(ways)}")
        if self.random.random() < 0.25:
            self.put(depth, f"s.add_({r} * 0.5)")
        self.put(depth, f"{q} = s * {r}")
