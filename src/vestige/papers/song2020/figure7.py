"""Figure 7: training against authorship attribution, and its cost (Song and Raghunathan 2020, Section 7)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from vestige.attacks.attributes.inference import AttributeInference
from vestige.case.randomness import stream
from vestige.encoders.dual.recipe import add_adversaries
from vestige.encoders.dual.settings import AdversaryKind
from vestige.encoders.fitted import LearnedEncoder
from vestige.metrics.attribute_curve import accuracy_by_labels
from vestige.papers.published import Sections
from vestige.papers.record import Line
from vestige.papers.run import PaperRun
from vestige.papers.song2020.adversarial_training import (
    UTILITY,
    AdversaryTrial,
    UtilityTasks,
    list_trials,
    load_learners,
    plan_trials,
    plot_columns,
    read_utility,
    training_notes,
)
from vestige.papers.song2020.figure3 import list_attacks
from vestige.papers.song2020.posts import CORPORA, Posts, read_posts
from vestige.papers.song2020.setup import SongSizes
from vestige.papers.table import Plan, Table
from vestige.papers.timed_attack import AttackSeries
from vestige.papers.victims import Victim
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.types import Score

COUNTS = (10, 50)
COLUMNS = (*(f"top-5, {count} labels" for count in COUNTS), *UTILITY)
LAMBDAS: dict[AdversaryKind, tuple[float, ...]] = {
    "linear": (0.3, 3.0, 30.0),
    "network": (0.1, 1.0),
    "dependence": (0.3, 1.0, 3.0, 10.0, 30.0),
}
GUESSES = 5
SECTION = "Speeches"


def plan(run: PaperRun[SongSizes], printed: Sections) -> Plan:
    """Top-5 accuracy of authorship, and four downstream tasks, by lambda and adversary."""
    posts, utility = read_posts(run, SECTION), read_utility(run)
    study = _restore_authors(posts.study)
    targets, trials = load_learners(run, study, [posts.corpus]), list_trials(run.sizes, LAMBDAS)
    rows = [*plan_trials(printed, trials, targets, _train, (posts, utility), partial(_lines, run, posts, utility))]
    notes = (_describe_authors(run, posts, study), *training_notes(run, study, utility, targets))
    return Plan(rows, notes, plots=partial(plot_columns, COLUMNS), total=len(rows))


def _train(trial: AdversaryTrial, encoder: LearnedEncoder) -> LearnedEncoder:
    authors = {"author": trial.strength} if trial.strength else {}
    return add_adversaries(encoder, attributes=authors, adversary=trial.settings)


def _restore_authors(study: Corpus) -> Corpus:
    """The same texts with their authors, which `Posts.study` does not hold."""
    whole = load_corpus(CORPORA[SECTION])
    wrote = dict(zip(whole.texts, whole.attributes["author"], strict=True))
    return replace(study, attributes={"author": [wrote[text] for text in study.texts]})


def _lines(run: PaperRun[SongSizes], posts: Posts, utility: UtilityTasks, target: Victim) -> Iterator[Line]:
    data = posts.labelled(target.vectors(posts.corpus))
    for by, make in list_attacks(run).items():
        rng = stream(run.seed, "labels")
        series = AttackSeries(make, closed_form=make is AttributeInference)
        points = accuracy_by_labels(series, data, rng=rng, counts=COUNTS, classes=posts.classes, draws=run.sizes.draws)
        yield series.build_line(by, (*(point.top5 for point in points), *[None] * len(UTILITY)))
    chance = GUESSES / posts.classes
    yield from utility.lines(run.seed, target, [Score(chance, chance, chance, posts.classes)] * len(COUNTS))


def _describe_authors(run: PaperRun[SongSizes], posts: Posts, study: Corpus) -> str:
    named = set(study.attributes["author"])
    shared = len(named & set(posts.authors))
    return (
        f"Authors: {posts.classes} of '{posts.corpus.name}', drawn {run.sizes.draws} times from "
        f"{len(set(posts.authors))}. The encoders are trained against {len(named)} authors, {shared} of them among "
        "those under attack, with other documents of theirs; the paper does not say how the two sets overlap."
    )


TABLES = {"figure7": Table("Figure 7: training against authorship, and its cost", COLUMNS, plan)}
