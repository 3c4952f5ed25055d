"""Numbers in shared notes, by hand."""

from vestige.papers.notes import count_updates


def test_updates_by_hand():
    # 200,000 sentences are 782 batches of 256, the last of them short; 30 times.
    assert count_updates(200_000, 30, 256) == 23_460
    assert count_updates(1, 5, 256) == 5
