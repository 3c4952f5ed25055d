import numpy as np
import pytest
from scipy.stats import spearmanr

from vestige.errors import InputError
from vestige.utility import neighbours
from vestige.utility.neighbours import neighbourhood


def rng():
    return np.random.default_rng(0)


@pytest.fixture
def vectors():
    return np.random.default_rng(1).standard_normal((300, 16)).astype(np.float32)


def by_hand(vectors, defended, k):
    """Query by query, in the plainest code."""
    recalls, correlations = [], []
    for row in range(len(vectors)):
        others = [other for other in range(len(vectors)) if other != row]
        near, cosines = [], []
        for table in (vectors, defended):
            table = table.astype(np.float64)
            lengths = np.linalg.norm(table, axis=1)
            cosine = table[others] @ table[row] / (lengths[others] * lengths[row])
            near.append(set(np.argsort(-cosine)[:k]))
            cosines.append(cosine)
        recalls.append(len(near[0] & near[1]) / k)
        correlations.append(spearmanr(*cosines).statistic)
    return np.mean(recalls), np.mean(correlations)


def test_recall_and_correlation_are_those_by_hand(vectors):
    defended = vectors[:, :9] + 0.5
    found = neighbourhood(vectors, defended, rng=rng(), k=7)
    recall, correlation = by_hand(vectors, defended, 7)
    assert found.recall.value == pytest.approx(recall, abs=1e-6)
    assert found.correlation.value == pytest.approx(correlation, abs=1e-6)
    assert found.recall.low < found.recall.value < found.recall.high
    assert found.correlation.low < found.correlation.value < found.correlation.high
    assert found.recall.n == found.correlation.n == 300
    assert found.recall.baseline == pytest.approx(7 / 299, abs=1e-6)
    assert found.correlation.baseline == 0


def test_ten_pairs_of_which_two_are_separated():
    """The nearest of each of 20 rows is its partner; two pairs swap theirs, so that 16 of 20 are found as before."""
    before = np.repeat(np.eye(10), 2, axis=0)
    after = before[[0, 2, 1, 3, *range(4, 20)]]
    assert neighbourhood(before, after, rng=rng(), k=1).recall.value == 0.8


def test_queries_may_be_defended_in_another_way_than_the_table():
    """Ten pairs of partners. The table stays; the queries of the first four rows point at the partners of others."""
    table = np.repeat(np.eye(10), 2, axis=0)
    asked = table[[2, 3, 0, 1, *range(4, 20)]]
    assert neighbourhood(table, table, rng=rng(), k=1, defended_queries=asked).recall.value == 0.8
    with pytest.raises(InputError, match=r"defended queries of shape \(20, 9\), but a defended table of \(20, 10\)"):
        neighbourhood(table, table, rng=rng(), k=1, defended_queries=asked[:, :9])


def test_rotated_and_scaled_vectors_are_found_as_before(vectors):
    turned = 3 * vectors @ np.linalg.qr(np.random.default_rng(2).standard_normal((16, 16)))[0]
    found = neighbourhood(vectors, turned, rng=rng())
    assert found.recall.value > 0.999
    assert found.correlation.value > 0.9999


def test_unrelated_and_equal_vectors_are_found_by_chance(vectors):
    for defended in (np.random.default_rng(3).standard_normal((300, 4)), np.ones((300, 4)), np.zeros((300, 4))):
        found = neighbourhood(vectors, defended, rng=rng())
        assert found.recall.low < found.recall.baseline + 0.02
        assert found.recall.value == pytest.approx(found.recall.baseline, abs=0.015)
        assert found.correlation.value == pytest.approx(0, abs=0.02)


def test_blocks_do_not_show(vectors, monkeypatch):
    defended = np.round(vectors)
    whole = neighbourhood(vectors, defended, rng=rng())
    monkeypatch.setattr(neighbours, "_CELLS", 5000)
    in_blocks = neighbourhood(vectors, defended, rng=rng())
    # Rounded vectors are often equally near, and then the last bits of a product decide, which depend on its blocks.
    assert in_blocks.recall.value == pytest.approx(whole.recall.value, abs=0.01)
    assert in_blocks.correlation.value == pytest.approx(whole.correlation.value, abs=0.001)


def test_queries_are_drawn_and_intervals_are_over_documents(vectors):
    defended = np.round(vectors / 2)
    few = neighbourhood(vectors, defended, rng=rng(), queries=50)
    assert few.recall.n == 50
    assert neighbourhood(vectors, defended, rng=rng(), queries=50) == few
    grouped = neighbourhood(vectors, defended, rng=rng(), documents=[str(row // 20) for row in range(300)])
    assert grouped.recall.value == neighbourhood(vectors, defended, rng=rng()).recall.value
    assert grouped.recall.low != neighbourhood(vectors, defended, rng=rng()).recall.low


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"defended": np.ones((299, 4))}, "300 vectors but 299 defended ones"),
        ({"defended": np.full((300, 4), np.nan)}, "NaN or infinite"),
        ({"k": 0}, "The 'k' parameter must be from 1 to 298"),
        ({"k": 299}, "The 'k' parameter must be from 1 to 298"),
        ({"queries": 0}, "The 'queries' parameter must be at least 1"),
        ({"documents": ["a"]}, "300 vectors but 1 documents"),
    ],
)
def test_invalid_input_is_refused(vectors, change, message):
    given = {"vectors": vectors, "defended": vectors, "rng": rng(), **change}
    with pytest.raises(InputError, match=message):
        neighbourhood(given.pop("vectors"), given.pop("defended"), **given)
