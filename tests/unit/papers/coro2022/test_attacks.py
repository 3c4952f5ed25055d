"""The words that count, and the steps of the inverter."""

from dataclasses import replace

import pytest
from scipy import sparse

from tests.unit.papers.conftest import CORO_SIZES
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.papers.coro2022.attacks import make_task, mean_words
from vestige.papers.coro2022.texts import read_split
from vestige.papers.run import PaperRun
from vestige.papers.victims import load_victim
from vestige.text.corpus import Corpus
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words


@pytest.fixture(scope="module")
def coro_split():
    return read_split(PaperRun(CORO_SIZES))


def test_paragraphs_are_inverted_in_as_many_steps_as_training_paragraphs_have_words(coro_run, monkeypatch):
    seen = []
    infer = MultiSetInverter.infer

    def watched(self, vectors, *, steps=None):
        seen.append((self.recipe, steps))
        return infer(self, vectors, steps=steps)

    monkeypatch.setattr(MultiSetInverter, "infer", watched)
    task = make_task(coro_run, read_split(coro_run), "In-domain")
    target = load_victim(coro_run, "Hashing", "hashing:64", task.training.sentences)
    fitted = task.fit(target, "coro", task.training.sentences)
    steps_of = {}
    for kind in ("paragraphs", "sentences"):
        alike, attacked = getattr(task.training, kind), getattr(task.test, kind)
        task.infer(fitted, target, attacked, alike)
        known = set(fitted.fitted.vocabulary_.words)
        sizes = [len(content_words(text) & known) for text in alike.texts]
        assert seen[-1] == ("coro", round(sum(sizes) / len(sizes)))
        steps_of[kind] = seen[-1][1]
    assert steps_of["paragraphs"] > 3 * steps_of["sentences"]
    task.infer(task.fit(target, "default", task.training.sentences), target, task.test.paragraphs, alike)
    assert seen[-1] == ("default", None)


def test_across_domains_only_words_of_both_vocabularies_count(coro_split):
    run = PaperRun(replace(CORO_SIZES, vocabulary=50))
    inside, across = (make_task(run, coro_split, section) for section in ("In-domain", "Cross-domain"))
    assert len(inside.counted) == 50
    assert across.counted < inside.counted
    truth = across.truth(coro_split.test.sentences)
    assert all(words <= across.counted for words in truth.words)


def test_the_steps_are_the_mean_number_of_known_words():
    known = Vocabulary.build([{"bank", "river", "boat"}], 3)
    # 2, 3 and 0 words of the vocabulary, once each: 5/3 is nearest to 2.
    texts = ["the bank of the river, the bank", "bank, river, boat and zebra", "zebra"]
    assert mean_words(Corpus("made up", texts), known) == 2
    assert mean_words(Corpus("made up", ["zebra"]), known) == 1


def test_with_the_vocabulary_of_its_own_every_word_of_it_counts(coro_split):
    run = PaperRun(replace(CORO_SIZES, vocabulary=50))
    assert len(make_task(run, coro_split, "Cross-domain", own_vocabulary=True).counted) == 50


def test_word_counts_are_a_sparse_table():
    run = PaperRun(CORO_SIZES)
    corpus = Corpus("made up", ["the bank of the river", "a boat"])
    target = load_victim(run, "Hashing", "hashing:64", corpus)
    assert sparse.issparse(target.table(corpus))
    assert target.table(corpus).toarray() == pytest.approx(target.vectors(corpus))
