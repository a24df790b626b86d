"""dead_code: what nobody needs goes, what has an effect stays."""

import numpy as np
from passes.rewrites import f32, keeps, rewrites

T = "float32[3]"
X = (f32(1, 2, 3),)


def test_what_nobody_uses():
    before = f"""
        parameter v: {T} trainable
        parameter w: {T} trainable
        state k: int = 3
        def main(%x: {T}) -> {T}:
          %0 = param name="v" : {T}
          %1 = add %x, %0 : {T}
          %2 = param name="w" : {T}
          %3 = state.get name="k" : int
          %4 = list.new %1 : list<{T}>
          list.append %4, %2
          %5 = add %x, %2 : {T}
          return %5"""
    after = f"""
        parameter v: {T} trainable
        parameter w: {T} trainable
        def main(%x: {T}) -> {T}:
          %0 = param name="v" : {T}
          %1 = add %x, %0 : {T}
          %2 = param name="w" : {T}
          %3 = list.new %1 : list<{T}>
          list.append %3, %2
          %4 = add %x, %2 : {T}
          return %4"""
    ones = np.ones(3, np.float32)
    rewrites("dead_code", before, after, X, v=ones, w=ones)


def test_effects_stay():
    text = f"""
        def main(%x: {T}, %n: int) -> {T}:
          %0 = uniform max=1.0, min=0.0, shape=[2], dtype="float32" : float32[2]
          %1 = const value=1 : int
          %2 = py.floordiv %1, %n : int
          neg_ %x
          return %x"""
    keeps("dead_code", text, (*X, 0), raises=True)


def test_an_unused_loop_without_effects():
    before = f"""
        def main(%x: {T}) -> {T}:
          %0 = const value=False : bool
          %1 = while %x : {T}
            cond(%2: {T}):
              yield %0
            body(%3: {T}):
              %4 = neg %3 : {T}
              yield %4
          return %x"""
    rewrites("dead_code", before, f"def main(%x: {T}) -> {T}:\n  return %x", X)
