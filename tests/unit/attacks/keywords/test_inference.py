import numpy as np
import pytest
from threadpoolctl import threadpool_info

from tests.conftest import WordSum
from tests.unit.attacks.keywords.conftest import KEYWORDS
from vestige.attacks.keywords.examples import Substitution
from vestige.attacks.keywords.inference import KeywordInference
from vestige.attacks.keywords.kernel import choose_heads
from vestige.attacks.keywords.linear_heads import balanced_weights, fit_heads
from vestige.encoders.metered import Metered
from vestige.errors import InputError, NotFitted
from vestige.text.substitution import build_external_examples

RECIPES = ("default", "svm", "mlp")


def fitted(world, recipe="default", *, vectors=None, seed=0, encoder=None, keywords=KEYWORDS, **settings):
    return KeywordInference(recipe=recipe, **settings).fit(
        world.vectors if vectors is None else vectors,
        world.texts,
        keywords=keywords,
        rng=np.random.default_rng(seed),
        encoder=encoder,
    )


@pytest.mark.parametrize("recipe", RECIPES)
def test_keywords_are_inferred_with_an_encoder_to_query(recipe, world):
    guesses = fitted(world, recipe, encoder=WordSum()).infer(world.targets)
    assert guesses.keywords == KEYWORDS
    assert guesses.probabilities.shape == (len(world.targets), 3)
    assert world.accuracy(guesses) > 0.93


class Deaf(WordSum):
    """Answers with vectors of texts that it was not queried for."""

    def __init__(self, vectors):
        self.vectors = vectors

    def encode(self, texts, **_given):
        return self.vectors[np.random.default_rng(1).integers(len(self.vectors), size=len(texts))]


@pytest.mark.parametrize("recipe", RECIPES)
def test_shuffled_pairs_and_answers_teach_nothing(recipe, world):
    shuffled = np.random.default_rng(5).permutation(world.vectors)
    guesses = fitted(world, recipe, vectors=shuffled, encoder=Deaf(world.vectors), epochs=20).infer(world.targets)
    assert 0.4 < world.accuracy(guesses) < 0.6


@pytest.mark.parametrize("recipe", RECIPES)
def test_without_an_encoder_the_pairs_alone_teach(recipe, world):
    found = fitted(world, recipe, keywords=KEYWORDS[:2]).infer(world.targets).probabilities > 0.5
    for guessed, held in zip(found.T, world.tests.truth[:, :2].T, strict=True):
        assert guessed[held].mean() > 0.6
        assert guessed[~held].mean() < 0.3


def test_a_keyword_that_no_text_holds_needs_an_encoder(world):
    with pytest.raises(InputError, match=r"none of the 4.. texts contains the keyword 'dulox gigix'.*give an encoder"):
        fitted(world)


def test_a_keyword_that_every_text_holds_cannot_be_learned(world):
    texts = [f"always {text}" for text in world.texts]
    with pytest.raises(InputError, match=r"every one of the .* texts contains the keyword 'always'"):
        KeywordInference().fit(world.vectors, texts, keywords=["always"], rng=np.random.default_rng(0))


def test_substituted_texts_are_queried_once_for_all_keywords(world):
    encoder = Metered(WordSum())
    fitted(world, encoder=encoder, substituted=500)
    assert encoder.spent == 500
    fitted(world, "svm", encoder=encoder)
    assert encoder.spent == 500 + 3 * len(world.texts)


def test_heads_are_where_scikit_learn_has_them(world):
    """The same weighted logistic regression, C = 1 / (2 · penalty), on the same scale."""
    from sklearn.linear_model import LogisticRegression

    from vestige.attacks.keywords.linear_heads import PENALTY

    examples = Substitution(world.texts, KEYWORDS, WordSum()).build_shared(world.vectors, 600, np.random.default_rng(0))
    heads = fit_heads(examples)
    scaled = (examples.vectors - heads.mean) / heads.scale
    balance = balanced_weights(examples)
    assert balance.sum(axis=0) == pytest.approx(1, abs=1e-5)
    for column in range(3):
        peer = LogisticRegression(C=1 / (2 * PENALTY), tol=1e-8, max_iter=2000)
        peer.fit(scaled, examples.labels[:, column], sample_weight=balance[:, column])
        expected = peer.predict_proba(scaled)[:, 1]
        assert heads.probabilities(examples.vectors)[:, column] == pytest.approx(expected, abs=0.01)


def test_probabilities_are_as_often_right_as_they_say(world):
    found = fitted(world, encoder=WordSum()).infer(world.targets)
    for keyword, rows in world.tests.tests.items():
        column = KEYWORDS.index(keyword)
        said, held = found.probabilities[rows, column], world.tests.truth[rows, column]
        assert abs(said.mean() - held.mean()) < 0.12


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_guess_depends_on_its_own_vector_and_the_seed_alone(recipe, world):
    attack = fitted(world, recipe, encoder=WordSum(), substituted=300, epochs=3)
    together = attack.infer(world.targets[:12]).probabilities
    assert np.allclose(attack.infer(world.targets[:12][::-1]).probabilities, together[::-1], atol=1e-6)
    assert np.allclose(attack.infer(world.targets[7:8].tolist()).probabilities, together[7:8], atol=1e-6)
    again = fitted(world, recipe, encoder=WordSum(), substituted=300, epochs=3)
    assert (again.infer(world.targets[:12]).probabilities == together).all()
    assert attack.infer(world.targets[:0]).probabilities.shape == (0, 3)


