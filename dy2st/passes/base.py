"""What a pass is, and how several are run one after the other.

A pass changes a Program in place and says whether it did. It declares what must hold before (`needs`) and whether results stay
the same bit by bit (`exact`). A `Pipeline` is a named tuple of passes; running one verifies the Program at the start and after
every pass that changed it; one that dy2st has just made, once, at the end. With `DY2ST_DEBUG=1` in the environment each is
verified after every such pass, and printed to stderr.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import Dy2stError
from ..ir.core import Program
from ..ir.verify import verify
from ..ops.registry import OPERATORS


class PassError(Dy2stError):
    """A pass was asked for that doesn't exist, or on a Program that lacks what the pass needs."""


class Need(NamedTuple):
    """What a pass takes for granted; `missing(program)` says in words what isn't so, or nothing."""

    name: str
    missing: Callable[[Program], str]


@dataclass(frozen=True)
class Pass:
    """One rewrite of a Program. `run(program)` changes it in place and says whether it did.

    name: by which `run` of the package finds it. needs: what must hold before. exact: whether results stay the same bit by bit.
    """

    name: str
    run: Callable[[Program], bool]
    needs: tuple[Need, ...] = ()
    exact: bool = True

    def __str__(self) -> str:
        needs = f"; needs {', '.join(need.name for need in self.needs)}" if self.needs else ""
        return f"{self.name} ({'exact' if self.exact else 'not bit-identical'}{needs})"


PASSES: dict[str, Pass] = {}


def program_pass(*needs: Need, exact: bool = True) -> Callable[[Callable[[Program], bool]], Callable[[Program], bool]]:
    """Register the decorated function as the pass of its name."""

    def register(run: Callable[[Program], bool]) -> Callable[[Program], bool]:
        PASSES[run.__name__] = Pass(run.__name__, run, needs, exact)
        return run

    return register


class Pipeline(NamedTuple):
    """Passes in their order, `passes`, under a name; `print(pipeline)` lists them."""

    name: str
    passes: tuple[Pass, ...]

    @classmethod
    def of(cls, name: str, *passes: str) -> Pipeline:
        """The pipeline of the passes with these names. PassError: there is no such pass."""
        if unknown := [p for p in passes if p not in PASSES]:
            raise PassError(f"there is no pass {', '.join(map(repr, unknown))}; the passes are {', '.join(sorted(PASSES))}")
        return cls(name, tuple(PASSES[p] for p in passes))

    def run(self, program: Program, fresh: bool = False) -> Program:
        """Run the passes on `program`, in place; the Program itself is given back.

        fresh: dy2st has made it just now; then it is verified once, at the end. PassError: the Program lacks what a pass needs.
        VerifyError: it breaks a rule of the IR.
        """
        verified = None if fresh else verify(program, OPERATORS)
        for pass_ in self.passes:
            _check_needs(pass_, program)
            if pass_.run(program):
                _print_debug(pass_, program)
                verified = verify(program, OPERATORS) if _debugs() or not fresh else None
        return verified or verify(program, OPERATORS)

    def __str__(self) -> str:
        return "\n".join([f"{self.name}:", *(f"  {k}. {pass_}" for k, pass_ in enumerate(self.passes, 1))])


def _check_needs(pass_: Pass, program: Program) -> None:
    for need in pass_.needs:
        if problem := need.missing(program):
            raise PassError(f"{pass_.name} needs {need.name}: {problem}")


def _debugs() -> bool:
    return os.environ.get("DY2ST_DEBUG", "0") not in ("", "0")


def _print_debug(pass_: Pass, program: Program) -> None:
    if _debugs():
        print(f"# after {pass_.name}\n{program}", file=sys.stderr)


# --- needs ----------------------------------------------------------------------------------------------------------


def _without_data(program: Program) -> str:
    names = [name for name, parameter in program.parameters.items() if parameter.data is None]
    return f"no data is loaded for {', '.join(names)}" if names else ""


def _written_memory(program: Program) -> str:
    for op in program.walk():
        definition = OPERATORS.get(op.name)
        if definition is not None and definition.mutates:
            return f"{op.name} writes in place{f' ({op.loc})' if op.loc else ''}"
    return ""


LOADED = Need("loaded parameters", _without_data)
NO_MUTATIONS = Need("no mutations", _written_memory)
