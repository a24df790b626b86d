"""gradients: the backward is written where it was asked for."""

from passes.rewrites import parsed

from dy2st import passes

T = "float32[3]"
SUM = "axis=None, keepdim=False : float32[]"


def test_where_it_was_asked_for():
    before = f"""
        parameter w: {T} trainable
        def main(%x: {T}) -> float32[]:
          %0 = param name="w" : {T}
          %1 = multiply %x, %0 : {T}
          %2 = sum %1, {SUM}
          %3 = gradients %2, %0, frees=True, outputs=1, weighed=[] : {T}
          sgd_ %0, %3, rate=0.1
          %4 = multiply %x, %0 : {T}
          %5 = sum %4, {SUM}
          %6 = gradients %5, %0, frees=True, outputs=1, weighed=[] : {T}
          sgd_ %0, %6, rate=0.2
          return %5
        """
    after = f"""
        parameter w: {T} trainable
        def main(%x: {T}) -> float32[]:
          %0 = param name="w" : {T}
          %1 = multiply %x, %0 : {T}
          %2 = sum %1, {SUM}
          %3 = gradient_start %2, frees=True : float32[]
          %4 = spread %3, %1, axis=None, keepdim=False : {T}
          %5 = multiply %4, %x : {T}
          %6 = detach %5 : {T}
          sgd_ %0, %6, rate=0.1
          %7 = multiply %x, %0 : {T}
          %8 = sum %7, {SUM}
          %9 = gradient_start %8, frees=True : float32[]
          %10 = spread %9, %7, axis=None, keepdim=False : {T}
          %11 = multiply %10, %x : {T}
          sgd_ %0, %11, rate=0.2
          return %8
        """
    assert str(passes.run(parsed(before), "gradients")) == str(parsed(after))


def test_a_program_that_asks_for_none_stays():
    text = f"def main(%x: {T}) -> {T}:\n  return %x"
    assert str(passes.run(parsed(text), "gradients")) == str(parsed(text))
