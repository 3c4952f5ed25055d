from typing import ClassVar

import numpy as np
import pytest

import vestige
from vestige.errors import InputError
from vestige.metrics.attribute_curve import Labelled, _widen, accuracy_by_classes, accuracy_by_labels
from vestige.text.split import Split
from vestige.types import LabelGuesses, Score


class NearestMean:
    """Learns the mean of each class, and records what it was fitted on."""

    seen: ClassVar = []

    def fit(self, given, labels, *, rng):  # noqa: ARG002
        type(self).seen.append((len(given), len(set(labels))))
        self.labels_ = tuple(sorted(set(labels)))
        self.means_ = np.stack([given[np.asarray(labels) == label].mean(axis=0) for label in self.labels_])
        return self

    def infer(self, given):
        distances = np.square(given[:, None] - self.means_).sum(axis=2)
        return LabelGuesses(self.labels_, np.exp(-distances))


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    classes = np.tile(np.arange(20), 40)
    vectors = (0.6 * rng.standard_normal((20, 12))[classes] + rng.standard_normal((800, 12))).astype(np.float32)
    labels = [f"class {number}" for number in classes]
    documents = [str(row // 8) for row in range(800)]
    return Labelled(vectors, labels, documents, Split(list(range(400)), list(range(400, 800))), targets_per_class=8)


def test_more_labels_more_hits(data):
    NearestMean.seen = []
    points = accuracy_by_labels(NearestMean, data, rng=np.random.default_rng(1), counts=(1, 4, 16), classes=10, draws=3)
    assert [(point.classes, point.labels_per_class, point.draws) for point in points] == [
        (10, 1, 3),
        (10, 4, 3),
        (10, 16, 3),
    ]
    assert NearestMean.seen == [(10, 10), (40, 10), (160, 10)] * 3
    values = [point.top1.value for point in points]
    assert values == sorted(values)
    assert values[2] > values[0] + 0.2
    for point in points:
        assert point.top1.low <= point.top1.value <= point.top1.high
        assert point.top1.n == 3 * 10 * 8
        assert (point.top1.baseline, point.top5.baseline) == (0.1, 0.5)
        assert point.top5.value > point.top1.value


def test_a_researcher_has_the_curves_from_the_package_itself(data):
    split = vestige.split_by_author(data.labels, data.documents, np.random.default_rng(0))
    own = vestige.Labelled(data.given, data.labels, data.documents, split)
    for curve, sizes in (
        (vestige.accuracy_by_labels, {"counts": (5,), "classes": 10}),
        (vestige.accuracy_by_classes, {"classes": (10,), "labels_per_class": 5}),
    ):
        (point,) = curve(vestige.AttributeInference, own, rng=np.random.default_rng(0), draws=2, **sizes)
        assert point.top1.low > point.top1.baseline
        assert (point.classes, point.labels_per_class) == (10, 5)


def test_more_classes_fewer_hits(data):
    points = accuracy_by_classes(
        NearestMean, data, rng=np.random.default_rng(1), classes=(2, 5, 20), labels_per_class=10, draws=4
    )
    assert [point.classes for point in points] == [2, 5, 20]
    values = [point.top1.value for point in points]
    assert values == sorted(values, reverse=True)
    assert points[0].top5.value == 1


def test_shuffled_labels_find_chance(data):
    found = accuracy_by_labels(
        NearestMean, data, rng=np.random.default_rng(1), counts=(16,), classes=20, draws=4, shuffled=True
    )[0]
    assert found.top1.low <= 0.05 <= found.top1.high
    assert found.top1.value < 0.1


def test_texts_may_take_the_place_of_vectors_and_rows_without_label_are_passed_over(data):
    class Remembers:
        def fit(self, given, labels, *, rng):  # noqa: ARG002
            assert all(isinstance(text, str) for text in given)
            assert None not in labels
            self.labels_ = tuple(sorted(set(labels)))
            return self

        def infer(self, given):
            rows = [[label == text for label in self.labels_] for text in given]
            return LabelGuesses(self.labels_, np.array(rows, dtype=float))

    labels = [None if row % 7 == 0 else label for row, label in enumerate(data.labels)]
    texts = Labelled(list(data.labels), labels, data.documents, data.split)
    found = accuracy_by_labels(Remembers, texts, rng=np.random.default_rng(0), counts=(5,), classes=20, draws=1)[0]
    assert (found.top1.value, found.draws) == (1, 1)
    assert found.top1.n == sum(label is not None for label in labels[400:])


@pytest.mark.parametrize(
    ("means", "low", "high"),
    [([0.4, 0.5, 0.6], 0.251586, 0.748414), ([0.49, 0.5, 0.51], 0.45, 0.55), ([0.3, 0.7], 0, 1), ([0.9], 0.45, 0.55)],
)
def test_draws_that_differ_widen_the_interval(means, low, high):
    """Student's t: 4.302653 x 0.1 / sqrt(3) = 0.248414 either way for the first."""
    found = _widen(Score(0.5, 0.45, 0.55, 90, 0.1), means)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)
    assert (found.value, found.n, found.baseline) == (0.5, 90, 0.1)


def test_too_few_classes_are_refused(data):
    with pytest.raises(InputError, match=r"0 classes have 21 labels or more .* expected 10; use fewer"):
        accuracy_by_labels(NearestMean, data, rng=np.random.default_rng(0), counts=(21,), classes=10)
