"""What was audited or defended, as rows of names and values."""

from vestige.case.findings import Stored, Subject
from vestige.report.formatting import format_count


def list_subject(subject: Subject) -> list[tuple[str, str]]:
    """The vectors, texts and encoder, and how many texts are under attack."""
    stored = subject.stored
    return [
        ("Corpus", subject.corpus or ("the texts stored with the vectors" if stored and stored.texts else "not given")),
        ("Encoder", subject.encoder or "not named"),
        ("Vectors", subject.vectors or "encoded for this run"),
        *([("Stored as", stored.form), ("Rows sampled", _count_sampled(stored))] if stored else []),
        ("Dimension", format_count(subject.dimension)),
        ("Texts", _count_texts(subject.texts, subject.documents) if subject.texts else "none"),
        (
            "Target texts" if subject.texts else "Target vectors",
            _count_texts(subject.target_texts, subject.target_documents),
        ),
    ]


def list_other_texts(subject: Subject) -> list[tuple[str, str]]:
    """The text of other people that an audit may use."""
    return [
        ("Cross-domain text", subject.auxiliary or "not given"),
        ("Encoder's training text", subject.trained_on or "not given"),
    ]


def list_provenance(subject: Subject) -> list[tuple[str, str]]:
    """What identifies the same input in another run."""
    stored = subject.stored
    return [
        ("Digest of the targets", subject.digest),
        *([("Columns detected", ", ".join(stored.guessed))] if stored and stored.guessed else []),
        *([("Bytes read", format_count(stored.bytes_read))] if stored and stored.bytes_read is not None else []),
        *(
            [("Sampled in runs", "neighbouring rows together; the file is stored in large blocks")]
            if _in_runs(stored)
            else []
        ),
        ("Text column", subject.text_column or "not named"),
        ("Document column", subject.document_column or "none (each row is a document)"),
        ("Texts or sentences skipped", format_count(subject.left_out)),
    ]


def _count_texts(texts: int, documents: int) -> str:
    return f"{format_count(texts)} in {format_count(documents)} documents"


def _count_sampled(stored: Stored) -> str:
    if stored.exact and stored.drawn == stored.rows:
        return "all"
    return f"{format_count(stored.drawn)} of {'' if stored.exact else 'about '}{format_count(stored.rows)}"


def _in_runs(stored: Stored | None) -> bool:
    return stored is not None and stored.clustered
