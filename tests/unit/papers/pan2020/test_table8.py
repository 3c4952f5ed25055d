"""Table VIII, once, at a size for tests, and substitutes by name."""

import pyarrow as pa
import pyarrow.parquet as pq

from tests.unit.papers.conftest import PAN_SIZES
from tests.unit.papers.measuring import reproduce, skipped_notes
from vestige.papers.run import PaperRun


def test_keywords_of_another_corpus_are_skipped(cached_run):
    notes = skipped_notes(reproduce("pan2020", "table8", cached_run))
    assert "corpus 'lounge_reviews' is not available" in notes["Airline", "London"]
    assert "'complaints' has other keywords" in notes["Medical", "leg"]


def test_samples_are_counted_and_substitutes_are_named(tmp_path, monkeypatch):
    texts = [
        f"The lounge in {place} was quiet and clean" for place in ("Heathrow", "London", "Oslo") for _ in range(40)
    ]
    pq.write_table(pa.table({"text": texts}), tmp_path / "lounge_reviews.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    rows = {row.model: row for row in reproduce("pan2020", "table8", PaperRun(PAN_SIZES)).rows if row.lines}
    assert rows["London"].published == ("2656 samples",)
    # Twelve sentences per keyword are under attack, and as many without any.
    assert rows["London"].samples == ("London: 24 test samples, half of which contain it",)
    assert rows["Toronto"].samples[0].startswith("Heathrow, in place of Toronto: 24")
    assert rows["London"].lines[0].scores[0].value == 0.25
