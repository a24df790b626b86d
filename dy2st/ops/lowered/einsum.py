"""einsum in ONNX, which onnxruntime's Einsum computes where all operands have elements."""

from __future__ import annotations

from typing import Any

from .elementary import is_floating
from .integer_sums import summed


def einsum(g: Any, *operands: Any, equation: str) -> Any:
    """Einsum; of operands without elements, for some of which onnxruntime ends the process, sums of products."""
    if g.rounds_integers and not is_floating(operands[0]):
        return g.cast(_of_integers(g, [g.cast(x, "int64") for x in operands], equation), operands[0].dtype)
    if all(x.shape is not None and all(isinstance(n, int) and n for n in x.shape) for x in operands):
        return g.Einsum(*operands, equation=equation)
    some = g.Greater(g.Min(*map(g.Size, operands)), 0)
    return g.branch(some, lambda: [g.Einsum(*operands, equation=equation)], lambda: [_sums(g, operands, equation)])[0]


def _of_integers(g: Any, operands: list[Any], equation: str) -> Any:
    """Einsum of int64, which wraps: a product of two operands after the other, each as a product of matrices."""
    left, result = equation.split("->")
    terms = left.split(",")
    (labels, x), *rest = zip(terms, operands)
    for at, (more, y) in enumerate(rest, 1):
        labels, x = _multiplied(g, labels, x, more, y, {*result}.union(*terms[at + 1 :]))
    lost = [k for k, label in enumerate(labels) if label not in result]
    x, labels = summed(g, x, lost), "".join(label for label in labels if label in result)
    return _ordered(g, x, labels, result)


def _ordered(g: Any, x: Any, labels: str, order: str) -> Any:
    """A tensor with its axes in another order."""
    return x if labels == order else g.Transpose(x, perm=[labels.index(label) for label in order])


def _multiplied(g: Any, a_labels: str, a: Any, b_labels: str, b: Any, wanted: set[str]) -> tuple[str, Any]:
    """The product of two operands, summed over the axes that nobody wants, and the labels of its axes."""
    shared = [label for label in a_labels if label in b_labels]
    batch, inner = ([label for label in shared if (label in wanted) == is_wanted] for is_wanted in (True, False))
    a_labels, a, a_own = _alone(g, a_labels, a, b_labels, wanted)
    b_labels, b, b_own = _alone(g, b_labels, b, a_labels, wanted)
    lengths = {label: g.most(g.dim(a, a_labels.index(label)), g.dim(b, b_labels.index(label))) for label in shared}
    lengths |= {label: g.dim(a, a_labels.index(label)) for label in a_own}
    lengths |= {label: g.dim(b, b_labels.index(label)) for label in b_own}

    def matrices(x: Any, labels: str, *groups: list[str]) -> Any:
        order = "".join(label for group in groups for label in group)
        turned = _ordered(g, x, labels, order)
        repeated = g.Expand(turned, g.ints([lengths[label] for label in order])) if order else turned
        dims = [*(lengths[label] for label in groups[0]), *(g.product(lengths[label] for label in group) for group in groups[1:])]
        return g.reshaped(repeated, dims)

    found = g.MatMul(matrices(a, a_labels, batch, a_own, inner), matrices(b, b_labels, batch, inner, b_own))
    order = [*batch, *a_own, *b_own]
    return "".join(order), g.reshaped(found, [lengths[label] for label in order])


def _alone(g: Any, labels: str, x: Any, others: str, wanted: set[str]) -> tuple[str, Any, list[str]]:
    """An operand summed over the axes that nobody else has nor wants; its labels, and those that it has alone."""
    lost = [k for k, label in enumerate(labels) if label not in others and label not in wanted]
    kept = "".join(label for k, label in enumerate(labels) if k not in lost)
    return kept, summed(g, x, lost), [label for label in kept if label not in others]


def _sums(g: Any, operands: Any, equation: str) -> Any:
    """Sums of products that have no factors, or no terms: zeros, where the lengths fit."""
    left, result = equation.split("->")
    every = [*result, *dict.fromkeys(label for label in left if label not in f"{result},")]
    product = g.const(1.0, "float32")
    for labels, x in zip(left.split(","), operands):
        ordered = g.Transpose(g.cast(x, "float32"), perm=[labels.index(label) for label in every if label in labels])
        missing = [at for at, label in enumerate(every) if label not in labels]
        product = g.Mul(product, g.Unsqueeze(ordered, missing) if missing else ordered)
    summed = [*range(len(result), len(every))]
    return g.cast(g.reduce("ReduceSum", product, summed) if summed else product, operands[0].dtype)
