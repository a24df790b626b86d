"""What XLA has compiled once for these tests isn't compiled again: a Program that is staged and loaded is one computation."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory):
    jax = pytest.importorskip("jax", reason="these tests run in JAX: pip install '.[jax]'")
    jax.config.update("jax_compilation_cache_dir", str(tmp_path_factory.mktemp("compiled")))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
