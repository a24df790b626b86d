"""Tests of CPython that rewritten code can't pass, each with its reason: phase -> name of the test -> reason."""

GENERATORS = "a generator isn't rewritten outside of staging, and finds dy2st's runtime among the frames of its callers"
LOCALS = "a frame has the variables of a part of a function only, and dy2st's own"
SOURCE = "staging has read the source of the test, which is to be read later"
TRACEBACKS = "a handler that isn't rewritten finds entries of dy2st's runtime between those of the function's parts"
DEPTH = "each nested statement of a rewritten function takes frames, so that the limit of recursion is reached earlier"
LIMIT = "before each call the runtime is asked what to call, which takes a frame: the last one may be beyond the limit"
MEMORY = "the size of an object in CPython's memory, which what stands for it while staging doesn't have"
HASHES = "CPython's OrderedDict looks up each key again by its hash, which differs from call to call here"
# What is taken out of state is put back where staging begins again. A part of a statement holds what it was given until the
# function ends, an exception its traceback, and a generator its variables. A list, a dict or a closure, which nothing refers to
# weakly, is let go only when the function asks whether something has died.
DEATH = "staging holds what was in state, what parts of statements were given, and, until it is asked, what a list or dict held"
COUNTS = "the number of references to an object, which staging adds to"
POSITIONS = "an entry made by hand, with the position of an instruction, is of the rewritten code, whose instructions are others"
CLOSURE = "a rewritten function has a closure: it holds the runtime"

EXPECTED: dict[str, dict[str, str]] = {
    "outside": {
        "test.test_tomllib.test_misc.TestMiscellaneous.test_inline_table_recursion_limit": LIMIT,
        "test.test_weakref.MappingTestCase.test_remove_closure": CLOSURE,
    },
    "rewritten": {
        "test.test_traceback.TestStack.test_custom_format_frame": GENERATORS,
        "test.test_traceback.TestStack.test_format_locals": LOCALS,
        "test.test_contextlib.TestExitStack.test_exit_exception_traceback": TRACEBACKS,
        "test.test_tomllib.test_misc.TestMiscellaneous.test_inline_array_recursion_limit": DEPTH,
        "test.test_tomllib.test_misc.TestMiscellaneous.test_inline_table_recursion_limit": DEPTH,
        "test.test_weakref.MappingTestCase.test_remove_closure": CLOSURE,
    },
    "staged": {
        "test.test_tomllib.test_misc.TestMiscellaneous.test_inline_array_recursion_limit": DEPTH,
        "test.test_tomllib.test_misc.TestMiscellaneous.test_inline_table_recursion_limit": DEPTH,
        "test.test_json.test_recursion.TestCRecursion.test_highly_nested_objects_decoding": DEPTH,
        "test.test_json.test_recursion.TestPyRecursion.test_endless_recursion": DEPTH,
        "test.test_json.test_recursion.TestPyRecursion.test_highly_nested_objects_decoding": DEPTH,
        "test.test_ordered_dict.CPythonOrderedDictSubclassTests.test_issue24347": HASHES,
        "test.test_ordered_dict.CPythonOrderedDictSubclassTests.test_sizeof_exact": MEMORY,
        "test.test_ordered_dict.CPythonOrderedDictTests.test_issue24347": HASHES,
        "test.test_ordered_dict.CPythonOrderedDictTests.test_sizeof_exact": MEMORY,
        "test.test_optparse.TestOptionParser.test_refleak": COUNTS,
        "test.test_ast.AST_Tests.test_AST_garbage_collection": DEATH,
        "test.test_contextlib.ContextManagerTestCase.test_nokeepref": DEATH,
        "test.test_enum.TestSpecial.test_missing_exceptions_reset": DEATH,
        "test.test_functools.TestLRUPy.test_lru_cache_weakrefable": DEATH,
        "test.test_ordered_dict.PurePythonOrderedDictSubclassTests.test_free_after_iterating": DEATH,
        "test.test_ordered_dict.PurePythonOrderedDictSubclassTests.test_reference_loop": DEATH,
        "test.test_ordered_dict.PurePythonOrderedDictTests.test_free_after_iterating": DEATH,
        "test.test_ordered_dict.PurePythonOrderedDictTests.test_reference_loop": DEATH,
        "test.test_pickle.PyIdPersPicklerTests.test_custom_pickler_dispatch_table_memleak": DEATH,
        "test.test_pickle.PyIdPersPicklerTests.test_pickler_reference_cycle": DEATH,
        "test.test_pickle.PyPicklerHookTests.test_reducer_override_no_reference_cycle": DEATH,
        "test.test_traceback.CExcReportingTests.test_KeyboardInterrupt_at_first_line_of_frame": POSITIONS,
        "test.test_traceback.PyExcReportingTests.test_KeyboardInterrupt_at_first_line_of_frame": POSITIONS,
        "test.test_traceback.TracebackFormatTests.test_exception_group_deep_recursion_traceback": DEPTH,
        "test.test_traceback.TestStack.test_extract_stackup_deferred_lookup_lines": SOURCE,
        "test.test_traceback.TestStack.test_format_locals": LOCALS,
        "test.test_traceback.TestTracebackException.test_lookup_lines": SOURCE,
        "test.test_userlist.UserListTest.test_free_after_iterating": DEATH,
        "test.test_traceback.TestTracebackException.test_comparison_params_variations": LOCALS,
        "test.test_traceback.TestTracebackException.test_no_refs_to_exception_and_traceback_objects": COUNTS,
        "test.test_traceback.TestTracebackException.test_print": LOCALS,
        "test.test_weakref.FinalizeTestCase.test_all_freed": DEATH,
        "test.test_weakref.MappingTestCase.test_weak_keyed_len_cycles": DEATH,
        "test.test_weakref.MappingTestCase.test_weak_keyed_union_operators": DEATH,
        "test.test_weakref.MappingTestCase.test_weak_keys": DEATH,
        "test.test_weakref.MappingTestCase.test_weak_keys_destroy_while_iterating": DEATH,
        "test.test_weakref.MappingTestCase.test_weak_values_destroy_while_iterating": DEATH,
        "test.test_weakref.MappingTestCase.test_weak_valued_len_cycles": DEATH,
        "test.test_weakref.MappingTestCase.test_weak_valued_union_operators": DEATH,
        "test.test_weakref.MappingTestCase.test_weak_values": DEATH,
        "test.test_weakref.ReferencesTestCase.test_callback_in_cycle_resurrection": DEATH,
        "test.test_weakref.ReferencesTestCase.test_callbacks_on_callback": DEATH,
        "test.test_weakset.TestWeakSet.test_intersection": DEATH,
        "test.test_weakset.TestWeakSet.test_len": DEATH,
        "test.test_weakset.TestWeakSet.test_symmetric_difference": DEATH,
        "test.test_weakset.TestWeakSet.test_union": DEATH,
        "test.test_weakset.TestWeakSet.test_len_cycles": DEATH,
        "test.test_weakset.TestWeakSet.test_weak_destroy_and_mutate_while_iterating": DEATH,
    },
}
