"""What to write in place of functions of torch's that no operators stand for; the others can be registered."""

from __future__ import annotations

import re
from types import GetSetDescriptorType
from typing import Any

from .packages import torch

_ON_THE_CPU = "tensors live on the CPU, where the Program runs: leave it out"
_INSIDE = "a Program's numbers are there when it runs: compute with torch's functions, and convert what it returns"
_BACKWARD = "gradients flow through what the call returns: call it on that, outside of the function"
_FLAG = "whether gradients flow into it is asked at each call: set it outside of the function, or use x.detach()"

INSTEAD = {
    **dict.fromkeys("cuda xpu mtia ipu hpu pin_memory is_pinned share_memory_ record_stream".split(), _ON_THE_CPU),
    **dict.fromkeys("numpy __array__ data_ptr storage untyped_storage __dlpack__".split(), _INSIDE),
    **dict.fromkeys("backward retain_grad register_hook register_post_accumulate_grad_hook".split(), _BACKWARD),
    **dict.fromkeys("requires_grad requires_grad_".split(), _FLAG),
    "grad": "gradients come after the call: read and set them outside of the function",
    **dict.fromkeys("quantize_per_tensor quantize_per_channel dequantize".split(), "tensors aren't quantized: leave it out"),
}


def unmapped(name: str) -> str:
    """The words for a function that has no row: `name` begins with torch."""
    instead = INSTEAD.get(re.sub(r"\.__[gs]et__$", "", name).rpartition(".")[2])
    if instead is not None:
        return f"{name} has no counterpart: {instead}"
    return f"{name} isn't mapped to operators; dy2st.torch.register({name}) adds it"


def name_of(function: Any) -> str:
    """What a function of C's is called in torch."""
    packet = getattr(function, "_overloadpacket", function)
    if isinstance(packet, torch()._ops.OpOverloadPacket):
        return f"torch.ops.{packet._qualified_op_name.replace('::', '.')}"
    attribute = getattr(function, "__self__", None)
    if isinstance(attribute, GetSetDescriptorType):  # x.attribute = value
        return f"torch.Tensor.{attribute.__name__}.{function.__name__}"
    known = getattr(function, "__qualname__", None) or getattr(function, "__name__", None)
    name = (known or repr(function)).replace("_VariableFunctionsClass.", "").replace("TensorBase.", "Tensor.")
    return "torch." + re.sub("^(special|linalg|fft)_", r"\1.", name)
