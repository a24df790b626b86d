"""Arguments that a built-in doesn't take: Python says so, not the function that stands for the built-in while staging."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...where.faults import as_the_user, speaks_for_the_user
from ...where.user_frames import entries_of


@speaks_for_the_user
def in_pythons_words(function: Callable, stand_in: Callable) -> Callable:
    """`stand_in`, which fails as `function` does where it is called with what that doesn't take.

    Such a call fails before code of `stand_in` runs. `function` may be a method of another object, such as an empty list.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return stand_in(*args, **kwargs)
        except TypeError as error:
            code = entries_of(error.__traceback__)[-1].tb_frame.f_code
            if code is not call.__code__ and code is not as_the_user.__code__:
                raise
            failure = error
        try:
            function(*args, **kwargs)
        except Exception as error:  # a refusal, too: an argument may be what only staging can ask for its items
            if type(error) is TypeError:
                failure = error
        raise failure.with_traceback(None)

    return call
