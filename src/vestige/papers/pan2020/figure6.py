"""Figure 6: does a sentence contain a keyword? (Pan et al. 2020, Section VI)

The white-box adversary holds sentences like the targets, the black-box adversary only unrelated ones. Parts (c), (d),
(g) and (h) vary one size at a time.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.papers.pan2020.attacks import (
    BLACK,
    COLUMNS,
    MEAN,
    KeywordAdversary,
    average_epochs,
    exact_score,
    mean_accuracy,
    worst_epochs,
)
from vestige.papers.pan2020.notes import describe_epochs, describe_external, describe_untested, model_notes
from vestige.papers.pan2020.setup import MODELS, PanSizes, load_models
from vestige.papers.pan2020.texts import (
    LONGEST,
    SHORTEST,
    KeywordStudy,
    KeywordTexts,
    explain_missing,
    read_external,
    read_public_sentences,
    read_study,
)
from vestige.papers.published import Columns, Sections, list_models
from vestige.papers.record import PRIOR, Line, Plot
from vestige.papers.rows import MeasuredRow, Place, PlannedRow, draw_curves, plan_row, plan_rows, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim, Victims
from vestige.text.corpus import Corpus
from vestige.types import Score

ABLATED = "GPT-2"
"""The model whose curves the figure draws."""

ABLATED_SECTION = "Medical"


@dataclass(frozen=True)
class Ablation:
    """One curve of the figure: the quantity that varies, its values, and the scores at one of them."""

    name: str
    across: str
    values: tuple[int, ...]
    scores: Callable[[KeywordAdversary, int], tuple[Score | None, ...]]


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """Ten places in reviews of airport lounges, ten parts of the body in medical abstracts."""
    public = read_public_sentences(run)
    available = {section: _read(run, section, public) for section in printed if not explain_missing(run, section)}
    targets = load_models(
        run, list_models(printed), [corpus for texts in available.values() for corpus in texts.encoded]
    )
    ablated = available.get(ABLATED_SECTION)
    ablations = list_ablations(run.sizes, len(ablated.study.targets)) if ablated else ()
    rows: list[PlannedRow] = []
    for section, models in printed.items():
        if section in available:
            texts = available[section]
            rows += plan_rows({section: models}, targets, texts, partial(_attack, run, texts))
        else:
            rows += _skip_section(section, models, str(explain_missing(run, section)))
        if section == ABLATED_SECTION and ablated:
            rows += _plan_ablations(run, ablations, {model: targets[model] for model in models}, ablated)
    notes = model_notes(run, targets) + keyword_notes(run, list(available.values()))
    return Plan(rows, notes, plots=partial(_plots, ablations))


def _read(run: PaperRun[PanSizes], section: str, public: Corpus) -> KeywordTexts:
    study = read_study(run, section)
    return KeywordTexts(study, read_external(run, public, study.keywords, run.sizes.external))


def _skip_section(section: str, models: Mapping[str, Columns], reason: str) -> Iterator[PlannedRow]:
    for model, figures in models.items():
        yield skip_row(Place(section, model, figures), MODELS[model], reason)


def _attack(run: PaperRun[PanSizes], texts: KeywordTexts, target: Victim) -> Iterator[Line]:
    """The mean over the keywords, a coin, and each keyword as in the bars of the figure."""
    adversary = KeywordAdversary(run, texts, target)
    tests = texts.study.tests
    epochs = [tests.hits(guesses) for guesses in adversary.adapt().by_epoch(adversary.victims)]
    columns = [
        tests.hits(adversary.with_shadow("svm")),
        tests.hits(adversary.with_shadow("mlp")),
        tests.hits(adversary.with_shadow("default")),
        tests.hits(adversary.from_external("svm")),
        tests.hits(adversary.from_external("mlp")),
        average_epochs(epochs),
        worst_epochs(epochs),
        tests.hits(adversary.adapt(centred=True).infer(adversary.victims)),
    ]
    means = tuple(mean_accuracy(tests, hits, run.seed) for hits in columns)
    yield Line(MEAN, means)
    yield Line(PRIOR, (exact_score(means[0].baseline, means[0].n),) * len(COLUMNS))
    for keyword in tests.tests:
        yield Line(keyword, tuple(mean_accuracy(tests, {keyword: hits[keyword]}, run.seed) for hits in columns))


def list_ablations(sizes: PanSizes, victims: int) -> tuple[Ablation, ...]:
    """What the curves vary; each ends at the sizes of the main rows."""
    return (
        Ablation("(c) size of the shadow corpus", "shadow sentences", (*sizes.shadows, sizes.shadow), _by_shadow),
        Ablation(
            "(d) size of the external corpus",
            "external sentences",
            (*sizes.externals, sizes.external),
            lambda adversary, value: _score_adapted(adversary, adversary.adapt(external=value)),
        ),
        Ablation(
            "(g) shared dimension",
            "shared dimensions",
            sizes.shared,
            lambda adversary, value: _score_adapted(adversary, adversary.adapt(shared=value)),
        ),
        Ablation(
            "(h) number of victims",
            "victims",
            (*sizes.victims, victims),
            lambda adversary, value: _score_adapted(adversary, adversary.adapt(victims=value)),
        ),
    )


def _by_shadow(adversary: KeywordAdversary, size: int) -> tuple[Score | None, ...]:
    recipes = (adversary.with_shadow(recipe, size) for recipe in ("svm", "mlp", "default"))
    return (*(adversary.accuracy(guesses) for guesses in recipes), *(None,) * len(BLACK))


def _score_adapted(adversary: KeywordAdversary, fitted: DomainAdversarialKeyword) -> tuple[Score | None, ...]:
    nothing = (None,) * COLUMNS.index("black box, DANN on average")
    return (*nothing, *adversary.score_epochs(fitted.by_epoch(adversary.victims)), None)


def _plan_ablations(
    run: PaperRun[PanSizes], ablations: Sequence[Ablation], targets: Victims, texts: KeywordTexts
) -> Iterator[PlannedRow]:
    """The curves of GPT-2, as in the paper, if it is available, else of the first model that is."""
    available = {model: target for model, target in targets.items() if isinstance(target, Victim)}
    if not available:
        return
    target = available.get(ABLATED) or next(iter(available.values()))
    for ablation in ablations:
        for value in ablation.values:

            def lines(target: Victim, ablation: Ablation = ablation, value: int = value) -> Iterator[Line]:
                yield Line(MEAN, ablation.scores(KeywordAdversary(run, texts, target), value))

            section = f"{texts.study.section}, {ablation.name}"
            model = f"{target.model}, {value:,} {ablation.across}"
            place = Place(section, model, (None,) * len(COLUMNS), value, ablation.name)
            yield plan_row(place, target, texts, lines)


def _plots(ablations: Sequence[Ablation], measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    """One plot per ablation, one curve per column."""
    for ablation in ablations:
        points = [one for one in measured if one.place.curve == ablation.name]
        curves = tuple(
            curve
            for column, name in enumerate(COLUMNS)
            for curve in draw_curves([MeasuredRow(replace(one.place, curve=name), one.row) for one in points], column)
        )
        if curves:
            yield Plot(f"Accuracy by {ablation.name}", ablation.across, "accuracy", curves)


def keyword_notes(run: PaperRun[PanSizes], available: Sequence[KeywordTexts]) -> tuple[str, ...]:
    """How Figure 6 differs from the paper."""
    sizes, external = run.sizes, available[-1].external
    return (
        *(_describe_study(texts.study) for texts in available),
        f"At most {sizes.each} sentences per keyword are attacked and as many without any; the paper attacks all. The "
        f"shadow corpus is {sizes.shadow} sentences of a tenth of the documents; targets and shadow corpus share no "
        "document.",
        describe_external(external),
        "Our default in the white box sends as many queries as the published recipes: each shadow sentence once per "
        "keyword. In the black box it is DANN with the mean of each domain subtracted, and the mean over the epochs.",
        "DANN on average and at worst: over the epochs, as in the paper; at worst is the best epoch of each keyword. "
        "Choosing it requires the truth, so that no adversary can reach this figure on purpose.",
        describe_epochs(external),
        "The figure prints no values; Bert's 99.8 and 74.8 are from the abstract, which does not name the network.",
        f"The curves are of {ABLATED}, as in the paper, or of the first available model if {ABLATED} is not available; "
        "with a shadow corpus of 10 sentences the paper has 59.4 (MLP), while 20 are the fewest here.",
    )


def _describe_study(study: KeywordStudy) -> str:
    return (
        f"{study.section}: sentences of {SHORTEST} to {LONGEST} words from '{study.targets.name}'; keywords: "
        f"{', '.join(study.keywords)}.{describe_untested(study)}"
    )


TABLES = {"figure6": Table("Figure 6: keywords inferred from vectors", COLUMNS, plan)}
