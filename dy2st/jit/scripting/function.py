"""ScriptFunction: a function that was compiled once, from its hints, and answers for all values of those types."""

from __future__ import annotations

import ast
import contextlib
import functools
import itertools
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from ...annotations import signature_of as plain_signature
from ...dtypes import get_default_dtype
from ...errors import Dy2stError, SourceUnavailableError
from ...ir.core import Program
from ...ir.types import ListType, Type
from ...ops import dispatch
from ...runtime.convert.calls.calls import convert_call
from ...runtime.recorder.recorder import Recorder, current_recorder
from ...runtime.stage.stage import stage
from ...runtime.staging_lock import STAGING
from ...runtime.tensors.borrowed import own_arguments
from ...runtime.tensors.call_hook import restart_staged
from ...runtime.tensors.spec import ValueSpec
from ...runtime.tensors.tensor import Tensor
from ...runtime.where.lines import SourceLoc
from ...runtime.where.tracebacks import show_users_frames, shows_users_frames
from ...saving import Info
from ...transformers.source import find_function
from ...viewer import HasPage, program_page
from ..interface.about import about
from ..interface.archive_file import write_script
from ..interface.errors import ScriptError
from ..interface.written_call import OTHER, NoCall
from .archive import Archive, Variant
from .code import code_of
from .dtypes import given_dtypes, of_any_rank, staged_dtypes, tensors_in, with_dtypes
from .graph import Graph
from .hints import Hints
from .policy import ResolvedNames, ScriptPolicy, as_script_error
from .program import ScriptProgram
from .scalars import PYTHON_CLASSES
from .script_call import ScriptCall
from .signature import Signature, signature_of
from .values import checked

FURTHER = ("float64", "int64")  # the dtypes that a file holds a function without parameters for, beside the default one
RANKS = range(6)  # and the numbers of axes, where it makes sense for known ones only


def _item_class(type_: Type) -> type | None:
    """What a list of numbers or of texts holds, which is the same list in a Program; None for any other type."""
    return PYTHON_CLASSES.get(type_.elem) if isinstance(type_, ListType) else None


