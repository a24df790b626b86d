"""The walk over a Program that writes a model."""

from __future__ import annotations

from ...graphs.lowering.leaves import is_complex, leaves_of
from ...graphs.lowering.refusal import InexpressibleError
from ...graphs.lowering.values import GraphValue
from ...graphs.lowering.walk import Walk
from ...ir.core import Program
from .refusal import OnnxError
from .writer import OnnxWriter


class OnnxWalk(Walk):
    """Writes the nodes of a Program."""

    target = "ONNX"
    error = OnnxError

    def __init__(self, g: OnnxWriter, program: Program):
        super().__init__(g, program)
        self._names = g.names

    def name_parameters(self) -> None:
        """Give each parameter that is read its own name, before anything else takes that."""
        for name in dict.fromkeys(op.attrs["name"] for op in self.program.walk() if op.name == "param"):
            if is_complex(self.program.parameters[name].type):
                raise InexpressibleError(f"{name} is complex; keep its real and its imaginary part as parameters")
            (leaf,) = leaves_of(self.program.parameters[name].type)
            self.parameters[name] = GraphValue(self._names.fresh(name), leaf.type)
