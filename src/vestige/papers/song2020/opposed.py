"""Encoders trained against an adversary, lambda by lambda: what Figures 6 and 7 have in common (S12)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vestige.encoders.dual.choices import Opposition
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.learned import Learned
from vestige.errors import InputError
from vestige.papers.curves import Measured, curves_of
from vestige.papers.published import published
from vestige.papers.record import PRIOR, Line, Plot
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.song2020.differs import trained
from vestige.papers.song2020.texts import MODELS, Sizes
from vestige.papers.song2020.uses import Uses
from vestige.papers.victims import Victim, victims
from vestige.text.corpus import Corpus

TRAINED = ("LSTM", "Transformer")
NOBODY = "No opponent"
SECTIONS: dict[Opposition, str] = {"reader": "The paper's opponent, a reader", "overlap": "Our opponent, the overlap"}
MANY = 5000
"""From so many documents on, every encoder is trained with every lambda; below, the first with every other."""


@dataclass(frozen=True)
class Trial:
    """One training: against which opponent, and with which lambda."""

    opponent: Opposition
    strength: float

    def place(self, figure: str, model: str) -> Place:
        """Where its row stands; the paper is known to have printed something only without an opponent."""
        known = published("song2020", figure)[NOBODY][model]
        if not self.strength:
            return Place(figure, NOBODY, model, known)
        return Place(figure, SECTIONS[self.opponent], f"{model}, lambda {self.strength:g}", (None,) * len(known))


def trials(sizes: Sizes, lambdas: Mapping[Opposition, Sequence[float]]) -> list[Trial]:
    """Nobody, then each opponent with each lambda."""
    step = 1 if _is_large(sizes) else 2
    return [Trial("reader", 0.0), *(Trial(kind, value) for kind in lambdas for value in lambdas[kind][::step])]


def _is_large(sizes: Sizes) -> bool:
    return sizes.documents >= MANY


def learners(run: Run[Sizes], study: Corpus, texts: Sequence[Corpus]) -> list[Victim]:
    """The dual encoders, each to learn from `study`; at a small scale the first, and whichever was named."""
    models = [model for model in TRAINED if _is_large(run.sizes) or model == TRAINED[0] or model in run.encoders]
    found = victims(run, {model: MODELS[model] for model in models}, texts, study)
    return [_learner(target) for target in found if isinstance(target, Victim)]


def _learner(target: Victim) -> Victim:
    if not (isinstance(target.encoder, Learned) and isinstance(target.encoder.recipe, DualRecipe)):
        raise InputError(
            f"'{target.here}' is not trained here, so that it cannot be trained against anyone; name a dual encoder "
            "that is yet to learn, dual:lstm or dual:transformer"
        )
    return target


def rows_of(
    run: Run[Sizes],
    figure: str,
    trial: Trial,
    targets: Sequence[Victim],
    against: Callable[[Learned], Learned],
    texts: object,
    lines: Callable[[Victim], Iterable[Line]],
) -> Iterator[Measured]:
    """One trial of each encoder."""
    for target in targets:
        assert isinstance(target.encoder, Learned)
        opposed = Victim(target.model, against(target.encoder), target.here, target.progress)
        row = row_of(run, trial.place(figure, target.model), opposed, texts, lines)
        yield Measured(trial.strength, f"{target.model}: {row.section}", row)


def plots(measured: Sequence[Measured], columns: Sequence[str]) -> Iterator[Plot]:
    """One for each column, a curve for each encoder, opponent and attack, all from lambda 0 on."""
    for column, head in enumerate(columns):
        curves = curves_of(_from_nobody(measured), column)
        told = tuple(curve for curve in curves if not curve.label.endswith(PRIOR))
        if told:
            yield Plot(head, "lambda", "F1 or accuracy", told)


def _from_nobody(measured: Sequence[Measured]) -> Iterator[Measured]:
    """The rows of each encoder and opponent, behind what the encoder has without one."""
    for heading in dict.fromkeys(one.heading for one in measured if one.at):
        model = heading.partition(":")[0]
        yield from (replace(one, heading=heading) for one in measured if one.heading == f"{model}: {NOBODY}")
        yield from (one for one in measured if one.heading == heading)


def opposed_differ(run: Run[Sizes], study: Corpus, uses: Uses, targets: Sequence[Victim]) -> tuple[str, ...]:
    """What both figures do otherwise than the paper."""
    from vestige.encoders.dual.training import OPPONENT_RATE

    told = ", ".join(f"{len(task.labels):,} of {name.upper()}" for name, task in uses.tasks.items()) or "none is here"
    return (
        *(trained(target, study) for target in targets if target.model not in run.encoders),
        *_small(run, targets),
        "The figure prints no values, and its lambdas are not in the text. Published here is what Tables 1 and 2 print "
        "of the same encoders without an opponent. The text says that inversion goes down by 30% and the inference of "
        "attributes by 80%, at a minor cost.",
        "The paper's opponent is a linear reader behind a reversed gradient, with Adam at a rate of "
        f"{OPPONENT_RATE:g}; the paper states neither. The loss of words is summed over the vocabulary, as Equation 8 "
        "has it. Our opponent of authors has nothing to learn: the encoder goes down what vectors and authors have in "
        "common over the pairs of a batch. The lambdas of the two are not on one scale.",
        "Every attack is fitted anew on vectors of the encoder it attacks.",
        f"Tasks: {told}; rows at random where there are more. Logistic regression on standardised columns, its penalty "
        "one of three; MPQA and SUBJ in five folds, TREC and MSRP as they come parted.",
    )


def _small(run: Run[Sizes], targets: Sequence[Victim]) -> Iterator[str]:
    """What a small scale leaves out."""
    if not _is_large(run.sizes):
        there = [target.model for target in targets]
        yield f"This is a small run: every other lambda, one seed, and of the encoders {' and '.join(there)}."
        for model in TRAINED:
            if model not in there:
                yield f"The {model} is trained as well with --encoder {model}={MODELS[model]}, or with --scale full."
