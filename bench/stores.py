"""A sample and an audit of five million vectors in parquet: bytes read, time and peak memory."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.harness import peak_memory

ROWS, DIMENSION, SAMPLE = 5_000_000, 384, 20_000
GROUPS = {"row groups of 100,000": 100_000, "row groups of 1,048,576, as pyarrow writes them": 2**20}
AT_ONCE = 50_000


def run() -> Iterator[str]:
    for label, group in GROUPS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "vectors.parquet"
            _write(path, group)
            size = path.stat().st_size
            yield f"{ROWS:,} x {DIMENSION} float32 with texts, {size / 1e9:.1f} GB of parquet, {label}"
            start = time.perf_counter()
            peak = peak_memory(_sample, str(path), str(Path(folder) / "read"))
            read = (Path(folder) / "read").read_text()
            yield f"  a sample of {SAMPLE:,}: {read}, {time.perf_counter() - start:.0f} s, peak memory {peak:,.0f} MiB"
            start = time.perf_counter()
            peak = peak_memory(_audit, str(path), folder)
            yield f"  vestige audit --sample {SAMPLE}: {time.perf_counter() - start:.0f} s, peak memory {peak:,.0f} MiB"


def _sample(path: str, out: str) -> None:
    from vestige.stores.load import open_store

    with open_store(path) as store:
        drawn = store.sample(SAMPLE, np.random.default_rng(0))
    assert drawn.bytes_read is not None
    Path(out).write_text(f"{drawn.bytes_read / 1e9:.2f} GB read{' in clusters' if drawn.clustered else ''}")


def _audit(path: str, out: str) -> None:
    import vestige
    from vestige.case.settings import Settings

    result = vestige.audit(path, settings=Settings(sample=SAMPLE), cache=Path(out) / "cache")
    assert result.subject.stored is not None
    assert result.subject.stored.drawn == SAMPLE


def _write(path: Path, group: int) -> None:
    """Write sums of the vectors of a few words, so that an attack can recover something."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    words = np.array([f"word{number}x" for number in range(2000)])
    meaning = rng.standard_normal((len(words), DIMENSION)).astype(np.float32)
    chosen = rng.zipf(1.3, size=(AT_ONCE, 9)) % len(words)
    vectors = meaning[chosen].sum(axis=1)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = [" ".join(words[row]) for row in chosen]
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), DIMENSION)
    schema = pa.schema([("id", pa.int64()), ("vector", column.type), ("text", pa.string())])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        held: list[pa.Table] = []
        for start in range(0, ROWS, AT_ONCE):
            held.append(pa.table({"id": range(start, start + AT_ONCE), "vector": column, "text": texts}, schema=schema))
            if len(held) * AT_ONCE >= group or start + AT_ONCE >= ROWS:
                writer.write_table(pa.concat_tables(held), row_group_size=group)
                held = []
