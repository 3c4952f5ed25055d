"""Trained against a reader, a dual encoder hides what the reader reads, and vectors still find the next sentence."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from tests.unit.encoders.dual.test_dual import SMALL, mean_reciprocal_rank, topical
from vestige.encoders.dual.against import trained_against
from vestige.encoders.dual.lambdas import as_lambdas
from vestige.encoders.dual.opponents import AttributeReader, WordReader
from vestige.encoders.dual.overlap import AttributeOverlap
from vestige.encoders.learned import Learned
from vestige.encoders.load import learner
from vestige.encoders.saved import load_saved, save_encoder
from vestige.errors import InputError
from vestige.text.corpus import Corpus


def marked(documents, seed):
    """Topical documents by two hands: one begins every sentence with "indeed", the other with "perhaps"."""
    corpus = topical(documents, seed)
    hands = [["indeed", "perhaps"][row % 2] for row in range(documents)]
    texts = [
        " ".join(f"{hand.capitalize()} {sentence.lower()}." for sentence in text.rstrip(".").split(". "))
        for text, hand in zip(corpus.texts, hands, strict=True)
    ]
    return Corpus("marked", texts, attributes={"author": hands})


def readable(encoder, known, unknown):
    """How often a linear classifier, fitted on the vectors, tells the hand in documents it never saw."""
    sides = [corpus.sentences() for corpus in (known, unknown)]
    vectors = [encoder.encode(side.texts) for side in sides]
    reader = LogisticRegression(max_iter=500).fit(vectors[0], sides[0].attributes["author"])
    return reader.score(vectors[1], sides[1].attributes["author"])


@pytest.fixture(scope="module")
def corpora():
    return marked(150, 0), marked(60, 1)


@pytest.fixture(scope="module")
def fitted(corpora):
    def fit(architecture="lstm", **changed):
        return replace(SMALL[architecture], **changed).fit(corpora[0], rng=np.random.default_rng(0))

    return fit


def test_the_loss_of_a_word_reader_is_the_multi_label_one():
    reader = WordReader(2, 4, 1.0, [[1, 3, 3, 0], [0], [2]])
    with torch.no_grad():
        reader.reader.weight.copy_(torch.tensor([[9.0, 9], [1, 0], [0, 1], [1, 1]]))
        reader.reader.bias.zero_()
    vectors = torch.tensor([[1.0, -1.0], [0.5, 2.0]])
    logits = np.array([[1.0, -1, 0], [0.5, 2, 2.5]])
    present = np.array([[1, 0, 1], [0, 1, 0]])
    chances = 1 / (1 + np.exp(-logits))
    wanted = -(present * np.log(chances) + (1 - present) * np.log(1 - chances)).sum(axis=1).mean()
    assert reader.loss(vectors, [0, 2]).item() == pytest.approx(wanted, rel=1e-6)


def test_the_loss_of_an_attribute_reader_is_the_cross_entropy_of_those_that_have_one():
    reader = AttributeReader(1, ["b", None, "a"], 1.0)
    with torch.no_grad():
        reader.reader.weight.copy_(torch.tensor([[1.0], [-1.0]]))
        reader.reader.bias.zero_()
    vectors = torch.tensor([[2.0], [5.0], [1.0]])
    wanted = (np.log(1 + np.exp(4)) + np.log(1 + np.exp(-2))) / 2
    assert reader.loss(vectors, [0, 1, 2]).item() == pytest.approx(wanted, rel=1e-6)
    assert reader.loss(vectors[1:2], [1]).item() == 0


def test_the_reader_learns_and_the_vectors_unlearn():
    reader = AttributeReader(3, ["a", "b"], 0.5)
    vectors = torch.randn(2, 3, generator=torch.Generator().manual_seed(0), requires_grad=True)
    reader.loss(vectors, [0, 1]).backward()
    turned = vectors.grad.clone()
    vectors.grad = None
    torch.nn.functional.cross_entropy(reader.reader(vectors), torch.tensor([0, 1])).backward()
    torch.testing.assert_close(turned, -0.5 * vectors.grad)


def test_what_it_was_trained_against_is_hidden_and_what_it_learned_is_not(fitted, corpora):
    """Who knows the hand has half as many candidates for the next sentence, so that hiding it costs something."""
    plain, hidden = fitted(), fitted(against_attributes=(("author", 10.0),))
    assert readable(plain, *corpora) > 0.95, "without, the hand is told"
    assert readable(hidden, *corpora) < 0.65
    assert mean_reciprocal_rank(hidden, corpora[1]) > 0.65 * mean_reciprocal_rank(plain, corpora[1])


def test_the_published_opponent_hides_too_where_it_learns_fast(fitted, corpora, monkeypatch):
    monkeypatch.setattr("vestige.encoders.dual.training.OPPONENT_RATE", 0.1)
    published = fitted(against_attributes=(("author", 30.0),), opponent="reader")
    assert readable(published, *corpora) < 0.85


def test_the_overlap_is_the_covariance_of_all_pairs_but_those_of_a_sentence_with_itself():
    overlap = AttributeOverlap(["a", "b", "b", None], 2.0)
    vectors = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 2.0], [3.0, 1.0]])
    like = [[2, -1, -1, 0], [-1, 0.5, 0.5, 0], [-1, 0.5, 0.5, 0], [0, 0, 0, 0]]
    torch.testing.assert_close(overlap.likeness([0, 1, 2, 3]), torch.tensor(like))
    centred = vectors.numpy() - vectors.numpy().mean(axis=0)
    wanted = sum(centred[a] @ centred[b] * like[a][b] for a in range(4) for b in range(4) if a != b)
    wanted *= 2.0 / 12 / (centred**2).sum(axis=1).mean()
    assert overlap.loss(vectors, [0, 1, 2, 3]).item() == pytest.approx(wanted, rel=1e-5)


def test_without_a_lambda_nothing_changes(fitted):
    encoders = [fitted(against_words=strength, epochs=1) for strength in (0.0, 0.1)]
    plain = fitted(epochs=1).encode(["t1a1 t2b1"])
    assert [(encoder.encode(["t1a1 t2b1"]) == plain).all() for encoder in encoders] == [True, False]


def test_the_record_says_how_it_was_trained(fitted, tmp_path):
    encoder = fitted(against_words=0.1, against_attributes=(("author", 2.0),), epochs=1)
    save_encoder(encoder, tmp_path / "kept")
    recipe = json.loads((tmp_path / "kept" / "encoder.json").read_text())["settings"]["recipe"]
    assert (recipe["against_words"], recipe["against_attributes"], recipe["epochs"]) == (0.1, [["author", 2.0]], 1)
    again = load_saved(str(tmp_path / "kept"))
    assert again.identity == encoder.identity
    assert (again.encode(["A word."]) == encoder.encode(["A word."])).all()


def test_other_labels_make_another_encoder(corpora):
    swapped = replace(corpora[0], attributes={"author": corpora[0].attributes["author"][::-1]})
    recipe = replace(SMALL["lstm"], against_attributes=(("author", 1.0),))
    assert Learned("a", recipe, corpora[0]).identity != Learned("a", recipe, swapped).identity
    assert Learned("a", SMALL["lstm"], corpora[0]).identity == Learned("a", SMALL["lstm"], swapped).identity


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"against_attributes": (("auther", 1.0),)}, "has no column 'auther'; did you mean 'author'"),
        ({"against_words": -1.0}, "the lambda of words must be a number, at least 0. Got -1 instead"),
        ({"against_attributes": (("author", float("nan")),)}, "the lambda of column 'author' must be a number"),
    ],
)
def test_what_makes_no_sense_is_refused(changed, message, fitted):
    with pytest.raises(InputError, match=message):
        fitted(**changed)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"author": ["one"]}, "holds 1 labels; expected two labels or more"),
        ({"author": [["one"]]}, "holds lists or records"),
        ({}, "has texts and no column 'author'; give a .csv"),
    ],
)
def test_a_column_without_two_labels_cannot_be_hidden(columns, message, corpora):
    other = replace(corpora[0], attributes={name: values * len(corpora[0]) for name, values in columns.items()})
    with pytest.raises(InputError, match=message):
        replace(SMALL["lstm"], against_attributes=(("author", 1.0),)).fit(other, rng=np.random.default_rng(0))


def test_only_dual_encoders_are_trained_against_readers(corpora):
    with pytest.raises(InputError, match="encoder 'tfidf' cannot be trained against a reader"):
        trained_against(learner("tfidf", corpora[0]), words=1.0)
    assert trained_against(learner("dual:lstm", corpora[0]), words=1.0).recipe.against_words == 1.0


def test_each_column_has_its_lambda():
    assert as_lambdas(["a=b=0.5", "author=30"]) == {"a=b": 0.5, "author": 30.0}
    assert as_lambdas([]) == {}


@pytest.mark.parametrize(
    ("written", "message"),
    [
        *(([one], f"'{one}' names no column with a number") for one in ("author", "author=", "=1", "author=much")),
        (["author=-1"], "lambda of column 'author' must be a number, at least 0. Got -1 instead"),
        (["author=inf"], "Got inf instead"),
        (["author=1", "topic=2", "author=3"], "column 'author' has two lambdas, 1 and 3"),
    ],
)
def test_a_lambda_that_is_not_one_is_named(written, message):
    with pytest.raises(InputError, match=message):
        as_lambdas(written)
