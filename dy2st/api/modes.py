"""Where and how operators run, under Paddle's names."""

from __future__ import annotations

from typing import Any

from .. import dtypes
from ..errors import StagedValueError
from ..ops import dispatch
from ..runtime.tensors.eager import EagerMode

__all__ = (  # fmt: skip
    "CPUPlace",
    "CUDAPinnedPlace",
    "CUDAPlace",
    "disable_signal_handler",
    "disable_static",
    "enable_static",
    "get_default_device",
    "get_device",
    "in_dynamic_mode",
    "is_compiled_with_cinn",
    "is_compiled_with_cuda",
    "is_compiled_with_custom_device",
    "is_compiled_with_distribute",
    "is_compiled_with_ipu",
    "is_compiled_with_rocm",
    "is_compiled_with_xpu",
    "set_default_device",
    "set_default_dtype",
    "set_device",
    "set_printoptions",
)


class Place:
    """Where tensors live: the CPU."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place)

    def __hash__(self) -> int:
        return hash(Place)

    def __repr__(self) -> str:
        return "Place(cpu)"

    __str__ = __repr__

    def is_cpu_place(self) -> bool:
        """Always true."""
        return True

    def is_gpu_place(self) -> bool:
        """Always false."""
        return False


class CPUPlace(Place):
    """The CPU."""


class CUDAPlace(Place):
    """A GPU, which there is none: making one is a RuntimeError, whatever its `id`."""

    def __init__(self, id: int = 0):
        raise RuntimeError(f"{type(self).__name__}: tensors live on the CPU only; use CPUPlace()")


class CUDAPinnedPlace(CUDAPlace):
    """Memory that a GPU reads, which there is none: making one is a RuntimeError, whatever its `id`."""


def in_dynamic_mode() -> bool:
    """Whether operators run at once, rather than being recorded."""
    return isinstance(dispatch.current_mode(), EagerMode)


def disable_static(place: Any = None) -> None:
    """Nothing: operators run at once already. `place` has no effect."""


def enable_static() -> None:
    """NotImplementedError: Programs are made by `jit.to_static`."""
    raise NotImplementedError("enable_static: Programs are not written by hand here; decorate a function with jit.to_static")


def get_device() -> str:
    """The device that tensors live on: always the CPU."""
    return "cpu"


def set_device(device: Any) -> Any:
    """Accepts "cpu" or a Place, the only `device`, and gives it back; ValueError for any other."""
    if device != "cpu" and not isinstance(device, Place):
        raise ValueError(f'set_device takes "cpu", the only device, not {device!r}')
    return device


def set_default_dtype(d: Any) -> None:
    """Set the dtype of floating-point tensors made from Python numbers: float16, bfloat16, float32 or float64.

    DTypeError: another dtype `d`. StagedValueError in a static function; those that were staged before are staged anew.
    """
    if (rec := dispatch.current_mode().rec) is not None:
        raise StagedValueError(
            f"{rec.here()}: set_default_dtype in a static function would act once, while staging; call it outside, or give each "
            "tensor its dtype"
        )
    dtypes.set_default_dtype(d)


get_default_device, set_default_device = get_device, set_device


def disable_signal_handler() -> None:
    """Nothing: there is no signal handler."""


def is_compiled_with_cuda() -> bool:
    """False: there is no GPU."""
    return False


is_compiled_with_rocm = is_compiled_with_xpu = is_compiled_with_ipu = is_compiled_with_cinn = is_compiled_with_cuda
is_compiled_with_distribute = is_compiled_with_cuda


def is_compiled_with_custom_device(device_type: str) -> bool:
    """False, whatever `device_type` says: there is no device but the CPU."""
    return False


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sci_mode: bool | None = None,
    linewidth: int | None = None,
) -> None:
    """How tensors are printed: as `numpy.set_printoptions`, None leaving an option as it is.

    precision, threshold, edgeitems, linewidth: ints as there. sci_mode: a bool, whether floats are printed with an exponent;
    before it is given, those are that need one.
    """
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    PRINT_OPTIONS.update({name: value for name, value in given.items() if value is not None})
    if sci_mode is not None:
        PRINT_OPTIONS.update(suppress=not sci_mode, formatter=_WITH_EXPONENT if sci_mode else None)


def _with_exponent(number: float) -> str:
    return f"{number:.{PRINT_OPTIONS['precision']}e}"


def _complex_with_exponent(number: complex) -> str:
    return f"{_with_exponent(number.real)}{number.imag:+.{PRINT_OPTIONS['precision']}e}j"


_WITH_EXPONENT = {"float_kind": _with_exponent, "complex_kind": _complex_with_exponent}
PRINT_OPTIONS: dict[str, Any] = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 80}
