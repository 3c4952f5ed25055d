"""Figure 6: does a sentence hold a keyword? With texts like it, and with unrelated ones alone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.papers.curves import Measured, curves_of
from vestige.papers.pan2020.adversary import Adversary
from vestige.papers.pan2020.differs import ABLATED, differs, keywords_differ
from vestige.papers.pan2020.models import models
from vestige.papers.pan2020.scores import averaged, exactly, mean_of, over_epochs
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.studies import Study, Texts, missing, read_elsewhere, read_external, read_study
from vestige.papers.published import published
from vestige.papers.record import PRIOR, Findings, Line, Plot, Row
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim
from vestige.types import KeywordGuesses, Score

WHITE = ("white box, SVM", "white box, MLP", "white box, ours")
BLACK = (
    "black box, SVM",
    "black box, MLP",
    "black box, DANN on average",
    "black box, DANN at worst",
    "black box, ours",
)
COLUMNS = (*WHITE, *BLACK)
MEAN = "mean of the keywords"


@dataclass(frozen=True)
class Ablation:
    """One curve of Figure 6: what is varied, through which values, and the figures at one of them."""

    name: str
    across: str
    values: tuple[int, ...]
    scores: Callable[[Adversary, int], tuple[Score | None, ...]]


def figure6(run: Run[Sizes]) -> Findings:
    """Ten places in reviews of airport lounges, ten parts of the body in medical abstracts."""
    elsewhere = read_elsewhere(run)
    rows: list[Row] = []
    plots: list[Plot] = []
    studies: list[Study] = []
    for section, printed in published("pan2020", "figure6").items():
        places = [Place("figure6", section, model, known) for model, known in printed.items()]
        reason = missing(run, section)
        if reason is not None:
            rows += [Row(section, place.model, "", place.known, (), f"left out: {reason}") for place in places]
            continue
        study = read_study(run, section)
        texts = Texts(study, read_external(run, elsewhere, study.keywords, run.sizes.external))
        studies.append(study)
        targets = models(run, printed, texts.encoded)
        rows += _rows(run, places, targets, texts)
        if section == "Medical":
            ablated = ablations(run.sizes, len(study.targets))
            measured = list(_measured(run, ablated, targets, texts))
            rows += [one.row for one in measured]
            plots += _plots(ablated, measured)
    told = differs(run, targets) + keywords_differ(run, studies, texts.external)
    return Findings(tuple(rows), told, tuple(plots))


def _rows(run: Run[Sizes], places: Sequence[Place], targets: Sequence[Victim | Absent], texts: Texts) -> Iterator[Row]:
    advance = run.progress(f"figure6, {texts.study.section}", len(places))
    for place, target in zip(places, targets, strict=True):
        yield row_of(run, place, target, texts, lambda target: _lines(Adversary(run, texts, target)))
        advance(1)


def _lines(adversary: Adversary) -> Iterator[Line | str]:
    tests, seed = adversary.texts.study.tests, adversary.run.seed
    epochs = adversary.adapted().by_epoch(adversary.victims)
    direct = [
        adversary.with_shadow("svm"),
        adversary.with_shadow("mlp"),
        adversary.with_shadow("default"),
        adversary.from_elsewhere("svm"),
        adversary.from_elsewhere("mlp"),
    ]
    scores = [_accuracy(adversary, guesses) for guesses in direct]
    ours = _accuracy(adversary, adversary.adapted(centred=True).infer(adversary.victims))
    yield Line(MEAN, (*scores, *over_epochs(tests, epochs, seed), ours))
    yield Line(PRIOR, tuple(exactly(score.baseline, score.n) for score in scores[:1]) * len(COLUMNS))
    hits = averaged([tests.hits(guesses) for guesses in epochs])
    by_keyword = sorted(((float(each.mean()), keyword) for keyword, each in hits.items()), reverse=True)
    yield "DANN on average: " + ", ".join(f"{keyword} {100 * share:.1f}" for share, keyword in by_keyword)


def _accuracy(adversary: Adversary, guesses: KeywordGuesses) -> Score:
    tests = adversary.texts.study.tests
    return mean_of(tests, tests.hits(guesses), adversary.run.seed)


def _measured(
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
    return (*(_accuracy(adversary, guesses) for guesses in recipes), *(None,) * len(BLACK))


def _adapted(adversary: Adversary, fitted: DomainAdversarialKeyword) -> tuple[Score | None, ...]:
    epochs = fitted.by_epoch(adversary.victims)
    nothing = (None,) * COLUMNS.index("black box, DANN on average")
    return (*nothing, *over_epochs(adversary.texts.study.tests, epochs, adversary.run.seed), None)


def _plots(ablated: Sequence[Ablation], measured: Sequence[Measured]) -> Iterator[Plot]:
    for ablation in ablated:
        points = [one for one in measured if one.heading == ablation.name]
        curves = tuple(
            curve
            for column, name in enumerate(COLUMNS)
            for curve in curves_of([Measured(one.at, name, one.row) for one in points], column)
        )
        if curves:
            yield Plot(f"Accuracy by {ablation.name}", ablation.across, "accuracy", curves)
