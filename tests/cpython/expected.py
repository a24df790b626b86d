"""Tests of CPython that rewritten code can't pass, each with its reason: phase -> name of the test -> reason."""

EXPECTED: dict[str, dict[str, str]] = {"outside": {}, "staged": {}}
