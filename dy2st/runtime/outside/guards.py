"""Guards: what staging read from outside and kept constant, checked before a Program is used again.

The source of each converted function that is entered tells which attribute chains, globals and closure variables it loads. The
guard remembers what each chain led to. The code can reach more from there without naming it: by an index, in a loop, as a result
of a call. That is guarded as well, in the attributes that the code mentions. Python scalars are compared by value and class,
containers by what they hold, NumPy arrays by their bytes, what C keeps by what it says (`kept_by_c`), all else by identity. State
has no guard: its value may be another one at each call, and only its type is looked at (`stage.state_kinds`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, Flag
from functools import cached_property, partial
from logging import Logger
from types import BuiltinFunctionType, CellType, CodeType, DynamicClassAttribute, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import ReferenceType

import numpy as np

from ...errors import ConversionError
from ...pytree import contents_of, is_container, module_of, namespace_of
from ..heap.identity import are_scalars
from ..heap.journal import Location
from ..heap.markers import MISSING, Missing
from ..heap.own_attributes import in_classes
from ..heap.redirected import is_redirected
from ..heap.staged_objects import is_staged_object
from ..library import PYTHONS
from ..proxies import Staged
from ..tensors.tensor import Tensor
from ..where.per_code import mentioned
from ..where.profiling import watched_again
from ..where.storing import giving, may_store
from ..where.user_code import is_foreign, is_library
from .answers import Answers
from .bindings import (
    OF_FUNCTIONS,
    OF_TENSORS,
    Bindings,
    Step,
    has_died,
    has_name,
    imported,
    is_installed,
    of_class,
    of_owner,
    of_table,
)
from .guard_source import GuardSource
from .kept_by_c import Said, held_by_c, says
from .remembered import OF_CONTENTS, Contents, is_unchanged, remembered

PLAIN = (bool, int, float, str, bytes, type(None))
LEAVES = (*PLAIN, Tensor, Staged, Missing, np.ndarray, type, FunctionType, BuiltinFunctionType, MethodType, ModuleType, CellType)
NOT_INERT = (Tensor, Staged, MethodType, tuple)
FOLLOWED = (Tensor, ModuleType)
COUNTED = ("_sub_layers", "_forward_pre_hooks", "_forward_post_hooks")  # tables of a layer whose changes it counts
NAMES = "vars()"  # no attribute has this name
REFERRED = "()"  # nor this: what a weak reference refers to
PACKAGE = __name__.partition(".")[0] + "."


class Guards:
    """The guards of one Program."""

    def __init__(self) -> None:
        self._checks: dict[tuple, Check] = {}
        self._known: dict[tuple, Any] = {}  # chains that need no guard: they can't change, or depend on their beginning
        self._unread: dict[Any, list[tuple]] = {}  # of each function, the chains from its variables that have no guard yet
        self._methods: dict[tuple, type] = {}  # classes in which a function was looked for, by the ids of both
        self._objects: dict[int, Any] = {}  # what parameters held
        self._names: dict[str, None] = {}  # the attributes that the code mentions
        self._ran: dict[tuple[int, int], CodeType] = {}  # code that has run unconverted, by its id and that of its globals
        self._of_layers: list[Check] = []
        self._in_layers: list[tuple] = []  # of these, what `vars(layer)[name] = x` changes, uncounted: layer, name, value
        self._of_objects: list[Check] = []
        self._of_names: list[Check] = []
        self._bindings = Bindings()
        self.answers = Answers()
        self._is_past = False  # whether staging has stored what the code may have read before: no later call begins with that
        self._outside: dict[int, FunctionType] = {}  # functions that were entered, but for those that the call makes
        self._source: GuardSource | None = None
        self._functions: dict[str, Callable[[int], bool]] = {}
        self._given: dict[tuple[int, str], _Given] = {}  # attributes that code of the user's has given
        self._asked_of_modules: dict[CodeType, set[str]] = {}  # the names that a `__getattr__` of some module was asked for
        self._looked_up: dict[int, type[Enum]] = {}  # Enums in which a member was looked up by its value
        self._inert: dict[int, tuple] = {}  # tuples from outside that hold nothing which may become a Value

    def add(self, function: Any, transpiled: Any, args: tuple, kwargs: dict, is_outside: Callable[[Any], bool]) -> None:
        """Guard what `function` reads by name; `args` and `kwargs` are what its parameters hold."""
        if function not in self._unread:
            self._names.update(dict.fromkeys(mentioned(function.__code__)))
            self._unread[function] = _from_variables(function, transpiled)
            if any(kind == "globals" for _, kind, _ in transpiled.access_paths):
                self._of_all_names(function.__globals__, function.__globals__)
            if is_outside(function):
                self._outside[id(function)] = function
        if self._unread[function]:
            self._read_variables(function)
        if args and (id(type(args[0])), id(function)) not in self._methods:
            self._add_method(args[0], function)
        if not are_scalars((*args, *kwargs.values())):
            self._add_objects(function, transpiled, args, kwargs, is_outside)

    def _read_variables(self, function: Any) -> None:
        """Guard the chains from closure variables and globals of `function` that have no guard yet."""
        unread = self._unread[function]
        for root, name, attributes in unread:
            if name is None or name in root:
                self.read(root, name, attributes)
        self._unread[function] = [path for path in unread if not self._is_known(*path)]

    def _add_objects(
        self, function: Any, transpiled: Any, args: tuple, kwargs: dict, is_outside: Callable[[Any], bool]
    ) -> None:
        new = {id(value): value for value in (*args, *kwargs.values()) if _is_object(value) and is_outside(value)}
        if not new:
            return
        self._objects.update(new)
        code = function.__code__
        parameters = {**dict(zip(code.co_varnames[: code.co_argcount], args)), **kwargs}
        for name, kind, attributes in transpiled.access_paths:
            if kind == "local_param" and name in parameters and attributes and id(parameters[name]) in new:
                self.read(parameters[name], None, attributes)

    def watch(self, owner: Any) -> None:
        """Guard what can be got at from an object: that whose method is staged, or one that a library has given."""
        self._objects[id(owner)] = owner

    def look_up(self, enum: type[Enum]) -> None:
        """A member of an Enum was looked up by its value."""
        self._looked_up[id(enum)] = enum
        self.watch(enum)

    def end(self) -> None:
        """Staging stores what it, or a later call, may have read: this holds for the call that is staged, and for no other."""
        self._is_past = True

    def mentions(self, name: str) -> bool:
        """Whether the code mentions an attribute or a global of this name."""
        return name in self._names

    def read_attribute(self, owner: Any, name: str) -> None:
        """An attribute was read, or looked for, by a name that was computed."""
        self._names[name] = None
        if isinstance(owner, ModuleType | type):
            self._bindings.bind(of_owner(owner, name) or ())
            self.watch(_attribute(owner, name))
        elif isinstance(owner, FunctionType) or not isinstance(owner, LEAVES):
            self.read(owner, None, (name,))

    def read_table(self, table: dict[str, Any], name: str) -> None:
        """A name of the attributes of an object was read, or looked for."""
        self._bindings.bind([of_table(table, name)])

    def read_class(self, cls: type, name: str) -> None:
        """A name of a class was read."""
        self._bindings.bind(of_class(cls, name))

    def mention(self, code: CodeType, namespace: dict[str, Any]) -> None:
        """Code that isn't converted has run, with these globals: any attribute or global that it mentions may have been read."""
        if (id(code), id(namespace)) in self._ran:
            return
        self._ran[id(code), id(namespace)] = code
        self.mention_names(mentioned(code))
        for name in mentioned(code):
            if name in namespace:
                self.read(namespace, name, ())

    def was_given(self, owner: Any, name: str) -> None:
        """Code of the user's was asked for an attribute, as a `__getattr__` is: guards ask it too, unless it may store."""
        if not any(map(may_store, _giving(owner, name))):
            self._given.setdefault((id(owner), name), _Given(owner, name))

    def was_given_by_module(self, code: CodeType, name: str) -> None:
        """Code that may be the `__getattr__` of a module was asked for a name."""
        self._asked_of_modules.setdefault(code, set()).add(name)

    def stores_by_helpers(self, code: CodeType) -> None:
        """This code was found to have changed something: no guard asks it."""
        self._asked_of_modules.pop(code, None)
        self._given = {key: check for key, check in self._given.items() if code not in _giving(check.root, check.attributes[0])}

    def _read_given(self) -> list[Any]:
        """Guard what code of the user's has given; what that is."""
        return [self._ask_again(check) for check in self._given.values()]

    def _ask_again(self, check: _Given) -> Any:
        """Guard an attribute that code of the user's gives, where it gives the same again; what it gives."""
        value = check.read()
        if not _is_staged(value) and is_unchanged(kept := remembered(value), check.read()):
            check.value = kept
            self._checks[check.key] = check
        return value

    def _read_module(self, module: ModuleType) -> list[Any]:
        """Guard a module of the user's: its class, and whether it has a `__getattr__`; what that has given."""
        if is_installed(module):
            return []
        self._bindings.ask(type, module)
        self._bindings.bind([of_table(vars(module), "__getattr__")])
        code = getattr(vars(module).get("__getattr__"), "__code__", None)
        names = () if code is None or may_store(code) else self._asked_of_modules.get(code, ())
        return [self._ask_again(_Given(module, name)) for name in sorted(names) if name not in vars(module)]

    def mention_names(self, names: Iterable[str]) -> None:
        """Attributes of these names may have been read, of whatever can be got at."""
        self._names.update(dict.fromkeys(names))

    def read_names(self, owner: Any) -> None:
        """All attributes of an object, class or module may have been read: which it has, and what they hold."""
        if isinstance(owner, ModuleType) and _is_users(owner.__name__):
            self._of_all_names(vars(owner), vars(owner))
        for cls in owner.__mro__ if isinstance(owner, type) else ():
            if _is_users(module_of(cls)):
                self._of_all_names(cls, vars(cls))
        if isinstance(owner, LEAVES) and not isinstance(owner, FunctionType):
            return
        check = _Names(owner)
        self._checks.setdefault(check.key, check)
        for name in list(vars(owner)):
            self.read_attribute(owner, name)

    def _of_all_names(self, owner: Any, table: Mapping[str, Any]) -> None:
        """Any name of a module's table, or a class's, may have been read."""
        self._bindings.bind_all(owner, table)
        for value in list(table.values()):
            self.watch(value)

    def _add_method(self, owner: Any, function: Any) -> None:
        """A method is found in its class, which may be given another one."""
        name = function.__name__
        if not isinstance(owner, type):
            self._methods[id(type(owner)), id(function)] = type(owner)
        for found in owner.__mro__ if isinstance(owner, type) else type(owner).__mro__:
            cls = PYTHONS.get(found, found) if type(found).__hash__ is not None else found  # a metaclass may take the hash away
            if vars(cls).get(name) is function:
                self._bindings.bind([(cls, vars(cls), name, function)])

    def read(self, root: Any, name: str | None, attributes: tuple[str, ...]) -> None:
        """A chain of attributes was read, from an object, a cell or a variable of a module."""
        if self._is_known(root, name, attributes):
            return
        check = Check(root, name, attributes)
        if not check.can_change():
            self._known[check.key] = root
            return
        value, trail = check.read(), check.trail()
        self._known[check.key] = root  # while a getter is looked into, which may mention its own name
        for owner, attribute in zip(trail, attributes):
            self._read_by_getter(owner, attribute)
        del self._known[check.key]
        is_constant = not any(map(self._is_staged, (*trail, value))) and not any(map(is_redirected, trail))
        if is_constant and is_unchanged(kept := remembered(value), check.read()):
            check.value = kept
            self._checks[check.key] = check
            if value is MISSING and attributes and not is_container(trail[-1]):  # its code may give it: whose code that is counts
                self.read(root, name, attributes[:-1])
        elif attributes:  # state; or made anew by each load, as `self.log.append` is: it depends on what it is an attribute of
            self.read(root, name, attributes[:-1])
            if is_constant:
                self._known[check.key] = root

    def read_flag(self, tensor: Tensor) -> None:
        """The `stop_gradient` of a tensor was read."""
        self._bindings.ask(OF_TENSORS["stop_gradient"], tensor)

    def _read_by_getter(self, owner: Any, name: str) -> None:
        """A property of a library, such as that of an Enum, was read: it isn't run, and what its getter mentions is guarded.

        Of a class with a `__getattr__`, which may make an object at each load, as a mock does: only attributes that are there.
        """
        cls = type(owner)
        found = in_classes(cls.__mro__, name)
        getter = found.fget if isinstance(found, property | DynamicClassAttribute) else None
        code = getattr(getter, "__code__", None)
        if code is not None and is_library(code):
            own = namespace_of(owner) if has_name(cls, "__getattr__") else None
            for mentioned_there in mentioned(code):
                if own is None or mentioned_there in own:
                    self.read(owner, None, (mentioned_there,))

    def _is_staged(self, value: Any) -> bool:
        """As `_is_staged`; a tuple of thousands of items, whose attributes are read one by one, is looked through once."""
        if not isinstance(value, tuple):
            return _is_staged(value)
        if id(value) not in self._inert and not any(isinstance(item, NOT_INERT) for item in tuple.__iter__(value)):
            self._inert[id(value)] = value
        return id(value) not in self._inert and _is_staged(value)

    def _is_known(self, root: Any, name: str | None, attributes: tuple[str, ...]) -> bool:
        key = (id(root), name, attributes)
        return key in self._checks or key in self._known

    def reach(self, tensors: Iterable[Tensor]) -> None:
        """Guard what the code can get at from `tensors` and what it reads by name: items of containers, attributes of objects."""
        pending = [*tensors, *self._objects.values(), *self._methods.values()]
        pending += self._read_given()
        self._guard_absent()
        self.answers.settle()
        for function in self._outside.values():
            pending += self._read_function(function)
        of_classes: dict[type, set[str]] = {}
        for check in self._checks.values():
            pending += [check.read(), *(owner for owner in check.trail() if is_container(owner) or isinstance(owner, FOLLOWED))]
        seen: dict[int, Any] = {}
        fresh: set[int] = set()
        while pending:
            value = pending.pop()
            if isinstance(value, BuiltinFunctionType | MethodType):
                value = value.__self__  # a buffer or an object, whose method it is, or a module
            if type(value) is CellType:
                self.read(value, None, ())
            if id(value) in seen or isinstance(value, Staged) or is_staged_object(value):
                continue
            seen[id(value)] = value
            if isinstance(value, Tensor):
                self._read_tensor(value)
            pending += self._read_tables(value)
            if isinstance(value, FunctionType):
                self._read_function_object(value)
            if isinstance(value, LEAVES):
                continue
            if _is_users(module_of(type(value))):
                pending.append(self._read_type(value))
            if is_container(value):
                self.read(value, None, ())
                pending += contents_of(value)[1]
            elif says(value):
                self.read(value, None, ())
                pending += held_by_c(value)
            elif isinstance(value, ReferenceType):
                self._read_weakly(value)
            elif isinstance(value, partial):
                pending += [value.func, *value.args, value.keywords]
            if type(value) not in of_classes:
                of_classes[type(value)] = self._of_class(type(value))
            for name in self._attributes_of(value, of_classes[type(value)]):
                self.read(value, None, (name,))
                found = None if name in COUNTED else _attribute(value, name)
                is_fresh = not isinstance(found, LEAVES) and found is not _attribute(value, name)
                if is_fresh and id(value) in fresh:  # `x.data.data`, made anew by each load, has no end
                    continue
                pending.append(found)
                fresh.update([id(found)] if is_fresh else [])
            own = namespace_of(value)
            pending += own.get("_sub_layers", {}).values()
            if not self._names.keys().isdisjoint(OF_TENSORS):
                pending += [*own.get("_parameters", {}).values(), *own.get("_buffers", {}).values()]

    def _read_function_object(self, function: FunctionType) -> None:
        """Guard the attributes of a function that the code mentions; its code, where Python or a library has called it."""
        for name in self._names.keys() & vars(function).keys():
            self.read(function, None, (name,))
        if (id(function.__code__), id(function.__globals__)) in self._ran:
            for question in OF_FUNCTIONS.values():
                self._bindings.ask(question, function)

    def _read_function(self, function: FunctionType) -> list[Any]:
        """A function has run: which code it has, and its default arguments; what they hold, and the modules that it imports."""
        for question in OF_FUNCTIONS.values():
            self._bindings.ask(question, function)
        modules = [name for name in imported(function) if name in sys.modules]
        self._bindings.bind(of_table(sys.modules, name) for name in modules)
        by_name = () if function.__kwdefaults__ is None else (function.__kwdefaults__,)
        return [*(function.__defaults__ or ()), *by_name, *map(sys.modules.__getitem__, modules)]

    def _guard_absent(self) -> None:
        """A global that has no value stays without one: `try: x * SCALE`, `except NameError`."""
        for unread in self._unread.values():
            self._bindings.bind(of_table(root, name) for root, name, _ in unread if name is not None and name not in root)

    def _read_weakly(self, reference: ReferenceType) -> None:
        """Whether the object that is referred to lives, and what the code mentions of it, which is to keep it from dying."""
        self._bindings.ask(has_died, reference)
        referred = reference()
        for name in [] if referred is None else self._attributes_of(referred, self._of_class(type(referred))):
            self.read(reference, None, (REFERRED, name))

    def _read_type(self, value: Any) -> type:
        """The class of an object of the user's, which may be given another one."""
        return type(value) if is_container(value) else self._bindings.ask(type, value)

    def _read_tensor(self, tensor: Tensor) -> None:
        """What the code mentions of a tensor besides what it holds."""
        for name, question in OF_TENSORS.items():
            if name in self._names and not tensor.is_staged:
                self._bindings.ask(question, tensor)

    def _named(self, cls: type) -> list[str]:
        """What the code mentions that a table of a class has; a descriptor of the user's isn't asked."""
        has: set[str] = set().union(*map(vars, cls.__mro__))
        return [name for name in self._names if name in has]

    def _read_tables(self, value: Any) -> list[Any]:
        """Guard what the code mentions of a module or class of the user's; what that holds."""
        steps: list[Step] = []
        found: list[Any] = []
        if type(value) is ModuleType and _is_users(value.__name__):
            steps = [of_table(vars(value), name) for name in self._names if name in vars(value)]
            found += self._read_module(value)
        elif isinstance(value, type) and _is_users(module_of(value)):
            steps = [step for cls in (value, type(value)) for name in self._named(cls) for step in of_class(cls, name)]
            steps += self._tables_of_members(value)
            found += self._bindings.shape(value, lambda cls: _is_users(module_of(cls)))
        self._bindings.bind(steps)
        found += [held for *_, held in steps]
        for array in found:
            if isinstance(array, np.ndarray):
                self.read(array, None, ())
        return [part for held in found for part in _functions_of(held)]

    def _tables_of_members(self, cls: type) -> list[Step]:
        """The tables in which `cls(value)` finds a member; the operators of a Flag look there, too, and nothing enters them."""
        if id(cls) not in self._looked_up and not issubclass(cls, Flag):
            return []
        names = mentioned(Enum.__new__.__code__)
        return [(cls, vars(cls), name, vars(cls)[name]) for name in names if is_container(vars(cls).get(name))]

    def _of_class(self, cls: type) -> set[str]:
        """The attributes that the code mentions, and that the objects of a class share; methods are guarded by themselves.

        Empty for a class with a `__getattribute__` of its own, which may make an object at each load, as a mock does.
        """
        if isinstance(cls.__getattribute__, FunctionType):
            return set()
        shared = [vars(base) for base in cls.__mro__]
        return {name for name in self._names if any(name in table and not callable(table[name]) for table in shared)}

    def _attributes_of(self, value: Any, of_class: set[str]) -> list[str]:
        """The attributes of an object that matter: those that the code mentions; of a built-in layer, all that it may look at.

        Never all at once, as `x.__dict__` gives them, of this package's own objects: these lead to whole Programs.
        """
        own = namespace_of(value)
        of_layer = [*COUNTED, "training", "forward"] if "_sub_layers" in own else []
        is_ours = module_of(type(value)).startswith(PACKAGE)
        if of_layer and (is_ours or _derives_from_built_in(type(value))):
            of_layer += [*own["_parameters"], *own["_buffers"]]
        if is_ours and of_layer:
            return [*of_layer, *(name for name, found in own.items() if type(found) in PLAIN)]
        held = of_class.union(own, *(own.get(table, ()) for table in ("_parameters", "_buffers", "_sub_layers")))
        is_changing = is_ours or isinstance(value, Logger)  # a logger keeps the levels there that it has been asked for
        return of_layer + [name for name in self._names if name in held and not (is_changing and name == "__dict__")]

    def drop(self, locations: list) -> None:
        """State isn't constant: of the guards that read it, only the way to it remains."""
        self._bindings.drop(locations)
        owners = {id(loc.owner) for loc in locations}
        pending = list(self._checks.values())
        while pending:
            check = pending.pop()
            if isinstance(check, _Names):
                check.look()
            elif any(check.reads(loc) for loc in locations):
                del self._checks[check.key]
                shorter = Check(check.root, check.name, check.attributes[:-1])
                if check.attributes and shorter.key not in self._checks:
                    self.read(check.root, check.name, check.attributes[:-1])
                    pending += [self._checks[shorter.key]] if shorter.key in self._checks else []
            elif isinstance(check.value, Contents | Said) and id(check.value.container) in owners:
                check.value = check.value.container

    def settle(self, is_layer: Callable[[Any], bool]) -> None:
        """No more guards come: keep those that only follow attributes of layers apart, since layers count their changes."""
        for check in self._checks.values():
            if isinstance(check, _Names | _Given):
                self._of_objects.append(check)
                continue
            owners = check.trail()
            by_epoch = check.name is None and bool(owners) and all(map(is_layer, owners))
            is_counted = check.last in COUNTED or not isinstance(check.value, OF_CONTENTS)
            if by_epoch and is_counted and check.last not in owners[-1]._buffers:
                self._of_layers.append(check)
                layer, name = owners[-1], check.attributes[-1]
                if _is_in_namespace(layer, name):
                    self._in_layers.append((layer, name, vars(layer).get(name, MISSING)))
            elif check.is_of_object():
                self._of_objects.append(check)
            elif not self._settle_by_tables(check):
                self._of_names.append(check)
            if by_epoch and has_name(type(owners[-1]), check.attributes[-1]):  # a layer doesn't count what happens to its class
                self._bindings.bind(of_class(type(owners[-1]), check.attributes[-1]))

    def _settle_by_tables(self, check: Check) -> bool:
        """Whether only tables of modules and classes tell where a chain leads; then these are guarded instead of it."""
        if check.name is None or not is_unchanged(check.value, check.read()):
            return False
        steps = [of_table(check.root, check.name)]
        for owner, name in zip(check.trail(), check.attributes):
            found = of_owner(owner, name)
            if found is None:
                return False
            steps += found
        self._bindings.bind(steps)
        if isinstance(check.value, OF_CONTENTS):
            contents = Check(check.read(), None, ())
            contents.value = check.value
            self._of_names.append(contents)
        return True

    @property
    def hold(self) -> Callable[[int], bool]:
        """Says whether everything still is what it was while staging, given the count of changes of attributes of layers."""
        return self._compiled("hold")

    @property
    def objects_hold(self) -> Callable[[int], bool]:
        """Says whether what is read from objects still is what it was, though globals or closure variables may be others."""
        return self._compiled("objects_hold")

    @property
    def source(self) -> str:
        """The generated source of both."""
        self._compiled("hold")
        assert self._source is not None
        return self._source.text

    def _compiled(self, function: str) -> Callable[[int], bool]:
        if not self._functions:  # each thread that comes first writes its own, and any will do
            source = GuardSource(_attribute)
            self._write(source)
            self._source, self._functions = source, source.functions()
        return self._functions[function]

    def _write(self, source: GuardSource) -> None:
        """Names first, then objects, at last what only a change of attributes of layers can have changed."""
        source.begin("hold")
        if self._is_past:
            source.line("return False")
        else:
            self._bindings.write(source)
            if self.answers.are_any():
                source.refuse(f"not {source.name(self.answers.hold, 'answers_hold')}()")
            _write_checks(source, self._of_names)
            source.line("return objects_hold(epoch)")
        source.begin("objects_hold")
        _write_checks(source, self._of_objects)
        if self._in_layers:
            source.line("try:")
            for layer, name, value in self._in_layers:
                source.table(vars(layer), type(layer), name, value)
            source.line("except KeyError:")
            source.line("return False", 2)
        if self._of_layers:
            source.line("global seen")
            source.line("if epoch != seen:")
            source.refuse(f"not {source.name(self._layers_hold, 'layers_hold')}()", 2)
            source.line("seen = epoch", 2)
        source.line("return True")

    def _layers_hold(self) -> bool:
        return all(is_unchanged(check.value, check.read()) for check in self._of_layers)


