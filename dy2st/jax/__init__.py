"""JAX: a Program as a pure function of arrays, for XLA on CPU, GPU and TPU, and the engine `jax`.

Nothing here imports jax before it is used: `pip install 'dy2st[jax]'` brings it.
"""

from __future__ import annotations
