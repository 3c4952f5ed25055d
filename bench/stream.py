"""A million short texts through a static model, from a file of texts to a file of vectors, in bounded memory."""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.harness import peak_memory

FEW, MANY = 50_000, 1_000_000


def run() -> Iterator[str]:
    models = os.environ.get("VESTIGE_MODELS")
    if not models:
        yield "streaming needs VESTIGE_MODELS, a folder that contains potion-base-8M; skipped"
        return
    spec = f"static:{Path(models) / 'potion-base-8M'}"
    with tempfile.TemporaryDirectory() as folder:
        peaks = {}
        for count in (FEW, MANY):
            texts, out = Path(folder) / "texts.txt", Path(folder) / f"{count}.parquet"
            _write_texts(texts, count)
            start = time.perf_counter()
            peaks[count] = peak_memory(_encode, str(texts), spec, str(out))
            took = time.perf_counter() - start
            size = out.stat().st_size / 2**20
            yield (
                f"vestige encode of {count:,} short texts: {took:.0f} s, peak memory {peaks[count]:,.0f} MiB, "
                f"vectors on disk {size:,.0f} MiB"
            )
        yield f"  twenty times the texts took {peaks[MANY] - peaks[FEW]:,.0f} MiB more"


def _encode(texts: str, spec: str, out: str) -> None:
    from vestige.cli.encode import encode

    encode(texts, spec, out)


def _write_texts(path: Path, count: int) -> None:
    rng = np.random.default_rng(0)
    words = np.array(["account", "bank", "card", "charge", "credit", "debt", "fee", "letter", "loan", "report"])
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, count, 10_000):
            rows = words[rng.integers(len(words), size=(10_000, 7))]
            file.writelines(f"{start + row} {' '.join(chosen)}\n" for row, chosen in enumerate(rows))
