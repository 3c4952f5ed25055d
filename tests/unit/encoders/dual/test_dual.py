"""Dual encoders learn which sentence follows which, in documents they never saw, and open up as a white box."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from vestige.encoders.dual.encoder import DualEncoder
from vestige.encoders.dual.network import DualNetwork, Shape
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.dual.training import Drill, Schedule, _cut, next_sentence_loss
from vestige.encoders.dual.words import first_words
from vestige.errors import InputError
from vestige.text.corpus import Corpus

TOPICS = 12
TEXTS = ["The ship has sailed.", "", "🙂", "sail " * 10_000, "Unheard xyzzy of plugh", "The ship has sailed."]


def topical(documents: int, seed: int) -> Corpus:
    """Six sentences a document, all on its topic, which even and odd sentences never tell by the same words."""
    rng = np.random.default_rng(seed)
    texts = []
    for topic in rng.integers(TOPICS, size=documents):
        told = [[f"t{topic}{'ab'[turn % 2]}{word}" for word in rng.integers(4, size=3)] for turn in range(6)]
        texts.append(" ".join(f"{' '.join(words)} filler{rng.integers(9)}.".capitalize() for words in told))
    return Corpus("topical", texts)


def parted(corpus: Corpus, seed: int) -> Corpus:
    """The same sentences, each in a document drawn at random: what follows what now tells nothing."""
    sentences = corpus.sentences(1, 100)
    order = np.random.default_rng(seed).permutation(len(sentences))
    return Corpus("parted", [sentences.texts[row] for row in order], sentences.documents)


def mean_reciprocal_rank(encoder: DualEncoder, corpus: Corpus) -> float:
    """First sentence of each document against the second of all."""
    sentences = corpus.sentences(1, 100)
    firsts = [row for row, name in enumerate(sentences.documents) if row == 0 or name != sentences.documents[row - 1]]
    vectors = encoder.encode(sentences.texts)
    scores = vectors[firsts] @ vectors[[row + 1 for row in firsts]].T
    return float(np.mean(1 / (scores >= np.diag(scores)[:, None]).sum(axis=1)))


SMALL = {
    "lstm": replace(DualRecipe.default("lstm"), dimension=32, epochs=10, batch=100, learning_rate=1e-2),
    "transformer": replace(DualRecipe.default("transformer"), dimension=32, epochs=10, batch=100, learning_rate=5e-3),
}


def fit(architecture: str, corpus: Corpus, seed: int = 0, **changed) -> DualEncoder:
    return replace(SMALL[architecture], **changed).fit(corpus, rng=np.random.default_rng(seed))


@pytest.fixture(autouse=True, scope="module")
def _one_thread():
    """Networks this small lose more to handing work over than they gain."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(params=list(SMALL), scope="module")
def architecture(request):
    return request.param


@pytest.fixture(scope="module")
def encoder(architecture):
    return fit(architecture, topical(80, seed=1))


def test_the_next_sentence_of_unseen_documents_is_found_and_without_order_it_is_not(encoder, architecture):
    unseen = topical(100, seed=2)
    chance = float(np.mean(1 / np.arange(1, 101)))
    shuffled = fit(architecture, parted(topical(80, seed=1), seed=3))
    assert mean_reciprocal_rank(encoder, unseen) > 4 * chance
    assert mean_reciprocal_rank(shuffled, unseen) < 2 * chance


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(architecture):
    before = torch.get_rng_state()
    first, again, other = (fit(architecture, topical(20, seed=1), seed, epochs=2) for seed in (5, 5, 6))
    assert first.identity == again.identity != other.identity
    assert (torch.get_rng_state() == before).all()


def test_vectors_are_the_same_bits_alone_in_any_order_and_in_any_batch(encoder):
    texts = TEXTS + topical(40, seed=4).sentences(1, 100).texts
    vectors = encoder.encode(texts)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert (encoder.encode(texts[::-1])[::-1] == vectors).all()
    assert (vectors[0] == vectors[5]).all()
    for row, text in enumerate(texts[:20]):
        assert (encoder.encode([text])[0] == vectors[row]).all()


def test_nothing_to_encode_gives_no_rows(encoder):
    assert encoder.encode([]).shape == (0, encoder.dimension)


def test_words_past_the_longest_are_not_read(encoder):
    assert (encoder.encode(["ship " * 256]) == encoder.encode(["ship " * 256 + "t1a1 " * 50])).all()


def test_the_state_makes_the_encoder_again(encoder):
    again = DualEncoder.from_state(encoder.state())
    assert again.identity == encoder.identity
    assert again.name == encoder.name
    assert (again.encode(TEXTS) == encoder.encode(TEXTS)).all()


