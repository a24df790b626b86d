"""Settings of Paddle's compiler."""

from __future__ import annotations

from typing import Any


class BuildStrategy:
    """What a model file sets for the compiler, for `to_static(..., build_strategy=)`.

    settings: attributes by name. `merge_products=True`: in a loop, products of one matrix by several weights become one, as the
        gates of an LSTM are often written. Results keep their bits where the weights lie in row-major order, as parameters do;
        gradients may sum in another order. `reorder_weights=True`: loops multiply by a weight that is transposed once, before
        them; the last bits may differ. Paddle's other settings are kept, and have no effect.

    >>> dy2st.static.BuildStrategy(merge_products=True)
    BuildStrategy(merge_products=True)
    """

    merge_products = False
    reorder_weights = False

    def __init__(self, **settings: Any):
        vars(self).update(settings)

    @property
    def passes(self) -> tuple[str, ...]:
        """The names of the passes that are asked for."""
        asked = {"weights_in_order": self.reorder_weights, "merged_products": self.merge_products}
        return tuple(name for name, is_asked in asked.items() if is_asked)

    def __repr__(self) -> str:
        return f"BuildStrategy({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"
