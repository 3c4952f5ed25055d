"""Tables of Chen, once, at a size for tests."""

from dataclasses import replace

import pytest

from tests.unit.papers.test_tables import reproduced
from vestige.papers.chen2023 import texts
from vestige.papers.chen2023.adversary import RIVALS, SADE, SADE_QS, Adversary
from vestige.papers.chen2023.case_study import MASK
from vestige.papers.chen2023.models import MODELS, SURROGATE, surrogate
from vestige.papers.chen2023.texts import read_documents, shortened
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR
from vestige.papers.victims import victim
from vestige.text.corpus import Corpus
from vestige.text.importance.forms import forms
from vestige.text.named import load_corpus

EVERYONE = {SADE_QS, SADE, *RIVALS, OURS, PRIOR}
PLAYED = {"SBERT", "granite"}


@pytest.fixture(scope="module")
def kept(chen_run, tmp_path_factory):
    """The run, its finished rows kept; no encoder but the two that are played."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("VESTIGE_MODELS", raising=False)
        for model in MODELS.keys() - PLAYED:
            patch.setitem(MODELS, model, "hf:nowhere")
        yield replace(chen_run, cache=tmp_path_factory.mktemp("cache"))


def test_the_comparison_has_a_line_an_attack(kept, monkeypatch):
    rows = {section: models for section, models in published("chen2023", "figure5.1").items() if "20" in section}
    monkeypatch.setattr("vestige.papers.chen2023.comparison.published", lambda *_: rows)
    record = reproduced("chen2023", "figure5.1", kept)
    assert [(row.section, row.model) for row in record.rows] == [(s, m) for s, models in rows.items() for m in models]
    by_tfidf = {row.model: row for row in record.rows if row.section.endswith("TF-IDF")}
    assert {model for model, row in by_tfidf.items() if row.lines} == PLAYED
    assert {line.by for line in by_tfidf["SBERT"].lines} == EVERYONE
    assert by_tfidf["SBERT"].published == (67.01, 19.18)
    assert "is not here" in by_tfidf["GPT2"].note


def test_the_ablation_has_its_parts_and_ours(kept):
    record = reproduced("chen2023", "table5.4", kept)
    lines = {(row.section, line.by) for row in record.rows for line in row.lines}
    parts = {"MLP", "without training", "with training"}
    assert lines == {(part, PAPER) for part in parts} | {("Ours", OURS), ("Ours", PRIOR)}


def test_the_curves_are_drawn_against_queries(kept):
    record = reproduced("chen2023", "figure5.2", kept)
    assert [row.model for row in record.rows] == ["SBERT, 10 queries", "SBERT, 20 queries"]
    assert {curve.label for curve in record.plots[0].curves} == EVERYONE
    assert [point.at for point in record.plots[0].curves[0].points] == [10, 20]


def test_the_heat_map_has_every_pair_that_is_here_and_its_margins(kept):
    record = reproduced("chen2023", "figure5.4", kept)
    found = {(row.section.removeprefix("Surrogate "), row.model) for row in record.rows if row.lines}
    assert found == {(one, other) for one in PLAYED for other in PLAYED}
    assert len(record.rows) == len(MODELS) ** 2
    assert any(told.startswith(f"Mean Precision@5 as surrogate, {PAPER}: SBERT ") for told in record.differs)


def test_the_case_study_shows_no_text(kept):
    record = reproduced("chen2023", "casestudy", replace(kept, sizes=replace(kept.sizes, targets=20)))
    shown = " ".join(sample for row in record.rows for sample in row.samples)
    assert MASK in shown
    documents = read_documents(replace(kept, sizes=replace(kept.sizes, targets=20)), "Clinical")
    assert not any(text[:30] in shown for text in documents.targets.texts)


def test_no_document_is_on_two_sides_and_the_vocabulary_is_the_adversarys(kept):
    documents = read_documents(kept, "20 News")
    assert not set(documents.targets.documents) & set(documents.studied.documents)
    assert set(documents.pool.texts) <= set(documents.studied.texts)
    assert len(documents.pooled(7).pool) == 7
    held = {form for text in documents.studied.texts for form in forms(text)}
    assert set(documents.words.words) <= held


def test_posts_of_one_name_and_copies_are_on_one_side(kept, monkeypatch):
    """Two rows of every document, and of every fifth text a copy under another name."""
    real = load_corpus("complaints")
    rows = range(400)
    doubled = Corpus(
        "doubled",
        [real.texts[row] for row in rows for _ in range(2)] + [real.texts[row].upper() for row in rows if row % 5 == 0],
        [f"{row}" for row in rows for _ in range(2)] + [f"copy {row}" for row in rows if row % 5 == 0],
    )
    monkeypatch.setattr(texts, "load_corpus", lambda _: doubled)
    documents = read_documents(kept, "20 News")
    assert not set(documents.targets.documents) & set(documents.studied.documents)
    hidden, known = ({text.lower() for text in side.texts} for side in (documents.targets, documents.studied))
    assert not hidden & known
    assert len(documents.targets)
    assert len(documents.pool)


def test_the_rivals_are_given_as_many_pairs_as_the_budget(kept):
    documents = read_documents(kept, "20 News")
    own = surrogate(kept, SURROGATE, documents.external)
    target = victim(kept, "granite", MODELS["granite"])
    adversary = Adversary(kept, documents, target, own)
    vectors, importance = adversary.pairs
    assert len(vectors) == len(importance) == kept.sizes.budget
    attack = adversary.sade(selection="random")
    asked = [documents.pool.texts[row] for row in attack.queried_]
    assert (vectors == target.encoder.encode(asked)).all()


def test_the_subject_is_what_stands_ten_times_rarer_elsewhere(kept):
    documents = read_documents(kept, "20 News")
    about = documents.of_subject().words.words
    assert set(about) < set(documents.words.words)
    assert "credit" in about
    assert "year" not in about


def test_texts_are_cut_after_so_many_words():
    assert shortened(Corpus("", ["One, two; three!", "One."]), 2).texts == ["One, two", "One."]
