"""`vestige encode`: encode texts into a file of vectors."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vestige.cli import options
from vestige.cli.echo import echo
from vestige.nn.device import NamedDevice

if TYPE_CHECKING:
    from vestige.encoders.resumable import EncoderSource
    from vestige.engine.folders import Folder
    from vestige.engine.job import Engine
    from vestige.stores.source_state import FileState
    from vestige.stores.text_dataset import DatasetColumns, TextDataset
    from vestige.stores.write import WrittenVectors
    from vestige.text.corpora import TextStream
    from vestige.text.other_columns import OtherColumns
    from vestige.types import Encoder, Progress

Out = Annotated[
    str,
    typer.Option(
        metavar="OUT",
        help="The file to write, one row per text: .parquet or .npy; or a folder of parquet files: FOLDER/ or "
        "s3://BUCKET/FOLDER.",
    ),
]

EncoderDevice = Annotated[
    NamedDevice,
    typer.Option("--device", metavar="DEVICE", help="Where a transformer computes: cpu, cuda or mps."),
]
KeepText = Annotated[
    bool,
    typer.Option("--keep-text", metavar="", help="Also write the text column: plain text next to its vectors."),
]
KeptColumns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="NAMES",
        help="The other columns to keep, such as id,label; .parquet only.",
        show_default="all but the text",
    ),
]

BLOCK_VALUES = 2**24
"""Numbers in a block of vectors, at most; bounds the memory of encoders with very long vectors."""


def encode(
    texts: options.TextFile,
    encoder: options.RequiredEncoder,
    out: Out = "vectors.parquet",
    precision: options.Precision = "fp32",
    device: EncoderDevice = "cpu",
    text_column: options.TextColumn = None,
    document_column: options.DocumentColumn = None,
    columns: KeptColumns = None,
    keep_text: KeepText = False,
    send: options.Send = False,
    engine: options.EngineChoice = "local",
    address: options.Address = None,
    workers: options.Workers = None,
) -> None:
    """Encode texts into a file of vectors, one vector per text. Blank lines of a .txt file are skipped.

    A .parquet file also gets the other columns of the texts (ids, labels, dates), with their types. The text itself
    is left out: next to its vector it needs no attack.

    Texts are read, encoded and written in parts: a million take no more memory than a few thousand.

    Run the same command again to resume a stopped run, on any machine and with any number of workers.
    """
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.encoders.endpoint.encoder import refuse_unconfirmed_sending
    from vestige.encoders.fitted import LearnedEncoder
    from vestige.encoders.load import load_encoder, needs_corpus
    from vestige.encoders.resumable import EncoderSource
    from vestige.encoders.saved import SavedEncoder
    from vestige.engine.choose import open_engine
    from vestige.engine.filesystems import show_url
    from vestige.text.corpora import load_corpus

    place = _resolve_out(out, columns, keep_text=keep_text)
    corpus = load_corpus(texts, text_column, document_column) if needs_corpus(encoder) else None
    loaded = load_encoder(encoder, corpus=corpus, precision=precision, device=device)
    named = None if columns is None else [name.strip() for name in columns.split(",") if name.strip()]
    keeps = not isinstance(place, Path) or place.suffix == ".parquet"
    source = _open_texts(texts, text_column, named, keep_text=keep_text, keeps=keeps)
    _check_engine(engine, loaded, device)
    if not send:
        refuse_unconfirmed_sending(loaded, source.stream)
    with progress_bars() as progress, report_interrupt(), open_engine(engine, address, workers, progress) as chosen:
        if isinstance(loaded, LearnedEncoder | SavedEncoder):
            dimension = loaded.encode(["word"], progress=progress).shape[1]
            source = source.limit_block(max(1, BLOCK_VALUES // dimension))
        wrapped = EncoderSource.wrap(loaded, encoder, precision, device)
        written = _encode(source, wrapped, place, chosen, progress)
    echo(f"{show_url(out)}: {written.rows:,} vectors of {written.columns:,} dimensions, by {loaded.name}")
    _print_kept(source.others)
    if written.zeros:
        zero = "1 of them is zero" if written.zeros == 1 else f"{written.zeros:,} of them are zero"
        echo(f"{zero}: {loaded.name} knows no word of the text; an audit refuses zeros")
    if spent := getattr(loaded, "spent", None):
        echo(f"spent: {spent}")


@dataclass(frozen=True)
class _Texts:
    """The texts to encode, and the columns that are kept next to the vectors."""

    stream: "TextStream | TextDataset"
    others: "OtherColumns | DatasetColumns | None"
    source: str
    state: "tuple[FileState, ...] | None"

    def limit_block(self, most: int) -> "_Texts":
        """The same texts in blocks of at most so many."""
        return replace(self, stream=replace(self.stream, block=min(self.stream.block, most)))

    @property
    def parts(self) -> int:
        """The number of parts."""
        return ceil(self.stream.total / self.stream.block)

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Raise if the source changes meanwhile. Encoded parts remain: they are used again for the same texts only."""
        from vestige.errors import InputError

        try:
            yield
        except InputError:
            self.check_unchanged()
            raise
        self.check_unchanged()

    def check_unchanged(self) -> None:
        """Raise if the source is not what it was when it was opened."""
        from vestige.stores.source_state import check_unchanged

        check_unchanged(self.source, self.state)

    def list_blocks(self) -> Iterable[list[str]]:
        """The texts in lists of exactly `block`, but for the last."""
        from itertools import chain

        from vestige.text.formats import batched_rows

        return batched_rows(chain.from_iterable(self.stream), self.stream.block)