class Check:
    """A chain `root.a.b`, or `root[name].a.b` from the variables of a module, and what it led to."""

    __slots__ = ("attributes", "name", "root", "value")

    def __init__(self, root: Any, name: str | None, attributes: tuple[str, ...]):
        self.root, self.name, self.attributes = root, name, attributes
        self.value: Any = None

    @property
    def key(self) -> tuple:
        return (id(self.root), self.name, self.attributes)

    @property
    def last(self) -> str | None:
        """The name that the last step reads."""
        return self.attributes[-1] if self.attributes else self.name

    def can_change(self) -> bool:
        """Whether the chain can lead elsewhere: an object by itself stays what it is."""
        root = self.root
        by_name = self.name is not None or type(root) is CellType
        return by_name or bool(self.attributes) or is_container(root) or isinstance(root, np.ndarray) or says(root)

    def is_of_object(self) -> bool:
        """Whether the chain can lead elsewhere though all names stay what they are, and the modules that they name."""
        by_name = self.name is not None or type(self.root) is CellType
        return not by_name or (bool(self.attributes) and not isinstance(self._start(), ModuleType))

    def read(self) -> Any:
        """The value that the chain leads to now; MISSING where it breaks off."""
        value = self._start()
        for attribute in self.attributes:
            value = _attribute(value, attribute)
        return value

    def owner(self) -> Any:
        """The object that the last step is read from."""
        return self.trail()[-1] if self.attributes else self.root

    def reads(self, location: Location) -> bool:
        """Whether the last step reads this location: an attribute of the object, or of its class."""
        if location.name != self.last:
            return False
        owner, whose = self.owner(), location.owner
        if isinstance(owner, ModuleType):
            return vars(owner) is whose
        return owner is whose or (isinstance(whose, type) and (isinstance(owner, whose) or _derives(owner, whose)))

    def trail(self) -> list[Any]:
        """The objects whose attributes the chain reads."""
        found = [self._start()]
        for attribute in self.attributes:
            found.append(_attribute(found[-1], attribute))
        return found[:-1]

    def _start(self) -> Any:
        root = self.root
        if type(root) is CellType:
            try:
                return root.cell_contents
            except ValueError:
                return MISSING
        return root if self.name is None else root.get(self.name, MISSING)


