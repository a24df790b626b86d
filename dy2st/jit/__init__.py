"""From plain Python to static Programs and files, and back: `to_static`, `save`, `load`.

Each name is imported when it is first used, and stands in this package from then on. A process that only loads and runs a model
never imports what stages one.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

_HOMES = {
    "Attribute": "interface.attribute",
    "Final": "scripting.markers",
    "ScriptError": "interface.errors",
    "ScriptFunction": "scripting.function",
    "ScriptModule": "interface.script_module",
    "TracerWarning": "tracing.tracer",
    "TracingCheckError": "tracing.check",
    "annotate": "scripting.markers",
    "export": "scripting.markers",
    "ignore": "scripting.markers",
    "is_scripting": "scripting.markers",
    "script": "scripting.script",
    "trace": "tracing.trace",
    "trace_module": "tracing.trace",
    "unused": "scripting.markers",
    "StaticFunction": "static.static_function",
    "TranslatedLayer": "loading.translated_layer",
    "enable_to_static": "static.switch",
    "ignore_module": "static.conversion",
    "load": "loading.load",
    "not_to_static": "static.conversion",
    "profile": "loading.profiling",
    "save": "saving.save",
    "set_code_level": "dy2static.logging_utils",
    "set_verbosity": "dy2static.logging_utils",
    "to_static": "static.conversion",
    "unroll": "static.conversion",
}
_MODULES = ("api", "dy2static", "marker", "translated_layer")
__all__ = list(_HOMES)


def __getattr__(name: str) -> _Any:
    if name in _MODULES:
        return _import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(_import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES})
