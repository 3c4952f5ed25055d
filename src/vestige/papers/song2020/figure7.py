"""Song's Figure 7: what training against a reader of authors hides, and what it costs (S12)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from vestige.case.randomness import stream
from vestige.encoders.dual.against import trained_against
from vestige.encoders.dual.choices import Opposition
from vestige.metrics.attribute_curve import accuracy_by_labels
from vestige.papers.curves import Measured
from vestige.papers.record import Findings, Line
from vestige.papers.run import Run
from vestige.papers.song2020.authors import RECIPES
from vestige.papers.song2020.opposed import learners, opposed_differ, plots, rows_of, trials
from vestige.papers.song2020.posts import CORPORA, Posts, read_posts
from vestige.papers.song2020.texts import Sizes
from vestige.papers.song2020.uses import USES, Uses, read_uses
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.types import Score

COUNTS = (10, 50)
COLUMNS = (*(f"top-5, {count} labels" for count in COUNTS), *USES)
LAMBDAS: dict[Opposition, tuple[float, ...]] = {"reader": (10.0, 30.0, 100.0), "overlap": (10.0, 30.0, 100.0)}
GUESSES = 5
SECTION = "Speeches"


def figure7(run: Run[Sizes]) -> Findings:
    """Top-5 accuracy of who wrote a sentence, and four uses, by lambda and opponent."""
    posts, uses = read_posts(run, SECTION), read_uses(run)
    study = _signed(posts.study)
    targets = learners(run, study, [posts.corpus])
    advance = run.progress("figure7, trainings", len(trials(run.sizes, LAMBDAS)))
    found: list[Measured] = []
    for trial in trials(run.sizes, LAMBDAS):
        authors = {"author": trial.strength} if trial.strength else {}
        against = partial(trained_against, attributes=authors, opponent=trial.opponent)
        found += rows_of(run, "figure7", trial, targets, against, (posts, uses), partial(_lines, run, posts, uses))
        advance(1)
    differs = (_authors(run, posts, study), *opposed_differ(run, study, uses, targets))
    return Findings(tuple(one.row for one in found), differs, tuple(plots(found, COLUMNS)))


def _signed(study: Corpus) -> Corpus:
    """The texts with their authors again."""
    whole = load_corpus(CORPORA[SECTION])
    wrote = dict(zip(whole.texts, whole.attributes["author"], strict=True))
    return replace(study, attributes={"author": [wrote[text] for text in study.texts]})


def _lines(run: Run[Sizes], posts: Posts, uses: Uses, target: Victim) -> Iterator[Line]:
    data = posts.labelled(target.vectors(posts.corpus))
    for by, make in RECIPES.items():
        rng = stream(run.seed, "labels")
        points = accuracy_by_labels(make, data, rng=rng, counts=COUNTS, classes=posts.classes, draws=run.sizes.draws)
        yield Line(by, (*(point.top5 for point in points), *[None] * len(USES)))
    chance = GUESSES / posts.classes
    yield from uses.lines(run.seed, target, [Score(chance, chance, chance, posts.classes)] * len(COUNTS))


def _authors(run: Run[Sizes], posts: Posts, study: Corpus) -> str:
    named = set(study.attributes["author"])
    shared = len(named & set(posts.authors))
    return (
        f"Authors: {posts.classes} of '{posts.corpus.name}', drawn {run.sizes.draws} times from "
        f"{len(set(posts.authors))}. The encoders are trained against {len(named)} authors, {shared} of them among "
        "those under attack, with other documents of theirs; the paper does not say how the two sets overlap."
    )
