"""Figure 8, once, at a size for tests."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.unit.papers.conftest import PAN_SIZES
from tests.unit.papers.measuring import reproduce, skipped_notes
from vestige.papers.pan2020.defended import SYSTEM
from vestige.papers.pan2020.figure8 import read_genome_system, read_medical_system
from vestige.papers.record import PRIOR
from vestige.papers.run import PaperRun
from vestige.text.patterns import load_pattern

RUN = PaperRun(PAN_SIZES)


def test_systems_are_measured_where_there_are_labels(cached_run):
    record = reproduce("pan2020", "figure8", cached_run)
    measured = {(row.section, row.model): [line.by for line in row.lines] for row in record.rows if row.lines}
    assert measured == {("Medical", model): [SYSTEM, PRIOR] for model in ("Bert", "potion")}
    assert "corpus 'splice' is not available" in skipped_notes(record)["Genome", "Bert"]
    assert record.rows[0].published == ("> 75",)


def test_systems_are_tested_on_other_documents_than_those_they_learn_from(tmp_path, monkeypatch):
    medical = read_medical_system(RUN)
    assert not set(medical.learned.documents) & set(medical.tested.documents)
    made = load_pattern("genome").generate(100, np.random.default_rng(0)).texts
    sequences = ["A" * 20 + middle + "C" * 20 for middle in made]
    pq.write_table(pa.table({"label": ["EI", "N"] * 50, "sequence": sequences}), tmp_path / "splice.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    genome = read_genome_system(RUN)
    assert len(genome.tested) == PAN_SIZES.records
    assert not set(genome.learned.texts) & set(genome.tested.texts)