class _Given(Check):
    """An attribute that code of the user's gives, such as a `__getattr__`, which the function has asked for it."""

    __slots__ = ()

    def __init__(self, owner: Any, name: str):
        super().__init__(owner, None, (name,))

    @property
    def key(self) -> tuple:
        return (*super().key, "given")

    def read(self) -> Any:
        return watched_again(lambda: _asked(self.root, self.attributes[0]))


class _Names(Check):
    """Which attributes an object has when the call begins, in their order: the recording may have put others there."""

    __slots__ = ()

    def __init__(self, owner: Any):
        super().__init__(owner, None, (NAMES,))

    def read(self) -> Any:
        return repr(list(vars(self.root)))

    def look(self) -> None:
        """The recording has ended: these are the names."""
        self.value = self.read()


def _write_checks(source: GuardSource, checks: list[Check]) -> None:
    for check in checks:
        if isinstance(check, _Names | _Given):
            found = f"{source.name(check.read, 'asked_of_object')}()"
        else:
            found = source.chain(check.root, check.name, check.attributes)
        source.expect(found, check.value)


def _from_variables(function: Any, transpiled: Any) -> list[tuple]:
    """The chains that a function reads from closure variables and globals: root, name, attributes."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    found: list[tuple] = []
    for name, kind, attributes in transpiled.access_paths:
        if kind == "closure" and name in cells:
            found.append((cells[name], None, attributes))
        elif kind == "global":
            found.append((function.__globals__, name, attributes))
    return found


def _is_in_namespace(layer: Any, name: str) -> bool:
    """Whether a layer has an attribute itself, or one of the user's could come to have it by its `vars`."""
    return name not in COUNTED and (name in vars(layer) or not module_of(type(layer)).startswith(PACKAGE))


