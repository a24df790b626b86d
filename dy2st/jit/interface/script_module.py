"""ScriptModule: a Layer whose methods are compiled."""

from __future__ import annotations

from typing import Any

from ...ir.core import Program
from ...nn.layer import Layer
from ...saving import Info
from .archive_file import write_script
from .attribute import Attribute


class ScriptModule(Layer):
    """What `script`, `trace` and `load` give for a layer: its methods are compiled, and take and give what those of the layer do.

    As a base class of the user's it is deprecated: it is a Layer, with `name_scope` and `dtype`, of any shape and dtype, whose
    `jit.Attribute` values are taken out of their wrapper. NotImplementedError: it has no forward.
    """

    _methods: dict[str, Any]

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Attribute):
            vars(self).setdefault("_attribute_types", {})[name] = value.type
            value = value.value
        super().__setattr__(name, value)

    @property
    def _holder(self) -> Layer:
        """The layer whose attributes are those of this one."""
        return self

    @property
    def code(self) -> str:
        """The compiled `forward` as Python."""
        return self._methods["forward"].code

    @property
    def graph(self) -> Any:
        """The compiled `forward` as a graph."""
        return self._methods["forward"].graph

    def release(self) -> None:
        """Give back the memory of large temporaries that is kept between calls; the next call takes it anew."""
        for method in self._methods.values():
            method.release()

    def save(self, f: Any, _extra_files: dict | None = None) -> None:
        """Write one archive to `f`, a path or a binary file object, with the files `_extra_files`: name -> text or bytes.

        TypeError: it isn't compiled.
        """
        write_script(f, self._contents(), _extra_files)

    def _contents(self) -> tuple[Program, Info]:
        """What an archive holds of it: its methods as one Program, and what is known of them."""
        raise TypeError(f"{type(self).__name__} is not compiled: script or trace it, then save that")
