"""`vestige redact`: mask or replace names, numbers and addresses in texts before they are encoded."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from vestige.cli import options
from vestige.cli.echo import echo

Out = Annotated[Path, typer.Argument(metavar="OUT", help="The new file of texts: .parquet, .csv or .jsonl.")]
Kinds = Annotated[
    str,
    typer.Option(
        metavar="KINDS",
        help="What to redact, comma-separated: names, numbers, emails, links, keywords, or labels of a tagger (ORG).",
    ),
]
Mode = Annotated[
    str,
    typer.Option(
        metavar="MODE",
        help="placeholder: [NAME]; mask: nothing; surrogate: another of its kind in every document; pseudonym: the "
        "same one everywhere.",
    ),
]
Keywords = Annotated[
    str | None, typer.Option(metavar="WORDS", help="Keywords to redact, comma-separated; implies that kind.")
]
DetectorName = Annotated[
    str,
    typer.Option("--detector", metavar="NAME", help="What finds names: lists, tagger, presidio, auto."),
]
Settings = Annotated[
    Path | None,
    typer.Option("--redactor", metavar="FILE", help="Settings that `vestige defend` saved, in place of the above."),
]
Key = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        help="The key of surrogates and pseudonyms; whoever knows it can test guesses.",
        show_default="a secret one",
    ),
]


def redact(
    texts: options.TextFile,
    out: Out,
    kinds: Kinds = "names,numbers,emails",
    mode: Mode = "placeholder",
    keywords: Keywords = None,
    detector: DetectorName = "auto",
    settings: Settings = None,
    seed: Key = None,
    text_column: options.TextColumn = None,
    document_column: options.DocumentColumn = None,
) -> None:
    """Mask or replace names, numbers, e-mail addresses and keywords in texts, and write them to a new file.

    The other columns are kept as they are: check that they hold no names either. Encode the new file, and redact search
    queries in the same way. No detector finds everything: read a sample of the result.

    With --mode pseudonym, the settings are saved next to OUT, with the secret key. Give them with --redactor for
    queries and for further texts.
    """
    from dataclasses import replace
    from functools import partial

    from vestige.errors import InputError
    from vestige.files import check_writable, writable_folder, write_together
    from vestige.text.corpora import load_corpus
    from vestige.text.corpus import check_corpus_path, serialize_corpus
    from vestige.text.redaction import Redactor

    check_corpus_path(out)
    check_writable(out.parent)
    key, keyed = out.with_name(f"{out.name}.redactor.json"), mode == "pseudonym" and settings is None
    for place in (out, *([key] if keyed else [])):
        if place.exists():
            raise InputError(f"{place} already exists; choose another file, or move it away")
    words = _split(keywords or "")
    named = tuple(dict.fromkeys([*_split(kinds), *(["keywords"] if words else [])]))
    typed = partial(Redactor, named, mode, words, detector, seed or 0)  # type: ignore[arg-type]
    redactor = typed() if settings is None else Redactor.load(settings)
    redactor = redactor.draw_key() if settings is None and seed is None else redactor
    corpus = load_corpus(texts, text_column, document_column)
    redacted = redactor.redact(corpus.texts, corpus.documents)
    written = {out: serialize_corpus(replace(corpus, texts=[each.text for each in redacted]), out)}
    writable_folder(out.parent)
    write_together(written | ({key: redactor.serialize()} if keyed else {}))
    counts = Counter(mention.kind for each in redacted for mention in each.mentions)
    found = ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common()) or "nothing to redact"
    changed = sum(bool(each.mentions) for each in redacted)
    echo(f"{out}: {len(redacted):,} texts, {changed:,} of them changed ({found})")
    if keyed:
        echo(f"{key}: the key; keep it secret, and redact queries with --redactor {key}")
    if corpus.attributes:
        echo(f"kept as they are: {', '.join(corpus.attributes)}")


def _split(listed: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in listed.split(",") if part.strip())