def _derives_from_built_in(cls: type) -> bool:
    """Whether a class of the user's derives from a built-in layer, LayerList for example, and not from Layer alone."""
    built_in = [base for base in cls.__mro__ if module_of(base).startswith(PACKAGE) and hasattr(base, "sublayers")]
    return len(built_in) > 1


def _derives(owner: Any, base: type) -> bool:
    return isinstance(owner, type) and base in owner.__mro__


def _is_users(module: str) -> bool:
    return not is_foreign(module) and not module.startswith(PACKAGE)


def _functions_of(held: Any) -> Iterable[Any]:
    """What a table of a class holds; of a property, a static or a class method, the functions."""
    if isinstance(held, property):
        return (held.fget, held.fset, held.fdel)
    return (held.__func__,) if isinstance(held, staticmethod | classmethod) else (held,)


def _is_object(value: Any) -> bool:
    return not isinstance(value, PLAIN + (Tensor, Staged)) and not is_container(value)


def _is_staged(value: Any) -> bool:
    """Whether a value, an item of a tuple, or what a method is bound to, is known only when the Program runs."""
    if isinstance(value, MethodType):
        return _is_staged(value.__self__)
    if isinstance(value, tuple):
        return any(map(_is_staged, tuple.__iter__(value)))
    return isinstance(value, Staged) or (isinstance(value, Tensor) and value.is_staged)


