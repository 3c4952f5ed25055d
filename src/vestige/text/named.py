"""Corpora by name: two are shipped, the others are looked for in the folders that VESTIGE_DATA names."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.corpus import Corpus
from vestige.text.read import read_corpus

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class NamedSet:
    """What a named corpus is, the column that holds its text, and where it comes from."""

    summary: str
    source: str
    text_column: str = "text"
    document_column: str | None = None


SHIPPED = {
    "complaints": NamedSet("consumer complaints about banks and lenders, by product", "shipped", "text", "document"),
    "speeches": NamedSet("annual messages of US presidents, by author, party and year", "shipped", "text", "document"),
}

FOUND = {
    "agnews": NamedSet("news in brief, 4 topics", "the AG's News topic classification set (Zhang et al. 2015)"),
    "imdb": NamedSet("film reviews", "the Large Movie Review Dataset (Maas et al. 2011)", "text", "id"),
    "lounge_reviews": NamedSet("reviews of airport lounges", "the Skytrax user reviews"),
    "mpqa": NamedSet("opinion phrases", "MPQA Opinion (Wiebe et al. 2005), as packed for SentEval"),
    "msrp": NamedSet("paraphrase pairs", "the Microsoft Research Paraphrase Corpus, as packed for SentEval", "first"),
    "newsgroups": NamedSet("posts in 20 newsgroups", "20 Newsgroups, by date, as in scikit-learn", "text", "id"),
    "pubmed": NamedSet(
        "abstracts of medical papers", "PubMed's yearly baseline, citations with abstracts", "text", "id"
    ),
    "splice": NamedSet("DNA around splice sites", "UCI Molecular Biology: splice-junction sequences", "sequence"),
    "subj": NamedSet("subjective and objective sentences", "the subjectivity set (Pang and Lee 2004)"),
    "trec": NamedSet("questions", "TREC question classification (Li and Roth 2002)"),
    "wikitext": NamedSet("paragraphs of Wikipedia", "WikiText-2 (Merity et al. 2017)"),
}


@dataclass(frozen=True, slots=True)
class Source:
    """Where a corpus lies, what it is called, and the columns to read unless others are asked for."""

    name: str
    path: Path
    text_column: str | None = None
    document_column: str | None = None


def locate(source: str | Path) -> Source:
    """A corpus by name ("complaints", "imdb") or by the path of a file."""
    if source in SHIPPED:
        return _source(str(source), SHIPPED[str(source)], DATA / f"{source}.parquet")
    if source in FOUND:
        named = FOUND[str(source)]
        return _source(str(source), named, _find(str(source), named))
    path = Path(source)
    if isinstance(source, Path) or path.suffix or path.exists():
        return Source(path.name, path)
    raise InputError(f"'{source}' is neither a file nor a named corpus; {nearest(source, [*SHIPPED, *FOUND])}")


def load_corpus(source: str | Path, text_column: str | None = None, document_column: str | None = None) -> Corpus:
    """A corpus by name ("complaints", "imdb") or from a file."""
    found = locate(source)
    corpus = read_corpus(found.path, text_column or found.text_column, document_column or found.document_column)
    return replace(corpus, name=found.name)


def _source(name: str, named: NamedSet, path: Path) -> Source:
    return Source(name, path, named.text_column, named.document_column)


def _find(name: str, named: NamedSet) -> Path:
    tried = _places(name)
    remedy = (
        f"get {named.source}, save it as {name}.parquet with the text in column '{named.text_column}', "
        "and name its folder in the environment variable VESTIGE_DATA"
    )
    if not tried:
        raise InputError(f"corpus '{name}' is not shipped and VESTIGE_DATA is not set; {remedy}")
    found = next(filter(Path.is_file, tried), None)
    if found is None:
        listed = " or ".join(map(str, tried))
        raise InputError(f"corpus '{name}' is not shipped and {listed} is not there; {remedy}")
    return found


def is_present(name: str) -> bool:
    """Whether a named corpus is shipped or lies in a folder that VESTIGE_DATA names."""
    return name in SHIPPED or any(map(Path.is_file, _places(name)))


def _places(name: str) -> list[Path]:
    """Where it may lie: VESTIGE_DATA names folders as PATH does, and the first that has the set gives it."""
    folders = os.environ.get("VESTIGE_DATA", "").split(os.pathsep)
    return [Path(folder) / f"{name}.parquet" for folder in folders if folder]
