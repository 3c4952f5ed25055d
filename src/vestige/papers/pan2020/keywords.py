"""Figure 6: does a sentence hold a keyword? With texts like it, and with unrelated ones alone."""

from collections.abc import Iterator, Sequence

from vestige.papers.pan2020.ablations import ablation_plots, ablation_rows, ablations
from vestige.papers.pan2020.adversary import COLUMNS, MEAN, Adversary
from vestige.papers.pan2020.differs import differs, keywords_differ
from vestige.papers.pan2020.models import MODELS, models
from vestige.papers.pan2020.scores import averaged, exactly, mean_of, worst
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.studies import Study, Texts, missing, read_elsewhere, read_external, read_study
from vestige.papers.published import published
from vestige.papers.record import PRIOR, Findings, Line, Plot, Row
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim


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
            rows += [
                Row(section, place.model, MODELS[place.model], place.known, (), f"left out: {reason}")
                for place in places
            ]
            continue
        study = read_study(run, section)
        texts = Texts(study, read_external(run, elsewhere, study.keywords, run.sizes.external))
        studies.append(study)
        targets = models(run, printed, texts.encoded)
        rows += _rows(run, places, targets, texts)
        if section == "Medical":
            ablated = ablations(run.sizes, len(study.targets))
            measured = list(ablation_rows(run, ablated, targets, texts))
            rows += [one.row for one in measured]
            plots += ablation_plots(ablated, measured)
    told = differs(run, targets) + keywords_differ(run, studies, texts.external)
    return Findings(tuple(rows), told, tuple(plots))


def _rows(run: Run[Sizes], places: Sequence[Place], targets: Sequence[Victim | Absent], texts: Texts) -> Iterator[Row]:
    advance = run.progress(f"figure6, {texts.study.section}", len(places))
    for place, target in zip(places, targets, strict=True):
        yield row_of(run, place, target, texts, lambda target: _lines(Adversary(run, texts, target)))
        advance(1)


def _lines(adversary: Adversary) -> Iterator[Line]:
    """The mean over the keywords, what a coin has, and each keyword as the bars of the figure have it."""
    tests, seed = adversary.texts.study.tests, adversary.run.seed
    epochs = [tests.hits(guesses) for guesses in adversary.adapted().by_epoch(adversary.victims)]
    columns = [
        tests.hits(adversary.with_shadow("svm")),
        tests.hits(adversary.with_shadow("mlp")),
        tests.hits(adversary.with_shadow("default")),
        tests.hits(adversary.from_elsewhere("svm")),
        tests.hits(adversary.from_elsewhere("mlp")),
        averaged(epochs),
        worst(epochs),
        tests.hits(adversary.adapted(centred=True).infer(adversary.victims)),
    ]
    means = tuple(mean_of(tests, hits, seed) for hits in columns)
    yield Line(MEAN, means)
    yield Line(PRIOR, (exactly(means[0].baseline, means[0].n),) * len(COLUMNS))
    for keyword in tests.tests:
        yield Line(keyword, tuple(mean_of(tests, {keyword: hits[keyword]}, seed) for hits in columns))
