"""Figures 6.1 and 6.2 and Table A.1: leakage and topics behind four defenses (Chen 2023, Chapter 6, Appendix A)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import log10

from vestige.case.randomness import stream
from vestige.defend.defended import DefendedEncoder
from vestige.defenses.catalogue import make_defense
from vestige.encoders.memoized import Memoized
from vestige.papers.chen2023.adversary import OpenWorldAdversary, Scores
from vestige.papers.chen2023.attacks import DATASET, EVERY, FIVE, Attack, AttackSetting
from vestige.papers.chen2023.measured import measure_line, scores_at_every, scores_at_five
from vestige.papers.chen2023.notes import study_notes
from vestige.papers.chen2023.setup import SURROGATE, ChenSizes, load_models, load_surrogate
from vestige.papers.chen2023.texts import StudyDocuments, read_documents
from vestige.papers.published import Sections
from vestige.papers.record import OURS, PAPER, PRIOR, Line, Plot
from vestige.papers.rows import MeasuredRow, Place, draw_curves
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim
from vestige.text.perturbed import remove_words
from vestige.types import Score, Vectors
from vestige.utility.mlp_probe import MlpProbe

COLUMNS = (*FIVE, "topics")
EVERY_COLUMN = (*EVERY, "topics")
REMOVED = 1000
FAMILIES = {"Random projection": "projection", "PCA": "pca", "Autoencoder": "autoencoder"}
TOPICS = {"newsgroups": "topic", "complaints": "product"}
SYSTEM = "topics predicted by a network with 200 sigmoid units"
SelectScores = Callable[[Scores], tuple[Score, ...]]
"""Selects the scores that are columns of the table."""


@dataclass(frozen=True)
class _Trial:
    """A defense by its spec, none if that is empty, and its place on the x-axis."""

    spec: str
    at: float = 0


Trials = Callable[[str, Victim], Sequence[_Trial]]
"""The defenses of a section, for an encoder."""


@dataclass(frozen=True)
class _Chart:
    """The columns of a table, its x-axis, and the defenses that it tries; without an x-axis there are no plots."""

    scores: SelectScores
    across: str
    trials: Trials


def plan_noise(run: PaperRun[ChenSizes], printed: Sections) -> Plan:
    """Figure 6.1: from much noise to little."""
    noise = [_Trial(f"laplace:{value:g},estimate=mean", log10(value)) for value in run.sizes.epsilons]
    trials = [_Trial(""), *noise]
    return _plan(run, printed, _Chart(scores_at_five, "log10 of epsilon", lambda _section, _target: trials))


def plan_dimensions(run: PaperRun[ChenSizes], printed: Sections) -> Plan:
    """Figure 6.2: from few dimensions to many."""

    def trials(section: str, target: Victim) -> list[_Trial]:
        counts = [count for count in run.sizes.dimensions if count <= target.encoder.dimension]
        return [_Trial(f"{FAMILIES[section]}:{count}", count) for count in counts]

    return _plan(run, printed, _Chart(scores_at_five, "dimensions", trials))


def plan_transformations(run: PaperRun[ChenSizes], printed: Sections) -> Plan:
    """Table A.1: the transformations without a change of dimension."""

    def trials(section: str, target: Victim) -> list[_Trial]:
        return [_Trial(f"{FAMILIES[section]}:{target.encoder.dimension}" if section in FAMILIES else "")]

    return _plan(run, printed, _Chart(scores_at_every, "", trials))


def _plan(run: PaperRun[ChenSizes], printed: Sections, chart: _Chart) -> Plan:
    documents = read_documents(run, DATASET)
    setting = AttackSetting(run, documents, load_surrogate(run, SURROGATE, documents.studied))
    texts = [*documents.encoded, documents.studied]
    target = load_models(run, [SURROGATE], texts, documents.studied)[SURROGATE]
    assert isinstance(target, Victim)
    owner = EncoderOwner(run, documents, target)
    rows = []
    for section, models in printed.items():
        for trial in chart.trials(section, target):
            model, curve = (f"{target.model}, {trial.spec}", section) if trial.spec else (target.model, "")
            place = Place(section, model, models[target.model], trial.at, curve)
            lines = partial(defended_lines, owner, trial.spec, chart.scores)
            rows.append(setting.plan_row(place, target, lines))
    notes = _defense_notes(run, documents) + study_notes(run, {DATASET: documents})
    return Plan(rows, notes, plots=partial(_plots, chart.across))


def _plots(across: str, measured: Sequence[MeasuredRow]) -> Iterator[Plot]:
    """The defended rows; a row without a defense has no place on the x-axis."""
    if across:
        defended = [one for one in measured if one.place.curve]
        for column, name in enumerate(COLUMNS):
            yield Plot(f"{name} by {across}", across, name, draw_curves(defended, column))


@dataclass(frozen=True)
class EncoderOwner:
    """Fits the defenses: holds documents like the private ones and queries the encoder without limit."""

    run: PaperRun[ChenSizes]
    documents: StudyDocuments
    target: Victim

    @cached_property
    def own(self) -> Victim:
        """The encoder, which encodes no text twice, whatever the defense before it."""
        return Victim(self.target.model, Memoized(self.target.encoder), self.target.here, self.run.progress)

    @cached_property
    def pairs(self) -> tuple[Vectors, Vectors]:
        """Private documents, and the same without their most frequent words."""
        rng = stream(self.run.seed, "removed")
        made = remove_words(self.documents.targets.texts, documents=self.run.sizes.shortened, rng=rng)
        return self.own.encoder.encode(made.original), self.own.encoder.encode(made.perturbed)

    def defend(self, spec: str) -> Victim:
        """The encoder behind a defense; with an empty spec, the encoder itself."""
        if not spec:
            return self.own
        defense = make_defense(spec)
        pairs = self.pairs if defense.info.needs == "pairs" else None
        rng = stream(self.run.seed, f"defense {spec}")
        defense.fit(self.own.vectors(self.documents.studied), pairs=pairs, rng=rng)
        return Victim(self.own.model, DefendedEncoder(self.own.encoder, defense), self.own.here, self.run.progress)

    def score_topics(self, behind: Victim) -> Score:
        """Accuracy of a topic classifier on the documents under attack, trained on defended vectors of others."""
        learned, tested = self.documents.studied, self.documents.targets
        label = TOPICS[tested.name]
        probe = MlpProbe().fit(behind.vectors(learned), learned.attributes[label], rng=stream(self.run.seed, "probe"))
        return probe.score(
            behind.vectors(tested),
            tested.attributes[label],
            rng=stream(self.run.seed, "bootstrap"),
            documents=tested.documents,
        )


def defended_lines(
    owner: EncoderOwner, spec: str, shown: SelectScores, adversary: OpenWorldAdversary
) -> Iterator[Line]:
    """SADE and ours, which query the encoder and so learn from defended vectors; topics; guessing of either."""
    behind = owner.defend(spec)
    attack = OpenWorldAdversary(owner.run, owner.documents, behind, adversary.surrogate)
    topics = owner.score_topics(behind)
    assert topics.baseline is not None
    prior = shown(attack.score(attack.mean_importance()))
    recipes: dict[str, Attack] = {PAPER: OpenWorldAdversary.sade, OURS: lambda one: one.sade(recipe="vestige")}
    for by, recipe in recipes.items():
        yield measure_line(attack, by, recipe, lambda scores: (*shown(scores), None))
    yield Line(SYSTEM, (*(None for _ in prior), topics))
    yield Line(PRIOR, (*prior, Score(topics.baseline, topics.baseline, topics.baseline, topics.n)))


def _defense_notes(run: PaperRun[ChenSizes], documents: StudyDocuments) -> tuple[str, ...]:
    """How the defenses of Chapter 6 differ from the thesis."""
    name = documents.targets.name
    return (
        f"The thesis does not name the encoder of its Chapter 6; it is {SURROGATE} here, since the first row of Table "
        "A.1 is that of SBERT in Table 5.2.",
        "The defense stands before the private encoder: every query returns a defended vector, so that every attack "
        "here has learned from them. The surrogate is not defended. The thesis does not say.",
        f"Defenses are fitted on {len(documents.studied):,} documents of '{name}' that are not under attack. Laplace "
        f"noise is scaled by the mean L1 distance after up to five removals of the most frequent words, on "
        f"{min(run.sizes.shortened, len(documents.targets)):,} of the documents under attack ({REMOVED:,}), as the "
        "owner can; the thesis states neither how many times words are removed nor which distance it is. A mean is "
        "exceeded by many words: no guarantee.",
        f"Utility: the {TOPICS[name]} of each document under attack, predicted by a network that learned from defended "
        "vectors of the other documents. The thesis names neither its classifier nor its measure; this is accuracy.",
        "The figures print no values, nor those of epsilon and of the dimension; these are ours.",
    )


TABLES = {
    "figure6.1": Table("Figure 6.1: Laplace noise", COLUMNS, plan_noise),
    "figure6.2": Table("Figure 6.2: fewer dimensions", COLUMNS, plan_dimensions),
    "tableA.1": Table("Table A.1: transformed, as many dimensions", EVERY_COLUMN, plan_transformations),
}
