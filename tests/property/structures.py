"""Random expressions that give containers and objects, and what is iterated over."""

from __future__ import annotations

from property.choices import KEYS, Choices
from property.scope import Scope


class Structures(Choices):
    """Writes lists, dicts, sets, tuples and objects; the scalars in them are written by Expressions."""

    def _l(self, scope: Scope, depth: int) -> str:
        found = self._or_name("l", scope, 0.35)
        if found or depth > 1:
            return found or self.pick("[]", "[1, 2]")
        ways = [
            lambda: "[]",
            lambda: f"[{self._i(scope, 2)}, {self._i(scope, 2)}, 4]",
            lambda: f"[{self._i(scope, 2)}]",
            lambda: f"({self._l(scope, depth + 1)} if {self._c(scope, 1)} else {self._l(scope, depth + 1)})",
            *(lambda items=items: f"[*{items}]" for items in self.items(scope)[:2]),
        ]
        if items := self.name("l", scope):
            ways += [
                lambda: f"{items} + [{self._i(scope, 2)}]",
                lambda: f"{items}[1:]",
                lambda: f"list({items})",
                lambda: f"push_some({items}, {self._i(scope, 2)}, {self._c(scope, 1)})",
                lambda: f"[{self._i(scope, 2)}, *{items}]",
            ]
            if "slices" in self.features:
                ways += [
                    lambda: f"{items}[{self._i(scope, 2)}:]",
                    lambda: f"{items}[:{self._i(scope, 2)}]",
                    lambda: f"{items}[::{self.pick('-1', '2')}]",
                ]
        if "comprehensions" in self.features:
            ways += [lambda: f"[{self._comprehended(scope)}]"] * 3
        if "order" in self.features and scope.of("l"):
            ways += [lambda: self._ordered(scope)] * 2
        if nested := self.name("ll", scope):
            ways.append(lambda: f"{nested}[{self.pick('0', '-1')}]")
        if table := self.name("d", scope):
            ways.append(lambda: f"list({table}.values())")
        if box := self.name("o", scope):
            ways.append(lambda: f"{box}.log")
        if "recursion" in self.features:
            ways.append(lambda: f"digits({self._i(scope, 2)}, [])")
        if "globals" in self.features:
            ways.append(lambda: "SHARED")
        return self.pick(*ways)()

    def items(self, scope: Scope) -> list[str]:
        """Iterables of ints that don't grow while they are used."""
        ways = []
        if lists := scope.of("l"):
            ways += [f"list({self.pick(*lists)})", f"{self.pick(*lists)}[:4]"]
        if tuples := scope.of("u"):
            ways.append(self.pick(*tuples))
        if sets := scope.of("t"):
            ways.append(f"sorted({self.pick(*sets)})")
        if "generators" in self.features:
            ways.append(self._generated(scope))
        return ways

    def _generated(self, scope: Scope) -> str:
        """A call of a generator."""
        lists = scope.of("l")
        items = f"list({self.pick(*lists)})" if lists else "(1, 4, 2)"
        log = self.pick(*lists) if lists else "[]"
        mine = [f"{f}({self._small(scope)} % 4)" for f, kind in scope.functions.items() if kind == "items"]
        return self.pick(
            f"count_up({self.pick('0', '1')}, {self._small(scope)} % 5)",
            f"over({items}, {self._small(scope)})",
            f"noting({items}, {log})",
            f"both({items}, count_up(0, int(n)))",
            *mine, *mine,
        )

    def _comprehended(self, scope: Scope) -> str:
        """What stands inside the brackets of a comprehension of ints."""
        items = self.pick("range(n)", f"range({self._small(scope)} % 4)", "(1, 2, 3)", *self.items(scope))
        value = self.pick("e", f"e + {self._small(scope)}", f"(e if {self._test(scope)} else {self._small(scope)})")
        test = self.pick("", "", " if e % 2 == 1", f" if e > {self._small(scope)}", f" if {self._test(scope)}")
        more = self.pick("", "", "", " for z in range(e % 3)")
        return f"{value} for e in {items}{test}{more}"

    def _ordered(self, scope: Scope) -> str:
        items = self.pick(*scope.of("l"))
        return self.pick(
            f"sorted({items})",
            f"sorted({items}, reverse={self._test(scope)})",
            f"sorted({items}, key=lambda e: e % 3)",
            f"sorted({items}, key=lambda e: (e > {self._small(scope)}, -e))",
            f"list(filter(lambda e: e > {self._small(scope)}, {items}))",
            f"list(map(lambda e: e - {self._small(scope)}, {items}))",
        )

    def _small(self, scope: Scope) -> str:
        """An int inside another expression: a name or a literal."""
        return self._i(scope, 3)

    def _test(self, scope: Scope) -> str:
        """A condition inside another expression."""
        return self.pick("b", "not b", "n > 1", "x0.sum() > 1", f"{self._small(scope)} > {self._small(scope)}")

    def _xs(self, scope: Scope, depth: int) -> str:
        found = self._or_name("xs", scope, 0.35)
        ways = ["[]", f"[{self._x(scope, 1)}]", f"[{self._x(scope, 1)}, x0]"]
        if "comprehensions" in self.features:
            ways.append(f"[{self._x(scope, 2)} + e for e in range({self.pick('n', '2', self._small(scope) + ' % 4')})]")
        return found or self.pick(*ways)

    def _ll(self, scope: Scope, depth: int) -> str:
        found = self._or_name("ll", scope, 0.35)
        return found or self.pick("[[]]", f"[{self._l(scope, 1)}, {self._l(scope, 1)}]", f"[{self._l(scope, 1)}]")

    def _d(self, scope: Scope, depth: int) -> str:
        found = self._or_name("d", scope, 0.35)
        if not found and "globals" in self.features and self.chance(0.3):
            return "TABLE"
        ways = [f'{{"a": {self._i(scope, 2)}}}', f'{{"a": 1, "b": {self._i(scope, 2)}}}', '{"a": 2, "k": 3}']
        if table := self.name("d", scope):
            ways += [f"dict({table})", f"{{**{table}, {self.pick(*KEYS)}: {self._i(scope, 2)}}}", f"{table}.copy()"]
            if "comprehensions" in self.features:
                test = self.pick("", f" if e > {self._small(scope)}", f" if {self._test(scope)}")
                ways += [f"{{y: e + 1 for y, e in {table}.items(){test}}}"] * 2
        return found or self.pick(*ways)

    def _t(self, scope: Scope, depth: int) -> str:
        found = self._or_name("t", scope, 0.35)
        ways = ["set()", f"{{{self._i(scope, 2)}, 2}}", *(f"set({items})" for items in self.items(scope)[:2])]
        if known := self.name("t", scope):
            ways += [f"{known} {self.pick('|', '&', '-', '^')} {{{self._i(scope, 2)}, 1}}", f"set({known})"]
        if "comprehensions" in self.features:
            ways += [f"{{{self._comprehended(scope)}}}"] * 2
        return found or self.pick(*ways)

    def _u(self, scope: Scope, depth: int) -> str:
        found = self._or_name("u", scope, 0.35)
        ways = ["()", f"({self._i(scope, 2)},)", f"({self._i(scope, 2)}, {self._i(scope, 2)})"]
        ways += [f"tuple({items})" for items in self.items(scope)[:2]]
        if known := self.name("u", scope):
            ways += [f"{known} + ({self._i(scope, 2)},)", f"{known}[1:]", f"(*{known}, {self._i(scope, 2)})"]
        return found or self.pick(*ways)

    def _p(self, scope: Scope, depth: int) -> str:
        found = self._or_name("p", scope, 0.35)
        return found or f"({self._i(scope, 1)}, {self._x(scope, 1)})"

    def _r(self, scope: Scope, depth: int) -> str:
        known = self.name("r", scope)
        if known and self.chance(0.5):
            change = self.pick(f"count={self._i(scope, 2)}", f"value={self._x(scope, 2)}")
            return self.pick(known, f"{known}._replace({change})")
        return f"Reading({self._i(scope, 1)}, {self._x(scope, 1)})"

    def _q(self, scope: Scope, depth: int) -> str:
        known = self.name("q", scope)
        if known and self.chance(0.5):
            return self.pick(known, known, f"{known}.moved({self._i(scope, 2)})", f"replace({known}, v={self._i(scope, 2)})")
        return f"Point({self._i(scope, 1)}, {self._x(scope, 1)})"

    def _o(self, scope: Scope, depth: int) -> str:
        found = self._or_name("o", scope, 0.4)
        if not found and "globals" in self.features and self.chance(0.3):
            return "KEEP"
        return found or f"Box({self._i(scope, 2)})"

    def _j(self, scope: Scope, depth: int) -> str:
        found = self._or_name("j", scope, 0.3)
        one, other = self.random.sample(["twice", "less", *(f for f, kind in scope.functions.items() if kind == "i")], 2)
        ways = [one, f"lambda k: k + {self._i(scope, 2)}"]
        if depth < 2:
            ways += [f"({one} if {self._c(scope, 1)} else {other})", f"({one} if {self._c(scope, 1)} else lambda k: k)"]
        return found or self.pick(*ways)

    def _m(self, scope: Scope, depth: int) -> str:
        found = self._or_name("m", scope, 0.2)
        kinds = ["i", "x", "g", "p", "s"] + [k for k in ("l", "o", "d", "xs", "u", "q") if scope.of(k)]
        return found or self.pick("None", "None", *(self.write(k, scope, 1) for k in self.random.sample(kinds, 2)))
