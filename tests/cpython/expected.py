"""Tests of CPython that rewritten code can't pass, each with its reason: phase -> name of the test -> reason."""

FRAMES = "a function looks at the frame of its caller, and a part of a rewritten function is called by dy2st's runtime"
TRACEBACKS = "the traceback has entries of dy2st's runtime between those of the function's parts"
DEPTH = "each nested statement of a rewritten function takes frames, so that the limit of recursion is reached earlier"
DEATH = "an object is counted, or dies, while the recording still holds it"
CLOSURE = "a rewritten function has a closure: it holds the runtime"

EXPECTED: dict[str, dict[str, str]] = {
    "outside": {
        "test.test_collections.TestNamedTuple.test_factory": FRAMES,
        "test.test_collections.TestNamedTuple.test_pickle": FRAMES,
        "test.test_enum.TestSpecial.test_pickle_enum_function": FRAMES,
        "test.test_traceback.MiscTracebackCases.test_extract_stack": FRAMES,
        "test.test_traceback.TestStack.test_custom_format_frame": FRAMES,
        "test.test_traceback.TestStack.test_format_locals": FRAMES,
        "test.test_traceback.TracebackFormatTests.test_format_stack": FRAMES,
        "test.test_traceback.TracebackFormatTests.test_print_stack": FRAMES,
        "test.test_code_module.TestInteractiveConsole.test_cause_tb": TRACEBACKS,
        "test.test_code_module.TestInteractiveConsole.test_context_tb": TRACEBACKS,
        "test.test_contextlib.TestExitStack.test_exit_exception_traceback": TRACEBACKS,
        "test.test_tomllib.test_misc.TestMiscellaneous.test_inline_array_recursion_limit": DEPTH,
        "test.test_tomllib.test_misc.TestMiscellaneous.test_inline_table_recursion_limit": DEPTH,
        "test.test_weakref.MappingTestCase.test_remove_closure": CLOSURE,
    },
    "staged": {
        "test.test_copy.TestCopy.test_copy_weakkeydict": DEATH,
        "test.test_copy.TestCopy.test_copy_weakvaluedict": DEATH,
        "test.test_copy.TestCopy.test_deepcopy_weakkeydict": DEATH,
        "test.test_copy.TestCopy.test_deepcopy_weakvaluedict": DEATH,
        "test.test_optparse.TestOptionParser.test_refleak": DEATH,
        "test.test_ast.AST_Tests.test_AST_garbage_collection": DEATH,
        "test.test_re.ImplementationTest.test_deprecated_modules": FRAMES,
    },
}
