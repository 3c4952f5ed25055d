"""One cache of finished rows for all tables."""

from dataclasses import replace

import pytest


@pytest.fixture(scope="session")
def row_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def cached_run(pan_run, nothing_else, row_cache):  # noqa: ARG001
    """The run; its finished rows are stored for all tests."""
    return replace(pan_run, cache=row_cache)