def _open_texts(
    texts: str, text_column: str | None, named: list[str] | None, *, keep_text: bool, keeps: bool
) -> _Texts:
    from vestige.stores.dataset_files import is_dataset
    from vestige.stores.source_state import read_state
    from vestige.stores.text_dataset import find_dataset_columns, open_text_dataset
    from vestige.stores.write import COLUMN
    from vestige.text.corpora import stream_texts
    from vestige.text.other_columns import find_other_columns

    if is_dataset(texts):
        state = read_state(texts)
        dataset = open_text_dataset(texts, text_column)
        kept = find_dataset_columns(dataset, named, keep_text=keep_text, taken=COLUMN) if keeps else None
        return _Texts(dataset, kept, texts, state)
    stream = stream_texts(texts, text_column)
    state = read_state(str(stream.path))
    others = find_other_columns(stream, named, keep_text=keep_text, taken=COLUMN) if keeps else None
    return _Texts(stream, others, str(stream.path), state)


def _encode(
    texts: _Texts, source: "EncoderSource", place: "Path | Folder", engine: "Engine", progress: "Progress"
) -> "WrittenVectors":
    """Encode all parts; then make one file of them, or the manifest of a folder."""
    from vestige.encoders.resumable import cut_texts, encode_parts, read_parts
    from vestige.engine.folders import LocalFolder
    from vestige.files import parts_folder
    from vestige.stores.write import write_vectors

    if not isinstance(place, Path):
        return _encode_to_folder(texts, source, place, engine, progress)
    assert source.encoder is not None
    advance = progress(f"encoding with {source.encoder.name}", texts.stream.total)
    with parts_folder(place.parent / f".{place.name}.parts", "_records/0*") as parts:
        cut, folder = cut_texts(texts.list_blocks()), LocalFolder(parts)
        with texts.unchanged():
            records = encode_parts(source, cut, texts.parts, folder, engine=engine, advance=advance)
        vectors, total = read_parts(parts, records), texts.stream.total
        return write_vectors(
            place,
            vectors,
            total=total,
            scratch=parts / "whole",
            others=texts.others,
            publish=texts.check_unchanged,
        )


def _encode_to_folder(
    texts: _Texts, source: "EncoderSource", folder: "Folder", engine: "Engine", progress: "Progress"
) -> "WrittenVectors":
    import vestige
    from vestige.encoders.resumable import cut_texts, encode_parts
    from vestige.engine.parts import claim, finish
    from vestige.stores.write import TableRows, WrittenVectors

    assert source.encoder is not None
    advance = progress(f"encoding with {source.encoder.name}", texts.stream.total)
    rows = None if texts.others is None else TableRows(texts.others, Path(folder.place))
    blocks = texts.list_blocks()
    tables = None
    if rows is not None:
        counts = (min(texts.stream.block, texts.stream.total - start) for start in _list_starts(texts))
        tables = (rows.take(count) for count in counts)
    with claim(folder, source.identity) as held:
        cut = cut_texts(blocks, tables)
        with texts.unchanged():
            records = encode_parts(source, cut, texts.parts, held, ending=".parquet", engine=engine, advance=advance)
        dimension = records[0].detail["columns"]
        finish(held, records, {"version": vestige.__version__, "encoder": source.encoder.name, "columns": dimension})
    return WrittenVectors(texts.stream.total, dimension, sum(record.detail["zeros"] for record in records))


def _list_starts(texts: _Texts) -> range:
    return range(0, texts.stream.total, texts.stream.block)


def _check_engine(engine: str, encoder: "Encoder", device: NamedDevice) -> None:
    """Raise, before any work, if the encoder cannot be used there, or this machine lacks the device."""
    from vestige.encoders.endpoint.encoder import ON_CLUSTER, is_service
    from vestige.errors import InputError
    from vestige.nn.device import choose_device

    if engine != "local" and is_service(encoder):
        raise InputError(ON_CLUSTER)
    if engine != "local" and device == "mps":
        raise InputError("Ray does not count devices 'mps', so all workers of a machine would share one; drop --engine")
    if engine == "local" and device != "cpu":
        choose_device(device)


def _resolve_out(out: str, columns: str | None, *, keep_text: bool) -> "Path | Folder":
    """The file or folder to write. Raise, before any work, if that would overwrite anything or is not possible."""
    from vestige.engine.filesystems import is_url
    from vestige.engine.folders import check_folder_writable, open_folder
    from vestige.engine.parts import remove_leftovers
    from vestige.errors import InputError
    from vestige.files import check_writable
    from vestige.stores.write import check_vector_path

    if is_url(out) or str(out).endswith("/"):
        folder = open_folder(out)
        check_folder_writable(folder)
        return folder
    path = Path(out)
    check_vector_path(path)
    _check_columns(path, columns, keep_text=keep_text)
    check_writable(path.parent)
    if path.exists():
        remove_leftovers(path)
        raise InputError(f"{path} already exists; choose another file with --out, or move it away")
    return path


def _print_kept(others: "OtherColumns | DatasetColumns | None") -> None:
    """Name the kept columns, and warn of those that hold text."""
    if others is None:
        return
    echo(f"kept columns: {', '.join(others.schema.names)}")
    if others.prose:
        echo(f"warning: plain text in {', '.join(others.prose)}; choose what is kept with --columns", err=True)


def _check_columns(out: Path, columns: str | None, *, keep_text: bool) -> None:
    """Raise if columns are wanted in a file that holds vectors alone."""
    from vestige.errors import InputError

    if out.suffix == ".npy" and (columns is not None or keep_text):
        option = "--keep-text" if keep_text else "--columns"
        raise InputError(f"{out} holds vectors alone, and {option} keeps columns; name a .parquet file with --out")
