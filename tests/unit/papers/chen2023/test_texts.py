"""Pool, targets, vocabulary."""

from dataclasses import replace

from vestige.papers.chen2023 import texts
from vestige.papers.chen2023.texts import add_headers, build_vocabulary, read_documents, shorten
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.importance import content_forms

PLAYED = {"SBERT", "granite"}


def test_no_document_is_on_two_sides_and_the_vocabulary_is_the_adversarys(cached_run):
    documents = read_documents(cached_run, "20 News")
    assert not set(documents.targets.documents) & set(documents.studied.documents)
    assert set(documents.pool.texts) <= set(documents.studied.texts)
    assert len(documents.shrink_pool(7).pool) == 7
    held = {form for text in documents.studied.texts for form in content_forms(text)}
    assert set(documents.words.words) <= held


def test_posts_of_one_name_and_copies_are_on_one_side(cached_run, monkeypatch):
    """Two rows of every document, and of every fifth text a copy under another name."""
    real = load_corpus("complaints")
    rows = range(400)
    doubled = Corpus(
        "doubled",
        [real.texts[row] for row in rows for _ in range(2)] + [real.texts[row].upper() for row in rows if row % 5 == 0],
        [f"{row}" for row in rows for _ in range(2)] + [f"copy {row}" for row in rows if row % 5 == 0],
    )
    monkeypatch.setattr(texts, "load_corpus", lambda _: doubled)
    documents = read_documents(cached_run, "20 News")
    assert not set(documents.targets.documents) & set(documents.studied.documents)
    hidden, known = ({text.lower() for text in side.texts} for side in (documents.targets, documents.studied))
    assert not hidden & known
    assert len(documents.targets)
    assert len(documents.pool)


def test_words_of_the_subject_are_ten_times_rarer_in_external_documents(cached_run):
    documents = read_documents(cached_run, "20 News")
    about = documents.restrict_to_subject().words.words
    assert set(about) < set(documents.words.words)
    assert "card" in about
    assert "year" not in about


def test_texts_are_cut_after_so_many_words():
    assert shorten(Corpus("", ["One, two; three!", "One."]), 2).texts == ["One, two", "One."]


def test_external_documents_are_long_enough_too(cached_run):
    documents = read_documents(cached_run, "20 News")
    known = set(documents.words.words)
    for text in documents.external.texts:
        assert sum(form in known for form in content_forms(text)) >= cached_run.sizes.shortest
    assert documents.dropped > 0
    assert 0 < len(documents.external) <= cached_run.sizes.external


def test_documents_on_which_our_defaults_were_chosen_are_never_scored(cached_run, monkeypatch):
    monkeypatch.setitem(texts.TUNED, "complaints", 3000)
    names = load_corpus("complaints").documents
    scored = read_documents(cached_run, "20 News").targets.documents
    assert not set(scored) & set(names[:3000])
    monkeypatch.setitem(texts.TUNED, "complaints", 0)
    assert set(read_documents(cached_run, "20 News").targets.documents) & set(names[:3000])


def test_validation_documents_are_further_documents_of_the_adversary(cached_run):
    run = replace(cached_run, sizes=replace(cached_run.sizes, validation=9))
    documents = read_documents(run, "20 News")
    assert len(documents.validation) == 9
    assert len(documents.pool) == run.sizes.pool
    for other in (documents.pool, documents.targets):
        assert not set(documents.validation.documents) & set(other.documents)


def test_headers_are_rebuilt_from_their_columns():
    posts = Corpus("newsgroups", ["One.\nTwo."], attributes={"author": ["a@b"], "subject": ["Cars"]})
    assert add_headers(posts).texts == ["From: a@b\nSubject: Cars\nLines: 2\n\nOne.\nTwo."]


def test_texts_are_tagged_once(chen_run, tmp_path, monkeypatch):
    run = replace(chen_run, cache=tmp_path)
    studied = Corpus("", ["The bank closed my account", "The bank sold my account"])
    words = build_vocabulary(run, studied)
    assert {"bank", "account"} <= set(words.words)
    monkeypatch.setattr(texts.ImportantWords, "build", None)
    assert build_vocabulary(run, studied) == words
