"""Appendix D, once, at a size for tests."""

from tests.unit.papers.measuring import reproduce


def test_a_fingerprint_is_tried_with_and_without_the_encoder(cached_run):
    record = reproduce("pan2020", "fingerprint", cached_run)
    rows = [row for row in record.rows if row.lines]
    assert [row.model for row in rows] == ["Bert", "potion"]
    for row in rows:
        paper, ours, guessing = row.lines
        assert paper.scores[2].value == 0
        assert ours.scores[1].n == 2
        assert guessing.scores[0].value == 0.5
