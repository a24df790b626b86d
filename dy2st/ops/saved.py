"""Copies of tensors that gradients need, where an operator of many steps writes in place, as PyTorch saves them.

    old = before_write(x)                # x as it was: the gradient reads it, and a later write to x doesn't matter
    value = tanh(old)
    copy_result_(x, value)               # the gradient needs x as it is now: a later write to x is an error

Where no gradient is asked for, the first is x itself, and the second `copy_` (`passes.slopes`).
"""

from __future__ import annotations

from .cast import define_copy
from .registry import define
from .rules import need_tensor, same_as_input, unbroadcast

before_write = define(
    "before_write",
    kernel=lambda x: x.copy(),
    infer=same_as_input,
    grad=lambda ctx, g: (g,),
    grad_ignores=(0,),
    row_major=True,
    onnx=lambda g, x: x,
)
# `x`. The backward keeps `others` for it, which nothing may write before.
needing = define(
    "needing",
    kernel=lambda x, *others: x.copy(),
    infer=lambda x, *others: need_tensor("needing", x),
    grad=lambda ctx, g: (g, *(None for _ in ctx.inputs[1:])),
    grad_ignores=(0,),
    onnx=lambda g, x, *others: x,
)


def _grad_saving(ctx, g):
    others, always = ctx.inputs[1:], ctx.attrs["always"]
    saved = [x for k, (x, need) in enumerate(zip(others, ctx.needs[1:])) if need or k < always]
    saved += ctx.outputs if ctx.attrs.get("result") else ()
    return needing(g, *saved) if saved else g, *(None for _ in others)


# `x`. Its gradient needs the first `always` of `others`, others whose own gradient is asked for, and, on request, the result.
saving = define(
    "saving",
    kernel=lambda x, *others, always, result=False: x.copy(),
    infer=lambda x, *others, always, result=False: need_tensor("saving", x),
    grad=_grad_saving,
    grad_ignores=(0,),
    onnx=lambda g, x, *others, always, result=False: x,
)
assign_result, copy_result_ = define_copy(
    "assign_result", "copy_result_", lambda ctx, g: (None, unbroadcast(needing(g, ctx.outputs[0]), ctx.inputs[1]))
)
