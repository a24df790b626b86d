"""`jit.save`: a Program as three files, or as one archive."""

from __future__ import annotations

from typing import Any

from ...errors import Dy2stWarning
from ...ir.core import Program
from ...nn.layer import Layer
from ...runtime.tensors.borrowed import own
from ...runtime.tensors.spec import InputSpec, map_leaves, spec_of
from ...runtime.where.running import working
from ...runtime.where.tracebacks import shows_users_frames
from ...runtime.where.user_code import user_loc
from ...runtime.where.warn import warn_at
from ...saving import Info, write_files
from ..interface.archive_file import write_script
from ..interface.info_keys import CALLED, PROPERTIES, TIED
from ..interface.layer_names import layer_of, tied_names
from ..interface.options import check_path, named
from ..interface.script_module import ScriptModule
from ..loading.compiled import LoadedFunction
from ..loading.translated_layer import TranslatedLayer
from ..scripting.function import ScriptFunction
from ..static.conversion import to_static
from ..static.static_function import StaticFunction
from ..static.switch import enabled
from .checks import refuse_unfit
from .configs import SaveConfigs
from .contents import contents, properties, static_methods
from .hooked_forward import HookedForward, is_more_than_forward
from .hooks import run_save_pre_hooks
from .loaded_model import saved_again
from .modes import in_all_modes
from .pruning import Pruning
from .training_mode import warn_of_loaded, warn_of_training


@shows_users_frames
def save(layer: Any, path: Any, input_spec: Any = None, _extra_files: dict | None = None, **configs: Any) -> None:
    """Save a Layer or a static function so that it runs in another process, without its source.

    layer: a Layer, a StaticFunction, or a plain function. Of a Layer, `forward` is saved, and its other static methods.
    path: a prefix for `<path>.model.json`, `<path>.params.safetensors`, `<path>.info.json`. Or a path that ends in `.dy2st`, or a
        binary file object, for one archive. A result of `script` or `trace` is one archive, at exactly this path.
    input_spec: as for `to_static`, where that wasn't given any. Where it was, fewer of the same: the others are no inputs then.
    _extra_files: name -> text or bytes, kept in the archive of a result of `script` or `trace`.
    configs: options by name; `SaveConfigs` lists them.

    ValueError: an unknown option, a spec in conflict with to_static's, an input or output that doesn't exist, nothing to save;
    TypeError: what is no Layer or function; ConversionError: what can't become a Program; OSError: the path can't be written;
    RuntimeError: staging is turned off, or an output_spec for a layer with hooks of its own.
    """
    run_save_pre_hooks(layer, input_spec, configs)
    options = SaveConfigs.of(configs)
    check_path(path)
    if not enabled():
        raise RuntimeError("jit.save needs staging, which enable_to_static(False) turned off")
    if isinstance(layer, ScriptModule | ScriptFunction | LoadedFunction):
        write_script(path, layer._contents(), _extra_files, options.weights)
        return
    with working(f"saving {named(path)}"):
        program, info = saved_form(layer, input_spec, options)
        write_files(path, program, info, weights=options.weights)


def saved_form(layer: Any, input_spec: Any, options: SaveConfigs, trains: bool = False) -> tuple[Program, Info]:
    """What a file would hold of a Layer, a static function or a loaded model: its Program and Info. Errors as those of `save`.

    trains: whether it is to be trained; if not, a Dy2stWarning for one in training mode.
    """
    layer = layer_of(layer)
    if isinstance(layer, TranslatedLayer):
        program, info = saved_again(layer, input_spec, options)
        if not trains:
            warn_of_loaded(info, options.one_mode)
        return program, info
    methods, name = _methods(layer, input_spec, options)
    in_modes = in_all_modes(methods, options.one_mode)
    for in_mode in in_modes.now.values():
        refuse_unfit(in_mode.program)
    if not trains:
        warn_of_training(name, in_modes, options.one_mode)
    prunings = {method: Pruning(options.output_spec, _kept_inputs(f, input_spec, options)) for method, f in methods.items()}
    program, info = contents(in_modes, name, prunings)
    if isinstance(layer, Layer) and "forward" not in methods:
        info.extra[CALLED] = "forward"  # which isn't there
    if isinstance(layer, Layer) and (values := properties(layer)):
        info.extra[PROPERTIES] = values
    if isinstance(layer, Layer) and (tied := tied_names(layer, program)):
        info.extra[TIED] = tied
    return program, info