def test_the_white_box_gives_what_encode_gives(encoder):
    inside = encoder.white_box()
    assert len(inside.words) == len(inside.word_matrix)
    for text in [*TEXTS, "T3a1 filler2 t3b2 unheard."]:
        rows = inside.word_matrix[inside.word_ids(text)][None]
        assert np.abs(inside.embed(rows).numpy() - encoder.encode([text])).max() < 1e-5
        assert torch.equal(inside.embed(rows, layer=0), rows.mean(dim=1))
        pooled = inside.embed(rows, layer=inside.layers)
        assert torch.equal(encoder.network.norm(pooled), inside.embed(rows))


def test_a_gradient_reaches_every_soft_word_from_every_layer(encoder):
    inside = encoder.white_box()
    for layer in range(inside.layers + 1):
        soft = inside.word_matrix[torch.tensor([[1, 2, 3], [4, 5, 6]])].requires_grad_()
        inside.embed(soft, layer=layer).square().sum().backward()
        assert soft.grad.abs().sum(dim=2).min() > 0


def test_the_loss_is_equation_2_by_hand():
    """Runs (a, b, c) and (d, e). Each picks the next from itself and the other run: a's neighbour c is barred.

    Products: a.b = 2, b.c = 0, d.e = 3; a.d = 0, a.e = 1; b.d = 0, b.e = 2; d.a = 0, d.b = 0, d.c = 9.
    """
    vectors = torch.tensor([[1.0, 0.0], [2.0, 0.0], [0.0, 3.0], [0.0, 3.0], [1.0, 1.0]])
    terms = [
        -2 + np.log(np.exp(2) + np.exp(0) + np.exp(1)),
        -0 + np.log(np.exp(0) + np.exp(0) + np.exp(2)),
        -3 + np.log(np.exp(3) + np.exp(0) + np.exp(0) + np.exp(9)),
    ]
    found = next_sentence_loss(vectors, [range(3), range(3, 5)])
    assert found.item() == pytest.approx(np.mean(terms), rel=1e-5)


def test_padding_changes_no_vector(architecture):
    network = DualNetwork(Shape(architecture, 16, 2, 4, 256, normed=True), 50).eval()
    texts = [[1, 2, 3], [4], [5, 6, 7, 8, 9, 10]]
    together = network.vectors(texts, places=10**6)
    for row, text in enumerate(texts):
        alone = network(network.words(torch.tensor([text])))
        assert torch.allclose(together[row], alone[0], atol=1e-5)


def test_a_document_is_cut_into_runs_that_lose_no_sentence():
    rng = np.random.default_rng(0)
    for length in range(2, 40):
        runs = _cut(range(100, 100 + length), 8, rng)
        assert [row for run in runs for row in run] == list(range(100, 100 + length))
        assert all(2 <= len(run) <= 9 for run in runs)


def test_the_rate_rises_and_declines():
    line, root = Schedule(1.0, 4, "line"), Schedule(1.0, 4, "root")
    assert [line.rate(step, 8) for step in (1, 4, 5, 8)] == [0.25, 1.0, 1.0, 0.25]
    assert [root.rate(step, 99) for step in (2, 4, 16)] == [0.5, 1.0, 0.5]
    assert Schedule(1.0, 0, "none").rate(1, 8) == 1.0


@pytest.mark.parametrize("start", ["random", "shared sentences"])
def test_the_rarer_a_word_the_longer_its_first_vector(start):
    texts = [[1, 2 + row % 4] for row in range(40)]
    lengths = np.linalg.norm(first_words(texts, 6, 3, start, np.random.default_rng(0)), axis=1)
    assert lengths[1] < lengths[2] == pytest.approx(lengths[5], rel=1e-5)


def test_progress_reaches_the_end():
    seen = []

    def progress(task, total):
        seen.append((task, total))
        return seen.append

    replace(SMALL["lstm"], epochs=2).fit(topical(40, seed=1), rng=np.random.default_rng(0), progress=progress)
    assert seen == [("training dual:lstm", 4), 1, 1, 1, 1]
    assert Drill(2, 100, 8).batches([range(240)]) == 2


def test_sentences_in_documents_of_their_own_are_refused_with_the_remedy():
    with pytest.raises(InputError, match=r"2 sentences in 2 documents and no two in one.*name the column"):
        DualRecipe().fit(Corpus("loose", ["One.", "Two."]), rng=np.random.default_rng(0))


def test_the_published_settings():
    lstm, transformer = DualRecipe.paper("lstm"), DualRecipe.paper("transformer")
    assert (lstm.dimension, lstm.epochs, lstm.learning_rate, lstm.batch) == (1200, 1, 5e-4, 808)
    assert (transformer.dimension, transformer.layers, transformer.epochs, transformer.batch) == (600, 3, 5, 808)


def test_the_published_recipe_trains(architecture):
    paper = replace(DualRecipe.paper(architecture), dimension=32, batch=100, epochs=2)
    encoder = paper.fit(topical(40, seed=1), rng=np.random.default_rng(0))
    assert not encoder.network.shape.normed
    assert np.isfinite(encoder.encode(TEXTS)).all()
