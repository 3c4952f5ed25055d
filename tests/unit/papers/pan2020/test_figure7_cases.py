"""The two sections of Figure 7: what their owners hide, and what systems learn from."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.unit.papers.conftest import PAN_SIZES
from vestige.papers.pan2020.figure7_cases import read_genome, read_medical
from vestige.papers.pan2020.table4 import read_changed
from vestige.papers.run import PaperRun
from vestige.text.keywords import keyword_table
from vestige.text.patterns import load_pattern

RUN = PaperRun(PAN_SIZES)


@pytest.fixture(scope="module")
def changed():
    return read_changed(RUN)


def test_the_owner_of_sequences_hides_every_position(changed, monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    genome = read_genome(RUN, changed)
    assert genome.owner.own.secrets.shape == genome.owner.targets.secrets.shape == (PAN_SIZES.records, 20)
    assert not set(genome.owner.own.corpus.texts) & set(genome.attacked.corpus.texts)
    assert genome.learned is None
    assert [sweep.name for sweep in genome.sweeps] == ["rounding", "Laplace", "PPM", "PPM, ours"]


def test_the_system_learns_from_sequences_that_are_not_attacked(changed, tmp_path, monkeypatch):
    made = load_pattern("genome").generate(200, np.random.default_rng(0)).texts
    sequences = ["A" * 20 + middle + "C" * 20 for middle in made]
    pq.write_table(pa.table({"label": ["EI", "N"] * 100, "sequence": sequences}), tmp_path / "splice.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    genome = read_genome(RUN, changed)
    assert len(genome.attacked.corpus) == PAN_SIZES.records
    assert not set(genome.attacked.corpus.texts) & set(genome.learned.texts)


def test_the_owner_of_sentences_hides_all_keywords(changed):
    medical = read_medical(RUN, changed)
    study = medical.texts.study
    assert medical.owner.targets.secrets.shape == (len(study.targets), len(study.keywords))
    assert not set(study.targets.documents) & set(medical.learned.documents)
    assert "subspace, as written" in [sweep.name for sweep in medical.sweeps]


def test_defenses_are_fitted_on_documents_that_are_not_scored(changed):
    medical = read_medical(RUN, changed)
    own, targets = medical.owner.own, medical.owner.targets
    assert targets.corpus is medical.texts.study.targets
    assert not set(own.corpus.documents) & set(targets.corpus.documents)
    assert (own.secrets == keyword_table(own.corpus.texts, medical.held.keywords)).all()
    assert own.secrets.any(axis=0).all()


def test_an_attribute_by_itself(changed):
    medical = read_medical(RUN, changed)
    assert (medical.owner.only(1).own.secrets[:, 0] == medical.owner.own.secrets[:, 1]).all()
    texts = medical.texts.only(1)
    assert texts.study.keywords == medical.texts.study.keywords[1:2]
    assert texts.external.counted.sum() == sum(medical.texts.external.blocks[place] for place in (0, 2))