class ScriptFunction(HasPage):
    """What `script` makes of a function or method: a call checks the arguments against its types and runs the compiled Program.

    function: the plain function. hints: what its annotations mean. names: what its free names mean. owner: the object that it is
    a method of, or None. setup: called with the rules of each staging. signature: its parameters with their types, read from the
    function where None.
    """

    def __init__(self, function: Any, hints: Hints, names: ResolvedNames | None = None, owner: Any = None,
                 setup: Callable | None = None, signature: Signature | None = None):  # fmt: skip
        self.__name__: str = function.__name__
        self._plain, self._hints, self._owner = function, hints, owner
        self._names = ResolvedNames() if names is None else names
        self._function = self._names.resolved(function)
        self._setup = setup
        self._programs: dict[Any, ScriptProgram] = {}
        self.again: NoCall | ScriptCall = NoCall()
        self._by_rank = False  # whether it makes sense only where the number of axes is known
        functools.update_wrapper(self, function)
        self.signature = signature_of(self._function, hints, owner is not None) if signature is None else signature
        self._on_plain: Callable | None = None  # what runs it on numbers, texts and lists of them, if that is all there is to do
        types_ = [p.type for p in self.signature.parameters]
        self._classes = tuple(list if _item_class(t) else PYTHON_CLASSES.get(t) for t in types_)  # where all are such
        self._items = [(i, {cls}) for i, cls in enumerate(map(_item_class, types_)) if cls is not None]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._plain.__qualname__}{about(list(self._programs.values()), 'call it')}>"

    def _page(self) -> str:
        return program_page(list(self._programs.values())[-1].program, self._plain.__qualname__)

    def _repr_html_(self) -> str | None:
        return super()._repr_html_() if self._programs else None

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __deepcopy__(self, memo: dict) -> Any:
        """A function is itself, as Python's are; a method is copied with its layer. TypeError for a method by itself."""
        return self if self._owner is None else self.__reduce__()

    def __reduce__(self) -> Any:
        raise TypeError(f"{self._plain.__qualname__} is a compiled function, which can't be pickled: save(path) saves it")

    # --- compiling -----------------------------------------------------------------------------------------------------

    def compile(self) -> None:
        """Compile for Tensors of the default dtype, or for the first dtype in which the function makes sense.

        ScriptError: there is none.
        """
        count = self._tensor_count()
        first: Exception | None = None
        for kind in kinds_to_try()[: None if count else 1]:
            try:
                self._compiled((kind,) * count)
                self._by_rank = "[" in kind
                return
            except Exception as error:
                if not _is_about_tensors(error):
                    raise
                first = first or error
        assert first is not None
        if count < 2:
            raise first
        self._by_rank = True

    def program_for(self, dtypes: tuple[str, ...]) -> ScriptProgram:
        """The Program for Tensors of these `dtypes`, names in the order of the parameters.

        ScriptError: it makes no sense for them.
        """
        key = (dtypes, self.variant())
        found = self._programs.get(key)
        if found is not None and found.is_current():
            return found
        with STAGING.staging():  # another thread may have compiled it meanwhile
            found = self._programs.get(key)
            return found if found is not None and found.is_current() else self._compiled(dtypes)

    def widen(self) -> None:
        """Compile for more dtypes and numbers of axes, as far as they make sense: a file can't do that any more.

        What holds tensors, as parameters or as state, stays with the dtypes that it was compiled for.
        """
        self._drop_outdated()
        count = self._tensor_count()
        known = [kinds for kinds, _ in self._programs]
        dtypes = {of_any_rank(kinds) for kinds in known}
        if not self._holds_tensors():
            dtypes |= {(dtype,) * count for dtype in (get_default_dtype(), *FURTHER)}
            dtypes |= set(itertools.permutations((get_default_dtype(), "int64"))) if count == 2 else set()  # as an index has
        wanted = [tuple(f"{d}[{','.join('?' * rank)}]" for d in given) for given in sorted(dtypes) for rank in RANKS]
        for kinds in (wanted if self._by_rank else sorted(dtypes)) if count else ():
            if kinds not in known:
                with contextlib.suppress(ScriptError), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    self.program_for(kinds)

    def _holds_tensors(self) -> bool:
        state = self.program.staged.state.values()
        return bool(self.program.tensors) or any(True for slot in state for _ in tensors_in(slot.type))

    def _drop_outdated(self) -> None:
        """Forget dtypes that make no sense any more: the layer was cast since. ScriptError where none does."""
        for dtypes in {dtypes for dtypes, _ in self._programs}:
            try:
                self.program_for(dtypes)
            except ScriptError:
                left = {key: program for key, program in self._programs.items() if key[0] != dtypes}
                if not left:
                    raise
                self._programs = left

    def variant(self) -> Any:
        """The mode that a Program is compiled for: that of the owner; None where it makes no difference."""
        return None

    def _tensor_count(self) -> int:
        """At how many positions in the arguments a Tensor may stand."""
        return sum(len(list(tensors_in(p.type))) for p in self.signature.parameters)

    def _compiled(self, dtypes: tuple[str, ...]) -> ScriptProgram:
        given = iter(dtypes)
        specs = {p.name: ValueSpec(with_dtypes(p.type, given), p.name) for p in self.signature.parameters}
        keyword_only = set(_by_keyword(self._function, self._owner is not None, specs))
        args = tuple(spec for name, spec in specs.items() if name not in keyword_only)
        kwargs = {name: spec for name, spec in specs.items() if name in keyword_only}
        staged = self._staged(args, kwargs)
        program = self._programs[dtypes, self.variant()] = ScriptProgram(staged, specs, True)
        self._on_plain = program.on_plain() if self._classes and self._owner is None else None
        return program

    def _staged(self, args: tuple, kwargs: dict) -> Any:
        policy = ScriptPolicy(self._hints, self._names, self.signature.result, self._return_line)
        if self._setup is not None:
            self._setup(policy)
        try:
            return stage(self._entry, self._owner, args, kwargs, self._tensor_names(), policy)
        except ScriptError:
            raise
        except Exception as error:
            raise as_script_error(error, self.signature.loc) from error

    @property
    def _entry(self) -> Callable:
        """What is staged for it."""
        return self._function

    def _tensor_names(self) -> dict[int, str]:
        """What the tensors of the owner are called."""
        return {}

    def _return_line(self) -> SourceLoc:
        """The line of the last `return`."""
        node = find_function(self._function).node
        lines = [n.lineno for n in ast.walk(node) if isinstance(n, ast.Return)]
        return SourceLoc(self.signature.loc.file, max(lines, default=self.signature.loc.line), self.signature.loc.function)

    # --- calling -------------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        on_plain = self._on_plain
        if kwargs or tuple(map(type, args)) != self._classes or dispatch.mode_stack():
            on_plain = None
        for position, items in () if on_plain is None else self._items:
            on_plain = on_plain if items.issuperset(map(type, args[position])) else None
        try:
            if on_plain is not None:
                return on_plain(*args)
            result = self.again.call(args, kwargs)
            return self._call(*own_arguments(args, kwargs)) if result is OTHER else result
        except Exception as error:
            show_users_frames(error if on_plain is None else self.program_for(()).revived_error(error))
            raise

    @shows_users_frames
    def _call(self, args: tuple, kwargs: dict) -> Any:
        tracer = dispatch.current_mode().tracer
        if tracer is not None:
            return tracer.called(self, args, kwargs)
        rec = current_recorder()
        if rec is not None:
            return self.recorded(rec, args, kwargs)
        restart_staged()
        bound = self.signature.bind(args, kwargs)
        values: list[Any] = []
        dtypes: list[str] = []
        for parameter in self.signature.parameters:
            value = checked(parameter.type, bound[parameter.name], parameter.name)
            values.append(value)
            dtypes += given_dtypes(parameter.type, value, parameter.name)
        kinds = tuple(dtypes)
        program = self.program_for(kinds if self._by_rank else of_any_rank(kinds))
        if program.has_state:
            with STAGING.stateful_call(self if self._owner is None else self._owner):
                return program(values)
        result = program(values)
        self.again = self._like_this(program, values, of_any_rank(kinds))
        return result

    def _like_this(self, program: ScriptProgram, values: list, dtypes: tuple[str, ...]) -> NoCall | ScriptCall:
        """One more call like this one, where that may be written: on Tensors alone, of a Program without state."""
        is_written = isinstance(self.again, ScriptCall) and self.again.is_of(program)
        if is_written:
            return self.again
        only_tensors = all(isinstance(value, Tensor) for value in values)
        if self._by_rank or not only_tensors or len(dtypes) != len(values) or not (program.is_plain and program.is_compiled):
            return NoCall()
        return ScriptCall(self, program, list(dtypes))

    def recorded(self, rec: Recorder, args: tuple, kwargs: dict) -> Any:
        """A call, with `args` and `kwargs`, in the recording `rec`: the result, staged.

        The source is staged there, too; a trace, which has run the Program, takes it as it is.
        """
        if rec.facts.holds_state:
            owner = () if self._owner is None else (self._owner,)
            return convert_call(self._function)(*owner, *args, **kwargs)
        bound = self.signature.bind(args, kwargs)
        kinds = tuple(k for p in self.signature.parameters for k in staged_dtypes(p.type, rec.type_of(bound[p.name])))
        program = self.program_for(kinds if self._by_rank else of_any_rank(kinds))
        return program.callee(self.signature.name, rec.name_of(self._owner)).call(rec, "main", list(bound.values()))

    def release(self) -> None:
        """Give back the memory of large temporaries that the Programs keep between calls; the next call takes it anew."""
        for program in self._programs.values():
            program.release()

    def save(self, f: Any, _extra_files: dict | None = None) -> None:
        """Write one archive to `f`, a path or a binary file object, with the files `_extra_files`: name -> text or bytes."""
        write_script(f, self._contents(), _extra_files)

    def _contents(self) -> tuple[Program, Info]:
        """What an archive holds of it: its Programs as one, and what is known of them."""
        archive = Archive()
        archive.add_method(self.__name__, self.signature, self.variants())
        return archive.contents(self.__name__, is_module=False, training=False)

    def variants(self) -> list[Variant]:
        """The Programs that a file holds, for more dtypes than were called. ScriptError where only a call tells the dtypes."""
        if not self._programs:
            self.program  # noqa: B018 - says what is missing
        self.widen()
        all_dtypes = dict.fromkeys(dtypes for dtypes, _ in self._programs)
        return [Variant(dtypes, None, self.program_for(dtypes)) for dtypes in all_dtypes]

    @property
    def code(self) -> str:
        """The compiled function as typed Python, for review."""
        program = self.program.program
        return code_of(program, program.entry.name).replace("def main(", f"def {self.__name__}(", 1)

    @property
    def graph(self) -> Graph:
        """The compiled function as a graph: SSA with nested blocks; its `str` is the text."""
        program = self.program.program
        return Graph(program, program.entry.name)

    # --- what people look at ---------------------------------------------------------------------------------------------

    @property
    def program(self) -> ScriptProgram:
        """The first Program: the one for Tensors of the default dtype, unless the function takes others only.

        ScriptError: which dtypes it takes only a call tells, and there was none.
        """
        if not self._programs:
            self.compile()
        if not self._programs:
            raise ScriptError(f"{self._plain.__qualname__} takes Tensors of dtypes that only a call tells: call it once")
        dtypes = next(iter(self._programs))[0]
        return self.program_for(dtypes)


def _by_keyword(function: Any, is_method: bool, specs: dict[str, Any]) -> Iterator[str]:
    """The parameters that are given by keyword: those that take nothing else, and those after one that keeps its default."""
    left_out = False
    for name, parameter in list(plain_signature(function).parameters.items())[is_method:]:
        if name in specs and (left_out or parameter.kind is parameter.KEYWORD_ONLY):
            yield name
        left_out |= name not in specs


def kinds_to_try() -> list[str]:
    """The kinds of Tensors that a function is compiled for, until one makes sense to it."""
    dtype = get_default_dtype()
    return [dtype, *(f"{dtype}[{'?,' * rank}?]" for rank in (1, 2, 3, 4, 0)), "int64", "bool", "int64[?,?]"]


def _is_about_tensors(error: Exception) -> bool:
    """Whether another dtype or number of axes of the arguments may help."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, Dy2stError) and not isinstance(seen, ScriptError | SourceUnavailableError):
            return True
        if isinstance(seen, IndexError | TypeError) and ("dtype" in str(seen) or "tensor" in str(seen)):
            return True
        seen = seen.__cause__
    return False
