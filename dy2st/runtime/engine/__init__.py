"""The embedded engine: a Program becomes straight Python source over NumPy, compiled once; no dispatch, no interpreter loop.

`compile_program(program)` gives an `Executable`; natives go in, natives come out (`dy2st.ir.native`).
"""

from __future__ import annotations

from .executable import Executable, compile_program

__all__ = ["Executable", "compile_program"]
