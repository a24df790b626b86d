"""How tensors lie in torch's memory: torch itself is asked, of stand-ins, and only where somebody wants to know.

Each call of torch's notes what it gave. A question runs the calls that led to a tensor once more, on tensors whose open lengths
are a number each time. So strides come out as torch makes them, also where an operator keeps those of what it is given. Where the
branch of an `if` decides, each branch is asked.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from ..ir.core import Block, Function, Operation, Value, fill_refs
from ..ir.types import INT, TensorType
from ..ops.dispatch import entered
from ..ops.registry import OPERATORS
from ..runtime.proxies import Staged
from ..runtime.tensors.eager import EAGER
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.profiling import unwatched
from .dtypes import of_name
from .face import Size
from .laid import Laid, in_order, in_some_order, is_open, is_parts, joined, laid_of, laid_of_view
from .packages import torch
from .values import TOLD_BY_TEXT, leaves, mapped

LENGTHS = (7, 11, 48, 96)  # stand for open lengths: what holds for all of these that fit holds from 2 on
SHORT = (2, 1, (1, 7), (7, 1))  # as pairs: that of the first axis of each tensor, and of the others
ALL = (*LENGTHS, *SHORT)  # where a view or a copy is asked for: a dimension of 1 makes more of them views
_KEPT = 10_000
_answers: dict[Hashable, Any] = {}  # what torch gives for calls, whichever Program they are in
_ODD = object()  # stands for an argument that doesn't tell by its text what it is
MISFIT = object()  # stands for what can't be where an open length is another one
_MOST_BRANCHES = 3  # `if`s of which each branch is asked
_FEW = 1 << 16  # elements: torch is asked in memory; of more, without it
_TUPLES = ("tuple.new", "tuple.get")
_OF_SHAPE = frozenset("py.dim py.rank py.dims".split())


Length = int | tuple[int, int]


class _Call(NamedTuple):
    function: Callable
    args: Any
    kwargs: Any


class Layouts:
    """The calls that have made each tensor, and what they tell."""

    def __init__(self) -> None:
        self._calls: dict[Value, tuple[_Call, int]] = {}
        self._runs: dict[_Case, _Run] = {}
        self._is_lenient = False
        self._branches: dict[Operation, int] = {}
        self._undecided: dict[Operation, None] = {}

    @unwatched
    def note(self, function: Callable, args: tuple, kwargs: dict, found: Any) -> None:
        """A call of torch's has given `found`."""
        call = None
        for place, value in enumerate([x._data for x in leaves(found) if isinstance(x, Tensor)]):
            if value not in self._calls:
                call = call or _Call(function, *mapped(lambda x: tuple(x) if isinstance(x, Size) else x, (args, kwargs)))
                if value not in _values(leaves((args, kwargs))):
                    self._calls[value] = call, place

    def laid(self, value: Value, length: Length) -> Any:
        """A tensor's layout in torch's memory, or a number, where open lengths are `length`. None: nobody can tell; or MISFIT."""
        return self._run(length, value).found(value)

    @unwatched
    def shared(self, given: Any, length: Length, memory: Callable[[Value], Value]) -> Any:
        """Stand-ins for the arguments of a call; tensors of one `memory` share it. None: nobody can tell how they lie."""
        return self._run(length).shared(given, memory)

    def _run(self, length: Length, value: Value | None = None) -> _Run:
        """The run of a length. value: the one that it is asked for."""
        case = _Case(length, self._is_lenient, tuple(self._branches.items()))
        if case not in self._runs:
            run = self._runs[case] = _Run(self._calls, case, {})
            if case.branches:
                run.take_over(self._runs[case._replace(branches=case.branches[:-1])])
        run = self._runs[case]
        if value is not None:
            run.found(value)
            self._undecided.update(dict.fromkeys(run.decides[value]))
        return run

    def forget(self) -> None:
        """Ask anew: more is known of loops, now that they are whole."""
        self._runs.clear()

    def shares(self, value: Value) -> bool | None:
        """Whether torch gives a view of the first tensor of the call that has made `value`; None: nobody can tell."""
        return self.same_on_branches(lambda length: self._run(length, value).shares(value), ALL)

    def answers(self, value: Value, ask: Callable[[Laid], Any], lengths: Iterable[Length] = LENGTHS) -> Any:
        """`ask(layout)`, where it is the same for all these lengths; else None."""

        def answer(length: Length) -> Any:
            laid = self.laid(value, length)
            return laid if not isinstance(laid, Laid) else None if laid.stride is None else ask(laid)

        return self.same(answer, lengths)

    @unwatched
    def same(self, answer: Callable[[Length], Any], lengths: Iterable[Length] = LENGTHS) -> Any:
        """What `answer` gives for lengths, where that is the same for all that fit; else None."""
        found = _same(map(answer, lengths))
        return None if found is MISFIT else found

    def same_on_branches(self, answer: Callable[[Length], Any], lengths: Iterable[Length]) -> Any:
        """The same, also where `answer` is None but for a branch of an `if`, and gives the same for each branch.

        Where none fits, since several dynamic dimensions depend on each other, a call that raises gives a tensor of any layout.
        This asks torch many times more, so it is for those who would refuse otherwise.
        """
        found = _same(self._on_branches(answer, length) for length in lengths)
        if found is not MISFIT or self._is_lenient:
            return None if found is MISFIT else found
        self._is_lenient = True
        try:
            return self.same_on_branches(answer, lengths)
        finally:
            self._is_lenient = False

    def _on_branches(self, answer: Callable[[Length], Any], length: Length) -> Any:
        """`answer(length)`; where the branch of an `if` decides, what it gives for both, if that is the same."""
        self._undecided.clear()
        found = answer(length)
        if found is not None or not self._undecided or len(self._branches) == _MOST_BRANCHES:
            return found
        op = next(reversed(self._undecided))
        return _same(self._on_branch(op, branch, answer, length) for branch in (0, 1))

    def _on_branch(self, op: Operation, branch: int, answer: Callable[[Length], Any], length: Length) -> Any:
        self._branches[op] = branch
        try:
            return self._on_branches(answer, length)
        finally:
            del self._branches[op]


