"""Tables 5.6 and 5.7: names recovered in their own place and in that of another (Corò 2022, Section 5.3)."""

from collections.abc import Iterator, Sequence
from functools import partial

from vestige.metrics.intervals import proportion
from vestige.metrics.name_recovery import NameRecovery, name_recovery
from vestige.papers.coro2022.attacks import RECIPES, Recipe, fit_inverter
from vestige.papers.coro2022.notes import CROSS_DOMAIN, describe_training
from vestige.papers.coro2022.people import CORPUS, FOREIGN, OWN, People, Swapped, read_people
from vestige.papers.coro2022.setup import MODELS, CoroSizes
from vestige.papers.notes import describe_named, explain_missing_corpus
from vestige.papers.published import Sections
from vestige.papers.record import Line
from vestige.papers.rows import Place, plan_row, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.timed_attack import TimedAttack, build_line
from vestige.papers.victims import Victim, Victims, load_victims
from vestige.text.corpora import is_available
from vestige.text.names import Name
from vestige.types import Score

COLUMNS = tuple(f"where {name} stood" for name in ("the 1st", "the 2nd", "the 3rd", "the 4th"))
FALSE_ALARMS = "our default, false alarms"
MODEL = "Sentence-BERT"


def plan_own(run: PaperRun[CoroSizes], printed: Sections) -> Plan:
    """Table 5.6: names of the domain, exchanged with one another."""
    if not is_available(CORPUS):
        return _skip(printed)
    people = read_people(run)
    return _plan(run, printed, people, people.own)


def plan_foreign(run: PaperRun[CoroSizes], printed: Sections) -> Plan:
    """Table 5.7: names of another domain, inserted for those of this one."""
    if not is_available(CORPUS):
        return _skip(printed)
    people = read_people(run)
    return _plan(run, printed, people, people.foreign)


def _skip(printed: Sections) -> Plan:
    reason = explain_missing_corpus(CORPUS)
    rows = [skip_row(Place(name, MODEL, models[MODEL]), MODELS[MODEL], reason) for name, models in printed.items()]
    return Plan(rows, (f"Nothing was measured: corpus '{CORPUS}' is not available.",))


def _plan(run: PaperRun[CoroSizes], printed: Sections, people: People, names: Sequence[Name]) -> Plan:
    """The names of the thesis in order of the alphabet, and those that stand in for them."""
    attacked = people.swap(names)
    targets = load_victims(run, {MODEL: MODELS[MODEL]}, [people.training, attacked.corpus])
    recovery = _Recovery(run, people, attacked)
    rows = []
    for name, (section, models) in zip(names, printed.items(), strict=True):
        here = f"{section}; here {name.last.title()}, in {people.training_counts[name.last]:,} training sentences"
        lines = partial(recovery.lines, name)
        rows.append(plan_row(Place(here, MODEL, models[MODEL]), targets[MODEL], attacked, lines))
    return Plan(rows, _name_notes(run, people, len(attacked.corpus), targets))


class _Recovery:
    """The names that each recipe recovers; it is trained once for all names, for the first row that needs it."""

    def __init__(self, run: PaperRun[CoroSizes], people: People, attacked: Swapped) -> None:
        self.run = run
        self.people = people
        self.attacked = attacked
        self.by_recipe: dict[str, tuple[NameRecovery, TimedAttack]] = {}

    def lines(self, name: Name, target: Victim) -> Iterator[Line]:
        """How often the name is recovered in the place of each name of the domain, and how often as a false alarm."""
        stood = [other.last for other in self.people.own]
        for by, recipe in RECIPES.items():
            if recipe not in self.by_recipe:
                self.by_recipe[recipe] = self._recover(target, recipe)
            recovery, fitted = self.by_recipe[recipe]
            shares = [recovery.shares[name.last, place] for place in stood]
            yield build_line(by, shares, [fitted])
        yield Line(
            FALSE_ALARMS,
            tuple(self._false_alarms(name.last, place, share) for place, share in zip(stood, shares, strict=True)),
        )

    def _recover(self, target: Victim, recipe: Recipe) -> tuple[NameRecovery, TimedAttack]:
        pairs = self.people.training
        fitted = fit_inverter(self.run, target.vectors(pairs), pairs, recipe)
        guesses = fitted.infer(target.vectors(self.attacked.corpus))
        return name_recovery(guesses.sets, self.attacked.put_in, self.attacked.stood), fitted

    def _false_alarms(self, name: str, place: str, share: Score) -> Score | None:
        """The share of sentences with any other name for which this name is guessed, in the place of one name."""
        if share.baseline is None:
            return None
        pairs = zip(self.attacked.put_in, self.attacked.stood, strict=True)
        others = sum(put != name and stood == place for put, stood in pairs)
        return proportion(round(share.baseline * others), others)


def _describe_source(sizes: CoroSizes) -> str:
    if sizes.enriched:
        return (
            "Unlike in the thesis, the domain's own documents that are not attacked are among them, and half of them "
            "contain one of the names, as far as there are enough."
        )
    return "As in the thesis, they are of all other groups, whatever names they contain."


def _name_notes(run: PaperRun[CoroSizes], people: People, attacked: int, targets: Victims) -> tuple[str, ...]:
    """How Tables 5.6 and 5.7 differ from the thesis."""
    sizes, training = run.sizes, people.training
    stood = ", ".join(f"{name.last.title()} ({len(people.tests[name.last])})" for name in people.own)
    return (
        f"Texts: '{training.name}', in English. The domain under attack is '{OWN}' in place of Economy, names from "
        f"another domain come from '{FOREIGN}'. Names are found by lists of first and last names, and are those in "
        "most documents; rows and columns are in alphabetical order, as in the thesis. Repeated sentences, such "
        "as signatures, are dropped.",
        f"The names that are replaced, with the number of sentences under attack: {stood} (in the thesis Berlusconi "
        f"287, Draghi 529, Padoan 288, Renzi 679); {attacked:,} sentences with all names inserted. A sentence that "
        "contains two of the names is not attacked.",
        f"The inverter learns from {len(training):,} sentences ({CROSS_DOMAIN:,} in the thesis). "
        f"{_describe_source(sizes)}",
        describe_training(sizes, len(training), CROSS_DOMAIN),
        "A name that is not among the most frequent words of the training sentences is not in the vocabulary, and is "
        "never recovered.",
        "False alarms: how often this name is guessed in the same sentences with any other name inserted. The thesis "
        "has no such figure. Intervals are exact and treat sentences as independent.",
        *describe_named(targets, run.encoders),
    )


TABLES = {
    "table5.6": Table("Table 5.6: names recovered, put in for one another", COLUMNS, plan_own),
    "table5.7": Table("Table 5.7: names recovered, put in from another domain", COLUMNS, plan_foreign),
}
