"""`vestige init`: write a `vestige.toml` for what is in the current folder."""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from vestige.case.settings import Preset
from vestige.cli import options
from vestige.cli.echo import echo
from vestige.config.config_file import FILE_NAME
from vestige.config.toml_writer import format_value

DEFAULT_GATE = "words>0.30"

Config = Annotated[Path, typer.Option(metavar="FILE", help="The file to write; an existing one is never overwritten.")]
Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        metavar="SOURCE",
        help="Vectors to audit, as in `vestige audit SOURCE`. Repeatable.",
        show_default="stores and files of the current folder",
    ),
]
Gate = Annotated[str, typer.Option("--fail-on", metavar="GATE", help="The gate of the audits; empty for none.")]
PresetName = Annotated[
    Preset, typer.Option("--preset", metavar="NAME", help="The preset: quick, standard or thorough.")
]
Yes = Annotated[bool, typer.Option("--yes", metavar="", help="Ask nothing.")]


@dataclass(frozen=True, slots=True)
class _Proposal:
    """An audit to write: None is what is not known or not needed. `gated` if texts can be expected.

    `column` has the texts, if the name of no column of their file says which it is.
    """

    name: str
    source: str | None = None
    texts: str | None = None
    encoder: str | None = None
    gated: bool = True
    documents: str | None = None
    column: str | None = None


def init(
    config: Config = Path(FILE_NAME),
    source: Sources = None,
    texts: options.Texts = None,
    encoder: options.Encoder = None,
    fail_on: Gate = DEFAULT_GATE,
    preset: PresetName = "standard",
    yes: Yes = False,
) -> None:
    """Write a commented vestige.toml: an audit for each store, file of vectors or file of texts, and a gate.

    Questions are asked on a terminal; with --yes, or without a terminal, the flags and what is found decide.

    All commands read the nearest vestige.toml of the current folder and its parents.
    """
    from vestige.encoders.load import check_spec
    from vestige.errors import InputError
    from vestige.files import check_writable, write_whole

    if config.exists():
        raise InputError(f"{config} already exists; edit it, move it away, or write another file with --config")
    if config.parent.resolve() != Path.cwd():
        raise InputError(f"{config} is in another folder, and its paths would be relative to that; run init there")
    check_writable(config.parent)
    _check_gate(fail_on)
    if encoder is not None:
        check_spec(encoder)
    proposals = _propose(source or (), texts, encoder)
    if yes or not sys.stdin.isatty():
        proposals = _complete(proposals)
    else:
        proposals = _complete([_ask_texts(proposal) for proposal in _ask_which(proposals)])
        proposals = [_ask_encoder(proposal) for proposal in proposals]
        fail_on = _ask("Gate: exit with code 1 if this holds; - for none", fail_on, _check_gate)
    write_whole(config, _render(proposals, fail_on, preset).encode())
    echo(f"{config}: {', '.join(proposal.name for proposal in proposals)}")
    echo(f"next, run {'it' if len(proposals) == 1 else 'one of them'}:")
    for proposal in proposals:
        echo(f"  vestige audit {proposal.name}{_format_config(config)}")


def _propose(sources: Sequence[str], texts: str | None, encoder: str | None) -> list[_Proposal]:
    """The audits of the named sources, of what the folder holds, or of the embedded corpus."""
    from vestige.cli.detection import explain_texts, find_source_documents, find_texts, find_vectors

    for path in (*sources, texts or ""):
        _check_exists(path)
    if sources:
        found = [
            _Proposal(_guess_name(source), source, texts, encoder, documents=find_source_documents(source))
            for source in sources
        ]
    elif texts is not None:
        found = [_Proposal(_guess_name(texts), None, texts, encoder or "minilm")]
    else:
        vectors, files = find_vectors(Path()), find_texts(Path())
        stored = {each.source for each in vectors}
        plain = [each for each in files if each.path not in stored]
        found = []
        for each in vectors:
            match = next((file.path for file in plain if not each.has_texts and file.rows == each.rows), None)
            known = each.has_texts is not False or match is not None
            found.append(_Proposal(each.name, each.source, match, encoder, known, each.documents))
        if not vectors:
            found = [_Proposal(_guess_name(each.path), None, each.path, encoder or "minilm") for each in plain]
        for reason in explain_texts(Path()) if not found else ():
            echo(f"passed over: {reason}", err=True)
    return _name_apart(found or [_Proposal("example", None, "complaints", encoder or "minilm")])


def _complete(proposals: Sequence[_Proposal]) -> list[_Proposal]:
    """The same audits, with the column of documents and the encoder of each where they are found, without servers.

    Ask before: bars redraw their lines, and would erase a question.
    """
    from vestige.cli.detection import identify_source
    from vestige.cli.progress import progress_bars

    completed = []
    with progress_bars(hide_full=True) as progress:
        for each in list(map(_add_columns, proposals)):
            unknown = each.source is not None and each.encoder is None and "://" not in each.source
            found = identify_source(str(each.source), each.texts, each.column, progress) if unknown else None
            if found is not None:
                echo(f"{each.source}: made by '{found}'", err=True)
            completed.append(replace(each, encoder=each.encoder or found))
    return completed


