"""Cuts long `elif` chains, whose tree would nest as deep as the chain is long.

    if a: A                  else_0 = False
    elif b: B                if a: A
    elif c: C        ->      elif b: B
    elif d: D                else: else_0 = True
                             if else_0:
                                 if c: C
                                 elif d: D
"""

import gast

from . import builders as build
from .base import blocks, locate

CHAIN = 12


def cut_long_chains(statements, naming):
    """Cuts the chains of a block and of the blocks in it, in place."""
    for position in range(len(statements) - 1, -1, -1):
        pieces = _pieces(statements[position], naming)
        statements[position:position + 1] = pieces
        for piece in pieces:
            for block in blocks(piece):
                cut_long_chains(block, naming)


def _pieces(node, naming):
    """The chain cut up: each piece ends in `else: else_0 = True`, the next one runs `if else_0`."""
    last = _link(node, CHAIN)
    if last is None:
        return [node]
    flag = naming.fresh("else")
    pieces = [build.assign(flag, build.constant(False)), node]
    while last is not None:
        rest = last.orelse
        last.orelse = [locate(build.assign(flag, build.constant(True)), rest[0])]
        pieces.append(build.branch(build.load(flag), [build.assign(flag, build.constant(False)), *rest]))
        last = _link(rest[0], CHAIN)
    for piece in pieces:
        if piece is not node:
            locate(piece, node)
    return pieces


def _link(node, count):
    """The link of an `elif` chain after which it is cut, or None where the chain is short."""
    for _ in range(count):
        if not isinstance(node, gast.If) or len(node.orelse) != 1 or not isinstance(node.orelse[0], gast.If):
            return None
        previous, node = node, node.orelse[0]
    return previous