class _Case(NamedTuple):
    """The assumptions of a run. is_lenient: a call that raises gives a tensor of any layout. branches: those of `if`s."""

    length: Length
    is_lenient: bool
    branches: tuple[tuple[Operation, int], ...]


def _same(found: Iterable[Any]) -> Any:
    """The answer that all give that aren't MISFIT; None: they differ, or one is None; MISFIT: there is none."""
    same = MISFIT
    for x in found:
        if same is MISFIT:
            same = x
        elif x is not MISFIT and (type(x) is not type(same) or x != same):
            return None
        if same is None:
            return None
    return same


class _Run:
    """The layouts of tensors, the numbers, or None, for which the Values of a Program stand in a case.

    decides: the `if`s that decide how a tensor lies, where that differs by branch.
    """

    def __init__(self, calls: dict[Value, tuple[_Call, int]], case: _Case, given: dict[Value, Any]):
        self._calls, self._case, self._length, self._known = calls, case, case.length, dict(given)
        self._branches = dict(case.branches)
        self.decides: dict[Value, tuple[Operation, ...]] = {}
        self._of_branches: set[Value] = set()  # for which a branch of the case matters
        self._made: dict[int, Any] = {}  # what a call gives, by its id

    def found(self, value: Value) -> Any:
        """What stands for a Value; those that it needs come first."""
        pending, opened = [value], set()
        while pending:
            one = pending[-1]
            needs = [] if one in self._known or one in opened else [x for x in self._needs(one) if x not in self._known]
            if needs:
                opened.add(one)
                pending += needs
                continue
            if pending.pop() not in self._known:
                self._learn(one)
        return self._known[value]

    def _learn(self, value: Value) -> None:
        found = self._fitting(value, self._stand_in(value))
        is_unknown = found is None or (found is MISFIT and self._case.is_lenient)
        self._known[value] = self._somehow(value) if is_unknown else found
        needs = list(self._needs(value))
        deciding = [op for x in needs for op in self.decides.get(x, ())]
        if isinstance(op := value.owner, Operation) and op.name == "if" and op not in self._branches:
            ends = [self._known.get(block.yielded[op.results.index(value)]) for block in op.blocks if block.yielded]
            deciding += [op] if len(ends) == 2 and ends[0] != ends[1] else []
        self.decides[value] = tuple(dict.fromkeys(deciding))
        if op in self._branches or not self._of_branches.isdisjoint(needs):
            self._of_branches.add(value)

    def take_over(self, outer: _Run) -> None:
        """Know of Values for which the last branch of the case doesn't matter as much as a run without that."""
        *_, (op, _) = self._case.branches
        self.decides = {value: decides for value, decides in outer.decides.items() if op not in decides}
        self._known = {value: outer._known[value] for value in self.decides}
        self._of_branches = outer._of_branches & self.decides.keys()

    def _somehow(self, value: Value) -> Any:
        """A tensor of which only the number of axes is known, and the lengths that don't differ from run to run; or an int."""
        type_ = value.type
        if type_ == INT:
            return self._shape([None, None])[1]
        if not isinstance(type_, TensorType) or type_.shape is None:
            return None
        return Laid(tuple(self._shape(type_.shape)), None, type_.dtype)

    def _shape(self, shape: Sequence[Any]) -> list[int]:
        """A shape with its stand-ins for dynamic dimensions."""
        first, others = self._length if isinstance(self._length, tuple) else (self._length, self._length)
        return [n if isinstance(n, int) else others if axis else first for axis, n in enumerate(shape)]

    def _needs(self, value: Value) -> Iterable[Value]:
        if value in self._calls:
            call, _ = self._calls[value]
            return _values(leaves((call.args, call.kwargs)))
        op = value.owner
        if isinstance(op, Block):
            return op.parent.operands if _is_loop(op.parent) else []  # type: ignore[union-attr]
        if isinstance(op, Operation) and op.name == "if":
            return [block.yielded[op.results.index(value)] for block in op.blocks if block.yielded]
        if _is_loop(op):
            return op.operands  # type: ignore[union-attr]
        return op.operands if isinstance(op, Operation) and (op.name in _TUPLES or _is_asked(op)) else []

    def _stand_in(self, value: Value) -> Any:
        op = value.owner
        if value in self._calls:
            call, place = self._calls[value]
            if id(call) not in self._made:
                self._made[id(call)] = self._called(call)
            made = self._made[id(call)]
            return made if made is MISFIT else made[place] if place < len(made) else None
        if isinstance(op, Block):
            return self._argument(op, value)
        if not isinstance(op, Operation):
            return None
        if op.name == "if":
            place, ends = op.results.index(value), [block.yielded for block in op.blocks]
            left, right = found = [self._known.get(end[place]) if end else None for end in ends]
            return found[self._branches[op]] if op in self._branches else joined(left, right)
        if op.name == "const":
            return op.attrs["value"]
        if op.name in _TUPLES:
            return _of_tuple(op, [self._known.get(x) for x in op.operands])
        if _is_loop(op):
            return self._carried(op)[op.results.index(value)]
        return self._computed(op) if _is_asked(op) else None

    def _argument(self, block: Block, value: Value) -> Any:
        """What is given to the Program lies in order."""
        type_ = value.type
        if _is_loop(block.parent):
            return self._carried(block.parent)[block.args.index(value)]
        is_given = isinstance(block.parent, Function) and block.parent.name == "main"
        if not is_given or not isinstance(type_, TensorType) or type_.shape is None:
            return None
        return in_order(self._shape(type_.shape), type_.dtype)

    def _carried(self, op: Any) -> list[Any]:
        """The values that a loop carries: its start, where each iteration leaves them so, on whichever branches."""
        found, (ask, turn) = [self._known.get(x) for x in op.operands], op.blocks
        if not turn.yielded:
            return [None] * len(found)
        while True:
            given = {value: x for value, x in self._known.items() if value not in self._of_branches}
            given |= {arg: x for block in (ask, turn) for arg, x in zip(block.args, found)}
            run = _Run(self._calls, self._case._replace(branches=()), given)
            after = [x if x is None else joined(x, run.found(y)) for x, y in zip(found, turn.yielded)]
            if after == found:
                return found
            found = after

    def _called(self, call: _Call) -> Any:
        """What torch gives for a call: the tensors among it; or MISFIT."""
        given = [self._known.get(x) for x in _values(leaves((call.args, call.kwargs)))]
        if None in given or MISFIT in given:
            return [] if None in given else MISFIT
        key = self._key(call)
        if key in _answers:
            return _answers[key]
        answer = self._answer(call, given)
        has_numbers = answer is not MISFIT and any(x.number is not None for x in answer if isinstance(x, Laid))  # drawn, maybe
        if key is not None and not has_numbers and len(_answers) < _KEPT:
            _answers[key] = answer
        return answer

    def _key(self, call: _Call) -> Hashable:
        """The key of a call among those of which torch gives other layouts; None where its arguments give none."""
        def of(x: Any) -> Any:
            if isinstance(x, Tensor | Staged):
                return self._known[_value(x)]
            if isinstance(x, torch().Tensor):
                return "tensor", laid_of(x)
            return x if type(x) in TOLD_BY_TEXT else _ODD

        found = mapped(of, (call.args, call.kwargs))
        return None if any(x is _ODD for x in leaves(found)) else (call.function, repr(found))

    def _answer(self, call: _Call, given: list[Any]) -> Any:
        """The result of torch for a call, as `_called`, where its arguments are known."""
        try:
            ways = [self._laid_by(call, given, is_reversed) for is_reversed in ((False, True) if is_open(given) else (False,))]
        except NotImplementedError:  # no kernel for stand-ins: nobody can tell
            return []
        except Exception:  # the call raises for this length, so no run has it
            return MISFIT
        return [joined(x, y) for x, y in zip(ways[0], ways[-1])]

    def _laid_by(self, call: _Call, given: list[Any], is_reversed: bool) -> list[Laid]:
        """What torch gives, where tensors of unknown layout have their axes in order, or reversed."""
        taken, found = self._asked(call, "meta", is_reversed)
        if sum(map(_weight, (*taken, *leaves(found)))) <= _FEW:
            taken, found = self._asked(call, "cpu", is_reversed)
        made = [x for x in leaves(found) if isinstance(x, torch().Tensor)]
        is_number = all(x.number is not None for x in given if isinstance(x, Laid)) and not any(map(_is_tensor, leaves(call)))
        return [_number(x) if is_number and not x.shape and x.device.type == "cpu" else laid_of(x) for x in made]

    def shares(self, value: Value) -> Any:
        """Whether torch gives a view of the first tensor that it is given; None, or MISFIT, as `found`."""
        if value not in self._calls or not isinstance(found := self.found(value), Laid):
            return found if value in self._calls else None
        call, place = self._calls[value]
        if any(self._known.get(x) in (None, MISFIT) for x in _values(leaves((call.args, call.kwargs)))):
            return None
        if 0 in found.shape:
            return MISFIT  # there is nothing to share
        ways = []
        for is_reversed in (False, True):
            given, made = self._asked(call, "meta", is_reversed)
            first = next(x for x in given if isinstance(x, torch().Tensor))
            other = [x for x in leaves(made) if isinstance(x, torch().Tensor)][place]
            ways.append(first.untyped_storage()._cdata == other.untyped_storage()._cdata)
        return ways[0] if ways[0] == ways[1] else None

    def shared(self, given: Any, memory: Callable[[Value], Value]) -> Any:
        """Stand-ins for arguments, in the memories that `memory` names; None: nobody can tell how some tensor lies."""
        values = _values(leaves(given))
        laid = {value: self.found(value) for value in values}
        if any(x is None or x is MISFIT or (isinstance(x, Laid) and x.stride is None) for x in laid.values()):
            return None
        views = [x for value in values if isinstance(laid[value], Laid) for x in _way(value, memory(value))]
        if any(x in self._calls and self.shares(x) is False for x in views):
            return None
        memories: dict[Value, Any] = {}
        for value in values:
            if isinstance(one := laid[value], Laid) and one.number is None:
                size = max(one.reach, memories[memory(value)].numel() if memory(value) in memories else 0)
                memories[memory(value)] = _elements(size, one.dtype)

        def stand_in(x: Any) -> Any:
            if not isinstance(x, Tensor | Staged):
                return self._in_torch(x, "cpu", False)
            one = laid[_value(x)]
            if not isinstance(one, Laid) or one.number is not None:
                return self._in_torch(x, "cpu", False)
            return memories[memory(_value(x))].as_strided(one.shape, one.stride, one.offset)

        return mapped(stand_in, given)

    def _asked(self, call: _Call, device: str, is_reversed: bool) -> tuple[list[Any], Any]:
        """What stands for the arguments of a call, and what torch gives for them."""
        args, kwargs = mapped(lambda x: self._in_torch(x, device, is_reversed), (call.args, call.kwargs))
        return leaves((args, kwargs)), _made(call.function, args, kwargs)

    def _in_torch(self, x: Any, device: str, is_reversed: bool) -> Any:
        """What stands for an argument."""
        if isinstance(x, Tensor | Staged):
            found = self._known[_value(x)]
            return in_some_order(found, is_reversed).in_torch(device) if isinstance(found, Laid) else found
        if isinstance(x, torch().Tensor):
            return laid_of(x).in_torch(device)
        return device if isinstance(x, torch().device) or (type(x) is str and x == "cpu") else x

    def _computed(self, op: Operation) -> Any:
        """What an operator gives of numbers, of the shape of a tensor, or as a view of one."""
        given = [self._known.get(x) for x in op.operands]
        if None in given or MISFIT in given:
            return None if None in given else MISFIT
        if not (_reads_no_elements(op) or all(x.number is not None for x in given if isinstance(x, Laid))):
            return None
        arrays = [in_some_order(x, False).in_numpy() if isinstance(x, Laid) else x for x in given]
        try:
            found = OPERATORS[op.name].kernel(*arrays[: op.n_positional], **fill_refs(op.attrs, arrays))
        except Exception:  # as in `_called`
            return MISFIT
        if not isinstance(op.result.type, TensorType):
            return found
        if OPERATORS[op.name].view is None:
            return in_order((), op.result.type.dtype)._replace(number=found.item())
        return None if is_open(given) else laid_of_view(found, arrays[0], given[0])  # type: ignore[arg-type]

    def _fitting(self, value: Value, found: Any) -> Any:
        """`found`, unless it hasn't the shape that the Program knows of; what has no elements lies in any order."""
        if not isinstance(found, Laid):
            return None if isinstance(value.type, TensorType) and found is not MISFIT else found
        shape = value.type.shape if isinstance(value.type, TensorType) else None
        if shape is None or len(shape) != len(found.shape) or (0 in found.shape and 0 not in shape):
            return None
        return MISFIT if any(isinstance(a, int) and a != b for a, b in zip(shape, found.shape)) else found