def _is_computed(value: Any, name: str) -> bool:
    """Whether a property gives an attribute, or a descriptor of the user's one of a class: a guard doesn't ask these."""
    if isinstance(value, type):
        return isinstance(getattr(type(in_classes(value.__mro__, name)), "__get__", None), FunctionType)
    found = in_classes(type(value).__mro__, name)
    return isinstance(found, property) or (isinstance(found, cached_property) and name not in vars(value))


def _attribute(value: Any, name: str) -> Any:
    """An attribute that isn't computed by the user's code, or MISSING."""
    if value is MISSING or isinstance(value, Staged) or is_staged_object(value) or is_redirected(value):
        return MISSING
    if name == REFERRED:
        return MISSING if (referred := value()) is None else referred
    if _is_computed(value, name):
        return MISSING
    codes = _giving(value, name)
    is_its_own = name in namespace_of(value) and not isinstance(type(value).__getattribute__, FunctionType)
    if not codes or is_its_own:
        return _asked(value, name)
    if isinstance(value, ModuleType) or any(may_store(code) or not is_library(code) for code in codes):
        return MISSING  # what the function doesn't read isn't read: see `was_given`
    return watched_again(lambda: _asked(value, name))


def _giving(value: Any, name: str) -> list[CodeType]:
    """The code of the user's, or of a library, that gives an attribute of an object or a module."""
    codes = giving(type(value), name)
    of_module = vars(value).get("__getattr__") if isinstance(value, ModuleType) and name not in vars(value) else None
    return [*codes, of_module.__code__] if isinstance(of_module, FunctionType) else codes


def _asked(value: Any, name: str) -> Any:
    try:
        return getattr(value, name, MISSING)
    except ConversionError:
        raise  # what it changes is refused
    except Exception:  # a `__getattr__` of the user's raises what it likes: `__getattr__ = dict.__getitem__` a KeyError
        return MISSING
