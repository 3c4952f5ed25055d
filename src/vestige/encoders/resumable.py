"""Encoding in parts, on one machine or many: a stopped run resumes, and damaged parts are encoded again."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from vestige.encoders.endpoint.encoder import is_remote
from vestige.encoders.load import load_encoder, needs_corpus
from vestige.encoders.unfinished import RefusedTexts, Unfinished
from vestige.engine.folders import Folder
from vestige.engine.job import Engine, Job
from vestige.engine.local_engine import LOCAL
from vestige.engine.parts import Part, PartRecord, PartsWork, name_partial, run_parts
from vestige.errors import InputError, VestigeError
from vestige.nn.device import NamedDevice
from vestige.types import Advance, Encoder, Precision, Progress, Vectors

SLICE = 512
VECTORS = "vector"
"""The column of the vectors."""


@dataclass(frozen=True, slots=True)
class TextPart(Part):
    """Texts to encode, and an Arrow table of their other columns, if these are kept."""

    texts: tuple[str, ...] = ()
    others: Any = None

    @property
    def digest(self) -> str:
        """A digest of the content: a part is never used for other texts."""
        digest = hashlib.sha256()
        for text in self.texts:
            content = text.encode("utf-8", "surrogatepass")
            digest.update(len(content).to_bytes(8, "big") + content)
        if self.others is not None:
            digest.update(self.others.schema.serialize())
            for batch in self.others.to_batches():
                digest.update(batch.serialize())
        return digest.hexdigest()


@dataclass(frozen=True)
class EncoderSource:
    """An encoder for workers: sent by its spec, which they load; or itself, if it was fitted on a corpus."""

    encoder: Encoder | None
    identity: str
    spec: str | None = None
    precision: Precision = "fp32"
    device: NamedDevice = "cpu"

    @classmethod
    def wrap(
        cls,
        encoder: Encoder,
        spec: str | None = None,
        precision: Precision = "fp32",
        device: NamedDevice = "cpu",
    ) -> "EncoderSource":
        """The source of a loaded encoder."""
        return cls(encoder, encoder.identity, spec, precision, device)

    def __reduce__(self) -> tuple[Any, ...]:
        by_spec = self.spec is not None and not needs_corpus(self.spec)
        return type(self), (None if by_spec else self.encoder, self.identity, self.spec, self.precision, self.device)

    def load(self) -> Encoder:
        """The encoder. Raise if this machine has another one under the same name."""
        if self.encoder is not None:
            return self.encoder
        assert self.spec is not None
        encoder = load_encoder(self.spec, precision=self.precision, device=self.device)
        if encoder.identity != self.identity:
            raise InputError(
                f"encoder '{self.spec}' is another one on a machine of the cluster; install the same model on all"
            )
        return encoder


@dataclass(frozen=True)
class TextWriter:
    """Encodes the texts of a part and writes their vectors, with their other columns if there are any."""

    source: EncoderSource
    folder: Folder
    ending: str

    def prepare(self, advance: Advance) -> Callable[[TextPart, Path], dict[str, int]]:
        """Load the encoder."""
        encoder, folder = self.source.load(), self.folder

        def write(part: TextPart, place: Path) -> dict[str, int]:
            vectors = _encode(encoder, _Partial(folder, part, self.source.identity), advance)
            _write_table(vectors, part.others, place, self.ending)
            return {"zeros": int((~vectors.any(axis=1)).sum()), "columns": int(vectors.shape[1])}

        return write


def encode_parts(
    source: EncoderSource,
    parts: Iterable[TextPart],
    total: int,
    folder: Folder,
    *,
    ending: str = ".arrow",
    engine: Engine = LOCAL,
    advance: Advance = lambda _steps: None,
) -> list[PartRecord]:
    """Encode all parts into a folder, and return their records in order. `total` is the number of parts.

    If encoding stops within a part, the vectors computed so far are stored too. An error of the encoder ends the run.
    On cards, no slow part is repeated: two cards may differ in the last bits.
    """
    assert source.encoder is not None
    remote = is_remote(source.encoder)
    work = hashlib.sha256(f"{source.identity} {ending}".encode()).hexdigest()
    job = Job(
        PartsWork(folder.absolute(), work, ending, TextWriter(source, folder.absolute(), ending)),
        describe=lambda part: str(replace(part, texts=(), others=None)),
        repeats=not remote and source.device == "cpu",
        fatal=(VestigeError,) if remote else (InputError,),
        card=source.device == "cuda",
    )
    return run_parts(engine, job, parts, total, folder, advance)


def cut_texts(blocks: Iterable[Sequence[str]], tables: Iterable[Any] | None = None) -> Iterator[TextPart]:
    """One part per block of texts, with the table of its other columns if there are any."""
    start = 0
    others = iter(tables) if tables is not None else None
    for number, texts in enumerate(blocks):
        table = None if others is None else next(others)
        yield TextPart(number, start, start + len(texts), tuple(texts), table)
        start += len(texts)


def read_parts(folder: Path, records: Iterable[PartRecord]) -> Iterator[Vectors]:
    """The vectors of each part of a local folder, in order."""
    import pyarrow as pa

    for record in records:
        with pa.memory_map(str(folder / record.name)) as file:
            column = pa.ipc.open_file(file).read_all()[VECTORS].combine_chunks()
            yield np.array(column.flatten().to_numpy()).reshape(len(column), -1)


def _encode(encoder: Encoder, partial: "_Partial", advance: Advance) -> Vectors:
    """Encode the texts of a part, except those that an earlier run has encoded."""
    part, known = partial.part, partial.read()
    advance(len(known))
    if len(known) < len(part.texts):
        try:
            _encode_rest(encoder, part.texts, known, lambda _task, _total: advance)
        except RefusedTexts as error:
            partial.write(known)
            raise error.renumber(range(part.start, part.stop)) from None
        except BaseException:
            partial.write(known)
            raise
    return np.stack([known[row] for row in range(len(part.texts))])


def _encode_rest(encoder: Encoder, texts: Sequence[str], known: dict[int, Vectors], progress: Progress) -> None:
    """Encode the rows that `known` lacks, slice by slice, shortest texts first; `known` is updated in place."""
    missing = sorted((row for row in range(len(texts)) if row not in known), key=lambda row: (len(texts[row]), row))
    for start in range(0, len(missing), SLICE):
        rows = missing[start : start + SLICE]
        try:
            vectors = encoder.encode([texts[row] for row in rows], progress=progress)
        except Unfinished as error:
            known.update({rows[row]: vector for row, vector in error.answered.items()})
            raise error.renumber(rows) if isinstance(error, RefusedTexts) else error from None
        known.update(zip(rows, vectors, strict=True))


def _write_table(vectors: Vectors, others: Any, place: Path, ending: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1])
    table = pa.table({VECTORS: column}) if others is None else others.append_column(VECTORS, column)
    if ending == ".parquet":
        pq.write_table(table, place, compression="zstd", use_dictionary=False)
        return
    with pa.ipc.new_file(str(place), table.schema) as writer:
        writer.write_table(table)


@dataclass(frozen=True)
class _Partial:
    """The vectors of an unfinished part: stored after a digest of them, of the texts and of the encoder."""

    folder: Folder
    part: TextPart
    identity: str

    def write(self, known: dict[int, Vectors]) -> None:
        """Store what is known of the part."""
        if known:
            rows = np.fromiter(known, dtype=np.int64)
            content = save({"rows": rows, "vectors": np.stack(list(known.values()))})
            self.folder.write(name_partial(self.part.number), self._seal(content) + content)

    def read(self) -> dict[int, Vectors]:
        """The stored vectors; none if there are none, or they are damaged, of other texts or of another encoder."""
        stored = self.folder.read(name_partial(self.part.number)) or b""
        seal, content = stored[:32], stored[32:]
        if not content or seal != self._seal(content):
            return {}
        try:
            block = load(content)
            return dict(zip(block["rows"].tolist(), block["vectors"], strict=True))
        except (SafetensorError, KeyError, ValueError):
            return {}

    def _seal(self, content: bytes) -> bytes:
        return hashlib.sha256(f"{self.identity} {self.part.digest} ".encode() + content).digest()