def _of_tuple(op: Operation, given: list[Any]) -> Any:
    """A tuple of what stands for its parts, or such a part."""
    if op.name == "tuple.new":
        return tuple(given)
    index = op.attrs.get("index")
    return given[0][index] if is_parts(given[0]) and type(index) is int and index < len(given[0]) else None


@unwatched
def _made(function: Callable, args: tuple, kwargs: dict) -> Any:
    """What torch gives for stand-ins. It is no part of what is staged."""
    with torch()._C.DisableTorchFunction(), entered(EAGER), torch().random.fork_rng([]), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **kwargs)


def _elements(count: int, dtype: str) -> Any:
    """Numbers that differ, where they aren't indices."""
    made = torch().arange(1.0, count + 1.0) / (count + 1.0)
    return made.to(of_name(dtype)) if "float" in dtype or "complex" in dtype else torch().zeros(count, dtype=of_name(dtype))


def _way(value: Value, end: Value) -> Iterable[Value]:
    """A view, and those that it was made by way of, up to a tensor."""
    while value is not end:
        yield value
        value = value.owner.operands[0]  # type: ignore[union-attr]


def _weight(x: Any) -> int:
    return math.prod(x.shape) if isinstance(x, torch().Tensor) else 0


def _values(given: Iterable[Any]) -> list[Value]:
    return [_value(x) for x in given if isinstance(x, Tensor | Staged)]


def _value(x: Any) -> Value:
    return x._data if isinstance(x, Tensor) else x._value


def _is_loop(op: Any) -> bool:
    return isinstance(op, Operation) and op.name == "while"


def _is_tensor(x: Any) -> bool:
    return isinstance(x, torch().Tensor) and not isinstance(x, Tensor)


def _number(tensor: Any) -> Laid:
    return laid_of(tensor)._replace(number=tensor.item())


def _reads_no_elements(op: Operation) -> bool:
    return op.name in _OF_SHAPE or OPERATORS[op.name].view is not None


def _is_asked(op: Operation) -> bool:
    """Whether an operator's kernel says what it gives: it gives a number, or reads no elements."""
    definition = OPERATORS.get(op.name)
    if definition is None or len(op.results) != 1 or definition.mutates or definition.random or definition.io:
        return False
    return _reads_no_elements(op) or not any(isinstance(x.type, TensorType) and x.type.shape for x in (*op.operands, op.result))
