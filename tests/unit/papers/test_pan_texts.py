"""The texts of Pan et al.: who is attacked, with what, and which words are looked for."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.unit.papers.conftest import PAN_SIZES
from vestige.papers.pan2020.genome import read_sites
from vestige.papers.pan2020.reassembly import subject_words
from vestige.papers.pan2020.studies import Sides, missing, read_elsewhere, read_external, read_sides, read_study
from vestige.papers.run import Run
from vestige.text.corpus import Corpus
from vestige.text.keywords import keyword_table
from vestige.text.patterns import load_pattern

RUN = Run(PAN_SIZES)


def test_no_document_is_on_two_sides_and_a_tenth_is_shadow():
    sides = read_sides(RUN, "Medical")
    attacked, shadow = set(sides.targets.documents), set(sides.shadow.documents)
    assert not attacked & shadow
    assert len(shadow) / len(attacked | shadow) == pytest.approx(0.1, abs=0.01)


def test_half_of_the_targets_hold_a_keyword():
    study = read_study(RUN, "Medical")
    assert len(study.keywords) == 10
    held = study.truth.any(axis=1)
    assert held.mean() == 0.5
    assert len(study.shadow) == PAN_SIZES.shadow
    assert not study.tests.untested


def test_the_external_corpus_has_each_sentence_without_and_with_each_keyword():
    external = read_external(RUN, read_elsewhere(RUN), ("leg", "hong kong"), 20)
    assert external.sentences == 20
    assert external.labels.sum(axis=0).tolist() == [20, 20]
    assert not external.labels[:20].any()
    assert external.first(3) == [0, 1, 2, 20, 21, 22, 40, 41, 42]
    assert external.first(99) == list(range(60))
    assert np.array_equal(external.labels, keyword_table(external.corpus.texts, ("leg", "hong kong")))
    assert not any("government" in text.lower() for text in external.corpus.texts[20:])


def test_an_absent_corpus_is_told(monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    assert "corpus 'lounge_reviews' is not here" in missing(RUN, "Airline")
    assert missing(RUN, "Medical") is None


def test_words_of_the_subject_are_rare_elsewhere():
    own = Corpus("own", ["the scan showed a tumour of the liver today"] * 40 + ["a long day"] * 20)
    elsewhere = Corpus("other", ["the people showed courage today"] * 60)
    sides = Sides("Medical", own, own, ())
    assert subject_words(sides, elsewhere, 2) == ["liver", "scan"]
    assert set(subject_words(sides, elsewhere, 9)) == {"liver", "scan", "tumour"}


def test_splice_sites_are_the_middles_without_unknown_letters(tmp_path, monkeypatch):
    middles = ["ACGTACGTACGTACGTACGT", "ACGTACGTACGTACGTACGT", "NCGTACGTACGTACGTACGT", "TTTTACGTACGTACGTACGT"]
    sequences = ["A" * 20 + middle + "C" * 20 for middle in middles]
    table = pa.table({"label": ["EI", "IE", "N", "N"], "sequence": sequences})
    pq.write_table(table, tmp_path / "splice.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    sites = read_sites(RUN, 80)
    assert dict(zip(sites.texts, sites.attributes["site"], strict=True)) == {middles[0]: "site", middles[3]: "none"}


def test_both_kinds_of_sequence_are_in_either_half(tmp_path, monkeypatch):
    made = load_pattern("genome").generate(80, np.random.default_rng(0)).texts
    sequences = ["A" * 20 + middle + "C" * 20 for middle in made]
    pq.write_table(pa.table({"label": ["EI"] * 40 + ["N"] * 40, "sequence": sequences}), tmp_path / "splice.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    sites = read_sites(RUN, 80).attributes["site"]
    assert set(sites[:40]) == set(sites[40:]) == {"site", "none"}
