"""Table V: what a sentence is about, from the likeliest of fifty keywords (Appendix E)."""

from collections import Counter
from collections.abc import Iterator

from vestige.audit.randomness import stream
from vestige.papers.pan2020.adversary import Adversary
from vestige.papers.pan2020.differs import differs, reassembly_differs
from vestige.papers.pan2020.models import models
from vestige.papers.pan2020.scores import exactly
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.pan2020.studies import FEWEST, Sides, Texts, read_elsewhere, read_external, read_sides
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR, Findings, Line
from vestige.papers.rows import Place, row_of
from vestige.papers.run import Run
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.words import content_words

COLUMNS = ("average over epochs", "worst over epochs")
SAMPLES, RANKED, TELLING = 5, 10, 10


def table5(run: Run[Sizes]) -> Findings:
    """Fifty words of the subject, each with its own attack; five sentences with the ten likeliest words of each."""
    sides, elsewhere = read_sides(run, "Medical"), read_elsewhere(run)
    words = subject_words(sides, elsewhere, run.sizes.words)
    # As many words as this cost their share: half the sentences each.
    study = sides.study(words, run.sizes.each // 2, 0, run.seed)
    texts = Texts(study, read_external(run, elsewhere, words, run.sizes.external // 2))

    def lines(target: Victim) -> Iterator[Line | str]:
        adversary = Adversary(run, texts, target)
        fitted = adversary.adapted()
        scores = adversary.over_epochs(fitted.by_epoch(adversary.victims))
        yield Line(PAPER, scores)
        ours = adversary.adapted(centred=True).by_epoch(adversary.victims)
        yield Line(OURS, adversary.over_epochs(ours))
        yield Line(PRIOR, tuple(exactly(score.baseline, score.n) for score in scores))
        chosen = stream(run.seed, "samples").permutation(len(study.targets))[:SAMPLES]
        ranked = fitted.infer(adversary.victims[chosen]).ranked(RANKED)
        for row, likeliest in zip(chosen, ranked, strict=True):
            yield f"{study.targets.texts[row]} - {', '.join(word for word, _ in likeliest)}"

    rows = []
    for section, printed in published("pan2020", "table5").items():
        targets = models(run, printed, texts.encoded)
        advance = run.progress("table5, rows", len(targets))
        for target in targets:
            place = Place("table5", section, target.model, printed[target.model])
            rows.append(row_of(run, place, target, texts, lines))
            advance(1)
    return Findings(tuple(rows), differs(run, targets) + reassembly_differs(texts))


def subject_words(sides: Sides, elsewhere: Corpus, most: int) -> list[str]:
    """The content words in most sentences under attack, of those that are ten times rarer elsewhere."""
    own, other = (
        Counter(word for text in corpus.texts for word in content_words(text)) for corpus in (sides.targets, elsewhere)
    )
    share = len(sides.targets) / len(elsewhere)
    telling = [word for word, count in own.items() if count >= max(FEWEST, TELLING * share * other[word])]
    return sorted(sorted(telling), key=lambda word: -own[word])[:most]
