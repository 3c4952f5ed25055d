"""From vectors to a verdict among the encoders of one dimension, with the reasons for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from vestige.attacks.fingerprint.portrait import SIMPLE, UNIT, Portrait, lengths
from vestige.errors import NotFitted
from vestige.nn.interrupts import pass_interrupts
from vestige.types import EncoderGuess, Floats, TrainingLog, Vectors

HIDDEN, MOST_EPOCHS = 200, 200
SHARPNESS = 10.0
"""How fast a candidate is given up past its reach: a tenth of a reach costs one nat."""
_EXPLAINED = 3


class Judge(Protocol):
    """Judges between some encoders whose vectors have equally many columns."""

    @property
    def names(self) -> list[str]:
        """The encoders."""

    def verdict(self, vectors: Vectors) -> EncoderGuess:
        """One verdict for all vectors."""

    def verdicts(self, vectors: Vectors) -> list[str | None]:
        """One verdict per vector."""

    @property
    def log(self) -> TrainingLog | None:
        """How the training ended; None if nothing is trained."""


@dataclass(frozen=True)
class PortraitJudge:
    """By portraits: the likeliest candidate, if it fits at all."""

    portraits: Sequence[Portrait]
    log: TrainingLog | None = None

    @property
    def names(self) -> list[str]:
        """The encoders."""
        return [portrait.name for portrait in self.portraits]

    def verdict(self, vectors: Vectors) -> EncoderGuess:
        """By the median of each trait over the vectors."""
        traits = [np.median(portrait.traits(vectors), axis=0, keepdims=True) for portrait in self.portraits]
        length = lengths(vectors)
        middle = np.log(np.maximum(np.median(length, keepdims=True), 1e-12))
        chances = self._chances(traits, middle, len(vectors))[0]
        order = np.argsort(-chances, kind="stable")
        likeliest = order[0]
        name = self.names[likeliest] if chances[likeliest] > 0.5 else None
        ranked = [(self.portraits[place], traits[place]) for place in order]
        return EncoderGuess(
            name=name,
            candidates=tuple(self.names[place] for place in order),
            probabilities=tuple(float(chances[place]) for place in order),
            reasons=explain_verdict(name, ranked, length),
        )

    def verdicts(self, vectors: Vectors) -> list[str | None]:
        """By the traits of each vector."""
        traits = [portrait.traits(vectors) for portrait in self.portraits]
        chances = self._chances(traits, np.log(np.maximum(lengths(vectors), 1e-12)))
        return [self.names[row.argmax()] if row.max(initial=0) > 0.5 else None for row in chances]

    def _chances(self, traits: Sequence[Floats], log_lengths: Floats, vectors: int = 1) -> Floats:
        """(rows, encoders): the share of the evidence, among the encoders that fit, times the probability to fit.

        A blunt portrait never fits well enough to be named.
        """
        from scipy.special import expit, softmax

        pairs = list(zip(self.portraits, traits, strict=True))
        evidence = np.column_stack([portrait.evidence(each, log_lengths) for portrait, each in pairs])
        largest = np.column_stack([portrait.deviation(each, vectors).max(axis=1) for portrait, each in pairs])
        blunt = np.array([portrait.blunt for portrait in self.portraits])
        worst = np.where(blunt, np.maximum(largest, 1 + 1e-9), largest)
        shares = softmax(np.where(worst <= np.maximum(worst.min(axis=1, keepdims=True), 1), evidence, -np.inf), axis=1)
        return np.asarray(shares * expit(SHARPNESS * (1 - worst)), dtype=np.float64)


@dataclass(frozen=True)
class NetworkJudge:
    """By a network that must name one of the encoders it knows."""

    network: "EncoderClassifier"

    @property
    def names(self) -> list[str]:
        """The encoders."""
        return self.network.names

    @property
    def log(self) -> TrainingLog | None:
        """How the training of the network ended."""
        return self.network.log

    def verdict(self, vectors: Vectors) -> EncoderGuess:
        """By the mean of the probabilities."""
        chances = self.network.chances(vectors).mean(axis=0)
        order = np.argsort(-chances, kind="stable")
        names = tuple(self.names[place] for place in order)
        return EncoderGuess(
            name=names[0],
            candidates=names,
            probabilities=tuple(float(chances[place]) for place in order),
            reasons=(f"Of the encoders with {vectors.shape[1]} columns, the network names {names[0]}.",),
        )

    def verdicts(self, vectors: Vectors) -> list[str | None]:
        """The likeliest for each vector."""
        return [self.names[place] for place in self.network.chances(vectors).argmax(axis=1)]


class EncoderClassifier:
    """One network with 200 hidden units for all encoders of a dimension (Pan et al. 2020, Appendix D).

    It knows no other encoder and names one of them for any vector.
    """

    def __init__(self, made: Mapping[str, Vectors], rng: np.random.Generator) -> None:
        from sklearn.neural_network import MLPClassifier

        self.names = list(made)
        self.model: Any = None
        self.log: TrainingLog | None = None
        if len(self.names) > 1:
            labels = np.repeat(np.arange(len(self.names)), [len(vectors) for vectors in made.values()])
            model = MLPClassifier((HIDDEN,), random_state=int(rng.integers(2**31)), max_iter=MOST_EPOCHS)
            with pass_interrupts():
                self.model = model.fit(np.concatenate(list(made.values())), labels)
            self.log = _describe_training(model)

    def hidden(self, vectors: Vectors) -> Floats:
        """(vectors, 200): the output of the hidden layer."""
        if self.model is None:
            raise NotFitted("EncoderClassifier.hidden needs at least two encoders; a single one trains no network")
        return np.asarray(np.maximum(vectors @ self.model.coefs_[0] + self.model.intercepts_[0], 0), np.float64)

    def chances(self, vectors: Vectors) -> Floats:
        """(vectors, encoders), each row adding up to one."""
        if self.model is None:
            return np.ones((len(vectors), 1))
        return np.asarray(self.model.predict_proba(vectors), dtype=np.float64)


def _describe_training(model: Any) -> TrainingLog:
    """How scikit-learn ended the training."""
    rule = f"until the training loss has not fallen by {model.tol:g} for {model.n_iter_no_change} epochs"
    curve = tuple((epoch, float(loss)) for epoch, loss in enumerate(model.loss_curve_, 1))
    return TrainingLog(f"{rule}, at most {MOST_EPOCHS}", model.n_iter_ < MOST_EPOCHS, int(model.n_iter_), curve)


def explain_verdict(name: str | None, ranked: Sequence[tuple[Portrait, Floats]], lengths: Floats) -> tuple[str, ...]:
    """Sentences on columns and lengths, and on what supports the likeliest and contradicts the next candidates."""
    best, _ = ranked[0]
    names = ", ".join(portrait.name for portrait, _ in ranked)
    reasons = [f"The known encoders with vectors of {best.columns} columns: {names}."]
    reasons.append(_describe_lengths(best if name else None, lengths))
    for portrait, traits in ranked[:_EXPLAINED]:
        deviation = portrait.deviation(traits, len(lengths))[0]
        if portrait.name == name:
            reasons.append(f"The directions are distributed like those of {name}.")
        elif deviation.max() > 1:
            reasons.append(_describe_mismatch(portrait, traits[0], deviation))
        elif portrait.blunt:
            reasons.append(f"{portrait.name} would fit, but so would nearly any vectors of {portrait.columns} columns.")
        elif name:
            reasons.append(f"{portrait.name} would fit too, but less well than {name}.")
    return tuple(reasons)


def _describe_lengths(best: Portrait | None, lengths: Floats) -> str:
    middle = float(np.median(lengths))
    same = float(np.ptp(lengths)) <= UNIT * max(middle, 1e-12)
    found = f"All vectors have length {middle:.3g}" if same else f"Half of the vectors are longer than {middle:.3g}"
    if best is None:
        return f"{found}."
    usual = float(np.exp(best.log_length))
    if abs(np.log(max(middle, 1e-12)) - best.log_length) <= max(3 * best.length_spread, UNIT):
        return f"{found}, as {best.name} gives them."
    if same:
        return f"{found}, where {best.name} gives about {usual:.3g}: they were scaled to one length."
    return f"{found}, where {best.name} gives about {usual:.3g}: they were multiplied by about {middle / usual:.3g}."


def _describe_mismatch(portrait: Portrait, traits: Floats, deviation: Floats) -> str:
    worst = int(deviation.argmax())
    if worst < len(traits) - len(SIMPLE):
        times = np.exp(traits[0] - portrait.centre[0])
        return f"The directions are not {portrait.name}'s: {times:.1f} times as far out (squared distance) as its own."
    return (
        f"The {SIMPLE[worst - len(traits)]} is {traits[worst]:.2f}, for {portrait.name} {portrait.centre[worst]:.2f}."
    )


def reject_columns(columns: int, known: Mapping[int, Sequence[str]]) -> EncoderGuess:
    """The verdict when no candidate gives vectors of so many columns."""
    listed = "; ".join(f"{width}: {', '.join(names)}" for width, names in known.items())
    return EncoderGuess(None, (), (), (f"{columns} columns rule out every candidate (columns: {listed}).",))


def reject_zeros(names: Sequence[str]) -> EncoderGuess:
    """The verdict on vectors that any encoder may give to a text without words."""
    return EncoderGuess(None, tuple(names), (0.0,) * len(names), ("The vectors contain nothing but zeros.",))