def _methods(layer: Any, input_spec: Any, options: SaveConfigs) -> tuple[dict[str, StaticFunction], str]:
    """The static functions that are saved, by method, and what the model is called."""
    if isinstance(layer, Layer):
        others = static_methods(layer)
        if others and input_spec is not None:
            raise ValueError(
                f"input_spec is that of forward alone, but {', '.join(others)} would be saved as well: "
                "give each to_static its own"
            )
        if options.skip_forward and not isinstance(layer.forward, StaticFunction):
            if not others:
                raise ValueError(f"skip_forward leaves nothing to save: {type(layer).__name__} has no other static method")
            return others, type(layer).__name__
        forward = _static_function(vars(layer).get("forward", layer.forward), input_spec)
        if options.with_hook or is_more_than_forward(layer):
            if options.output_spec is not None:
                own = f"{type(layer).__name__} has hooks of its own, or a __call__"
                raise RuntimeError(f"output_spec can't be given where {own}: they see all of the result")
            forward = HookedForward(forward, layer)
        return {"forward": forward, **others}, type(layer).__name__
    if not (isinstance(layer, StaticFunction) or callable(layer) and not isinstance(layer, type)):
        raise TypeError(f"jit.save takes a Layer, a StaticFunction or a function, not {type(layer).__name__}")
    function = _static_function(layer, input_spec)
    return {function.dygraph_function.__name__: function}, getattr(layer, "__name__", "function")


def _static_function(forward: Any, input_spec: Any) -> StaticFunction:
    """The function for these specs, where it has none of its own; ValueError where it has others."""
    if not isinstance(forward, StaticFunction):
        return to_static(forward, input_spec=input_spec)
    if input_spec is None:
        return forward
    if forward._input_spec is None:
        return to_static(forward, input_spec=input_spec)
    known, given = list(forward._input_spec), list(map_leaves(own(list(input_spec)), spec_of))
    if known == given:
        return forward
    same_length = len(known) == len(given)
    if not (all(map(_agree, known, given)) if same_length else all(spec in known for spec in given)):
        raise ValueError(f"input_spec {given} is in conflict with to_static's {known}; give it once")
    if same_length:
        warn_at(user_loc(), f"jit.save is given the input_spec {given}; to_static's {known} counts", Dy2stWarning)
    return forward


def _agree(own: Any, given: Any) -> bool:
    """Whether two specs may be of one tensor; of constants, whether they are equal."""
    if not (isinstance(own, InputSpec) and isinstance(given, InputSpec)):
        return type(own) is type(given) and own == given
    same_rank = own.dtype == given.dtype and len(own.shape) == len(given.shape)
    return same_rank and all(-1 in (a, b) or a == b for a, b in zip(own.shape, given.shape))


def _kept_inputs(function: StaticFunction, input_spec: Any, options: SaveConfigs) -> list[str] | None:
    """The names of the inputs that stay; None: all of them."""
    if options.input_names_after_prune is not None:
        return list(options.input_names_after_prune)
    own = function._input_spec
    if input_spec is None or own is None or len(input_spec) == len(own):
        return None
    found = []
    for spec in input_spec:
        if isinstance(spec, InputSpec):
            if spec.name is None:
                raise ValueError(f"{spec} has no name: inputs that are kept while others are dropped are told by their names")
            found.append(spec.name)
    return found
