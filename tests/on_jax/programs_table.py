"""Which programs and models of `tests/programs` JAX doesn't take, and why: writes that list into `docs/jax.md`.

python tests/on_jax/programs_table.py
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from onnx_models.programs_table import Table

TABLE = Table(
    page="jax.md",
    tests=Path(__file__).parent / "test_engine_programs.py",
    command="python tests/on_jax/programs_table.py",
    said="run in JAX and agree with plain Python",
    head="| not run | because |",
)

if __name__ == "__main__":
    TABLE.write()
