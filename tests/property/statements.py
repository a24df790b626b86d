"""Random statements: assignments, mutations, control flow in every nesting. Everything that is written terminates."""

from __future__ import annotations

from random import Random

from property.expressions import KEYS, TEXTS, Expressions
from property.scope import NAMES_PER_KIND, Scope, kind_of


class Statements:
    """Writes the body of one function, line by line."""

    def __init__(self, random: Random, features: set[str], kinds: list[str], size: int):
        self.random, self.features, self.kinds, self.size = random, features, kinds, size
        self.expressions = Expressions(random, features)
        self.pick, self.chance = self.expressions.pick, self.expressions.chance
        self.lines: list[str] = []
        self.counters = 0
        self.loops = 0  # nesting at the moment

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def expr(self, kind: str, scope: Scope, depth: int = 0) -> str:
        return self.expressions.write(kind, scope, depth)

    # --- blocks --------------------------------------------------------------------------------------------------------

    def block(self, depth: int, scope: Scope, in_loop: bool, function: str = "") -> bool:
        """Some statements; whether control leaves the block at its end."""
        budget = self.random.randrange(1, 4) if depth > 1 else self.random.randrange(4, 8)
        for _ in range(budget):
            if not self.statement(depth, scope, in_loop, function):
                return False
        return True

    def statement(self, depth: int, scope: Scope, in_loop: bool, function: str = "") -> bool:
        """One statement; False if control doesn't go on after it."""
        self.size -= 1
        choice = self.random.random()
        deep = depth > 4 or self.size < 0
        if choice < 0.25 and not deep:
            return self.if_(depth, scope, in_loop, function)
        if choice < 0.42 and not deep and self.loops < 3:
            return self.loop(depth, scope, function)
        if choice < 0.47 and depth > 1:
            return self.leave(depth, scope, in_loop, function)
        if choice < 0.50 and "exceptions" in self.features:
            return self.fail(depth, scope)
        if choice < 0.58 and "exceptions" in self.features and not deep:
            return self.pick(self.try_, self.try_, self.with_)(depth, scope, in_loop, function)
        self.simple(depth, scope, function)
        return True

    def leave(self, depth: int, scope: Scope, in_loop: bool, function: str) -> bool:
        if in_loop and self.chance(0.7):
            self.emit(depth, self.pick("break", "continue"))
        else:
            self.return_(depth, scope, function)
        return False

    def return_(self, depth: int, scope: Scope, function: str) -> None:
        if function:  # a nested function gives an int
            self.emit(depth, f"return {self.expr('i', scope, 1)}")
            return
        kinds = [k for k in self.kinds if scope.of(k)]
        self.emit(depth, "return " + self.pick(
            self.expr("x", scope, 1),
            self.expr("i", scope, 1),
            f"{self.expr('x', scope, 2)}, {self.expr('i', scope, 2)}",
            f"({self.expr(self.pick(*kinds), scope, 2)},)" if kinds else "()",
            self.expr(self.pick(*kinds), scope, 1) if kinds else "None",
            "None",
        ))

    def fail(self, depth: int, scope: Scope) -> bool:
        way = self.random.randrange(4)
        if way == 0:
            self.emit(depth, f"assert {self.expr('c', scope, 1)}, {self.pick(*TEXTS)}")
            return True
        if way == 1:
            self.emit(depth, f"assert {self.expr('c', scope, 1)}")
            return True
        if depth == 1 or way == 2:
            self.emit(depth, f"if {self.expr('c', scope)}:")
            self.raise_(depth + 1, scope)
            return True
        self.raise_(depth, scope)
        return False

    def raise_(self, depth: int, scope: Scope) -> None:
        self.emit(depth, "raise " + self.pick('ValueError("bad")', f'Trouble("odd", {self.expr("i", scope, 1)})',
        "KeyError(3)", "IndexError"))

    # --- control flow ----------------------------------------------------------------------------------------------------

    def if_(self, depth: int, scope: Scope, in_loop: bool, function: str) -> bool:
        arrives = []
        for k in range(self.pick(1, 1, 1, 2)):
            self.emit(depth, f"{'elif' if k else 'if'} {self.expr('c', scope)}:")
            path = scope.copy()
            if self.block(depth + 1, path, in_loop, function):
                arrives.append(path)
        if self.chance(0.6):
            self.emit(depth, "else:")
            path = scope.copy()
            if self.block(depth + 1, path, in_loop, function):
                arrives.append(path)
        else:
            arrives.append(scope.copy())
        scope.meet(*arrives)
        return bool(arrives)

    def loop(self, depth: int, scope: Scope, function: str) -> bool:
        self.loops += 1
        path = scope.copy()
        endless = False
        if self.chance(0.4):
            endless = self.while_head(depth, scope, path)
        else:
            self.for_head(depth, scope, path)
        self.block(depth + 1, path, True, function)
        scope.meet(scope.copy(), path) if not endless else scope.meet(scope.copy())
        scope.maybe |= path.maybe
        self.loops -= 1
        if self.chance(0.3):
            self.emit(depth, "else:")
            path = scope.copy()
            self.block(depth + 1, path, False, function)
            scope.maybe |= path.maybe
        return True

    def while_head(self, depth: int, scope: Scope, path: Scope) -> bool:
        """A `while` that a counter bounds."""
        counter = f"w{self.counters}"
        self.counters += 1
        limit = self.pick("2", "3", "4", "4")
        start = self.pick("0", "0", "int(n) - 2")
        self.emit(depth, f"{counter} = {start}")
        way = self.random.randrange(3)
        if way == 0:
            self.emit(depth, f"while {counter} < {limit} and {self.expr('c', scope, 1)}:")
            self.emit(depth + 1, f"{counter} += 1")
        elif way == 1:
            self.emit(depth, f"while {self.expr('c', scope)}:")
            self.emit(depth + 1, f"{counter} += 1")
            self.emit(depth + 1, f"if {counter} > {limit}:")
            self.emit(depth + 2, "break")
        else:
            self.emit(depth, "while True:")
            self.emit(depth + 1, f"{counter} += 1")
            self.emit(depth + 1, f"if {counter} > {limit} or {self.expr('c', scope, 1)}:")
            self.emit(depth + 2, "break")
        return way == 2

    def for_head(self, depth: int, scope: Scope, path: Scope) -> None:
        target = self.target("i", scope)
        ways = [
            f"for {target} in range(n):",
            f"for {target} in range(n):",
            f"for {target} in range({self.pick('2', '3')}):",
            f"for {target} in range(1, {self.expr('i', scope, 2)} % 5):",
            f"for {target} in range(int(n), 0, -1):",
            f"for {target} in reversed(range(n)):",
            f"for {target} in (1, {self.expr('i', scope, 2)}):",
        ]
        bound = [target]
        if scope.of("l"):
            items = self.pick(*scope.of("l"))
            ways += [f"for {target} in list({items}):", f"for {target} in {items}[:4]:"]
        line = self.pick(*ways)
        if self.chance(0.3):
            line, bound = self.tensor_head(scope, target)
        self.emit(depth, line)
        for name in bound:
            path.bind(name)

    def tensor_head(self, scope: Scope, target: str) -> tuple[str, list[str]]:
        scalar, vector = self.target("s", scope), self.target("x", scope)
        ways = [
            (f"for {scalar} in x0:", [scalar]),
            (f"for {target}, {scalar} in enumerate(x0):", [target, scalar]),
            (f"for {target}, {scalar} in zip(range(n), x0):", [target, scalar]),
        ]
        if scope.of("xs"):
            items = self.pick(*scope.of("xs"))
            ways += [
                (f"for {vector} in list({items}):", [vector]),
                (f"for {target}, {vector} in enumerate({items}[:3]):", [target, vector]),
                (f"for {target}, {vector} in zip((1, 2), {items}):", [target, vector]),
            ]
        return self.pick(*ways)

    def try_(self, depth: int, scope: Scope, in_loop: bool, function: str) -> bool:
        final = self.chance(0.4)
        handlers = self.pick(["ValueError"], ["Trouble", "KeyError"], ["Exception"], [] if final else ["IndexError"])
        self.emit(depth, "try:")
        body, paths = scope.copy(), []
        arrives = self.block(depth + 1, body, in_loop, function)
        raised = scope.copy()
        raised.bound &= body.bound  # the body may have deleted some
        raised.maybe |= body.maybe
        for caught in handlers:
            self.handler(depth, caught, raised.copy(), in_loop, function, paths)
        if handlers and arrives and self.chance(0.3):
            self.emit(depth, "else:")
            arrives = self.block(depth + 1, body, in_loop, function)
        paths += [body] if arrives else []
        if final:
            self.final(depth, raised, paths)
        scope.maybe |= raised.maybe
        scope.meet(*paths)
        return bool(paths)

    def handler(self, depth: int, caught: str, path: Scope, in_loop: bool, function: str, paths: list[Scope]) -> None:
        name = self.pick("", " as e")
        self.emit(depth, f"except {caught}{name}:")
        if name and "g" in self.kinds and self.chance(0.5):
            self.emit(depth + 1, f"{path.bind(self.target('g', path))} = str(e)")
        if self.chance(0.15):
            self.emit(depth + 1, "raise")
        elif self.block(depth + 1, path, in_loop, function):
            paths.append(path)

    def final(self, depth: int, anyhow: Scope, paths: list[Scope]) -> None:
        """One statement, over what is bound on every path."""
        self.emit(depth, "finally:")
        anyhow.bound = set.intersection(anyhow.bound, *(path.bound for path in paths))
        before = set(anyhow.bound)
        self.simple(depth + 1, anyhow, "")
        for path in paths:
            path.bound = (path.bound - before) | anyhow.bound

    def with_(self, depth: int, scope: Scope, in_loop: bool, function: str) -> bool:
        notes = self.pick(*scope.of("l")) if scope.of("l") else "[]"
        self.emit(depth, f"with Manager({notes}, {self.pick('False', 'True', self.expr('c', scope, 1))}):")
        body = scope.copy()
        self.block(depth + 1, body, in_loop, function)
        scope.bound &= body.bound
        scope.maybe |= body.maybe
        return True

    # --- straight lines --------------------------------------------------------------------------------------------------

    def target(self, kind: str, scope: Scope) -> str:
        """A name to assign: never an argument, nor one that only reads here."""
        names = [f"{kind}{k}" for k in range(NAMES_PER_KIND)]
        return self.pick(*(n for n in names if n not in scope.frozen))

    def simple(self, depth: int, scope: Scope, function: str) -> None:
        mutations = self.mutations(scope)
        if mutations and self.chance(0.5):
            self.emit(depth, self.pick(*mutations)())
            return
        if "closures" in self.features and not function and self.chance(0.12):
            self.nested(depth, scope)
            return
        if "print" in self.features and self.chance(0.1):
            self.emit(depth, f"print({self.pick(*TEXTS)}, {self.expr('i', scope, 1)})")
            return
        self.assign(depth, scope)

    def assign(self, depth: int, scope: Scope) -> None:
        kind = self.pick(*self.kinds)
        way = self.random.random()
        if way < 0.08:
            other = self.pick(*self.kinds)
            line = f"{self.expr(kind, scope, 1)}, {self.expr(other, scope, 1)}"
            a, b = self.target(kind, scope), self.target(other, scope)
            self.emit(depth, f"{scope.bind(a)}, {scope.bind(b)} = {line}")
        elif way < 0.16 and kind in ("l", "ll", "xs", "o", "d", "x"):
            line = self.expr(kind, scope)
            a, b = self.target(kind, scope), self.target(kind, scope)
            self.emit(depth, f"{scope.bind(a)} = {scope.bind(b)} = {line}")
        elif way < 0.2 and "unbound" in self.features and scope.bound - scope.frozen:
            name = self.pick(*sorted(scope.bound - scope.frozen))
            self.emit(depth, f"del {name}")
            scope.unbind(name)
        else:
            line = self.expr(kind, scope)
            self.emit(depth, f"{scope.bind(self.target(kind, scope))} = {line}")

    def mutations(self, scope: Scope) -> list:
        """Ways to change something that exists, as functions giving a line."""
        ways: list = []
        for kind in ("i", "f", "s", "x", "l", "xs", "ll", "d", "o"):
            names = scope.of(kind)
            if names:
                ways += [lambda line=line: line for line in getattr(self, f"_change_{kind}")(scope, self.pick(*names))]
        if "globals" in self.features:
            ways += [
                lambda: f"COUNT = COUNT + {self.pick('1', self.expr('i', scope, 2))} % 9",
                lambda: f"KEEP.v = {self.expr('i', scope, 1)} % 50",
                lambda: f"KEEP.add({self.expr('i', scope, 1)})",
                lambda: f"SHARED[0] = {self.expr('i', scope, 2)}",
                lambda: f'TABLE["a"] = {self.expr("i", scope, 2)}',
                lambda: f"KEEP.keep({self.expr('x', scope, 2)}.sum())",
            ]
            if "inplace" in self.features:
                ways.append(lambda: "WEIGHT.add_(0.5)")
        return ways

    def _change_i(self, scope: Scope, name: str) -> list[str]:
        return [f"{name} {self.pick('+=', '-=')} {self.expr('i', scope, 1)}"] if name not in scope.frozen else []

    def _change_f(self, scope: Scope, name: str) -> list[str]:
        return [f"{name} {self.pick('+=', '-=')} {self.expr('f', scope, 1)}"] if name not in scope.frozen else []

    def _change_s(self, scope: Scope, name: str) -> list[str]:
        return [f"{name} {self.pick('+=', '-=')} {self.pick('1', 'n')}"] if name not in scope.frozen else []

    def _change_x(self, scope: Scope, name: str) -> list[str]:
        lines = [f"{name} += {self.pick('1', 'n', 'x0')}"] if name not in scope.frozen else []
        if "inplace" in self.features:
            lines += [
                f"{name}.add_({self.pick('1.0', '0.5')})",
                f"{name}[0] = {self.pick('2.0', self.expr('f', scope, 2))}",
                f"{name}[:] = 0.5",
                f"shift({name}, 1.5)",
                f"{name}[1:].add_(1.0)",
            ]
        return lines

    def _change_l(self, scope: Scope, name: str) -> list[str]:
        item = self.expr("i", scope, 1)
        lines = [
            f"{name}.append({item})",
            f"{name}.append({item})",
            f"{name}.insert({self.pick('0', '1', '-1')}, {item})",
            f"{name}.pop()" if self.chance(0.5) else f"{name}.extend([{item}, 6])",
            f"{name}[{self.pick('0', '-1')}] = {item}",
            f"push({name}, {item})",
            f"push_some({name}, {item}, {self.expr('c', scope, 1)})",
            f"{name}.reverse()",
        ]
        if name not in scope.frozen:
            lines += [f"{name} += [{item}]", f"del {name}[0]" if self.chance(0.5) else f"{name} = {name} + [{item}]"]
        return lines

    def _change_xs(self, scope: Scope, name: str) -> list[str]:
        item = self.expr("x", scope, 1)
        return [f"{name}.append({item})", f"push({name}, {item})", f"{name}[-1] = {item}", f"{name}.insert(0, {item})"]

    def _change_ll(self, scope: Scope, name: str) -> list[str]:
        item = self.expr("i", scope, 1)
        return [f"{name}[0].append({item})", f"{name}.append({self.expr('l', scope, 1)})", f"{name}[-1].append({item})"]

    def _change_d(self, scope: Scope, name: str) -> list[str]:
        item, key = self.expr("i", scope, 1), self.pick(*KEYS)
        return [f'{name}["a"] = {item}', f"{name}[{key}] = {item}", f"store({name}, {key}, {item})", f'{name}["a"] += 1',
        f"{name}.pop({key}, 0)"]

    def _change_o(self, scope: Scope, name: str) -> list[str]:
        item = self.expr("i", scope, 1)
        return [
            f"{name}.add({item})",
            f"{name}.v = {item}",
            f"{name}.v += 1",
            f"{name}.log.append({item})",
            f"{name}.settle({item})",
            f"{name}.x = {self.expr('x', scope, 1)}",
        ]

    # --- nested functions --------------------------------------------------------------------------------------------------

    def nested(self, depth: int, scope: Scope) -> None:
        """A function inside: it reads, changes and rebinds names of the function around it."""
        name = f"h{len(scope.functions)}"
        captured = [n for n in sorted(scope.bound) if kind_of(n) in ("i", "f", "l", "x", "s")]
        rebound = self.random.sample(captured, min(len(captured), self.pick(0, 1, 2)))
        rebound = [n for n in rebound if n not in scope.frozen]
        if self.chance(0.25):
            self.emit(depth, f"{name} = lambda k: {self.expr('i', scope, 1)} + k")
        else:
            self.emit(depth, f"def {name}(k):")
            if rebound:
                self.emit(depth + 1, f"nonlocal {', '.join(rebound)}")
            inner = scope.copy()
            every = {f"{k}{j}" for k in self.kinds for j in range(NAMES_PER_KIND)}
            inner.frozen = {n for n in scope.bound if n not in rebound} | every - set(rebound)
            self.inner_body(depth + 1, inner, rebound)
        scope.functions[name] = "i"

    def inner_body(self, depth: int, scope: Scope, rebound: list[str]) -> None:
        for name in rebound:
            kind = kind_of(name)
            line = f"{name} = {self.expr(kind, scope, 1)}" if self.chance(0.5) or kind == "l" else f"{name} += k"
            if self.chance(0.4):
                self.emit(depth, f"if {self.expr('c', scope, 1)}:")
                self.emit(depth + 1, line)
            else:
                self.emit(depth, line)
        changes = [w for w in self.mutations(scope) if not w().startswith("COUNT")]
        if changes and self.chance(0.5):
            line = self.pick(*changes)()
            if not line.startswith("COUNT"):
                self.emit(depth, line)
        self.emit(depth, f"return {self.expr('i', scope, 1)} + k")
