"""Figure 5: was a pair of sentences, or a book, in the training data? (Song and Raghunathan 2020, Section 6.4)"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain

from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.fitted import LearnedEncoder
from vestige.errors import InputError
from vestige.papers.published import Columns, Sections
from vestige.papers.record import Plot
from vestige.papers.rows import MeasuredRow, Place, PlannedRow, draw_curves, plan_row
from vestige.papers.run import PaperRun
from vestige.papers.song2020.books import LABELLED, BookMembership, Books, read_books
from vestige.papers.song2020.notes import describe_training
from vestige.papers.song2020.setup import MODELS, SongSizes
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim, load_victims
from vestige.text.corpus import Corpus

COLUMNS = ("pairs, fixed", "pairs, learned", "books, fixed", "books, learned")
TRAINED = ("LSTM", "Transformer")
TENTHS = range(1, 11)
NOTHING: Columns = (None,) * len(COLUMNS)
ALL, BY_FREQUENCY, BY_EPOCHS = "All", "By frequency of words", "By epochs of training"


def plan(run: PaperRun[SongSizes], printed: Sections) -> Plan:
    """The advantage over pairs and books: of all, by how rare their words are, and by epochs of training."""
    books = read_books(run)
    targets, controls = (_load_learners(run, books, study) for study in (books.study, books.control))
    rows = chain(
        *(_plan_encoder(run, books, pair, printed) for pair in zip(targets, controls, strict=True)),
        *(_plan_epochs(run, books, (targets[0], controls[0]), epochs) for epochs in run.sizes.memorised),
    )
    total = len(targets) * (1 + len(TENTHS)) + len(run.sizes.memorised)
    sections = ALL, BY_FREQUENCY, BY_EPOCHS
    return Plan(rows, _book_notes(run, books, targets), plots=_plots, sections=sections, total=total)


def _plan_encoder(
    run: PaperRun[SongSizes], books: Books, pair: tuple[Victim, Victim], printed: Sections
) -> Iterator[PlannedRow]:
    """All candidates, then each tenth of them from frequent to rare words."""
    membership, target = _open_membership(run, books, pair), pair[0]
    model, rarest = target.model, TENTHS[-1]
    yield plan_row(Place(ALL, model, printed[ALL][model]), target, books, lambda _target: membership().lines())
    for tenth in TENTHS:
        rare = {TENTHS[0]: ", most frequent", rarest: ", rarest"}.get(tenth, "")
        figures = printed[BY_FREQUENCY][model] if tenth == rarest else NOTHING
        name, curve = f"{model}, tenth {tenth}{rare}", f"{model}, by frequency of words"
        place = Place(BY_FREQUENCY, name, figures, tenth, curve)
        yield plan_row(place, target, books, lambda _target, tenth=tenth: membership().lines(tenth))  # type: ignore[misc]


def _plan_epochs(
    run: PaperRun[SongSizes], books: Books, pair: tuple[Victim, Victim], epochs: int
) -> Iterator[PlannedRow]:
    """All candidates, for an encoder that was trained for so many epochs."""
    target, control = (_retrain(one, epochs) for one in pair)
    membership = _open_membership(run, books, (target, control))
    place = Place(BY_EPOCHS, f"{target.model}, {epochs} epochs", NOTHING, epochs, f"{target.model}, by epochs")
    yield plan_row(place, target, books, lambda _target: membership().lines())


def _load_learners(run: PaperRun[SongSizes], books: Books, study: Corpus) -> list[Victim]:
    """The encoders, to be trained on `study`."""
    loaded = load_victims(run, {model: MODELS[model] for model in TRAINED}, [books.sentences], study)
    return [_check_learner(target, study) for target in loaded.values() if isinstance(target, Victim)]


def _check_learner(target: Victim, study: Corpus) -> Victim:
    learner = target.encoder
    if not (isinstance(learner, LearnedEncoder) and isinstance(learner.recipe, DualRecipe) and learner.corpus is study):
        raise InputError(
            f"'{target.here}' does not learn from the books of figure5, so that its members are unknown; name a dual "
            "encoder that is trained here, dual:lstm or dual:transformer"
        )
    return target


def _retrain(target: Victim, epochs: int) -> Victim:
    """The same encoder, to be trained for so many epochs."""
    learner = target.encoder
    assert isinstance(learner, LearnedEncoder)
    assert isinstance(learner.recipe, DualRecipe)
    again = LearnedEncoder(learner.name, replace(learner.recipe, epochs=epochs), learner.corpus, seed=learner.seed)
    return Victim(target.model, again, target.here, target.progress)


def _open_membership(
    run: PaperRun[SongSizes], books: Books, pair: tuple[Victim, Victim]
) -> Callable[[], BookMembership]:
    """The attacks on one encoder, set up for the first row that is not finished: until then nothing is trained."""
    learned, control = pair
    return cache(
        lambda: BookMembership(
            books,
            learned.vectors(books.sentences),
            control.vectors(books.sentences),
            seed=run.seed,
            epochs=run.sizes.similarity_epochs,
            progress=run.progress,
        )
    )


def _plots(measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    for name in dict.fromkeys(one.place.curve for one in measured if one.place.curve):
        points = [MeasuredRow(replace(one.place, curve=""), one.row) for one in measured if one.place.curve == name]
        across = "epochs" if name.endswith("epochs") else "tenth, from frequent to rare words"
        for column, head in enumerate(COLUMNS):
            if curves := draw_curves(points, column):
                yield Plot(f"{head} similarity, {name}", across, "advantage", curves)


def _book_notes(run: PaperRun[SongSizes], books: Books, targets: Sequence[Victim]) -> tuple[str, ...]:
    """How Figure 5 differs from the paper."""
    return (
        f"Books: texts of {run.sizes.pages} sentences or more from '{books.study.name}' in place of those of "
        f"BookCorpus; {len(books.study):,} train the encoder, as many do not, and as many train that of the control.",
        *(describe_training(target, books.study) for target in targets if target.model not in run.encoders),
        "A training set this small is memorized, unlike 40 million sentences in one epoch: the advantage here shows "
        "what a small training set reveals, not what the encoders of the paper did.",
        f"Labels: the adversary knows for {LABELLED:.0%} of the books, with all their pairs, whether they were "
        "learned, and none of these is scored; the paper has 10% of the data, and does not say that it splits by book.",
        f"Learned similarity by the paper's recipe trains {run.sizes.similarity_epochs} epochs (10). It starts as the "
        "dot product, passes through a sigmoid, and takes batches of 128; the paper states none of the three. With "
        "shuffled labels it stays close to the dot product, so that this control is shown only for ours. One shuffle "
        "of so few labels is biased by chance; the control is the mean of ten, and its interval is their spread.",
        "Advantage: the threshold of one half of the books classifies the other half, and vice versa; the paper does "
        "not say where its threshold comes from. Published figures of pairs are an upper bound, from its text.",
        "The rarity of a pair or a book is minus the average count of its words in the sentences under attack.",
    )


TABLES = {"figure5": Table("Figure 5: membership of sentence pairs and books, as advantage", COLUMNS, plan)}
