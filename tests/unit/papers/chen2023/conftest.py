"""One cache of finished rows for all tables; only two encoders are available."""

from dataclasses import replace

import pytest

from vestige.papers.chen2023.setup import MODELS, SURROGATE, load_surrogate
from vestige.papers.chen2023.texts import read_documents
from vestige.papers.victims import load_victim

AVAILABLE = {"SBERT", "granite"}


@pytest.fixture(scope="session")
def row_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def cached_run(chen_run, row_cache):
    """The run; its finished rows are stored for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("VESTIGE_MODELS", raising=False)
        for model in MODELS.keys() - AVAILABLE:
            patch.setitem(MODELS, model, "hf:nowhere")
        yield replace(chen_run, cache=row_cache)


@pytest.fixture(scope="module")
def documents_and_encoders(cached_run):
    documents = read_documents(cached_run, "20 News")
    own = load_surrogate(cached_run, SURROGATE, documents.external)
    return documents, load_victim(cached_run, "granite", MODELS["granite"]), own
