"""A model that is saved or exported while it is in training mode, where that makes a difference: its user is warned."""

from __future__ import annotations

from ...errors import Dy2stWarning
from ...ir.core import Loc
from ...runtime.where.user_code import user_loc
from ...runtime.where.warn import warn_at
from ...saving import Info
from ..interface.info_keys import NO_OTHER_MODE, OTHER_MODE
from .method_in_mode import MethodInMode
from .modes import ONE_MODE, InModes, differs


def warn_of_training(name: str, methods: InModes, one_mode: bool) -> None:
    """Dy2stWarning where a method that is saved in training mode does something else in evaluation."""
    if any(methods.now[method].training and _differs(other, methods.now[method]) for method, other in methods.other.items()):
        code = next(iter(methods.now.values())).function.plain_code
        _warn(name, one_mode, Loc(code.co_filename, code.co_firstlineno))


def warn_of_loaded(info: Info, one_mode: bool) -> None:
    """The same for a loaded model that is saved again."""
    if info.training and any(info.extra.get(key) for key in (OTHER_MODE, NO_OTHER_MODE)):
        _warn(info.name, one_mode, None)


def _differs(other: MethodInMode, now: MethodInMode) -> bool:
    if other.refused != ONE_MODE or not other.modes:
        return True
    staged = MethodInMode(other.function, now.program, other.modes)  # to be compared, not to be saved
    return bool(staged.refused) or differs(staged, now)


def _warn(name: str, one_mode: bool, method: Loc | None) -> None:
    instead = "call eval() of the model first" + ("" if one_mode else ", or of the model that is loaded")
    text = f"{name} is saved in training mode, where it does something else than in evaluation, as dropout and batch norms do"
    warn_at(user_loc() or method, f"{text}; {instead}", Dy2stWarning)
