"""Figure 4: what separates a keyword in public sentences does not separate it in the targets (Pan et al. 2020)."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from vestige.attacks.keywords.inference import KeywordInference, Perceptrons
from vestige.case.randomness import stream
from vestige.metrics.intervals import document_mean
from vestige.metrics.keyword_accuracy import PRIOR as COIN
from vestige.papers.pan2020.attacks import exact_score, mean_accuracy
from vestige.papers.pan2020.notes import describe_external, model_notes
from vestige.papers.pan2020.setup import PanSizes, load_models
from vestige.papers.pan2020.texts import KeywordTexts, read_external, read_public_sentences, read_split
from vestige.papers.published import Sections, list_models
from vestige.papers.record import PAPER, PRIOR, Line
from vestige.papers.rows import plan_rows
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim
from vestige.types import Flags, Floats, KeywordGuesses, Score, Singles

COLUMNS = ("external sentences", "targets", "targets, boundary of their own", "likeness of the boundaries")
KEYWORD = "head"
FOLDS = 5


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """One keyword, a perceptron that learns it from public sentences, and the plane of its hidden layer."""
    sides = read_split(run, "Medical")
    keyword = KEYWORD if KEYWORD in sides.keywords else sides.keywords[0]
    study = sides.study([keyword], run.sizes.each * len(sides.keywords), 0, run.seed)
    texts = KeywordTexts(study, read_external(run, read_public_sentences(run), [keyword], run.sizes.external))
    targets = load_models(run, list_models(printed), texts.encoded)
    rows = plan_rows(printed, targets, texts, partial(_lines, run, texts))
    return Plan(rows, (*model_notes(run, targets), *_boundary_notes(texts)))


def _lines(run: PaperRun[PanSizes], texts: KeywordTexts, target: Victim) -> Iterator[Line]:
    study, external = texts.study, texts.external
    public, victims = target.vectors(external.corpus), target.vectors(study.targets)
    learned = np.isin(np.arange(len(public)), external.first(external.sentences // 2))
    attack = KeywordInference(recipe="mlp", epochs=run.sizes.perceptron_epochs, device=run.device).fit(
        public[learned],
        external.corpus.take(np.flatnonzero(learned).tolist()).texts,
        keywords=study.keywords,
        rng=stream(run.seed, "attack"),
        counted=external.counted[learned],
        progress=run.progress,
    )
    classifier = attack.classifier_
    assert isinstance(classifier, Perceptrons)
    right = (attack.infer(public[~learned]).probabilities > COIN) == external.labels[~learned]
    held = [str(row) for row in range(len(right))]
    seen = document_mean(right[:, 0].astype(np.float64), held, stream(run.seed, "bootstrap"), baseline=COIN)
    outside, inside = classifier.hidden(public), classifier.hidden(victims)
    plane = Plane(outside, inside)
    own = plane.separate(inside, study.truth[:, 0], study.targets.documents)
    scores = (
        seen,
        _score(run, texts, attack.infer(victims)),
        _score(run, texts, KeywordGuesses(study.keywords, own[:, None])),
        exact_score(plane.compare(external.labels[:, 0], study.truth[:, 0]), len(inside)),
    )
    yield Line(PAPER, scores, () if attack.log_ is None else (attack.log_,))
    yield Line(PRIOR, (*(exact_score(COIN, score.n) for score in scores[:3]), None))


def _score(run: PaperRun[PanSizes], texts: KeywordTexts, guesses: KeywordGuesses) -> Score:
    tests = texts.study.tests
    return mean_accuracy(tests, tests.hits(guesses), run.seed)


class Plane:
    """The first two principal components of the hidden layer, of both domains, and linear boundaries in it."""

    def __init__(self, outside: Singles, inside: Singles) -> None:
        from sklearn.decomposition import PCA

        self.axes = PCA(2, svd_solver="full").fit(np.concatenate([outside, inside]))
        self.outside, self.inside = self.axes.transform(outside), self.axes.transform(inside)

    def separate(self, hidden: Singles, labels: Flags, documents: list[str]) -> Floats:
        """The probability of the keyword by a boundary that was learned from other documents, a fifth at a time."""
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import GroupKFold, cross_val_predict

        model = LogisticRegression(class_weight="balanced")
        places = self.axes.transform(hidden)
        found = cross_val_predict(model, places, labels, groups=documents, cv=GroupKFold(FOLDS), method="predict_proba")
        return np.asarray(found[:, 1])

    def compare(self, outside: Flags, inside: Flags) -> float:
        """The cosine between the boundaries of both domains, without its sign: 1 if parallel, 0 at right angles."""
        first, second = (
            _find_normal(places, labels) for places, labels in ((self.outside, outside), (self.inside, inside))
        )
        return abs(float(first @ second))


def _find_normal(places: Floats, labels: Flags) -> Floats:
    """The direction at right angles to the boundary between two classes."""
    from sklearn.linear_model import LogisticRegression

    normal = LogisticRegression(class_weight="balanced").fit(places, labels).coef_[0]
    return np.asarray(normal / np.linalg.norm(normal))


def _boundary_notes(texts: KeywordTexts) -> tuple[str, ...]:
    """How Figure 4 differs from the paper."""
    study = texts.study
    return (
        f"Keyword: {study.keywords[0]} (head); {len(study.targets):,} sentences of '{study.targets.name}' (1,000). The "
        "paper draws XLNet's vectors; a number is in the place of the drawing.",
        describe_external(texts.external),
        "The perceptron learns from half of the external sentences and is tested on the other half and on the targets. "
        "In the plane of the first two principal components of its hidden layer, a linear boundary is fitted to either "
        "domain: the third column is the accuracy of the targets' own, learned from other documents; the last is the "
        "cosine between both boundaries, in percent, 0 at right angles, as the paper observes.",
    )


TABLES = {"figure4": Table("Figure 4: boundaries in public sentences and in the targets", COLUMNS, plan)}
