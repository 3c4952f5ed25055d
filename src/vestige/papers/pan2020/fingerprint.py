"""Appendix D: which language model made the vectors? (Pan et al. 2020)"""

from collections.abc import Iterator, Sequence

from vestige.attacks.fingerprint.fingerprinter import Fingerprinter
from vestige.case.randomness import stream
from vestige.metrics.intervals import proportion
from vestige.papers.pan2020.attacks import exact_score
from vestige.papers.pan2020.notes import model_notes
from vestige.papers.pan2020.setup import PanSizes, load_models
from vestige.papers.pan2020.texts import read_public_sentences, read_split
from vestige.papers.published import Sections, list_models
from vestige.papers.record import CLOSED_FORM, OURS, PAPER, PRIOR, Line
from vestige.papers.rows import plan_rows
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.split import sample_rows
from vestige.types import Score, Vectors

SET = 100
COLUMNS = ("by vector", f"by set of {SET}", "unknown, when left out")
RECIPES = {PAPER: "pan", OURS: "default"}


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """Learn from sentences on one subject, test on sentences on another."""
    taught, tested = read_sentences(run)
    targets = load_models(run, list_models(printed), [taught, tested])
    library = [target for target in targets.values() if isinstance(target, Victim)]
    trials = _Trials(run, library, taught, tested)
    texts = taught, tested, [victim.encoder.identity for victim in library]
    rows = plan_rows(printed, targets, texts, trials.lines)
    return Plan(rows, model_notes(run, targets) + _library_notes(library, taught, tested))


def read_sentences(run: PaperRun[PanSizes]) -> tuple[Corpus, Corpus]:
    """Public sentences that the classifier learns from, and medical ones whose encoder is to be found."""
    public, own = read_public_sentences(run), read_split(run, "Medical").targets
    taught = public.take(sample_rows(range(len(public)), run.sizes.learned, stream(run.seed, "taught")))
    return taught, own.take(sample_rows(range(len(own)), run.sizes.tested, stream(run.seed, "tested")))


class _Trials:
    """The fingerprinter with the whole library, fitted once per recipe, and without the encoder under attack."""

    def __init__(self, run: PaperRun[PanSizes], library: Sequence[Victim], taught: Corpus, tested: Corpus) -> None:
        self.run = run
        self.library = library
        self.taught = taught
        self.tested = tested
        self.whole: dict[str, Fingerprinter] = {}

    def lines(self, target: Victim) -> Iterator[Line]:
        """The paper's recipe, ours, and a guess among the encoders of the same dimension."""
        vectors, name = target.vectors(self.tested), target.encoder.name
        for by, recipe in RECIPES.items():
            whole = self.whole.setdefault(recipe, self._fitted(recipe, self.library))
            each = whole.infer_each(vectors)
            sets = [whole.infer(part).name for part in _parts(vectors)]
            scores = (_share(each, name), _share(sets, name), self._unknown(recipe, target, vectors))
            yield Line(by, scores, whole.logs_ if by == PAPER else (CLOSED_FORM,))
        alike = sum(one.encoder.dimension == target.encoder.dimension for one in self.library)
        yield Line(PRIOR, (exact_score(1 / alike, len(vectors)), exact_score(1 / alike, len(sets)), None))

    def _unknown(self, recipe: str, target: Victim, vectors: Vectors) -> Score | None:
        others = [one for one in self.library if one is not target]
        if not others:
            return None
        fitted = self._fitted(recipe, others)
        return _share([fitted.infer(part).name for part in _parts(vectors)], None)

    def _fitted(self, recipe: str, library: Sequence[Victim]) -> Fingerprinter:
        attack = Fingerprinter(recipe="pan" if recipe == "pan" else "default", texts_each=len(self.taught))
        encoders = [one.encoder for one in library]
        return attack.fit(encoders, self.taught.texts, rng=stream(self.run.seed, "attack"), progress=self.run.progress)


def _parts(vectors: Vectors) -> list[Vectors]:
    """Disjoint sets of vectors."""
    return [vectors[start : start + SET] for start in range(0, max(1, len(vectors) - SET + 1), SET)]


def _share(named: Sequence[str | None], truth: str | None) -> Score:
    return proportion(sum(one == truth for one in named), len(named))


def _library_notes(library: Sequence[Victim], taught: Corpus, tested: Corpus) -> tuple[str, ...]:
    """How the fingerprint differs from the paper."""
    known = ", ".join(f"'{one.here}' ({one.encoder.dimension} columns)" for one in library)
    return (
        f"Library: {known}; in the paper the five of its models with 768 columns. Bert, CLS and Bert, half way are the "
        "same network with another readout, which is the hardest to distinguish.",
        f"Learned from {len(taught):,} sentences of '{taught.name}' (2,000 of restaurant reviews in the paper), tested "
        f"on {len(tested):,} of '{tested.name}' (1,000 medical descriptions).",
        "The last column removes the encoder from the library; the paper's network always names one that it knows.",
        "Guessing picks one of the encoders with the same number of columns.",
    )


TABLES = {"fingerprint": Table("Appendix D: which model made the vectors", COLUMNS, plan)}
