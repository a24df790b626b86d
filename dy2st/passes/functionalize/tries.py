"""A `try` whose Blocks write memory: what is written lies in a cell meanwhile, so that handlers see it as at the raise.

try                                      %c = cell.new %b_now
  body:                                  try
    add_ %b, %x                            body:
    setitem %b, %y, index=...    ->          %0 = add %b_now, %x
    yield                                    cell.set %c, %0
  except:                                    ...
    multiply_ %b, %x                       except:
    yield                                    %1 = cell.get %c
                                             ...
                                         %b_next = cell.get %c
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.core import Operation, Value
from ...ir.types import CellType
from .arms import Arm, written_groups
from .places import Storage
from .regions import Merge

if TYPE_CHECKING:
    from .walk import Walk


def merge_try(walk: Walk, op: Operation) -> None:
    """Rewrite a `try`."""
    contents = walk.contents
    groups = written_groups(walk, op.blocks)
    cells = {s: _cell(walk, s) for s in contents.now if s.group in groups and not s.kept and not s.in_container}

    def follow(storage: Storage) -> None:
        if storage in cells:
            contents.append(Operation("cell.set", [cells[storage], contents.now[storage]], loc=op.loc, path=op.path))

    def look() -> None:
        for storage, cell in cells.items():
            contents.now[storage] = _get(walk, cell, storage)

    contents.listeners.append(follow)
    arms = [Arm(walk, block, look if k else None) for k, block in enumerate(op.blocks)]
    contents.listeners.remove(follow)
    final = [arms.pop()] if op.attrs.get("finally") else []
    for arm in final:
        if arm.arrives:
            arm.finish([])
    merge = Merge(walk, op, arms)
    merge.results()
    merge.build()
    for storage, cell in cells.items():
        contents.now[storage] = _get(walk, cell, storage)


def _cell(walk: Walk, storage: Storage) -> Value:
    return walk.contents.core("cell.new", [walk.contents.now[storage]], {}, [CellType(storage.type)]).result


def _get(walk: Walk, cell: Value, storage: Storage) -> Value:
    return walk.contents.core("cell.get", [cell], {}, [storage.type]).result
