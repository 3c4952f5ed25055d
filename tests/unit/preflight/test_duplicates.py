import tracemalloc

import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.preflight.conftest import get_check
from vestige.preflight import check_vectors
from vestige.preflight.duplicates import find_near


@pytest.mark.parametrize("texts_are", ["same text", "another text", "no text"])
def test_repeated_vectors_with_or_without_their_texts(make_sample, clean, texts, library, texts_are):
    vectors, written = clean.copy(), list(texts)
    vectors[100:120] = vectors[:20]
    if texts_are == "same text":
        written[100:120] = [text.upper() for text in written[:20]]
    result = check_vectors(
        make_sample(vectors, texts=None if texts_are == "no text" else written),
        None if texts_are == "no text" else WordSum(),
        library=() if texts_are == "no text" else library,
    )
    check = get_check(result, "duplicates")
    assert check.level == "warning"
    assert check.evidence["share"] == 0.05
    expected = {
        "same text": "and so do their texts",
        "another text": "20 of them with another text",
        "no text": "Give the texts to see",
    }
    assert expected[texts_are] in check.sentence


def test_near_duplicates_are_beyond_the_limit(make_sample, clean):
    vectors = clean.copy()
    turned = np.random.default_rng(0).normal(size=64)
    turned -= turned @ vectors[0] * vectors[0]
    turned /= np.linalg.norm(turned)
    for row, cosine in ((200, 0.9992), (201, 0.9985)):
        vectors[row] = cosine * vectors[0] + np.sqrt(1 - cosine**2) * turned
    check = get_check(check_vectors(make_sample(vectors, texts=None), library=()), "near-duplicates")
    assert check.evidence["rows"] == 3, "0 and 200, 200 and 201 (0.9998)"


def test_the_comparison_of_all_pairs_takes_little_memory():
    vectors = np.random.default_rng(0).normal(size=(20_000, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    tracemalloc.start()
    try:
        find_near(vectors, np.arange(len(vectors)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40 * 2**20
