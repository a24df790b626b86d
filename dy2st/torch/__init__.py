"""PyTorch modules and functions as static Programs, as they are (`pip install '.[torch]'`).

    net = dy2st.torch.to_static(module, input_spec=[InputSpec([None, 3, 64, 64], "float32", "x")])
    net(torch_tensor)
    dy2st.jit.save(net, "out/net")
    dy2st.onnx.export(net, "out/net.onnx")
"""

from __future__ import annotations

from .packages import torch as _torch

_torch()

from .module import to_static  # noqa: E402
from .registering import register  # noqa: E402

__all__ = ["register", "to_static"]
