import numpy as np
import pytest

from vestige.attacks.keywords.examples import Examples
from vestige.attacks.keywords.kernel import KernelHeads, choose_heads, hold_out
from vestige.attacks.keywords.linear_heads import LinearHeads


def draw_ring(rng, rows):
    """Texts with the keyword are in two opposite clusters, those without in the two between: no line separates them."""
    corners = rng.integers(4, size=rows)
    angles = corners * np.pi / 2 + 0.2 * rng.standard_normal(rows)
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    return Examples.build(vectors, (corners % 2 == 1)[:, None])


def name_documents(rows):
    return [str(row) for row in range(rows)]


def test_a_kernel_is_chosen_where_no_line_separates():
    rng = np.random.default_rng(0)
    known, targets = draw_ring(rng, 300), draw_ring(rng, 200)
    heads = choose_heads(known, name_documents(300), rng)
    assert isinstance(heads, KernelHeads)
    assert ((heads.probabilities(targets.vectors) > 0.5) == targets.labels).mean() > 0.95


def test_a_line_is_chosen_where_it_is_as_good():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((300, 20)).astype(np.float32)
    heads = choose_heads(Examples.build(vectors, vectors[:, :1] > 0), name_documents(300), rng)
    assert isinstance(heads, LinearHeads)


def test_one_half_is_the_boundary_however_rare_a_keyword_is():
    """Where the share of texts with the keyword is that of all texts, nothing is known."""
    vectors = np.array([[1, 0]] * 10, dtype=np.float32)
    heads = KernelHeads.fit(Examples.build(vectors, (np.arange(10) == 0)[:, None]))
    assert heads.probabilities(vectors[:1])[0, 0] == pytest.approx(0.5, abs=1e-4)


def test_no_document_is_split():
    documents = np.repeat(name_documents(40), 8)
    held = hold_out(documents.tolist(), np.random.default_rng(0))
    assert len(held) == 80
    assert not set(documents[held]) & set(np.delete(documents, held))


def test_rows_that_are_examples_for_some_keywords_only_need_linear_heads():
    rng = np.random.default_rng(0)
    ring = draw_ring(rng, 300)
    counted = np.ones_like(ring.labels)
    counted[:5] = False
    assert isinstance(choose_heads(Examples(ring.vectors, ring.labels, counted), name_documents(300), rng), LinearHeads)
