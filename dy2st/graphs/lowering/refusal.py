"""What ONNX can't express: the operator, the user's line, and what to write instead."""

from __future__ import annotations

from ...errors import ConversionError
from ...ir.core import Loc, Operation
from ...ir.spoken import spoken_operator
from ...runtime.where.tracebacks import lead_through


class OnnxError(ConversionError):
    """A Program that has no ONNX model: names the operator, the user's line and the alternative."""


class InexpressibleError(Exception):
    """A lowering found no form; whoever walks the Program adds the operator and the line."""


class NeedsOpsetError(InexpressibleError):
    """A lowering has a form in a later opset only."""

    def __init__(self, opset: int, what: str):
        super().__init__(f"{what} came with opset {opset}; give opset_version={opset} or more")
        self.opset = opset


def refusal(op: Operation, why: str, target: str = "ONNX") -> OnnxError:
    """The error that `op` has no form in the target."""
    return at_line(op.loc, f"{spoken_operator(op.name)} has no form in {target}: {why}")


def at_line(loc: Loc | None, why: str) -> OnnxError:
    """The error at a line of the user's, where there is one."""
    where = (loc.file, loc.line) if loc else (None, None)
    return lead_through(loc, OnnxError(why, *where))
