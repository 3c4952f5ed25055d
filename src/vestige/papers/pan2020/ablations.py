"""The curves of Figure 6: accuracy against one size at a time (P11)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.papers.curves import Measured, curves_of
from vestige.papers.pan2020.adversary import BLACK, COLUMNS, MEAN, Adversary
from vestige.papers.pan2020.differs import ABLATED
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.studies import Texts
from vestige.papers.record import Line, Plot
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim
from vestige.types import Score


@dataclass(frozen=True)
class Ablation:
    """One curve of Figure 6: what is varied, through which values, and the figures at one of them."""

    name: str
    across: str
    values: tuple[int, ...]
    scores: Callable[[Adversary, int], tuple[Score | None, ...]]


def ablation_rows(
    run: Run[Sizes], ablated: Sequence[Ablation], targets: Sequence[Victim | Absent], texts: Texts
) -> Iterator[Measured]:
    """The curves (c), (d), (g) and (h), for GPT-2 as in the paper where it is here, else for the first that is."""
    here = [target for target in targets if isinstance(target, Victim)]
    if not here:
        return
    target = next((target for target in here if target.model == ABLATED), here[0])
    for ablation in ablated:
        for value in ablation.values:
            section = f"{texts.study.section}, {ablation.name}"
            place = Place("figure6", section, f"{target.model}, {value:,} {ablation.across}", (None,) * len(COLUMNS))

            def lines(target: Victim, ablation: Ablation = ablation, value: int = value) -> Iterator[Line]:
                yield Line(MEAN, ablation.scores(Adversary(run, texts, target), value))

            yield Measured(value, ablation.name, row_of(run, place, target, texts, lines))


def ablations(sizes: Sizes, victims: int) -> tuple[Ablation, ...]:
    """What is varied; each ends where the table stands."""
    return (
        Ablation("(c) size of the shadow corpus", "shadow sentences", (*sizes.shadows, sizes.shadow), _by_shadow),
        Ablation(
            "(d) size of the external corpus",
            "external sentences",
            (*sizes.externals, sizes.external),
            lambda adversary, value: _adapted(adversary, adversary.adapted(external=value)),
        ),
        Ablation(
            "(g) shared dimension",
            "shared dimensions",
            sizes.shared,
            lambda adversary, value: _adapted(adversary, adversary.adapted(shared=value)),
        ),
        Ablation(
            "(h) number of victims",
            "victims",
            (*sizes.victims, victims),
            lambda adversary, value: _adapted(adversary, adversary.adapted(victims=value)),
        ),
    )


def _by_shadow(adversary: Adversary, size: int) -> tuple[Score | None, ...]:
    recipes = (adversary.with_shadow(recipe, size) for recipe in ("svm", "mlp", "default"))
    return (*(adversary.accuracy(guesses) for guesses in recipes), *(None,) * len(BLACK))


def _adapted(adversary: Adversary, fitted: DomainAdversarialKeyword) -> tuple[Score | None, ...]:
    nothing = (None,) * COLUMNS.index("black box, DANN on average")
    return (*nothing, *adversary.over_epochs(fitted.by_epoch(adversary.victims)), None)


def ablation_plots(ablated: Sequence[Ablation], measured: Sequence[Measured]) -> Iterator[Plot]:
    """A plot an ablation, a curve a way."""
    for ablation in ablated:
        points = [one for one in measured if one.heading == ablation.name]
        curves = tuple(
            curve
            for column, name in enumerate(COLUMNS)
            for curve in curves_of([Measured(one.at, name, one.row) for one in points], column)
        )
        if curves:
            yield Plot(f"Accuracy by {ablation.name}", ablation.across, "accuracy", curves)
