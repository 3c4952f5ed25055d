"""Combinations of defenses against single ones: what each leaks at which recall@10, to adaptive attackers.

Complaints, MiniLM, the case of `adapter`: defenses are fitted on half of the other documents, attacks are fitted again
on defended vectors. A combination applies one defense to the output of the other. `words-noise:S` is elliptical noise:
it is strongest along the directions from which a ridge regression infers words, relative to their variance, with a mean
length of S per row; queries have none. One line per defense: recall@10, then leakage of words, of the keywords and of
the product. The last lines name the defense that leaks least of each at a recall@10 of at least 0.90 and 0.85.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from bench.adapter import CACHE
from vestige.case.case import Case, Missing
from vestige.case.inputs import read_inputs
from vestige.case.prepare import CasePlan, plan_case
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.defend.candidates import Candidate
from vestige.defend.fitting import DefenseFitter
from vestige.defend.request import SweepRequest
from vestige.defend.run import PreparedSweep, memoize_encoder, prepare_sweep
from vestige.defenses.defense import Defense, DefenseInfo
from vestige.probes.probe import Run
from vestige.text.corpora import load_corpus
from vestige.types import Floats, Score, Singles, Vectors, silent

SPECS = (
    "svd:192",
    "svd:256",
    "svd:128",
    "gaussian:10000",
    "words-noise:0.2",
    "svd:256 words-noise:0.2",
    "pca:192",
)
LEAST = (0.90, 0.85)
WORDS, RIDGE = 1000, 1.0


class Chain(Defense):
    """One defense after another."""

    info: ClassVar[DefenseInfo] = DefenseInfo("chain", "one defense after another")

    def __init__(self, *, parts: tuple[Defense, ...]) -> None:
        self.parts = parts
        self.columns_ = parts[0].columns_

    def transform_queries(self, vectors: Any, *, start: int = 0) -> Vectors:
        """Every part treats queries in its own way."""
        for part in self.parts:
            vectors = part.transform_queries(vectors, start=start)
        return np.asarray(vectors)

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        raise NotImplementedError("the parts are fitted one by one")

    def _transform(self, vectors: Vectors, start: int) -> Vectors:
        for part in self.parts:
            vectors = part.transform(vectors, start=start)
        return vectors


class WordNoise(Defense):
    """Noise along the directions that tell words (SPARSE's idea): its covariance is that of ridge coefficients."""

    info: ClassVar[DefenseInfo] = DefenseInfo("words-noise", "elliptical noise along word directions")

    def __init__(self, *, length: float, texts: list[str]) -> None:
        self.length = length
        self.texts = texts

    def transform_queries(self, vectors: Any, *, start: int = 0) -> Vectors:  # noqa: ARG002
        """Without noise."""
        return np.asarray(vectors)

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        counts = CountVectorizer(max_features=WORDS, binary=True, stop_words="english").fit_transform(self.texts)
        present = np.asarray(counts.todense(), np.float64)
        present = (present - present.mean(axis=0)) / np.maximum(present.std(axis=0), 1e-9)
        centred = (vectors - vectors.mean(axis=0)).astype(np.float64)
        covariance: Floats = centred.T @ centred + RIDGE * np.eye(vectors.shape[1])
        # What a direction tells of words: the variance of the regression's output along it.
        explained = centred.T @ present
        told = np.linalg.solve(covariance, explained @ explained.T)
        values, axes = np.linalg.eigh((told + told.T) / 2)
        root = axes * np.sqrt(np.maximum(values, 0))
        self.root_ = (root * self.length / np.sqrt(np.square(root).sum())).astype(np.float32)
        self.seed_ = int(rng.integers(2**32))

    def _transform(self, vectors: Vectors, start: int) -> Vectors:
        rows = [np.random.default_rng([self.seed_, start + row]) for row in range(len(vectors))]
        drawn = np.stack([each.standard_normal(vectors.shape[1]) for each in rows]).astype(np.float32)
        noisy: Singles = vectors + drawn @ self.root_.T
        return noisy


def run() -> Iterator[str]:
    """Complaints."""
    case, prepared = _prepare()
    stage = prepared.stages.stages[-1]
    yield f"complaints: {len(case.targets)} targets, {len(case.auxiliary['same-domain'].texts)} known rows"
    found: dict[str, dict[str, Score]] = {}
    for spec in (None, *SPECS):
        defense = None if spec is None else fit_combination(spec, prepared.sweep.fitter)
        judged = stage.undefended if defense is None else stage.judge(defense, 1)
        recall = prepared.sweep.utility.score(defense)[0].score
        scores = {"recall@10": recall} | {each.probe: each.most for each in judged.privacy}
        found[spec or "none"] = scores
        yield f"{spec or 'none':28} " + "  ".join(f"{name} {_cell(score)}" for name, score in scores.items())
    for least in LEAST:
        useful = {name: scores for name, scores in found.items() if scores["recall@10"].value >= least}
        for probe in list(found["none"])[1:]:
            best = min(useful, key=lambda name: useful[name][probe].value)
            yield f"recall@10 of at least {least:.2f}, {probe}: least with {best}, {_cell(useful[best][probe])}"


def fit_combination(spec: str, fitter: DefenseFitter) -> Defense:
    """Fit every part on the owner's half as the parts before leave it."""
    parts: list[Defense] = []
    own = fitter.pairs
    for part in spec.split():
        rng = stream(0, f"combination {spec} {part}")
        family, _, strength = part.partition(":")
        if family == "words-noise":
            fitted: Defense | Missing = WordNoise(length=float(strength), texts=own.texts).fit(own.vectors, rng=rng)
        else:
            name, _, hides = part.partition("@")
            fitted = replace(fitter, pairs=own).fit(Candidate(name, hides or None), rng)
        assert not isinstance(fitted, Missing), fitted
        parts.append(fitted)
        own = replace(own, vectors=fitted.transform(own.vectors))
    return parts[0] if len(parts) == 1 else Chain(parts=tuple(parts))


def _prepare() -> tuple[Case, PreparedSweep]:
    settings = Settings(attributes=("product",))
    inputs = read_inputs(None, load_corpus("complaints"), "minilm", None, settings, trained_on=None)
    inputs = inputs.cache_vectors(CACHE / "vectors")
    plan = plan_case(inputs, settings)
    assert isinstance(plan, CasePlan)
    case = memoize_encoder(plan.build(silent), inputs)
    request = SweepRequest((), None, None, 1, False, ("words", "keywords", "attributes"))
    return case, prepare_sweep(case, request, Run(settings, silent, None))


def _cell(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
