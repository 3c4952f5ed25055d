"""Table V: what a sentence is about, from the likeliest of fifty keywords (Appendix E)."""

from collections import Counter
from collections.abc import Iterator

from vestige.case.randomness import stream
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
MEDICAL = (
    *("arm", "arms", "arterial", "artery", "biopsy", "endoscope", "guidance", "injection", "insertion", "legs"),
    *("malignant", "older", "radiation", "removal", "repair", "skin", "spinal", "tissue", "trunk", "ultrasound"),
    *("veins", "venous", "asthma", "blood", "bone", "brain", "breast", "cancer", "diabetes", "eye"),
    *("fever", "fracture", "gastric", "heart", "hypertension", "infection", "insulin", "kidney", "liver", "lung"),
    *("muscle", "nerve", "pain", "pregnancy", "renal", "stomach", "stroke", "surgery", "tumor", "vaccine"),
)
"""The first twenty-two stand in the paper's table; the others, of the same kind, are ours."""


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
            held = dict(zip(study.keywords, study.truth[row], strict=True))
            told = ", ".join(f"{word}*" if held[word] else word for word, _ in likeliest)
            yield f"{study.targets.texts[row]} - {told}"

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
    """Those of the paper for medical texts; else the commonest content words that are ten times rarer elsewhere."""
    if sides.targets.name == "pubmed":
        return list(MEDICAL[:most])
    own, other = (
        Counter(word for text in corpus.texts for word in content_words(text)) for corpus in (sides.targets, elsewhere)
    )
    share = len(sides.targets) / len(elsewhere)
    telling = [
        word for word, count in own.items() if word.isalpha() and count >= max(FEWEST, TELLING * share * other[word])
    ]
    return sorted(sorted(telling), key=lambda word: -own[word])[:most]
