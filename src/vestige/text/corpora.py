"""Corpora by name or from a file, loaded whole or streamed.

Two corpora are shipped; the other names are looked up in the folders of the environment variable VESTIGE_DATA.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.chat import find_chat, read_chat
from vestige.text.columns import ColumnSurvey, find_text_column, survey_columns, to_text
from vestige.text.corpus import Corpus, read_corpus
from vestige.text.formats import read_blocks

DATA = Path(__file__).parent / "data"
CHAT = "chat"


@dataclass(frozen=True, slots=True)
class NamedCorpus:
    """What a named corpus contains, where to get it, and which columns hold its texts and documents."""

    summary: str
    source: str
    text_column: str = "text"
    document_column: str | None = None


SHIPPED = {
    "complaints": NamedCorpus("consumer complaints about banks and lenders, by product", "shipped", "text", "document"),
    "speeches": NamedCorpus(
        "annual messages of US presidents, by author, party and year", "shipped", "text", "document"
    ),
}

EXTERNAL = {
    "agnews": NamedCorpus("news in brief, 4 topics", "the AG's News topic classification set (Zhang et al. 2015)"),
    CHAT: NamedCorpus(
        "chat messages of pseudonymous authors",
        "chitchat-dataset 0.9.0, which is read where it is installed",
        "text",
        "conversation",
    ),
    "imdb": NamedCorpus("film reviews", "the Large Movie Review Dataset (Maas et al. 2011)", "text", "id"),
    "lounge_reviews": NamedCorpus("reviews of airport lounges", "the Skytrax user reviews"),
    "mpqa": NamedCorpus("opinion phrases", "MPQA Opinion (Wiebe et al. 2005), as packed for SentEval"),
    "msrp": NamedCorpus(
        "paraphrase pairs", "the Microsoft Research Paraphrase Corpus, as packed for SentEval", "first"
    ),
    "newsgroups": NamedCorpus("posts in 20 newsgroups", "20 Newsgroups, by date, as in scikit-learn", "text", "id"),
    "pubmed": NamedCorpus(
        "abstracts of medical papers", "PubMed's yearly baseline, citations with abstracts", "text", "id"
    ),
    "splice": NamedCorpus("DNA around splice sites", "UCI Molecular Biology: splice-junction sequences", "sequence"),
    "subj": NamedCorpus("subjective and objective sentences", "the subjectivity set (Pang and Lee 2004)"),
    "trec": NamedCorpus("questions", "TREC question classification (Li and Roth 2002)"),
    "wikitext": NamedCorpus("paragraphs of Wikipedia", "WikiText-2 (Merity et al. 2017)"),
}


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """Name and path of a corpus, and the columns to read unless the caller names others."""

    name: str
    path: Path
    text_column: str | None = None
    document_column: str | None = None


def load_corpus(source: str | Path, text_column: str | None = None, document_column: str | None = None) -> Corpus:
    """Load a corpus by name ("complaints", "imdb") or from a file."""
    if source == CHAT and (packaged := _find_packaged_chat()):
        return read_chat(packaged)
    located = locate(source)
    corpus = read_corpus(located.path, text_column or located.text_column, document_column or located.document_column)
    return replace(corpus, name=located.name)


@dataclass(frozen=True, slots=True)
class TextStream:
    """The texts of a file in order, in lists of at most `block`; iterating again reads the file again.

    The texts are those of `load_corpus`, and `total` is their number. At most one block is in memory.
    """

    name: str
    path: Path
    text_column: str
    total: int
    block: int

    def __iter__(self) -> Iterator[list[str]]:
        count = 0
        for block in read_blocks(self.path, self.block, self.text_column):
            count += block.rows
            yield [to_text(value) for value in block.column(self.text_column)]
        if count != self.total:
            raise InputError(
                f"{self.path} has {count} texts where it had {self.total} before; do not change the file while it is "
                "read"
            )


def stream_texts(source: str | Path, text_column: str | None = None, *, block: int = 4096) -> TextStream:
    """Stream the texts of a corpus by name or from a file, found and checked as `load_corpus` does.

    One pass over the file comes first, at microseconds per text: an unreadable line is reported now and not after hours
    of work, the text column is chosen on all values, and the total is known. A gzipped parquet file is unpacked to a
    temporary file in each pass.
    """
    if block < 1:
        raise InputError(f"the block is {block} texts; expected at least 1")
    located = locate(source)
    wanted = text_column or located.text_column
    survey = _survey_file(located.path, block, wanted)
    column = find_text_column(located.path, survey, wanted)
    return TextStream(located.name, located.path, column, survey.rows, block)


def locate(source: str | Path) -> CorpusSource:
    """Find a corpus by name ("complaints", "imdb") or by the path of a file."""
    if source in SHIPPED:
        return _build_source(str(source), SHIPPED[str(source)], DATA / f"{source}.parquet")
    if source in EXTERNAL:
        named = EXTERNAL[str(source)]
        return _build_source(str(source), named, _find_external(str(source), named))
    path = Path(source)
    if isinstance(source, Path) or path.suffix or path.exists():
        return CorpusSource(path.name, path)
    raise InputError(f"'{source}' is neither a file nor a named corpus; {nearest(source, [*SHIPPED, *EXTERNAL])}")


def is_available(name: str) -> bool:
    """Whether a named corpus is shipped, stored in a folder of VESTIGE_DATA, or part of an installed package."""
    stored = name in SHIPPED or any(map(Path.is_file, _list_paths(name)))
    return stored or (name == CHAT and find_chat() is not None)


def _find_packaged_chat() -> Path | None:
    """The file of the installed package, unless a folder of VESTIGE_DATA has the corpus."""
    return None if any(map(Path.is_file, _list_paths(CHAT))) else find_chat()


def _survey_file(path: Path, block: int, column: str | None) -> ColumnSurvey:
    """Survey only this column; survey all of them without one, or if the file does not have it."""
    survey = survey_columns(read_blocks(path, block, column))
    return survey if column is None or column in survey.names else survey_columns(read_blocks(path, block))


def _build_source(name: str, named: NamedCorpus, path: Path) -> CorpusSource:
    return CorpusSource(name, path, named.text_column, named.document_column)


def _find_external(name: str, named: NamedCorpus) -> Path:
    tried = _list_paths(name)
    remedy = (
        f"get {named.source}, save it as {name}.parquet with the text in column '{named.text_column}', "
        "and name its folder in the environment variable VESTIGE_DATA"
    )
    if not tried:
        raise InputError(f"corpus '{name}' is not shipped and VESTIGE_DATA is not set; {remedy}")
    path = next(filter(Path.is_file, tried), None)
    if path is None:
        listed = " or ".join(map(str, tried))
        raise InputError(f"corpus '{name}' is not shipped and {listed} does not exist; {remedy}")
    return path


def _list_paths(name: str) -> list[Path]:
    """Where the corpus may be stored. VESTIGE_DATA lists folders as PATH does; the first that has it wins."""
    folders = os.environ.get("VESTIGE_DATA", "").split(os.pathsep)
    return [Path(folder) / f"{name}.parquet" for folder in folders if folder]
