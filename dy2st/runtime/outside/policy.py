"""Where staging for `to_static` and staging for `script` differ."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING

from ...ir.core import Program, Value
from ..heap.journal import Location
from ..heap.recording import Recording
from ..tensors.tensor import Tensor

if TYPE_CHECKING:
    from .facts import Facts


class Policy:
    """What `to_static` does; `script` overrides it.

    replaces: whether `replacement` knows of functions.
    spells: whether texts of tensors aren't dy2st's own, but those of `text_of`.
    boxes_scalars: a result that is a Python number becomes a 0-d tensor, as in Paddle.
    casts_elements: `int(x)` of a tensor of many elements is one of integers, as in Paddle; else the Program raises.
    exact: where paths meet, a value keeps the kind that it had on its path; nothing is converted.
    typed: hints of local variables count, and checks against None refine what is known of a variable.
    errors: whose classes the errors of operators have (`Program.errors`).
    """

    replaces = spells = False
    boxes_scalars = True
    casts_elements = True
    exact = False
    typed = False
    errors = ""

    def resolved(self, function: FunctionType) -> FunctionType:
        """The function with the names that it is staged with."""
        return function

    def stand_in(self, function: FunctionType) -> Callable | None:
        """What to call in place of a function that isn't to be converted."""
        return None

    def replacement(self, function: object) -> Callable | None:
        """What to call in place of anything that is called; None: what is called in its place otherwise."""
        return None

    def call(self, function: object, args: tuple, kwargs: dict) -> object:
        """A call of PyTorch's, in code that isn't converted, of something that only the Program knows."""
        return NotImplemented

    def in_python(self, function: object) -> FunctionType | None:
        """A function in Python with the parameters of one that isn't written in Python, and is replaced; None: there is none."""
        return None

    def is_library(self, function: FunctionType) -> bool:
        """Whether a function is the library's own, which asks a tensor for its gradient to choose a faster way alone."""
        return False

    def tells_arguments_apart(self) -> bool:
        """Whether each call sees to it that no two arguments are one tensor, from now on."""
        return False

    @property
    def face(self) -> type[Tensor]:
        """The class of what converted code handles for a Value that is a tensor."""
        return Tensor

    def tensor(self, value: Value, stop_gradient: bool, name: str | None = None) -> Tensor:
        """What converted code handles for a Value that is a tensor."""
        return self.face(value, stop_gradient, name)

    def lifted(self, value: object) -> Tensor | None:
        """The Tensor that shares memory with a tensor of another library; None for anything else."""
        return None

    def text_of(self, tensor: Tensor) -> object:
        """The text of a tensor, where this policy `spells` it."""
        return None

    def formatted(self, tensor: Tensor, spec: object) -> object:
        """What stands for a tensor in a format, where this policy `spells` it: a number or a text."""
        return tensor

    def prepare(self, facts: Facts) -> None:
        """Before the first recording: what is known to be state."""

    def state_name(self, location: Location, path: str) -> str:
        """What a location is called that turns out to be state; path: how it is reached."""
        return path

    def declared(self, rec: Recording, value: object, hint: str) -> object:
        """The value of a local variable that was assigned with a hint of its type."""
        return value

    def before_store(self, rec: Recording, location: Location) -> None:
        """An attribute, item or variable is about to be stored."""

    def before_field(self, rec: Recording, obj: object, name: str, is_known: bool) -> None:
        """A field of an object that only the Program knows is about to be stored."""

    def before_item(self, rec: Recording, container: object, item: object) -> None:
        """An item is about to be put into a container."""

    def needs_alternatives(self, rec: Recording, staged: object, error: Exception) -> None:
        """A value whose kind follows the path was used in a way that one of its kinds doesn't allow."""

    def returned(self, rec: Recording, value: object) -> object:
        """What the function gives, about to become the result of the Program."""
        return value

    def maybe_unbound(self, rec: Recording, staged: object) -> None:
        """A variable is read that has no value on some path."""

    def note_empty(self, container: object) -> None:
        """An empty list or dict was written."""

    def raised(self, rec: Recording, error: BaseException) -> None:
        """A path of staged control flow, or the function, has raised."""

    def raises_late(self, error: BaseException) -> bool:
        """Whether what every path raises is left to the Program to raise."""
        return False

    def check(self, program: Program) -> None:
        """The recording is over."""


TO_STATIC = Policy()
