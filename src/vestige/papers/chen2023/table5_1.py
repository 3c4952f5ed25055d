"""Table 5.1: the data sets after preprocessing (Chen 2023, Chapter 5)."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from vestige.papers.chen2023.notes import study_notes
from vestige.papers.chen2023.setup import ChenSizes
from vestige.papers.chen2023.texts import CORPORA, StudyDocuments, explain_missing, read_documents
from vestige.papers.published import Sections
from vestige.papers.record import Line
from vestige.papers.rows import Place, PlannedRow, skip_row
from vestige.papers.run import PaperRun
from vestige.papers.table import Plan, Table
from vestige.text.corpus import Corpus
from vestige.text.importance import ImportantWords, content_forms
from vestige.types import Score

COLUMNS = ("long enough",)
BY, EXTERNAL = "documents of this run", "WikiText"


def plan(run: PaperRun[ChenSizes], printed: Sections) -> Plan:
    """One row per data set, and one for the external documents of the first; no encoder is attacked."""
    names = [name for models in printed.values() for name in models]
    documents = {
        name: read_documents(run, name) for name in names if name in CORPORA and not explain_missing(run, name)
    }
    rows = [row for section in printed for row in _plan_rows(run, section, printed, documents)]
    return Plan(rows, study_notes(run, documents))


def _plan_rows(
    run: PaperRun[ChenSizes], section: str, printed: Sections, documents: dict[str, StudyDocuments]
) -> Iterator[PlannedRow]:
    for name, figures in printed[section].items():
        place = Place(section, name, figures)
        study = next(iter(documents.values()), None) if name == EXTERNAL else documents.get(name)
        if study is None:
            yield skip_row(
                place, "", str(explain_missing(run, name)) if name in CORPORA else "no data set is available"
            )
        else:
            corpus = study.external if name == EXTERNAL else study.targets
            measure = partial(_lines, run.sizes, study, corpus)
            yield PlannedRow(place, corpus.name, measure, (study.targets, study.external, study.words))


def _lines(sizes: ChenSizes, study: StudyDocuments, corpus: Corpus) -> Iterator[Line | str]:
    lengths = count_words(corpus, study.words)
    total = len(corpus) + (study.dropped if corpus is study.external else 0)
    share = float((lengths >= sizes.shortest).sum() / total)
    yield Line(BY, (Score(share, share, share, total),))
    yield (
        f"{corpus.name}: {len(corpus):,} documents, {len(study.words.words):,} words of the vocabulary, "
        f"{lengths.mean():.1f} of them in a document on average"
    )


def count_words(corpus: Corpus, words: ImportantWords) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """The number of words of the vocabulary in each document."""
    known = frozenset(words.words)
    return np.array([sum(form in known for form in content_forms(text)) for text in corpus.texts], dtype=np.int64)


TABLES = {"table5.1": Table("Table 5.1: the data sets after preprocessing", COLUMNS, plan)}
