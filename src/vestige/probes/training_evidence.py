"""The charts of the probe `membership-training`: by method, at low false-positive rates, by length of a document."""

from collections.abc import Iterator
from dataclasses import replace

from vestige.case.findings import Bar, Chart
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.metrics.membership.summary import Membership
from vestige.probes.membership_evidence import describe_bound, describe_realised
from vestige.probes.training_methods import Method
from vestige.probes.training_scores import ScoredRows, TrainingScores
from vestige.types import Score

METHOD_NAMES: dict[Method, str] = {
    "learned": "learned similarity",
    "fixed": "fixed similarity",
    "words": "proximity of words",
}
BY_WORDS = (
    "The vectors of this encoder are means of word vectors, so consecutive words are compared as well; the scores "
    "above are those of the method that better separates the documents whose membership the attacker knows. "
)
BANDS = ((2, 4), (5, 9), (10, 14), (15, 20))


def by_method(attack: dict[Method, TrainingScores], prior: dict[Method, TrainingScores], seed: int) -> Chart:
    """The advantage on documents and pairs, of each method."""
    bars = []
    for unit in ("documents", "pairs"):
        for method in attack:
            rows, prior_rows = (getattr(each[method], unit) for each in (attack, prior))
            bars.append(Bar(f"{unit}, {METHOD_NAMES[method]}", _advantage(rows, prior_rows, seed)))
    return Chart(
        "What the attacker needs to know",
        "The advantage of an attacker who knows for some documents whether the encoder was trained on them, and has "
        "learned from these how to compare two sentences; and of one who knows it for none, and uses a fixed "
        f"similarity. {BY_WORDS if 'words' in attack else ''}The mark is the same method on vectors of an encoder that "
        "was trained on neither side.",
        tuple(bars),
    )


def at_low_rates(summary: Membership, *, alike: bool) -> Chart:
    """True positive rates at low false positive rates, and the bound on epsilon.

    Only if both sides are `alike` as texts must whatever separates them come from the training.
    """
    bound = summary.epsilon
    if not alike:
        bound = replace(bound, at_least=None, reason="the two sides differ as texts, regardless of the training")
    bars = [Bar(f"at {point.asked:.1%}", point.tpr) for point in summary.at if point.tpr is not None]
    return Chart(
        "How many documents are found with few false positives",
        "The share of the training documents that are found at a threshold with so few false positives; the mark is "
        f"the share of false positives. {' '.join(map(describe_realised, summary.at))} "
        f"{describe_bound(bound, 'the training')}",
        tuple(bars),
    )


def by_length(attack: TrainingScores, prior: TrainingScores, seed: int) -> Iterator[Chart]:
    """The advantage by the length of documents; no chart unless two bands have enough documents of both sides."""
    bars = []
    for low, high in BANDS:
        chosen = (attack.lengths >= low) & (attack.lengths <= high)
        rows, prior_rows = attack.documents.take(chosen), prior.documents.take(chosen)
        if min(rows.members.sum(), (~rows.members).sum()) >= FEWEST_DOCUMENTS:
            bars.append(Bar(f"{low} to {high} sentences", _advantage(rows, prior_rows, seed)))
    if len(bars) > 1:
        yield Chart(
            "By the length of a document",
            "The advantage on documents of so many sentences; every two consecutive sentences are evidence, and "
            f"documents are cut at {BANDS[-1][1]}. The mark is an encoder that was trained on neither side.",
            tuple(bars),
        )


def _advantage(rows: ScoredRows, prior_rows: ScoredRows, seed: int) -> Score:
    score, prior = (each.summarize(seed).advantage for each in (rows, prior_rows))
    return replace(score, baseline=prior.value)
