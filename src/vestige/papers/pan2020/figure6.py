"""Figure 6: does a sentence contain a keyword? (Pan et al. 2020, Section VI)

The white-box adversary holds sentences like the targets, the black-box adversary only unrelated ones. Parts (c), (d),
(g) and (h) vary one size at a time.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from vestige.metrics.keyword_accuracy import PRIOR as PRIOR_ACCURACY
from vestige.papers.pan2020.attacks import (
    BLACK,
    COLUMNS,
    WHITE,
    FittedKeywords,
    KeywordAdversary,
    KeywordHits,
    Recipe,
    average_epochs,
    exact_score,
    mean_accuracy,
    worst_epochs,
)
from vestige.papers.pan2020.notes import (
    describe_epochs,
    describe_external,
    describe_substitutes,
    describe_untested,
    model_notes,
)
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
from vestige.papers.record import OURS, PAPER, PRIOR, Line, Plot
from vestige.papers.rows import MeasuredRow, Place, PlannedRow, draw_curves, plan_row, plan_rows, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim, Victims
from vestige.text.corpus import Corpus

ABLATED = "GPT-2"
"""The model whose curves the figure draws; part (c) has its larger versions too."""

ABLATED_SECTION = "Medical"
BY_SHADOW, FEWEST_PRINTED = "(c) size of the shadow corpus", 10
SHADOW_SECTION = f"{ABLATED_SECTION}, {BY_SHADOW}"
"""The section of the printed figures that are those of part (c), with the fewest shadow sentences."""


@dataclass(frozen=True)
class Ablation:
    """One curve of the figure: the quantity that varies, its values, and what is measured at one of them."""

    name: str
    across: str
    values: tuple[int, ...]
    lines: Callable[[KeywordAdversary, int], Iterator[Line]]


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """Ten places in reviews of airport lounges, ten parts of the body in medical abstracts."""
    public = read_public_sentences(run)
    curves = printed[SHADOW_SECTION]
    main = {section: models for section, models in printed.items() if section != SHADOW_SECTION}
    available = {section: _read(run, section, public) for section in main if not explain_missing(run, section)}
    targets = load_models(
        run, list_models(printed), [corpus for texts in available.values() for corpus in texts.encoded]
    )
    ablated = available.get(ABLATED_SECTION)
    ablations = list_ablations(run.sizes, len(ablated.study.targets)) if ablated else ()
    rows: list[PlannedRow] = []
    for section, models in main.items():
        if section in available:
            texts = available[section]
            rows += plan_rows({section: models}, targets, texts, partial(_attack, run, texts))
        else:
            rows += _skip_section(section, models, str(explain_missing(run, section)))
        if section == ABLATED_SECTION and ablated:
            victims = {model: targets[model] for model in (*models, *curves)}
            rows += _plan_ablations(run, ablations, victims, ablated, curves)
    notes = model_notes(run, targets) + keyword_notes(run, list(available.values()))
    return Plan(rows, notes, plots=partial(_plots, ablations))


def _read(run: PaperRun[PanSizes], section: str, public: Corpus) -> KeywordTexts:
    study = read_study(run, section)
    return KeywordTexts(study, read_external(run, public, study.keywords, run.sizes.external))


def _skip_section(section: str, models: Mapping[str, Columns], reason: str) -> Iterator[PlannedRow]:
    for model, figures in models.items():
        yield skip_row(Place(section, model, figures), MODELS[model], reason)


def _attack(run: PaperRun[PanSizes], texts: KeywordTexts, target: Victim) -> Iterator[Line]:
    """The mean over the keywords by attack, a coin, and each keyword as in the bars of the figure."""
    adversary = KeywordAdversary(run, texts, target)
    tests, columns = texts.study.tests, dict.fromkeys(COLUMNS, cast("KeywordHits", {}))
    for by, attacks in list_attacks(adversary).items():
        columns |= {column: hits for each in attacks for column, hits in _hits(adversary, each).items()}
        means = {column: mean_accuracy(tests, columns[column], run.seed) for each in attacks for column in each.columns}
        logs = tuple(log for each in attacks for log in each.fitted.logs)
        scores = tuple(means.get(column) for column in COLUMNS)
        yield Line(by, scores, logs, sum(each.fitted.seconds for each in attacks))
    coin = exact_score(PRIOR_ACCURACY, sum(map(len, tests.tests.values())))
    yield Line(PRIOR, (coin,) * len(COLUMNS))
    for keyword in tests.tests:
        scores = tuple(mean_accuracy(tests, {keyword: columns[name][keyword]}, run.seed) for name in COLUMNS)
        yield Line(keyword, scores)


@dataclass(frozen=True)
class ColumnAttack:
    """A fitted attack and the columns that it fills: two for DANN, averaged over epochs and at worst."""

    columns: tuple[str, ...]
    fitted: FittedKeywords


def list_attacks(adversary: KeywordAdversary) -> dict[str, list[ColumnAttack]]:
    """The attacks by the line that they share, in the white and in the black box."""
    return {
        f"{PAPER}, SVM": [
            ColumnAttack((WHITE[0],), adversary.with_shadow("svm")),
            ColumnAttack((BLACK[0],), adversary.from_external("svm")),
        ],
        f"{PAPER}, MLP": [
            ColumnAttack((WHITE[1],), adversary.with_shadow("mlp")),
            ColumnAttack((BLACK[1],), adversary.from_external("mlp")),
        ],
        f"{PAPER}, DANN": [ColumnAttack(BLACK[2:4], adversary.adapt())],
        OURS: [
            ColumnAttack((WHITE[2],), adversary.with_shadow("default")),
            ColumnAttack((BLACK[4],), adversary.adapt(centred=True)),
        ],
    }


def _hits(adversary: KeywordAdversary, attack: ColumnAttack) -> dict[str, KeywordHits]:
    tests = adversary.texts.study.tests
    if len(attack.columns) == 1:
        return {attack.columns[0]: tests.hits(attack.fitted.infer(adversary.victims))}
    epochs = [tests.hits(guesses) for guesses in attack.fitted.by_epoch(adversary.victims)]
    return dict(zip(attack.columns, (average_epochs(epochs), worst_epochs(epochs)), strict=True))


def list_ablations(sizes: PanSizes, victims: int) -> tuple[Ablation, ...]:
    """What the curves vary; each ends at the sizes of the main rows."""
    return (
        Ablation(BY_SHADOW, "shadow sentences", (*sizes.shadows, sizes.shadow), _by_shadow),
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


def _by_shadow(adversary: KeywordAdversary, size: int) -> Iterator[Line]:
    recipes: tuple[tuple[str, Recipe], ...] = ((f"{PAPER}, SVM", "svm"), (f"{PAPER}, MLP", "mlp"), (OURS, "default"))
    for place, (by, recipe) in enumerate(recipes):
        fitted = adversary.with_shadow(recipe, size)
        score = adversary.accuracy(fitted.infer(adversary.victims))
        scores = tuple(score if column == WHITE[place] else None for column in COLUMNS)
        yield Line(by, scores, fitted.logs, fitted.seconds)


def _score_adapted(adversary: KeywordAdversary, fitted: FittedKeywords) -> Iterator[Line]:
    nothing = (None,) * COLUMNS.index("black box, DANN on average")
    scores = (*nothing, *adversary.score_epochs(fitted.by_epoch(adversary.victims)), None)
    yield Line(f"{PAPER}, DANN", scores, fitted.logs, fitted.seconds)


def _plan_ablations(
    run: PaperRun[PanSizes],
    ablations: Sequence[Ablation],
    targets: Victims,
    texts: KeywordTexts,
    curves: Mapping[str, Columns],
) -> Iterator[PlannedRow]:
    """The curves of GPT-2, as in the paper, if it is available, else of the first model that is."""
    available = {model: target for model, target in targets.items() if isinstance(target, Victim)}
    if not available:
        return
    target = available.get(ABLATED) or next(iter(available.values()))
    for ablation in ablations:
        versions = [available[model] for model in curves if model in available] if ablation.name == BY_SHADOW else []
        for number, version in enumerate(versions or [target]):
            for value in ablation.values:
                is_printed = bool(versions) and value == FEWEST_PRINTED
                place = Place(
                    f"{texts.study.section}, {ablation.name}",
                    f"{version.model}, {value:,} {ablation.across}",
                    curves[version.model] if is_printed else (None,) * len(COLUMNS),
                    value,
                    # The first version is drawn; the others are in the table.
                    "" if number else ablation.name,
                )
                yield plan_row(place, version, texts, partial(_measure_point, run, texts, ablation, value))


def _measure_point(
    run: PaperRun[PanSizes], texts: KeywordTexts, ablation: Ablation, value: int, target: Victim
) -> Iterator[Line]:
    return ablation.lines(KeywordAdversary(run, texts, target), value)


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
        "The figure prints no values; Bert's 99.8 and 74.8 are from the Introduction, which does not name the network.",
        f"The curves are of {ABLATED}, as in the paper, or of the first available model if {ABLATED} is not available; "
        "part (c) has the medium and the large version of GPT-2 too.",
    )


def _describe_study(study: KeywordStudy) -> str:
    return (
        f"{study.section}: sentences of {SHORTEST} to {LONGEST} words from '{study.targets.name}'; keywords: "
        f"{', '.join(study.keywords)}.{describe_substitutes(study)}{describe_untested(study)}"
    )


TABLES = {"figure6": Table("Figure 6: keywords inferred from vectors", COLUMNS, plan)}