def test_what_cannot_be_is_refused(world):
    with pytest.raises(NotFitted, match="before fit"):
        KeywordInference().infer(world.targets)
    with pytest.raises(InputError, match="'recipe' parameter"):
        fitted(world, "tree")
    with pytest.raises(InputError, match="'substituted' parameter"):
        fitted(world, substituted=0)
    with pytest.raises(InputError, match="'Bagix' and 'bagix' are the same words"):
        fitted(world, keywords=["Bagix", "bagix"])
    with pytest.raises(InputError, match="not a list of keywords"):
        fitted(world, keywords="bagix")
    with pytest.raises(InputError, match="63 columns, and fit was given 64"):
        fitted(world, keywords=["bagix"]).infer(world.targets[:, 1:])


def test_every_text_needs_its_document(world):
    with pytest.raises(InputError, match="450 texts but 2 documents"):
        KeywordInference().fit(
            world.vectors, world.texts, keywords=["bagix"], rng=np.random.default_rng(0), documents=["a", "b"]
        )


def test_ranked_keywords_come_likeliest_first(world):
    found = fitted(world, encoder=WordSum()).infer(world.targets[:5])
    for row, ranked in zip(found.probabilities, found.ranked(2), strict=True):
        assert [chance for _, chance in ranked] == sorted(row, reverse=True)[:2]
        assert ranked[0][0] == KEYWORDS[row.argmax()]


def test_perceptrons_are_trained_until_they_converge(world):
    log = fitted(world, "mlp", encoder=WordSum(), keywords=KEYWORDS[:1]).log_
    assert log.converged
    assert log.curve[-1][1] <= 0.01 < log.curve[-2][1]
    assert log.rule == "until the training loss is at most 0.01 or has not fallen for 50 epochs, at most 5000"
    cut = fitted(world, "mlp", encoder=WordSum(), keywords=KEYWORDS[:1], epochs=2).log_
    assert not cut.converged
    assert cut.steps == 2


def test_support_vector_machines_say_that_they_converged(world):
    assert fitted(world, "svm", encoder=WordSum()).log_.converged
    assert fitted(world, encoder=WordSum()).log_ is None


def test_ten_shadow_texts_are_enough_with_an_encoder(world):
    few = KeywordInference(recipe="svm").fit(
        world.vectors[:10], world.texts[:10], keywords=KEYWORDS, rng=np.random.default_rng(0), encoder=WordSum()
    )
    assert world.accuracy(few.infer(world.targets)) > 0.55
    with pytest.raises(InputError, match="10 pairs are too few"):
        KeywordInference().fit(
            world.vectors[:10], world.texts[:10], keywords=KEYWORDS[:1], rng=np.random.default_rng(0)
        )


def test_a_text_counts_only_for_its_own_keyword(world):
    """Texts with another keyword are no negative examples where `counted` says so."""
    made = build_external_examples(world.texts, KEYWORDS, size=60, rng=np.random.default_rng(0))
    attack = KeywordInference(recipe="svm")
    fit = {"keywords": KEYWORDS, "rng": np.random.default_rng(0), "counted": made.counted}
    first = attack.fit(WordSum().encode(made.texts), made.texts, **fit).infer(world.targets).probabilities[:, 0]
    # The same from the block without a keyword and the block of the first alone.
    own = [*range(made.blocks[0] + made.blocks[1])]
    alone = KeywordInference(recipe="svm").fit(
        WordSum().encode([made.texts[row] for row in own]),
        [made.texts[row] for row in own],
        keywords=KEYWORDS[:1],
        rng=np.random.default_rng(0),
    )
    assert alone.infer(world.targets).probabilities[:, 0] == pytest.approx(first, abs=1e-6)


def test_the_device_is_checked(world):
    with pytest.raises(InputError, match="'device' parameter must be"):
        fitted(world, "mlp", encoder=WordSum(), device="tpu")


def test_the_hidden_layer_leads_to_the_probabilities(world):
    classifier = fitted(world, "mlp", encoder=WordSum(), epochs=2).classifier_
    output = classifier._networks.keyword
    logits = classifier.hidden(world.targets, 1) @ output.weight[1].detach().numpy() + output.bias[1].detach().numpy()
    expected = 1 / (1 + np.exp(logits[:, 0] - logits[:, 1]))
    assert classifier.probabilities(world.targets)[:, 1] == pytest.approx(expected, abs=1e-5)


def test_small_products_are_not_shared_by_threads_that_would_spin(world, monkeypatch):
    threads = set()

    def watch(*given):
        threads.update(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")
        return choose_heads(*given)

    monkeypatch.setattr("vestige.attacks.keywords.inference.choose_heads", watch)
    fitted(world, encoder=WordSum())
    assert threads == {1}
