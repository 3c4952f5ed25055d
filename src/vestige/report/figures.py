"""Figures as the reports print them, the same in every format."""

from collections.abc import Iterable

from vestige.case.findings import Stored, Subject
from vestige.types import Score


def number(value: float) -> str:
    """Three places, and no minus before a zero."""
    return f"{round(value, 3) + 0.0:.3f}"


def interval(score: Score) -> str:
    """The two ends of the 95% interval."""
    return f"{number(score.low)} to {number(score.high)}"


def whole(value: object) -> str:
    """Counts with a comma at the thousands; anything else as it is."""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def spoken(score: Score) -> str:
    """A score in one breath, for those who hear the page."""
    return f"{number(score.value)} ({interval(score)})"


def in_ten(share: float) -> str:
    """A share as so many in ten."""
    return f"{round(share * 10, 1) + 0.0:.1f} in 10"


def standing(leakage: Score) -> str:
    """Where a gain over guessing stands, as far as its interval allows to say."""
    if leakage.low > 0:
        return "above guessing"
    return "below guessing" if leakage.high < 0 else "not told apart from guessing"


def sizes(scores: Iterable[Score]) -> str:
    """The sample size, once where all scores share it."""
    return " / ".join(whole(n) for n in dict.fromkeys(score.n for score in scores))


def wrong(count: int) -> str:
    """How many claimed words are not there; which ones is the stranger's text, and not for this page."""
    return f"{count} more {'word is' if count == 1 else 'words are'} claimed but not there."


def setting(value: str | int | bool | tuple[str, ...] | None) -> str:
    """A setting as it was given."""
    if value is None or value == ():
        return "not set"
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


def subject_rows(subject: Subject) -> list[tuple[str, str]]:
    """What was audited, and out of how much."""
    stored = subject.stored
    return [
        ("Corpus", subject.corpus or ("the texts beside the vectors" if stored and stored.texts else "not given")),
        ("Encoder", subject.encoder or "not named"),
        ("Vectors", subject.vectors or "encoded for this audit"),
        *([("Stored as", stored.form), ("Rows drawn", _drawn(stored))] if stored else []),
        ("Dimension", whole(subject.dimension)),
        (
            "Texts in all",
            f"{whole(subject.texts)} in {whole(subject.documents)} documents" if subject.texts else "none",
        ),
        (
            "Target texts" if subject.texts else "Target vectors",
            f"{whole(subject.target_texts)} in {whole(subject.target_documents)} documents",
        ),
        ("Text from elsewhere", subject.auxiliary or "not given"),
        ("Text that the encoder learned from", subject.trained_on or "not given"),
    ]


def _drawn(stored: Stored) -> str:
    about = "" if stored.exact else "about "
    return (
        "all"
        if stored.exact and stored.drawn == stored.rows
        else f"{whole(stored.drawn)} of {about}{whole(stored.rows)}"
    )


def provenance_rows(subject: Subject) -> list[tuple[str, str]]:
    """What it takes to know the same input again."""
    stored = subject.stored
    return [
        ("Digest of the targets", subject.digest),
        *([("Found by itself", ", ".join(stored.guessed))] if stored and stored.guessed else []),
        *([("Bytes read", whole(stored.bytes_read))] if stored and stored.bytes_read is not None else []),
        *(
            [("Drawn in runs", "neighbours together, since the file can only be read in large pieces")]
            if stored and stored.clustered
            else []
        ),
        ("Text column", subject.text_column or "not named"),
        ("Document column", subject.document_column or "none: a document a row"),
        ("Left out, no content word", whole(subject.left_out)),
    ]


def title(subject: Subject) -> str:
    """What the audit is of: the texts where they are known, else the vectors."""
    return f"Embedding audit: {subject.corpus or subject.vectors}"
