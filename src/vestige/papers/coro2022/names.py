"""Tables 5.6 and 5.7: names recovered where they stand, where another stood, and where nobody expects them."""

from collections.abc import Iterator, Sequence

from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.case.randomness import stream
from vestige.metrics.name_recovery import NameRecovery, name_recovery
from vestige.metrics.proportion import proportion
from vestige.papers.coro2022.contest import Recipe
from vestige.papers.coro2022.differs import names_differ
from vestige.papers.coro2022.people import CORPUS, People, Swapped, read_people
from vestige.papers.coro2022.representations import MODELS, Sizes
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, Findings, Line, Row
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim, victims
from vestige.text.named import is_present
from vestige.text.names import Name
from vestige.types import Score

COLUMNS = tuple(f"where {name} stood" for name in ("the 1st", "the 2nd", "the 3rd", "the 4th"))
RECIPES: dict[str, Recipe] = {PAPER: "coro", OURS: "default"}
FALSE_ALARMS = "our default, false alarms"
MODEL = "Sentence-BERT"


def table56(run: Run[Sizes]) -> Findings:
    """Names of the domain, put in for one another."""
    return _table(run, "table5.6")


def table57(run: Run[Sizes]) -> Findings:
    """Names of another domain, put in for those of this one."""
    return _table(run, "table5.7")


def _table(run: Run[Sizes], table: str) -> Findings:
    printed = published("coro2022", table)
    if not is_present(CORPUS):
        reason = f"left out: corpus '{CORPUS}' is not here; name its folder in the environment variable VESTIGE_DATA"
        rows = [Row(name, MODEL, MODELS[MODEL], known[MODEL], (), reason) for name, known in printed.items()]
        return Findings(tuple(rows), (f"Nothing was run: '{CORPUS}' is not here.",))
    people = read_people(run)
    names = people.own if table == "table5.6" else people.foreign
    attacked = people.swapped(names)
    target = victims(run, {MODEL: MODELS[MODEL]}, [people.training, attacked.corpus])[0]
    rows = list(_rows(run, table, people, names, attacked, target))
    return Findings(tuple(rows), names_differ(run, people, len(attacked.corpus), [target]))


def _rows(
    run: Run[Sizes], table: str, people: People, names: Sequence[Name], attacked: Swapped, target: Victim | Absent
) -> Iterator[Row]:
    recovered = _Recovered(run, people, attacked)
    advance = run.progress(f"{table}, rows", len(names))
    for name, (printed, known) in zip(names, published("coro2022", table).items(), strict=True):
        section = f"{printed}; here {name.last.title()}, in {people.taught[name.last]:,} training sentences"
        place = Place(table, section, MODEL, known[MODEL])
        yield row_of(run, place, target, attacked, lambda target, name=name: recovered.lines(target, name))  # type: ignore[misc]
        advance(1)


class _Recovered:
    """What each recipe reads, learned once for all names, when first asked."""

    def __init__(self, run: Run[Sizes], people: People, attacked: Swapped) -> None:
        self.run = run
        self.people = people
        self.attacked = attacked
        self.by_recipe: dict[str, NameRecovery] = {}

    def lines(self, target: Victim, name: Name) -> Iterator[Line]:
        """How often the name is read where each of the others stood, and how often where it is not."""
        stood = [other.last for other in self.people.own]
        for by, recipe in RECIPES.items():
            if recipe not in self.by_recipe:
                self.by_recipe[recipe] = self._read(target, recipe)
            shares = [self.by_recipe[recipe].shares[name.last, place] for place in stood]
            yield Line(by, tuple(shares))
        yield Line(
            FALSE_ALARMS,
            tuple(self._alarms(name.last, place, share) for place, share in zip(stood, shares, strict=True)),
        )

    def _read(self, target: Victim, recipe: Recipe) -> NameRecovery:
        sizes, pairs = self.run.sizes, self.people.training
        epochs = sizes.epochs if recipe == "coro" else None
        fitted = MultiSetInverter(recipe=recipe, vocabulary_size=sizes.vocabulary, epochs=epochs).fit(
            target.vectors(pairs),
            pairs.texts,
            rng=stream(self.run.seed, "attack"),
            documents=pairs.documents,
            progress=self.run.progress,
        )
        guesses = fitted.infer(target.vectors(self.attacked.corpus))
        return name_recovery(guesses.sets, self.attacked.put_in, self.attacked.stood)

    def _alarms(self, name: str, place: str, share: Score) -> Score | None:
        """Where the place was another's: the share of sentences with any other name whose guess holds this one."""
        if share.baseline is None:
            return None
        pairs = zip(self.attacked.put_in, self.attacked.stood, strict=True)
        others = sum(put != name and stood == place for put, stood in pairs)
        return proportion(round(share.baseline * others), others)
