"""Figure 5.4, at a size for tests."""

from tests.unit.papers.chen2023.conftest import AVAILABLE
from tests.unit.papers.measuring import reproduce
from vestige.papers.chen2023.setup import MODELS
from vestige.papers.record import PAPER


def test_the_heat_map_has_every_available_pair_and_its_margins(cached_run):
    record = reproduce("chen2023", "figure5.4", cached_run)
    found = {(row.section.removeprefix("Surrogate "), row.model) for row in record.rows if row.lines}
    assert found == {(one, other) for one in AVAILABLE for other in AVAILABLE}
    assert len(record.rows) == len(MODELS) ** 2
    assert any(note.startswith(f"Mean Precision@5 as surrogate, {PAPER}: SBERT ") for note in record.differs)
