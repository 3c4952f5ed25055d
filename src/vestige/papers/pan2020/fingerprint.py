"""Appendix D: which language model made the vectors?"""

from collections.abc import Iterator, Sequence

from vestige.attacks.fingerprint import Fingerprinter
from vestige.case.randomness import stream
from vestige.metrics.proportion import proportion
from vestige.papers.pan2020.differs import differs, fingerprints_differ
from vestige.papers.pan2020.models import models
from vestige.papers.pan2020.scores import exactly
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.studies import read_elsewhere, read_sides
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR, Findings, Line
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.split import sample_rows
from vestige.types import Score, Vectors

SET = 100
COLUMNS = ("by vector", f"by set of {SET}", "unknown, when left out")
RECIPES = {PAPER: "pan", OURS: "default"}


def fingerprint(run: Run[Sizes]) -> Findings:
    """Learned from sentences of one subject, tested on sentences of another."""
    elsewhere, own = read_elsewhere(run), read_sides(run, "Medical").targets
    taught = elsewhere.take(sample_rows(range(len(elsewhere)), run.sizes.learned, stream(run.seed, "taught")))
    tested = own.take(sample_rows(range(len(own)), run.sizes.tested, stream(run.seed, "tested")))
    rows = []
    for section, printed in published("pan2020", "fingerprint").items():
        targets = models(run, printed, [taught, tested])
        library = [target for target in targets if isinstance(target, Victim)]
        trials = _Trials(run, library, taught, tested)
        advance = run.progress("fingerprint, rows", len(targets))
        for target in targets:
            place = Place("fingerprint", section, target.model, printed[target.model])
            known = [one.encoder.identity for one in library]
            rows.append(row_of(run, place, target, (taught, tested, known), trials.lines))
            advance(1)
    return Findings(tuple(rows), differs(run, targets) + fingerprints_differ(library, taught, tested))


class _Trials:
    """The fingerprinter with the whole library, fitted once a recipe, and with one encoder left out."""

    def __init__(self, run: Run[Sizes], library: Sequence[Victim], taught: Corpus, tested: Corpus) -> None:
        self.run = run
        self.library = library
        self.taught = taught
        self.tested = tested
        self.whole: dict[str, Fingerprinter] = {}

    def lines(self, target: Victim) -> Iterator[Line]:
        """By the paper's recipe, by ours, and for a guess among those with as many columns."""
        vectors, name = target.vectors(self.tested), target.encoder.name
        for by, recipe in RECIPES.items():
            whole = self.whole.setdefault(recipe, self._fitted(recipe, self.library))
            each = whole.infer_each(vectors)
            sets = [whole.infer(part).name for part in _parts(vectors)]
            yield Line(by, (_share(each, name), _share(sets, name), self._unknown(recipe, target, vectors)))
        alike = sum(one.encoder.dimension == target.encoder.dimension for one in self.library)
        yield Line(PRIOR, (exactly(1 / alike, len(vectors)), exactly(1 / alike, len(sets)), None))

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
    """Whole sets that share no vector."""
    return [vectors[start : start + SET] for start in range(0, max(1, len(vectors) - SET + 1), SET)]


def _share(named: Sequence[str | None], truth: str | None) -> Score:
    return proportion(sum(one == truth for one in named), len(named))
