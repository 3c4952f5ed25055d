"""What the owner fits a defense on, and why some cannot be fitted."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.case.case import Missing
from vestige.case.inputs import Inputs
from vestige.case.settings import Settings
from vestige.defend.candidates import Candidate
from vestige.defend.fitting import DefenseFitter, collect_all, draw_own_half

SETTINGS = Settings(targets=60, pairs=300, shortest=4)


@pytest.fixture(scope="module")
def case():
    corpus = toy_corpus()
    return case_of(replace(corpus, attributes={"side": ["left", "right"] * 150}), SETTINGS, WordSum())


def fitter(case, **more):
    pairs = case.auxiliary["same-domain"]
    return replace(DefenseFitter(pairs, pairs.texts, ("balox",), ("side",), case.encoder, 0), **more)


def test_the_owner_fits_on_half_of_the_documents(case):
    pairs = case.auxiliary["same-domain"]
    own = draw_own_half(pairs, seed=0)
    assert len(set(own.documents)) == -(-len(set(pairs.documents)) // 2)
    assert not set(own.documents) & set(case.truth.documents)
    assert np.allclose(WordSum().encode(own.texts), own.vectors, atol=1e-6)


def test_labels_to_hide_are_those_named_or_the_keywords_or_the_first_attribute(case):
    assert fitter(case).choose_hidden(Candidate("gaussian:1")) is None
    assert fitter(case).choose_hidden(Candidate("leace")) == "keywords"
    assert fitter(case).choose_hidden(Candidate("leace", "side")) == "side"
    assert fitter(case, keywords=()).choose_hidden(Candidate("leace")) == "side"
    assert fitter(case, keywords=(), attributes=()).choose_hidden(Candidate("leace")) is None


@pytest.mark.parametrize(
    ("candidate", "more", "remedy"),
    [
        (Candidate("leace", "author"), {}, "--attribute"),
        (Candidate("laplace:10"), {"encoder": None}, "--encoder"),
        (Candidate("pca:9999"), {}, ""),
    ],
)
def test_a_defense_that_cannot_be_fitted_says_what_would_help(case, candidate, more, remedy):
    missing = fitter(case, **more).fit(candidate, np.random.default_rng(0))
    assert isinstance(missing, Missing)
    assert missing.reason
    assert remedy in missing.remedy


def test_noise_does_not_depend_on_how_many_vectors_a_defense_is_fitted_on(case):
    """For use there are more vectors, and a maximum over more would be larger; it is estimated on fixed texts."""
    judged = fitter(case)
    for_use = replace(judged, pairs=collect_all(case, Inputs(None, toy_corpus(), WordSum(), None)))
    scales = [each.fit(Candidate("laplace:10"), np.random.default_rng(0)).scale_ for each in (judged, for_use)]
    assert scales[0] == scales[1]


def test_a_defense_for_use_is_fitted_on_all_vectors(case):
    corpus = toy_corpus()
    everything = collect_all(case, Inputs(None, corpus, WordSum(), None))
    assert len(everything.vectors) == len(everything.texts) == 360
    assert len(everything.attributes["side"]) == 360
