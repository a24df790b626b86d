"""inline: which calls are replaced by what they call."""

from passes.rewrites import f32, keeps, parsed, rewrites

from dy2st import passes

T = "float32[3]"
X = (f32(1, 2, 3),)


def test_a_function_that_is_called_once():
    before = f"""
        def main(%x: {T}) -> {T}:
          %0 = call %x, function="f" : {T}
          %1 = exp %0 : {T}
          return %1

        def f(%a: {T}) -> {T}:
          %0 = call %a, function="g" : {T}
          return %0

        def g(%a: {T}) -> {T}:
          %0 = tanh %a : {T}
          return %0"""
    after = f"""
        def main(%x: {T}) -> {T}:
          %0 = tanh %x : {T}
          %1 = exp %0 : {T}
          return %1"""
    rewrites("inline", before, after, X)


def test_blocks_are_copied_for_each_call():
    before = f"""
        def main(%x: {T}, %c: bool) -> {T}:
          %0 = call %x, %c, function="f" : {T}
          %1 = call %0, %c, function="f" : {T}
          return %1

        def f(%a: {T}, %c: bool) -> {T}:
          %0 = if %c : {T}
            then:
              %1 = tanh %a : {T}
              yield %1
            else:
              neg_ %a
              yield %a
          return %0"""
    program = parsed(before)
    passes.run(program, "inline")
    assert list(program.functions) == ["main"] and str(program).count("if ") == 2
    rewrites("inline", before, str(program), (*X, True), (*X, False))


def test_recursion_stays():
    text = """
        def main(%n: int) -> int:
          %0 = call %n, function="f" : int
          return %0

        def f(%n: int) -> int:
          %0 = const value=0 : int
          %1 = py.gt %n, %0 : bool
          %2 = if %1 : int
            then:
              %3 = const value=1 : int
              %4 = py.sub %n, %3 : int
              %5 = call %4, function="f" : int
              yield %5
            else:
              yield %n
          return %2"""
    keeps("inline", text, (3,), (0,))


def test_a_large_function_that_is_called_twice_stays():
    body = "\n".join(f"          %{k + 1} = tanh %{k} : {T}" for k in range(60))
    text = f"""
        def main(%x: {T}) -> {T}:
          %0 = call %x, function="f" : {T}
          %1 = call %0, function="f" : {T}
          return %1

        def f(%0: {T}) -> {T}:
{body}
          return %60"""
    keeps("inline", text, X)


def test_a_function_checked_with_a_wider_type_stays():
    text = """
        def main(%n: int) -> int:
          %0 = call %n, function="f" : int
          return %0

        def f(%n: sum<int | none>) -> int:
          %0 = sum.tag %n : int
          return %0"""
    keeps("inline", text)


def test_locations_are_those_of_the_callee():
    program = parsed("""
        def main(%n: int) -> int:
          %0 = call %n, function="f" : int  # net.py:3 main
          return %0  # net.py:3 main

        def f(%n: int) -> int:
          %0 = py.neg %n : int  # net.py:9 f
          return %0  # net.py:9 f""")
    passes.run(program, "inline")
    assert [op.loc.line for op in program.walk()] == [9, 3]
