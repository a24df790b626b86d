"""Optimizer: what all optimizers share. Updates are written into the parameters' own memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..api.autograd import clear_gradients
from ..api.checks import check_state, describe, scalar_kind
from ..ir.names import free
from ..ops.registry import OpDef
from ..regularizer import L1Decay, L2Decay
from ..runtime.recorder.recorder import current_recorder
from ..runtime.tensors.borrowed import named
from ..runtime.tensors.spelling import spell_arguments, spelled
from ..runtime.tensors.tensor import Tensor
from .recorded import decayed, outside, record_step

Slots = dict[str, Tensor]
# What other libraries call otherwise, and here.
ELSEWHERE = {"zero_grad": "clear_grad()", "load_state_dict": "set_state_dict(state)"}


class Optimizer:
    """Changes `parameters` by their gradients; each keeps its shape and dtype.

    learning_rate: a number, or a scheduler: called, or asked by `get_lr()`, it gives the number. parameters: a list of tensors,
    or of dicts: "params" and the group's own "learning_rate" (a factor), "weight_decay", "grad_clip" and numbers of the class,
    such as "beta1". weight_decay: the L2 coefficient added to the gradients (AdamW: taken from the parameters), or a regularizer.
    grad_clip: a nn.ClipGradByGlobalNorm, ClipGradByNorm or ClipGradByValue, of each group for itself. ValueError: no parameters.
    TypeError: one of the others is of another kind, or a group sets something else.

    A subclass names its `_rule`, one of `ops.training`, and the names of the slots that the rule writes. Its numbers stand in
    `_own`, before `Optimizer.__init__`, and `_checked` turns them into what the rule takes. Or it defines `_update` on arrays,
    and can't be used in a static function.
    """

    _rule: OpDef
    _slots: tuple[str, ...] = ()
    _decoupled = False
    _own: Mapping[str, Any] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        spell_arguments(cls)

    @spelled
    def __init__(
        self,
        learning_rate: Any = 0.001,
        parameters: Iterable | None = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        if isinstance(learning_rate, list | tuple) or hasattr(learning_rate, "__next__"):
            raise TypeError(
                f"{type(self).__name__}: the first argument is the learning rate, not {type(learning_rate).__name__}; write "
                f"{type(self).__name__}(learning_rate=0.1, parameters=net.parameters())"
            )
        for name, value in self._own.items():
            if _are_parameters(value):
                raise TypeError(
                    f"{type(self).__name__}: {name} must be a number, not {type(value).__name__}; give the parameters by name, "
                    f"{type(self).__name__}(learning_rate=0.1, parameters=net.parameters())"
                )
        if parameters is None:
            raise ValueError(f"{type(self).__name__} needs parameters, for example parameters=net.parameters()")
        if hasattr(parameters, "parameters"):
            kind = type(parameters).__name__
            raise TypeError(f"{type(self).__name__}: parameters must be a list of Tensors, not a {kind}; write net.parameters()")
        if isinstance(parameters, Tensor) or not isinstance(parameters, Iterable):
            given = "one Tensor" if isinstance(parameters, Tensor) else describe(parameters)
            raise TypeError(f"{type(self).__name__}: parameters must be a list of Tensors, not {given}")
        is_number = isinstance(learning_rate, int) and not isinstance(learning_rate, bool)
        self._learning_rate = float(learning_rate) if is_number else learning_rate
        shared = {"learning_rate": 1.0, "weight_decay": weight_decay, "grad_clip": grad_clip, **self._own}
        self._groups = [self._group(g, shared) for g in _groups(parameters)]
        self._numbers = {id(p): k for k, p in enumerate(self._parameter_list)}
        self._given = [group["given"] for group in self._groups for _ in group["params"]]  # by the number of the parameter
        self._state: dict[int, Slots] = {}  # by the number of the parameter
        self._steps = 0
        self.get_lr()

    def __getattr__(self, name: str) -> Any:
        """AttributeError, with Paddle's name for what other libraries call otherwise."""
        cure = f"; write {ELSEWHERE[name]}, as in Paddle" if name in ELSEWHERE else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{cure}", name=name, obj=self)

    def _group(self, group: dict, shared: dict) -> dict[str, Any]:
        """A group with what it sets itself, and else what all `shared`."""
        kind = type(self).__name__
        if "params" not in group:
            raise TypeError(f"{kind}: a group of parameters is a dict with 'params', not one with {sorted(map(str, group))}")
        found = group["params"]
        for p in (found := [found] if isinstance(found, Tensor) else list(found)):
            if not isinstance(p, Tensor):
                raise TypeError(f"{kind}: parameters must be Tensors, not {named(p)}")
        for key in group.keys() - shared.keys() - {"params"}:
            raise TypeError(f"{kind}: a group of parameters can't set {key!r}; it can set {', '.join(shared)}")
        of_group = {**shared, **group}
        clip = of_group["grad_clip"]
        if clip is not None and not hasattr(clip, "clipped"):
            raise TypeError(f"{kind}: grad_clip must be a nn.ClipGradBy..., not {type(clip).__name__}")
        return {
            "params": found, "learning_rate": float(of_group["learning_rate"]), "weight_decay": _decay(of_group["weight_decay"]),
            "grad_clip": clip, "given": self._checked({name: of_group[name] for name in self._own}),
        }  # fmt: skip

    def _checked(self, own: dict[str, Any]) -> dict[str, Any]:
        """What the rule takes, from the numbers of the class or of a group. ValueError: one that is out of range."""
        return {name: float(number) for name, number in own.items()}

    @property
    def _parameter_list(self) -> list[Tensor]:
        return [p for group in self._groups for p in group["params"]]

    # --- learning rate ---------------------------------------------------------------------------------------------------

    def get_lr(self) -> float:
        """The learning rate now: a float, which in a static function each call reads. TypeError: a scheduler that gives none."""
        rate = self._learning_rate
        if callable(rate):
            rate = rate()
        elif hasattr(rate, "get_lr"):
            rate = rate.get_lr()
        if scalar_kind(rate) not in ("int", "float", "number") or isinstance(rate, np.integer):
            raise TypeError(f"learning_rate must be a number or a scheduler, not {type(rate).__name__}")
        return float(rate) if isinstance(rate, (int, float, np.floating)) else rate * 1.0

    @outside
    def set_lr(self, value: float) -> None:
        """Set the learning rate to the number `value`; RuntimeError where a scheduler decides.

        StagedValueError in a static function.
        """
        if not isinstance(self._learning_rate, (int, float)):
            raise RuntimeError(
                "set_lr: this optimizer's learning rate follows a scheduler; set it there, or use set_lr_scheduler"
            )
        self._learning_rate = float(value)

    @outside
    def set_lr_scheduler(self, scheduler: Any) -> None:
        """Let `scheduler` decide the learning rate from now on. StagedValueError in a static function."""
        self._learning_rate = scheduler

    # --- steps -----------------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Change every parameter that has a gradient. In a static function it is recorded.

        TypeError: a scheduler that gives no number.
        """
        rec = current_recorder()
        if rec is not None:
            return record_step(rec, self)
        self._steps += 1
        rate = self.get_lr()
        for group in self._groups:
            pairs = [(p, p._grad._data) for p in group["params"] if p._grad is not None and not p.stop_gradient]
            for p, g in group["grad_clip"].clipped(pairs) if group["grad_clip"] is not None else pairs:
                self._step_one(p, g, rate, group)
        return None

    def _step_one(self, p: Tensor, g: np.ndarray, rate: float, group: dict) -> None:
        if not p._data.flags.writeable:
            p._data = p._data.copy()  # weights mapped from a file
        value, decay = p._data, self._decay_of(p, group)
        if decay:
            g = decayed(g, value, decay)
        if g.dtype != value.dtype:
            g = g.astype(value.dtype)
        self._update(p, value, g, rate * self._factor_of(p, group), self._decoupled_decay_of(p, group))
        p._writes[0] += 1

    def _update(self, p: Tensor, value: np.ndarray, g: np.ndarray, rate: float, decay: float) -> None:
        """Write the new values into the array `value`; `decay` is the coefficient of decoupled weight decay."""
        slots = [slot._data for slot in self._slots_of(p).values()] if self._slots else ()
        self._rule.kernel(value, g, *slots, rate=rate, **self._settings(p, decay))

    def _settings(self, p: Tensor, decay: float) -> Mapping[str, Any]:
        """What the rule takes beside the learning rate; `decay` is the coefficient of decoupled weight decay."""
        return self._given_to(p)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """What was copied or pickled, with numbers for the parameters that came along."""
        self.__dict__.update(state)
        self._numbers = {id(p): k for k, p in enumerate(self._parameter_list)}

    def _given_to(self, p: Tensor) -> dict[str, Any]:
        """The numbers of the class that hold for a parameter, as the rule takes them."""
        return self._given[self._numbers[id(p)]]

    def _decay_of(self, p: Tensor, group: dict) -> Any:
        """The weight decay added to the gradient of a parameter, a coefficient or an L1Decay: its own, else that of its group."""
        own = getattr(p, "regularizer", None)
        if own is not None:
            return _decay(own)
        return 0.0 if self._decoupled else group["weight_decay"]

    def _decoupled_decay_of(self, p: Tensor, group: dict) -> float:
        """The coefficient of the weight decay taken from a parameter."""
        return group["weight_decay"] if self._decoupled else 0.0

    def _factor_of(self, p: Tensor, group: dict) -> float:
        """What the learning rate is multiplied by, for a parameter."""
        return group["learning_rate"] * getattr(p, "optimize_attr", {}).get("learning_rate", 1.0)

    def _slots_of(self, p: Tensor) -> Slots:
        """What is kept for a parameter, zeros at first."""
        number = self._numbers[id(p)]
        found = self._state.get(number)
        if found is None:
            found = self._state[number] = {name: Tensor(array) for name, array in self._new_slots(p._data).items()}
        return found

    def _new_slots(self, value: np.ndarray) -> dict[str, np.ndarray]:
        return {name: np.zeros_like(value) for name in self._slots}

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Set the gradients to zeros, or to None where not `set_to_zero`."""
        clear_gradients(self._parameter_list, set_to_zero)

    clear_gradients = clear_grad

    def minimize(self, loss: Tensor, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None) -> tuple:
        """`step()`: `loss.backward()` has run before, as in Paddle. ([], (parameter, gradient) pairs) is the result.

        loss: a tensor of one element and a floating dtype. parameters: those of the optimizer, or None. `startup_program` and
        `no_grad_set` have no effect, as in Paddle. ValueError: other `parameters`.
        """
        if parameters is not None and {*map(id, parameters)} != {*map(id, self._parameter_list)}:
            raise ValueError("minimize changes the parameters of this optimizer; make an optimizer of the others")
        self.step()
        return [], [(p, p.grad) for p in self._parameter_list if p.grad is not None]

    # --- state -----------------------------------------------------------------------------------------------------------

    def _names(self) -> list[tuple[Tensor, str]]:
        """The parameters, each with a name of its own, though two may have been given the same."""
        found: dict[str, Tensor] = {}
        for i, p in enumerate(self._parameter_list):
            found[free(p.name or f"parameter_{i}", found)] = p
        return [(p, name) for name, p in found.items()]

    def state_dict(self) -> dict[str, Any]:
        """Copies of what was gathered: "<parameter>_<slot>" -> Tensor, "step" -> int, "LR_Scheduler" where there is one."""
        found: dict[str, Any] = {"step": self._steps}
        for number, (_, name) in enumerate(self._names()):
            for slot, kept in self._state.get(number, {}).items():
                found[f"{name}_{slot}"] = Tensor(kept._data.copy())
        if hasattr(self._learning_rate, "state_dict"):
            found["LR_Scheduler"] = self._learning_rate.state_dict()
        return found

    @outside
    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` of an optimizer of this kind gave, by the names of the parameters.

        ValueError where a shape differs, and where no parameter has one of the names. StagedValueError in a static function.
        """
        check_state("set_state_dict", state_dict)
        known = {f"{name}_{slot}" for _, name in self._names() for slot in self._slots}
        foreign = state_dict.keys() - {"step", "LR_Scheduler"}
        if foreign and known and not known & foreign:
            raise ValueError(
                f"set_state_dict: the state is of parameters with other names ({min(foreign)}, here {min(known)}): they are "
                "named as they are made, so make the model first thing, or name them by ParamAttr(name=...)"
            )
        for p, name in self._names():
            for slot in self._slots:
                given = state_dict.get(f"{name}_{slot}")
                if given is None:
                    continue
                array, kept = np.asarray(given), self._slots_of(p)[slot]._data
                if array.shape != kept.shape:
                    raise ValueError(f"set_state_dict: {name}_{slot} has shape {list(array.shape)}, expected {list(kept.shape)}")
                kept[...] = array
        self._steps = int(state_dict.get("step", self._steps))
        if "LR_Scheduler" in state_dict and hasattr(self._learning_rate, "set_state_dict"):
            self._learning_rate.set_state_dict(state_dict["LR_Scheduler"])


def _are_parameters(value: Any) -> bool:
    """Whether the argument in the place of a number is what other libraries take there."""
    found = value if isinstance(value, list | tuple) else ()
    return hasattr(value, "__next__") or hasattr(value, "parameters") or any(isinstance(p, Tensor | dict) for p in found)


def _groups(parameters: Iterable) -> list[dict]:
    found = list(parameters)
    if found and all(isinstance(g, dict) for g in found):
        return found
    return [{"params": found}]


def _decay(weight_decay: Any) -> Any:
    """The L2 coefficient that `weight_decay` says, or an L1Decay."""
    if isinstance(weight_decay, L1Decay):
        return weight_decay
    if isinstance(weight_decay, L2Decay):
        return weight_decay.coeff
    if weight_decay is None:
        return 0.0
    if isinstance(weight_decay, bool) or not isinstance(weight_decay, (int, float)):
        raise TypeError(f"weight_decay must be a number (the L2 coefficient) or a regularizer, not {type(weight_decay).__name__}")
    return float(weight_decay)
