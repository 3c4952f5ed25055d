"""Song's Figure 5: can it be told that a pair of sentences, or a book, was in the training data? (S10)"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.learned import Learned
from vestige.errors import InputError
from vestige.papers.curves import Measured, curves_of
from vestige.papers.published import Columns, published
from vestige.papers.record import Findings, Line, Plot
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.song2020.books import Books, read_books
from vestige.papers.song2020.membership_differs import books_differ
from vestige.papers.song2020.pair_scores import Contest
from vestige.papers.song2020.texts import MODELS, Sizes
from vestige.papers.victims import Victim, victims
from vestige.text.corpus import Corpus

COLUMNS = ("pairs, fixed", "pairs, learned", "books, fixed", "books, learned")
TRAINED = ("LSTM", "Transformer")
TENTHS = range(1, 11)
NOTHING: Columns = (None,) * len(COLUMNS)
ALL, BY_FREQUENCY, BY_EPOCHS = "All", "By frequency of words", "By epochs of training"


def figure5(run: Run[Sizes]) -> Findings:
    """Advantage over pairs and books, by how rare their words are, and by how long the encoder was trained."""
    books = read_books(run)
    targets, controls = (_victims(run, books, study) for study in (books.study, books.elsewhere))
    advance = run.progress("figure5, encoders", len(targets) + len(run.sizes.memorised))
    whole: list[Measured] = []
    by_model: dict[str, list[Measured]] = {}
    for target, control in zip(targets, controls, strict=True):
        contest = _contest(run, books, target, control)
        printed = {section: rows[target.model] for section, rows in published("song2020", "figure5").items()}
        whole.append(_measured(run, books, target, Place("figure5", ALL, target.model, printed[ALL]), contest))
        by_model[f"{target.model}, by frequency of words"] = [
            _measured(run, books, target, _place(target.model, tenth, printed[BY_FREQUENCY]), contest, tenth)
            for tenth in TENTHS
        ]
        advance(1)
    longer: list[Measured] = []
    for epochs in run.sizes.memorised:
        target, control = (_trained(one, epochs) for one in (targets[0], controls[0]))
        place = Place("figure5", BY_EPOCHS, f"{target.model}, {epochs} epochs", NOTHING)
        longer.append(replace(_measured(run, books, target, place, _contest(run, books, target, control)), at=epochs))
        advance(1)
    by_model[f"{targets[0].model}, by epochs"] = longer
    rows = [one.row for measured in (whole, *by_model.values()) for one in measured]
    return Findings(tuple(rows), books_differ(run, books, targets), tuple(_plots(by_model)))


def _place(model: str, tenth: int, known: Columns) -> Place:
    rare = {TENTHS[0]: ", most frequent", TENTHS[-1]: ", rarest"}.get(tenth, "")
    return Place("figure5", BY_FREQUENCY, f"{model}, tenth {tenth}{rare}", known if tenth == TENTHS[-1] else NOTHING)


def _victims(run: Run[Sizes], books: Books, study: Corpus) -> list[Victim]:
    """The encoders, each to learn from `study`."""
    found = victims(run, {model: MODELS[model] for model in TRAINED}, [books.sentences], study)
    return [_learner(target, study) for target in found if isinstance(target, Victim)]


def _learner(target: Victim, study: Corpus) -> Victim:
    learner = target.encoder
    if not (isinstance(learner, Learned) and isinstance(learner.recipe, DualRecipe) and learner.corpus is study):
        raise InputError(
            f"'{target.here}' does not learn from the books of figure5, so that nobody knows which are members; name "
            "a dual encoder that is yet to learn, dual:lstm or dual:transformer"
        )
    return target


def _trained(target: Victim, epochs: int) -> Victim:
    """The same encoder, trained for so many epochs."""
    learner = target.encoder
    assert isinstance(learner, Learned)
    assert isinstance(learner.recipe, DualRecipe)
    again = Learned(learner.name, replace(learner.recipe, epochs=epochs), learner.corpus, seed=learner.seed)
    return Victim(target.model, again, target.here, target.progress)


def _contest(run: Run[Sizes], books: Books, target: Victim, control: Victim) -> Callable[[], Contest]:
    """The contest, begun when the first row asks for it: where every row is kept, nothing is trained."""
    return cache(
        lambda: Contest(
            books,
            target.vectors(books.sentences),
            control.vectors(books.sentences),
            seed=run.seed,
            progress=run.progress,
        )
    )


def _measured(
    run: Run[Sizes],
    books: Books,
    target: Victim,
    place: Place,
    contest: Callable[[], Contest],
    tenth: int | None = None,
) -> Measured:
    def lines(_target: Victim) -> Iterator[Line]:
        return contest().lines(tenth)

    return Measured(tenth or 0, "", row_of(run, place, target, books, lines))


def _plots(by_model: dict[str, list[Measured]]) -> Iterator[Plot]:
    for name, measured in by_model.items():
        for column, head in enumerate(COLUMNS):
            if curves := curves_of(measured, column):
                across = "epochs" if name.endswith("epochs") else "tenth, from frequent to rare words"
                yield Plot(f"{head} similarity, {name}", across, "advantage", curves)
