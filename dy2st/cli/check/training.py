"""What only training needs, in a forward that doesn't ask `self.training`: it would be part of the saved model."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any

from ...annotations import signature_of
from ...nn.layer import Layer
from ...optimizer.optimizer import Optimizer
from .finding import Finding
from .names import UNKNOWN
from .numpy_calls import statements
from .reached import PACKAGE, Reached

MODES = {"train", "training", "eval", "evaluation", "test", "infer", "inference", "predict"}
FLAGS = {"is_train", "is_training", "for_training", "train", "training", "is_test", "is_eval", "is_infer"}
LOSSES = (f"{PACKAGE}.nn.functional.loss", f"{PACKAGE}.nn.layers.loss")


def training_parts_elsewhere(reached: Reached) -> Iterator[Finding]:
    """A Finding for each loss, each step of an optimizer, each functional in training mode and each flag of the user's."""
    if not isinstance(reached.owner, Layer):
        return
    for statement in statements(reached):
        for node in ast.walk(statement):
            if reached.is_for_training(node):
                continue
            if isinstance(node, ast.Call):
                yield from _of_call(reached, statement, node)
            elif isinstance(node, ast.Name | ast.Attribute | ast.Compare):
                yield from _of_flag(reached, node)


def _of_call(reached: Reached, statement: ast.AST, call: ast.Call) -> Iterator[Finding]:
    value, text = reached.names.value(call.func), ast.unparse(call.func)
    what = "computes a loss" if _is_loss(value) else "trains" if _is_step(call, value) else None
    if what is not None:
        reason = f"{text} {what}, whatever the mode: the saved model would do so, too, and ask for the labels"
        yield reached.finding(call, "training", reason, f"if self.training:\n    {ast.unparse(statement)}")
    elif _is_in_training_mode(value, call):
        reason = f"{text} behaves as in training unless it is told otherwise, in the saved model, too"
        kept = [k for k in call.keywords if k.arg != "training"]
        mode = ast.keyword("training", ast.Attribute(ast.Name("self", ast.Load()), "training", ast.Load()))
        yield reached.finding(call, "training", reason, ast.unparse(ast.Call(call.func, call.args, [*kept, mode])))


def _is_loss(value: Any) -> bool:
    home = value if isinstance(value, types.FunctionType) else type(value)
    return value is not UNKNOWN and (getattr(home, "__module__", "") or "").startswith(LOSSES)


def _is_step(call: ast.Call, value: Any) -> bool:
    if isinstance(value, types.MethodType) and isinstance(value.__self__, Optimizer):
        return value.__name__ in ("step", "minimize", "clear_grad")
    return value is UNKNOWN and isinstance(call.func, ast.Attribute) and call.func.attr == "backward"


def _is_in_training_mode(value: Any, call: ast.Call) -> bool:
    """Whether it is a function like `dropout`, told nothing of the mode, or True."""
    if not isinstance(value, types.FunctionType) or not value.__module__.startswith(f"{PACKAGE}.nn.functional"):
        return False
    parameters = signature_of(value).parameters
    if "training" not in parameters:
        return False
    names = list(parameters)
    given = {**dict(zip(names, call.args)), **{k.arg: k.value for k in call.keywords if k.arg}}
    rate = next((name for name in ("dropout_p", "p") if name in parameters), None)
    if rate not in given and rate is not None and parameters[rate].default == 0.0:
        return False
    if "training" in given:
        return isinstance(given["training"], ast.Constant) and given["training"].value is True
    return parameters["training"].default is True


def _of_flag(reached: Reached, node: Any) -> Iterator[Finding]:
    """A test of the user's own flag for the mode, where `self.training` is one that train() and eval() set."""
    if isinstance(node, ast.Compare):
        constants = [part.value for part in node.comparators if isinstance(part, ast.Constant)]
        if not (any(isinstance(c, str) and c in MODES for c in constants) and isinstance(node.left, ast.Name | ast.Attribute)):
            return
    else:
        name = node.id if isinstance(node, ast.Name) else node.attr
        is_layers_own = isinstance(node, ast.Attribute) and node.attr == "training"
        if name not in FLAGS or is_layers_own or not isinstance(node.ctx, ast.Load) or callable(reached.names.value(node)):
            return
    text = ast.unparse(node)
    reason = f"{text} says which mode it is, and train() and eval() don't set it"
    is_opposite = any(word in text for word in ("test", "eval", "infer", "predict"))
    yield reached.finding(node, "training", reason, "not self.training" if is_opposite else "self.training")
