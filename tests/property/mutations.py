"""Random changes of what exists: in-place operators, methods of containers and objects, tensors written in place."""

from __future__ import annotations

from property.choices import KEYS
from property.scope import Scope
from property.writer import Writer

CHANGED = ("i", "f", "s", "x", "l", "xs", "ll", "d", "o", "t", "q")


class Mutations(Writer):
    """Writes one line that changes something."""

    def mutations(self, scope: Scope) -> list:
        """Ways to change something that exists, as functions giving a line."""
        ways: list = []
        for kind in CHANGED:
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
                f"{name}[-1] += {self.pick('1', 'n')}",
                f"{name}[{name} > {self.pick('0', '1')}] = {self.pick('0.5', '-1.0')}",
                f"{name}[int(n) % x0.shape[0]] = {self.pick('1.5', 'n')}",
                f"{name}[:{self.expr('i', scope, 2)}] = 0.25",
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
            f"{name}[{self.pick('0', '-1')}] {self.pick('+=', '-=')} {item}",
        ]
        if "slices" in self.features:
            lines += [f"del {name}[:{item}]", f"{name}[{item}:] = [{item}]", f"{name}[:1] = {self.expr('l', scope, 1)}"]
        if "order" in self.features:
            lines += [f"{name}.sort()", f"{name}.sort(key=lambda e: (e % 3, e), reverse={self.expr('c', scope, 1)})"]
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
        return [
            f'{name}["a"] = {item}',
            f"{name}[{key}] = {item}",
            f"store({name}, {key}, {item})",
            f'{name}["a"] += 1',
            f"{name}.pop({key}, 0)",
            f"{name}.setdefault({key}, {item})",
            f"{name}.update({{{key}: {item}}})",
            f"{name}.update(a={item})",
            f"del {name}[{key}]",
        ]

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

    def _change_t(self, scope: Scope, name: str) -> list[str]:
        item = self.expr("i", scope, 1)
        lines = [f"{name}.add({item})", f"{name}.add({item})", f"{name}.discard({item})", f"{name}.update([{item}, 2])"]
        return lines + ([f"{name} {self.pick('|=', '&=', '-=')} {{1, {item}}}"] if name not in scope.frozen else [])

    def _change_q(self, scope: Scope, name: str) -> list[str]:
        return [f"{name}.v = {self.expr('i', scope, 1)}", f"{name}.v += 1", f"{name}.x = {self.expr('x', scope, 1)}"]
