"""ONNX's operators as functions on arrays: `NODES[name](m, *arrays, **attributes)`, where `m` is `numpy` or `jax.numpy`."""

from __future__ import annotations

from . import elementwise, indexing, products, reductions, shapes, windows

NODES = {
    **elementwise.NODES,
    **shapes.NODES,
    **reductions.NODES,
    **indexing.NODES,
    **products.NODES,
    **windows.NODES,
}
