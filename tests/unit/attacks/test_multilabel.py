import numpy as np
import pytest
import torch
from scipy import sparse
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from vestige.attacks.linear_words import ScorerTraining, fit_discriminant, refine_scorer
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.priors import FixedWords
from vestige.errors import InputError
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words


@pytest.fixture(scope="module")
def split(toy_pairs):
    vectors, texts = toy_pairs
    return vectors[:-200], texts[:-200], vectors[-200:], [content_words(text) for text in texts[-200:]]


def f1_of(guesses, truth):
    return word_recovery(guesses.sets, truth).f1.mean()


def fit(vectors, texts, **settings):
    return MultiLabelInverter(**settings).fit(vectors, texts, rng=np.random.default_rng(0))


def test_it_reads_words_that_guessing_does_not(split):
    vectors, texts, targets, truth = split
    prior = f1_of(FixedWords().fit(texts).infer(targets), truth)
    assert f1_of(fit(vectors, texts).infer(targets), truth) > prior + 0.3


def test_fitted_on_shuffled_pairs_it_reads_no_more_than_guessing(split):
    vectors, texts, targets, truth = split
    prior = f1_of(FixedWords().fit(texts).infer(targets), truth)
    shuffled = np.random.default_rng(1).permutation(vectors)
    assert f1_of(fit(shuffled, texts).infer(targets), truth) == pytest.approx(prior, abs=0.02)


def test_it_is_at_least_as_good_as_the_paper_recipe(split):
    vectors, texts, targets, truth = split
    ours, theirs = (f1_of(fit(vectors, texts, recipe=recipe).infer(targets), truth) for recipe in ("default", "paper"))
    assert ours >= theirs


def test_the_closed_form_alone_reads_words_too(split):
    vectors, texts, targets, truth = split
    prior = f1_of(FixedWords().fit(texts).infer(targets), truth)
    assert f1_of(fit(vectors, texts, epochs=0).infer(targets), truth) > prior + 0.2


def test_its_probabilities_are_calibrated(split):
    vectors, texts, targets, truth = split
    rng = np.random.default_rng(3)
    blurred, seen = (part + rng.normal(scale=0.1, size=part.shape).astype(np.float32) for part in (vectors, targets))
    ranked = fit(blurred, texts).infer(seen).ranked
    pairs = np.array([(p, word in words) for row, words in zip(ranked, truth, strict=True) for word, p in row])
    bins = [pairs[(pairs[:, 0] >= low) & (pairs[:, 0] < low + 0.2)] for low in (0.0, 0.2, 0.4, 0.6, 0.8)]
    full = [inside for inside in bins if len(inside) > 100]
    assert len(full) >= 3
    for inside in full:
        assert inside[:, 1].mean() == pytest.approx(inside[:, 0].mean(), abs=0.1)


def test_near_copies_of_one_document_do_not_fool_the_held_out_tenth():
    """Vectors that are a hash of the text tell nothing of other documents; copies in the tenth would say they do."""
    rng = np.random.default_rng(0)
    lexicon = [f"word{row}" for row in range(60)]
    chances = 1 / np.arange(1, 61) / (1 / np.arange(1, 61)).sum()
    originals = [" ".join(rng.choice(lexicon, 8, p=chances)) for _ in range(200)]
    hashes = rng.normal(size=(200, 32)).astype(np.float32)
    known = np.repeat(np.arange(100), 8)
    texts = [originals[row] for row in known]
    truth = [content_words(text) for text in originals[100:]]

    def reads(documents):
        attack = MultiLabelInverter().fit(hashes[known], texts, documents=documents, rng=np.random.default_rng(1))
        return f1_of(attack.infer(hashes[100:]), truth)

    prior = f1_of(FixedWords().fit(texts).infer(hashes[100:]), truth)
    assert reads([str(row) for row in known]) > prior - 0.03
    assert reads(None) < prior - 0.05


def test_the_paper_recipe_claims_words_above_one_half(split):
    vectors, texts, targets, _ = split
    guesses = fit(vectors, texts, recipe="paper").infer(targets)
    for claimed, ranked in zip(guesses.sets, guesses.ranked, strict=True):
        assert claimed == {word for word, chance in ranked if chance > 0.5}


@pytest.mark.parametrize(("settings", "epochs"), [({}, 30), ({"epochs": 1}, 1)])
def test_the_paper_recipe_is_trained_for_as_many_epochs_as_asked(split, settings, epochs):
    done = []
    attack = MultiLabelInverter(recipe="paper", vocabulary_size=5, **settings)
    attack.fit(split[0][:40], split[1][:40], rng=np.random.default_rng(0), progress=lambda *_: done.append)
    assert len(done) == epochs


def test_the_vocabulary_is_as_large_as_asked(split):
    assert len(fit(*split[:2], vocabulary_size=7).vocabulary_) == 7


def test_the_discriminant_ranks_as_scikit_learns_does():
    rng = np.random.default_rng(0)
    classes = np.repeat([0, 1], [700, 300])
    vectors = (rng.normal(size=(1000, 6)) + classes[:, None] * [0.4, 0, 0, 0.2, 0, 0]).astype(np.float32)
    labels = sparse.csr_array(classes[:, None].astype(np.float32))
    ours = fit_discriminant(vectors, labels).logits(vectors)[:, 0]
    theirs = (
        LinearDiscriminantAnalysis(solver="eigen", shrinkage="auto").fit(vectors, classes).decision_function(vectors)
    )
    assert np.corrcoef(ours, theirs)[0, 1] > 0.999
    assert np.polyfit(theirs, ours, 1) == pytest.approx([1, 0], abs=0.1)


