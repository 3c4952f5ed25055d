"""Pages about the stored vectors."""

from threading import Event

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.view import explore_pages
from vestige.view.explore_pages import MapCache
from vestige.view.site import Site
from vestige.view.worker import FitWorker

SITE = Site()


def test_words_link_to_words_and_bars_to_bands(model):
    page = explore_pages.render_words(SITE, model.explorer, None)
    first = model.explorer.words[0].word
    assert f'href="/explore/word/{first}"' in page
    assert 'href="/explore?band=0"' in page
    band = explore_pages.render_words(SITE, model.explorer, 0)
    assert "others never were and are not named" in band
    with pytest.raises(KeyError):
        explore_pages.render_words(SITE, model.explorer, 99)


def test_a_word_leads_to_its_texts_and_these_to_their_documents(model):
    explorer, row = model.explorer, model.explorer.words[0]
    page = explore_pages.render_word(SITE, explorer, row.word)
    documents = {explorer.document_of[target] for target in explorer.list_targets(row.word)}
    assert all(f'href="/explore/document/{number}"' in page for number in documents)
    with pytest.raises(KeyError):
        explore_pages.render_word(SITE, explorer, "zanzibar")


def test_a_word_of_one_text_is_in_one_text(model):
    row = next(row for row in model.explorer.words if row.present == 1)
    assert "In 1 stored text; recovered from" in explore_pages.render_word(SITE, model.explorer, row.word)


def test_a_document_shows_what_leaked_and_no_more(model):
    explorer = model.explorer
    page = explore_pages.render_document(SITE, explorer, 0)
    rows = explorer.documents[0]
    hidden = set().union(*(explorer.truth[row] - explorer.claimed[row] for row in rows))
    shown = set().union(*(explorer.truth[row] & explorer.claimed[row] for row in rows))
    body = page[page.index("What leaked") :]
    assert all(f">{word}<" in body for word in shown)
    assert not any(f">{word}<" in body for word in hidden - shown)
    assert explorer.attacker.truth.documents[rows[0]] not in body


@pytest.mark.parametrize("by", ["leakage", "half"])
def test_the_map_has_a_point_for_each_vector_that_leads_to_its_document(model, by):
    page = explore_pages.render_map(SITE, MapCache(model.explorer, FitWorker()), "pca", by)
    assert page.count("<title>document ") == len(model.explorer.truth)
    assert f'href="/explore/document/{model.explorer.document_of[0]}"' in page


def test_the_map_says_how_to_get_umap(model, monkeypatch):
    monkeypatch.setattr("vestige.view.explore_pages.has_umap", lambda: False)
    page = explore_pages.render_map(SITE, MapCache(model.explorer, FitWorker()), "umap", "leakage")
    assert "umap-learn is not installed" in page
    assert 'id="drawing"' not in page, "it does not wait for what will not come"
    assert "<circle" in page


def test_umap_places_the_vectors_in_the_background(model, monkeypatch):
    gate, worker = Event(), FitWorker()

    def place(vectors, method, _seed):
        assert method == "pca" or gate.wait(20)
        return np.asarray(vectors[:, :2] * (1 if method == "pca" else -1), np.float64)

    monkeypatch.setattr("vestige.view.explore_pages.has_umap", lambda: True)
    monkeypatch.setattr("vestige.view.explore_pages.project", place)
    cache = MapCache(model.explorer, worker)
    pages = [explore_pages.render_map(SITE, cache, "umap", "leakage") for _ in range(2)]
    assert all('id="drawing"' in page and "<circle" in page for page in pages)
    gate.set()
    assert worker.wait(20)
    assert len(worker.jobs) == 1
    drawn = explore_pages.render_map(SITE, cache, "umap", "leakage")
    assert 'id="drawing"' not in drawn
    assert drawn != explore_pages.render_map(SITE, cache, "pca", "leakage")


def test_if_umap_fails_the_map_says_so_and_stays(model, monkeypatch):
    def place(vectors, method, _seed):
        if method == "umap":
            raise ValueError("too few")
        return np.asarray(vectors[:, :2], np.float64)

    monkeypatch.setattr("vestige.view.explore_pages.has_umap", lambda: True)
    monkeypatch.setattr("vestige.view.explore_pages.project", place)
    cache = MapCache(model.explorer, FitWorker())
    explore_pages.render_map(SITE, cache, "umap", "leakage")
    assert cache.worker.wait(20)
    page = explore_pages.render_map(SITE, cache, "umap", "leakage")
    assert "Drawing the map by UMAP failed (ValueError: too few)" in page
    assert 'id="drawing"' not in page


def test_an_unknown_map_is_refused(model):
    with pytest.raises(InputError, match="there is no map by tsne"):
        explore_pages.render_map(SITE, MapCache(model.explorer, FitWorker()), "tsne", "leakage")


def test_until_it_is_fitted_the_page_waits():
    assert 'id="fitting"' in explore_pages.render_waiting(SITE, "")
    assert "no texts" in explore_pages.render_waiting(SITE, "no texts")
