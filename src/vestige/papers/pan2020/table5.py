"""Table V: the subject of a sentence, from the likeliest of fifty keywords (Pan et al. 2020, Appendix E)."""

from collections import Counter
from collections.abc import Iterator

from vestige.case.randomness import stream
from vestige.papers.pan2020.attacks import KeywordAdversary, exact_score
from vestige.papers.pan2020.notes import describe_epochs, describe_external, describe_untested, model_notes
from vestige.papers.pan2020.setup import PanSizes, load_models
from vestige.papers.pan2020.texts import (
    FEWEST,
    KeywordCorpus,
    KeywordTexts,
    read_external,
    read_public_sentences,
    read_split,
)
from vestige.papers.published import Sections, list_models
from vestige.papers.record import OURS, PAPER, PRIOR, Line
from vestige.papers.rows import plan_rows
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.text.corpus import Corpus
from vestige.text.words import content_words

COLUMNS = ("average over epochs", "worst over epochs")
SAMPLES, RANKED, TIMES_RARER = 5, 10, 10
MEDICAL = (
    *("arm", "arms", "arterial", "artery", "biopsy", "endoscope", "guidance", "injection", "insertion", "legs"),
    *("malignant", "older", "radiation", "removal", "repair", "skin", "spinal", "tissue", "trunk", "ultrasound"),
    *("veins", "venous", "asthma", "blood", "bone", "brain", "breast", "cancer", "diabetes", "eye"),
    *("fever", "fracture", "gastric", "heart", "hypertension", "infection", "insulin", "kidney", "liver", "lung"),
    *("muscle", "nerve", "pain", "pregnancy", "renal", "stomach", "stroke", "surgery", "tumor", "vaccine"),
)
"""The first twenty-two are in the paper's table; the others, of the same kind, are ours."""


def plan(run: PaperRun[PanSizes], printed: Sections) -> Plan:
    """Fifty words of the subject, one attack for each; five sample sentences with their ten likeliest words."""
    corpus, public = read_split(run, "Medical"), read_public_sentences(run)
    words = choose_subject_words(corpus, public, run.sizes.words)
    # Fifty words cost five times as much as ten, so each gets half as many sentences.
    study = corpus.study(words, run.sizes.each // 2, 0, run.seed)
    texts = KeywordTexts(study, read_external(run, public, words, run.sizes.external // 2))
    targets = load_models(run, list_models(printed), texts.encoded)
    rows = plan_rows(printed, targets, texts, lambda target: _lines(KeywordAdversary(run, texts, target)))
    return Plan(rows, model_notes(run, targets) + _reassembly_notes(texts))


def _lines(adversary: KeywordAdversary) -> Iterator[Line | str]:
    study = adversary.texts.study
    fitted = adversary.adapt()
    scores = adversary.score_epochs(fitted.by_epoch(adversary.victims))
    yield Line(PAPER, scores, fitted.logs, fitted.seconds)
    ours = adversary.adapt(centred=True).by_epoch(adversary.victims)
    yield Line(OURS, adversary.score_epochs(ours))
    yield Line(PRIOR, tuple(exact_score(score.baseline, score.n) for score in scores))
    chosen = stream(adversary.run.seed, "samples").permutation(len(study.targets))[:SAMPLES]
    ranked = fitted.infer(adversary.victims[chosen]).ranked(RANKED)
    for row, likeliest in zip(chosen, ranked, strict=True):
        contained = dict(zip(study.keywords, study.truth[row], strict=True))
        marked = ", ".join(f"{word}*" if contained[word] else word for word, _ in likeliest)
        yield f"{study.targets.texts[row]} - {marked}"


def choose_subject_words(sides: KeywordCorpus, public: Corpus, most: int) -> list[str]:
    """The words of the paper for medical texts; else the most frequent content words ten times rarer in public text."""
    if sides.targets.name == "pubmed":
        return list(MEDICAL[:most])
    own, other = (
        Counter(word for text in corpus.texts for word in content_words(text)) for corpus in (sides.targets, public)
    )
    share = len(sides.targets) / len(public)
    distinctive = [
        word
        for word, count in own.items()
        if word.isalpha() and count >= max(FEWEST, TIMES_RARER * share * other[word])
    ]
    return sorted(sorted(distinctive), key=lambda word: -own[word])[:most]


def _reassembly_notes(texts: KeywordTexts) -> tuple[str, ...]:
    """How Table V differs from the paper."""
    study = texts.study
    words = (
        "22 from its table, and others of the same kind"
        if study.targets.name == "pubmed"
        else "the most frequent of those ten times rarer in the external corpus"
    )
    return (
        f"Texts: {len(study.targets):,} sentences of '{study.targets.name}'. The paper lists neither its fifty words "
        f"nor the model of its 77 percent, which is printed here with Bert. Words here: {words}: "
        f"{', '.join(study.keywords)}.{describe_untested(study)}",
        describe_external(texts.external),
        describe_epochs(texts.external),
        "Our default is DANN with the mean of each domain subtracted.",
        "Samples: a sentence, then its likeliest words by the mean over the epochs; a star marks the words that it "
        "contains.",
    )


TABLES = {"table5": Table("Table V: sentences reassembled from keywords", COLUMNS, plan)}
