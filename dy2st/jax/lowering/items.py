"""Lists of known length whose items have shapes of their own, such as feature maps: no array holds them, so each is apart.

xs = [a, b]        # a: float32[4, 8], b: float32[2, 4]
"""

from __future__ import annotations

from collections.abc import Sequence as Parts
from dataclasses import dataclass
from typing import Any, NoReturn

import jax.numpy as jnp

from ...graphs.lowering.refusal import InexpressibleError
from ...graphs.lowering.values import Array, GraphValue, Sequence
from .forms import Form, laid_out
from .texts import Spelling
from .value import JaxValue


class Items(JaxValue):
    """Such a list. InexpressibleError: what asks for its array or its shape takes items of one shape only."""

    __slots__ = ("items",)

    def __init__(self, name: str, items: Parts[JaxValue]):
        GraphValue.__init__(self, name, Sequence(Array(items[0].dtype, None)))
        self.items = tuple(items)
        self.count, self.axis, self.is_blank, self.recipe, self.below = None, 0, False, None, None

    def _refuse(self) -> NoReturn:
        shapes = " and ".join(dict.fromkeys(str(list(x.shape or ())) for x in self.items))
        raise InexpressibleError(f"items of a list have the shapes {shapes}, and JAX's arrays have one; pad them")

    @property
    def data(self) -> NoReturn:  # type: ignore[override]
        """There is none."""
        self._refuse()

    @property
    def shape(self) -> NoReturn:  # type: ignore[override]
        """There is none."""
        self._refuse()


@dataclass(frozen=True)
class Forms:
    """What is known of the arrays of such a list: the Form of each item."""

    items: tuple[Form, ...]

    @property
    def text(self) -> Spelling | None:
        """What texts in it are made by; None where it holds none."""
        return next((form.text for form in self.items if form.text is not None), None)

    def array(self, data: Any, count: Any) -> list[Any]:
        """The arrays themselves."""
        return [form.array(*part) for form, part in zip(self.items, data)]


def results_of(x: JaxValue) -> tuple[Any, Any]:
    """The array that a value leaves, and the number of its rows where that is open; of Items a list of such pairs, and None."""
    return ([*map(results_of, x.items)], None) if isinstance(x, Items) else (jnp.asarray(laid_out(x)), x.count)


def form_of(x: JaxValue) -> Form | Forms:
    """What is known of that."""
    return Forms(tuple(map(Form.of, x.items))) if isinstance(x, Items) else Form.of(x)