def test_refining_lowers_the_loss():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(2000, 8)).astype(np.float32)
    chances = 1 / (1 + np.exp(-vectors @ rng.normal(size=(8, 5)) * 2 + 1))
    labels = sparse.csr_array((rng.random((2000, 5)) < chances).astype(np.float32))

    def loss(scorer):
        signs = 2 * labels.toarray() - 1
        return np.logaddexp(0, -signs * scorer.logits(vectors)).mean()

    start = fit_discriminant(vectors, labels)
    assert loss(refine_scorer(start, vectors, labels, rng=rng)) < loss(start)


def test_the_gradient_written_out_is_that_of_the_loss(monkeypatch):
    """One step of plain descent over all rows, against autograd on the binary cross-entropy of Equation 8."""
    monkeypatch.setattr(torch.optim, "Adam", lambda given, lr, fused: torch.optim.SGD(given, lr=lr))  # noqa: ARG005
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(50, 4)).astype(np.float32)
    labels = sparse.csr_array((rng.random((50, 3)) < 0.3).astype(np.float32))
    start = fit_discriminant(vectors, labels)
    after = refine_scorer(start, vectors, labels, rng=rng, training=ScorerTraining(epochs=1, rate=0.5, batch=50))
    weights, bias = (torch.tensor(part, requires_grad=True) for part in (start.weights, start.bias))
    logits = torch.from_numpy(start.whitened(vectors)) @ weights + bias
    torch.nn.functional.binary_cross_entropy_with_logits(
        logits, torch.from_numpy(labels.toarray()), reduction="sum"
    ).div(50).backward()
    assert (start.weights - after.weights) / 0.5 == pytest.approx(weights.grad.numpy(), abs=1e-5)
    assert (start.bias - after.bias) / 0.5 == pytest.approx(bias.grad.numpy(), abs=1e-5)


def test_no_evidence_leaves_the_log_odds():
    rng = np.random.default_rng(0)
    labels = sparse.csr_array((rng.random((100, 3)) < 0.3).astype(np.float32))
    scorer = fit_discriminant(rng.normal(size=(100, 4)).astype(np.float32), labels)
    counts = labels.toarray().sum(axis=0)
    expected = np.log((counts + 0.5) / (100 - counts + 0.5))
    assert np.allclose(scorer.logits(np.ones((2, 4), np.float32), strength=0.0), expected)


def test_vectors_that_do_not_vary_are_no_trouble():
    texts = [f"word{row % 5} common" for row in range(60)]
    guesses = fit(np.ones((60, 4), np.float32), texts).infer(np.ones((2, 4), np.float32))
    assert "common" in guesses.sets[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"epochs": -1}, "'epochs' parameter must be at least 0"),
        ({"recipe": "paper", "epochs": 0}, "'epochs' parameter must be at least 1"),
        ({"recipe": "papier"}, "'recipe' parameter must be"),
    ],
)
def test_what_cannot_be_fitted_is_said(settings, message):
    with pytest.raises(InputError, match=message):
        fit(np.zeros((30, 2), np.float32), ["a bank"] * 30, **settings)


def test_texts_of_stop_words_have_nothing_to_read():
    with pytest.raises(InputError, match="none of 30 texts has a content word"):
        fit(np.zeros((30, 2), np.float32), ["and this is it"] * 30)


def test_rarity_moves_the_decision(toy_pairs):
    vectors, texts = toy_pairs
    blurred = vectors + np.random.default_rng(3).normal(scale=0.1, size=vectors.shape).astype(np.float32)
    decided = [
        MultiLabelInverter(rare_words=rare_words).fit(blurred, texts, rng=np.random.default_rng(0)).decision_
        for rare_words in (0.0, 8.0)
    ]
    assert (decided[0].strength, decided[0].threshold) != (decided[1].strength, decided[1].threshold)
    with pytest.raises(InputError, match="The 'rare_words' parameter must be at least 0"):
        MultiLabelInverter(rare_words=-1).fit(vectors, texts, rng=np.random.default_rng(0))


def test_all_words_are_stop_words_too(split):
    texts = [f"the {text}" for text in split[1][:200]]
    vectors = split[0][:200]
    every, content = (fit(vectors, texts, words=counted) for counted in ("all", "content"))
    assert set(every.vocabulary_.words) == set(content.vocabulary_.words) | {"the"}
    assert all("the" in found for found in every.infer(vectors).sets)
    with pytest.raises(InputError, match="'words' parameter must be 'content' or 'all'"):
        fit(vectors, texts, words="some")


def test_the_published_training_has_a_log_and_the_default_none(split):
    assert fit(*split[:2], recipe="paper", epochs=2).log_.steps == 2
    assert fit(*split[:2]).log_ is None


@pytest.mark.parametrize("recipe", ["default", "paper"])
def test_of_a_sparse_table_it_takes_the_columns_in_use(split, recipe):
    """Ten columns of zeros change nothing; a table of another width is refused."""
    vectors, texts, targets = split[0][:200], split[1][:200], split[2][:20]
    wide = [sparse.csr_array(np.hstack([np.zeros((len(rows), 10), "f4"), rows])) for rows in (vectors, targets)]
    dense, thin = fit(vectors, texts, recipe=recipe), fit(wide[0], texts, recipe=recipe)
    assert thin.infer(wide[1]).sets == dense.infer(targets).sets
    assert thin.infer(wide[1].toarray()).sets == dense.infer(targets).sets
    with pytest.raises(InputError, match="fit was given 74 columns"):
        thin.infer(targets)


def test_the_device_is_checked(split):
    with pytest.raises(InputError, match="'device' parameter must be"):
        fit(split[0][:60], split[1][:60], device="tpu")
