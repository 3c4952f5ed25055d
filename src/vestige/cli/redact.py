"""`vestige redact`: mask or replace names, numbers and addresses in texts before they are encoded."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from vestige.cli import options
from vestige.cli.echo import echo
from vestige.cli.option_groups import COMMON, grouped
from vestige.errors import InputError

if TYPE_CHECKING:
    from vestige.text.corpus import Corpus
    from vestige.text.redaction import Redacted, Redactor


@dataclass(frozen=True, kw_only=True)
class _Files:
    """What to read, and what to write."""

    panel: ClassVar[str] = COMMON
    texts: options.TextFile
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The new file of texts: .parquet, .csv or .jsonl.")]
    text_column: options.TextColumn = None
    document_column: options.DocumentColumn = None


@dataclass(frozen=True, kw_only=True)
class _Rules:
    """What to redact, and how."""

    panel: ClassVar[str] = "Redaction"
    kinds: Annotated[
        str,
        typer.Option(
            metavar="KINDS",
            help="What to redact, comma-separated: names, numbers, emails, links, keywords, or labels of a tagger "
            "(ORG).",
        ),
    ] = "names,numbers,emails"
    mode: Annotated[
        str,
        typer.Option(
            metavar="MODE",
            help="placeholder: [NAME]; mask: nothing; surrogate: another of its kind, drawn anew for each document; "
            "pseudonym: the same one everywhere.",
        ),
    ] = "placeholder"
    keywords: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Keywords to redact, comma-separated; implies that kind.")
    ] = None
    detector: Annotated[str, typer.Option(metavar="NAME", help="What finds names: lists, tagger, presidio, auto.")] = (
        "auto"
    )
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The key of surrogates and pseudonyms; whoever knows it can test guesses.",
            show_default="a secret one",
        ),
    ] = None

    def list_changed(self) -> list[str]:
        """The options that differ from their defaults."""
        return [f"--{each.name}" for each in fields(self) if getattr(self, each.name) != each.default]

    def build(self) -> "Redactor":
        """The redactor, with a secret key unless one is given."""
        from vestige.text.redaction import Redactor

        words = _split(self.keywords or "")
        kinds = tuple(dict.fromkeys([*_split(self.kinds), *(["keywords"] if words else [])]))
        redactor = Redactor(kinds, self.mode, words, self.detector, self.seed or 0)  # type: ignore[arg-type]
        return redactor.draw_key() if self.seed is None else redactor


@dataclass(frozen=True, kw_only=True)
class _Saved:
    """Saved rules."""

    panel: ClassVar[str] = "Redaction"
    redactor: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Saved rules, with their key, in place of the options above."),
    ] = None


@grouped
def redact(files: _Files, rules: _Rules, saved: _Saved) -> None:
    """Mask or replace names, numbers, e-mail addresses and keywords in texts, and write them to a new file.

    The other columns are kept as they are: check that they hold no names either. Encode the new file, and redact search
    queries in the same way. No detector finds everything: read a sample of the result.

    With --mode pseudonym, the settings are saved next to OUT, with the secret key. Give them with --redactor for
    queries and for further texts.
    """
    from vestige.files import check_writable, writable_folder, write_together
    from vestige.text.corpora import load_corpus
    from vestige.text.corpus import check_corpus_path, serialize_corpus
    from vestige.text.redaction import Redactor

    out = files.out
    check_corpus_path(out)
    check_writable(out.parent)
    if saved.redactor is not None and (changed := rules.list_changed()):
        raise InputError(
            f"{saved.redactor} has rules of its own, which {', '.join(changed)} would contradict; drop these options, "
            "or drop --redactor"
        )
    key, keyed = out.with_name(f"{out.name}.redactor.json"), rules.mode == "pseudonym"
    for place in (out, *([key] if keyed else [])):
        if place.exists():
            raise InputError(f"{place} already exists; choose another file, or move it away")
    redactor = rules.build() if saved.redactor is None else Redactor.load(saved.redactor)
    corpus = load_corpus(files.texts, files.text_column, files.document_column)
    redacted = redactor.redact(corpus.texts, corpus.documents)
    written = {out: serialize_corpus(replace(corpus, texts=[each.text for each in redacted]), out)}
    writable_folder(out.parent)
    write_together(written | ({key: redactor.serialize()} if keyed else {}))
    _print_counts(out, corpus, redacted)
    if keyed:
        echo(f"{key}: the key; keep it secret, and redact queries with --redactor {key}")


def _print_counts(out: Path, corpus: "Corpus", redacted: "Sequence[Redacted]") -> None:
    counts = Counter(mention.kind for each in redacted for mention in each.mentions)
    found = ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common()) or "nothing to redact"
    changed = sum(bool(each.mentions) for each in redacted)
    echo(f"{out}: {len(redacted):,} texts, {changed:,} of them changed ({found})")
    if corpus.attributes:
        echo(f"kept as they are: {', '.join(corpus.attributes)}")


def _split(listed: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in listed.split(",") if part.strip())
