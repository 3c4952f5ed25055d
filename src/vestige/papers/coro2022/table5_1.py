"""Table 5.1: a linear classifier predicts the subject of a text from each representation (Corò 2022, Section 4.1)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

from vestige.case.randomness import stream
from vestige.metrics.macro_f1 import macro_f1
from vestige.papers.coro2022.notes import representation_notes
from vestige.papers.coro2022.setup import CoroSizes, load_public_corpus, load_representations
from vestige.papers.coro2022.texts import load_articles
from vestige.papers.public_text import first_available
from vestige.papers.published import Sections
from vestige.papers.record import PAPER, PRIOR, Line
from vestige.papers.rows import Place, PlannedRow, plan_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.papers.victims import MissingModel, Victim, Victims
from vestige.text.corpus import Corpus
from vestige.text.sentences import split_sentences
from vestige.text.split import sample_rows, split_documents
from vestige.types import Score, TrainingLog
from vestige.utility.linear_probe import PUBLISHED_GRID, LinearProbe

TEST_SHARE = 0.3
FIRST = 3
VERSIONS = ("titles", "sentences", "text")
UNKNOWN = (None,) * len(VERSIONS)

EIGHT = {
    "newsgroups": (
        "topic",
        "comp.graphics misc.forsale rec.autos rec.sport.hockey sci.med sci.space soc.religion.christian "
        "talk.politics.mideast",
    ),
    "complaints": ("product", ""),
}
"""The attribute with the class of a text, and the eight classes in use; all if none are named."""

_ANSWER = re.compile(r"^(?:(?:re|fwd?)\s*:\s*)+", re.IGNORECASE)


@dataclass(frozen=True)
class ClassifiedTexts:
    """Training and test texts in three versions, and the class of each; a corpus may have no titles."""

    train: dict[str, Corpus]
    test: dict[str, Corpus]
    train_labels: list[str]
    test_labels: list[str]
    name: str

    @property
    def encoded(self) -> list[Corpus]:
        """The texts whose vectors are needed."""
        return [*self.train.values(), *self.test.values()]


ByVersion = Mapping[str, Victims]
"""The encoders by version of the texts and by model."""


def plan(run: PaperRun[CoroSizes], printed: Sections) -> Plan:
    """Macro-F1 on titles, first sentences and whole texts; vectorizers learn from the training or from public texts."""
    texts, study = read_classes(run), load_public_corpus(run)
    rows: list[PlannedRow] = []
    used: dict[str, Victim | MissingModel] = {}
    for section, models in printed.items():
        names = [model for model, figures in models.items() if figures != UNKNOWN]
        targets = _load_by_version(run, section, names, texts, study)
        rows += [_plan_row(run, Place(section, model, figures), targets, texts) for model, figures in models.items()]
        used |= targets["text"]
    notes = representation_notes(run, study, used, run.sizes.probe_columns) + _probe_notes(run.sizes, texts)
    return Plan(rows, notes)


def _load_by_version(
    run: PaperRun[CoroSizes], section: str, names: list[str], texts: ClassifiedTexts, study: Corpus
) -> ByVersion:
    """In the domain, vectorizers learn from the training texts of each version; across domains from public text."""

    def load(corpus: Corpus) -> Victims:
        return load_representations(run, names, texts.encoded, corpus, run.sizes.probe_columns)

    if section == "In-domain":
        return {version: load(train) for version, train in texts.train.items()}
    return dict.fromkeys(texts.train, load(study))


def _plan_row(run: PaperRun[CoroSizes], place: Place, targets: ByVersion, texts: ClassifiedTexts) -> PlannedRow:
    whole = targets["text"].get(place.model)
    if whole is None:
        # Doc2Vec and Sentence-BERT are trained on public text; the thesis has no figures for them in the domain.
        return PlannedRow(place, "-", note="not in the thesis: trained on public text")
    by_version = {version: victims[place.model] for version, victims in targets.items()}
    return plan_row(place, whole, texts, lambda _whole: _lines(run, by_version, texts))


def _lines(
    run: PaperRun[CoroSizes], targets: dict[str, Victim | MissingModel], texts: ClassifiedTexts
) -> Iterator[Line]:
    probed: dict[str, Score] = {}
    logs: list[TrainingLog] = []
    guessed: dict[str, Score] = {}
    for version, target in targets.items():
        assert isinstance(target, Victim)
        train, test = texts.train[version], texts.test[version]
        probe = LinearProbe(grid=run.sizes.grid, jobs=run.sizes.jobs)
        probe.fit(target.vectors(train), texts.train_labels, rng=stream(run.seed, "probe"))
        probed[version] = probe.score(
            target.vectors(test), texts.test_labels, rng=stream(run.seed, "bootstrap"), documents=test.documents
        )
        guessed[version] = _guess_class(run, texts, test)
        logs.append(probe.log_)
    yield Line(PAPER, tuple(map(probed.get, VERSIONS)), tuple(logs))
    yield Line(PRIOR, tuple(map(guessed.get, VERSIONS)))


def _guess_class(run: PaperRun[CoroSizes], texts: ClassifiedTexts, test: Corpus) -> Score:
    """The score of guessing the most frequent class of the training texts."""
    likeliest = max(sorted(set(texts.train_labels)), key=texts.train_labels.count)
    guesses = [likeliest] * len(test)
    return macro_f1(guesses, texts.test_labels, test.documents, stream(run.seed, "bootstrap"))


def read_classes(run: PaperRun[CoroSizes]) -> ClassifiedTexts:
    """A limited number of texts per class, 30% of each class for the test; posts of one thread are on one side."""
    name = run.sizes.corpus or first_available("newsgroups", "complaints")
    attribute, chosen = EIGHT[name]
    corpus = load_articles(name)
    labels = corpus.attributes[attribute]
    titles = [_ANSWER.sub("", subject.strip()) for subject in corpus.attributes.get("subject", [])]
    threads = [title.lower() for title in titles] or corpus.documents
    train: list[int] = []
    test: list[int] = []
    for label in chosen.split() or sorted(set(labels)):
        rng = stream(run.seed, f"classes {label}")
        rows = sample_rows([row for row, other in enumerate(labels) if other == label], run.sizes.per_class, rng)
        sides = split_documents([threads[row] for row in rows], TEST_SHARE, rng)
        train += [rows[place] for place in sides.auxiliary]
        test += [rows[place] for place in sides.target]
    return ClassifiedTexts(
        _build_versions(corpus, titles, threads, train),
        _build_versions(corpus, titles, threads, test),
        [labels[row] for row in train],
        [labels[row] for row in test],
        name,
    )


def _build_versions(corpus: Corpus, titles: list[str], threads: list[str], rows: list[int]) -> dict[str, Corpus]:
    documents = [threads[row] for row in rows]
    heads = [titles[row] if titles else "" for row in rows]
    bodies = [corpus.texts[row] for row in rows]
    firsts = [" ".join(split_sentences(body)[:FIRST]) for body in bodies]

    def version(texts: list[str]) -> Corpus:
        return Corpus(corpus.name, [" ".join(text.lower().split()) for text in texts], documents)

    titled = {"titles": version(heads)} if titles else {}
    return titled | {
        "sentences": version([f"{head} {first}" for head, first in zip(heads, firsts, strict=True)]),
        "text": version([f"{head} {body}" for head, body in zip(heads, bodies, strict=True)]),
    }


def _probe_notes(sizes: CoroSizes, texts: ClassifiedTexts) -> tuple[str, ...]:
    """How Table 5.1 differs from the thesis."""
    tried, published = (prod(map(len, grid.values())) for grid in (sizes.grid, PUBLISHED_GRID))
    titles = "The title is the subject line." if "titles" in texts.train else "There are no titles here."
    return (
        f"Texts: '{texts.name}', {len(set(texts.train_labels))} classes, {len(texts.train_labels):,} texts to "
        f"learn from and {len(texts.test_labels):,} to test (an Italian newspaper, eight classes, 11,200 and 4,800).",
        f"Posts of one thread are on one side. {titles} Sentences are the first {FIRST} after the title (three to five "
        "with the title in the thesis).",
        f"The search tries {tried} of the {published} settings of the grid.",
    )


TABLES = {"table5.1": Table("Table 5.1: text classification benchmark, macro-F1", VERSIONS, plan)}