def _add_columns(proposal: _Proposal) -> _Proposal:
    """The same audit, with the column of the texts; and that of documents, if the vectors have none."""
    from vestige.cli.detection import choose_text_column, find_text_documents
    from vestige.errors import VestigeError

    if proposal.texts is None or not Path(proposal.texts).is_file():
        return proposal
    column = None
    with suppress(VestigeError, OSError):  # A file that cannot be read is reported by the audit.
        column = choose_text_column(proposal.texts)
    if column is not None:
        echo(f"{proposal.texts}: texts are taken from column '{column}'", err=True)
    return replace(proposal, column=column, documents=proposal.documents or find_text_documents(proposal.texts, column))


def _check_exists(path: str) -> None:
    """Raise for a file that is not there; stores and corpora are checked by the audit."""
    from vestige.errors import InputError

    if "." in Path(path).name and ":" not in path and not Path(path).exists():
        raise InputError(f"{path} does not exist; name a file relative to this folder")


def _check_gate(gate: str) -> None:
    from vestige.audit.gate import parse_gate
    from vestige.probes.plan import list_probes

    if gate:
        parse_gate(gate, list_probes())


def _ask_which(proposals: list[_Proposal]) -> list[_Proposal]:
    """The audits that the user wants."""
    from vestige.errors import InputError

    chosen = [each for each in proposals if typer.confirm(f"Audit {each.source or each.texts}?", default=True)]
    if not chosen:
        raise InputError("no audit was chosen, so nothing is written; name vectors with --source or texts with --texts")
    return chosen


def _ask_texts(proposal: _Proposal) -> _Proposal:
    """Ask for the texts of stored vectors."""
    if proposal.source is None:
        return proposal
    texts = _ask(f"Texts of {proposal.source}; - if stored with them", proposal.texts or "", _check_exists)
    return replace(proposal, texts=texts or None, gated=proposal.gated or bool(texts))


def _ask_encoder(proposal: _Proposal) -> _Proposal:
    from vestige.encoders.load import check_spec

    question = f"Encoder of {proposal.source or proposal.texts}; - if unknown"
    encoder = _ask(question, proposal.encoder or "", lambda spec: check_spec(spec) if spec else None)
    return replace(proposal, encoder=encoder or None)


def _ask(question: str, proposed: str, check: Callable[[str], None]) -> str:
    """Ask until the check accepts the answer; a dash is an empty answer."""
    from vestige.errors import InputError

    while True:
        given = str(typer.prompt(question, default=proposed or "-"))
        answer = "" if given == "-" else given
        try:
            check(answer)
        except InputError as error:
            echo(f"error: {error}", err=True)
            continue
        return answer


def _guess_name(source: str) -> str:
    """The collection, or the name of the file without its folder and extension."""
    _, _, collection = source.partition("#")
    return collection or Path(source.rpartition(":")[2]).name.partition(".")[0]


def _name_apart(proposals: Iterable[_Proposal]) -> list[_Proposal]:
    """The same audits with names that TOML takes without quotes, each once, and none that of an option."""
    from typer.main import get_command

    from vestige.cli.command_keys import describe_command
    from vestige.cli.main import app

    taken = set(describe_command(get_command(app).commands["audit"]).keys)  # type: ignore[attr-defined]
    named = []
    for proposal in proposals:
        stem = name = re.sub(r"[^A-Za-z0-9_]+", "-", proposal.name).strip("-") or "vectors"
        number = 2
        while name in taken:
            name, number = f"{stem}-{number}", number + 1
        taken.add(name)
        named.append(replace(proposal, name=name))
    return named


def _render(proposals: Iterable[_Proposal], gate: str, preset: str) -> str:
    blocks = [
        HEAD,
        f"[audit]  # what all audits share\npreset = {format_value(preset)}  # quick, standard or thorough\n",
    ]
    return "\n".join([*blocks, *(_render_audit(proposal, gate) for proposal in proposals)])


def _render_audit(proposal: _Proposal, gate: str) -> str:
    lines = [f"[audit.{proposal.name}]  # vestige audit {proposal.name}"]
    if proposal.source is not None:
        lines.append(f"source = {format_value(proposal.source)}")
    lines.append(_render_key("texts", proposal.texts, "letters.csv", "the texts of the vectors, if stored elsewhere"))
    if proposal.column is not None:
        lines.append(f"text-column = {format_value(proposal.column)}  # of the columns with prose, the longest")
    lines.append(_render_key("encoder", proposal.encoder, "minilm", "`vestige check SOURCE` tries to identify it"))
    lines.append(_render_key("document-column", proposal.documents, "thread", "if rows are parts of longer documents"))
    if gate:
        mark, note = ("", "exit code 1 if this holds") if proposal.gated else ("# ", "needs the texts of the vectors")
        lines.append(f"{mark}fail-on = {format_value([gate])}  # {note}")
    return "\n".join(lines) + "\n"


def _render_key(key: str, value: str | None, example: str, note: str) -> str:
    return f"# {key} = {format_value(example)}  # {note}" if value is None else f"{key} = {format_value(value)}"


def _format_config(config: Path) -> str:
    return "" if config == Path(FILE_NAME) else f" --config {config}"


HEAD = """\
# What `vestige` runs here. Paths are relative to this file, and flags override it:
#     vestige audit NAME --targets 2000
# Every option of a command can be set by its long name; `vestige audit --help` lists them. Tables such as [defend],
# [check] and [protect] do the same for other commands.
"""
