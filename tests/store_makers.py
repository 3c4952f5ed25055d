"""The same rows in every kind of store, each made by the store's own client."""

import csv
import gzip
import json
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

ROWS, DIMENSION = 2000, 16
VECTORS = np.random.default_rng(7).normal(size=(ROWS, DIMENSION)).astype(np.float32)
VECTORS /= np.linalg.norm(VECTORS, axis=1, keepdims=True)
TEXTS = [f"letter number {row}, to whom it may concern" for row in range(ROWS)]
LABELS = [("red", "green", "blue")[row % 3] for row in range(ROWS)]
YEARS = [1990 + row % 30 for row in range(ROWS)]
EVERY = ("ids", "texts", "attributes")


@dataclass(frozen=True)
class Made:
    """Where the rows went, what of them the store holds besides the vectors, and how near its vectors are."""

    source: str
    holds: tuple[str, ...] = EVERY
    form: str = "float32"
    tolerance: float = 0.0


def table():
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(VECTORS.ravel()), DIMENSION)
    return pa.table({"id": range(ROWS), "vector": vectors, "text": TEXTS, "label": LABELS, "year": YEARS})


def records():
    return [
        {"id": row, "vector": VECTORS[row].tolist(), "text": TEXTS[row], "label": LABELS[row], "year": YEARS[row]}
        for row in range(ROWS)
    ]


def npy(folder):
    np.save(folder / "v.npy", VECTORS)
    return Made(str(folder / "v.npy"), holds=())


def half_npy(folder):
    np.save(folder / "v.npy", VECTORS.astype(np.float16))
    return Made(str(folder / "v.npy"), holds=(), form="float16", tolerance=1e-3)


def npz(folder):
    np.savez(folder / "v.npz", vectors=VECTORS, id=np.arange(ROWS), text=TEXTS, label=LABELS, year=YEARS)
    return Made(str(folder / "v.npz"))


def parquet(folder):
    pq.write_table(table(), folder / "v.parquet", row_group_size=300)
    return Made(str(folder / "v.parquet"))


def arrow(folder):
    with pa.ipc.new_file(folder / "v.arrow", table().schema) as file:
        file.write_table(table(), max_chunksize=300)
    return Made(str(folder / "v.arrow"))


def feather(folder):
    pyarrow.feather.write_feather(table(), folder / "v.feather")
    return Made(str(folder / "v.feather"))


def jsonl(folder):
    with gzip.open(folder / "v.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(record) + "\n" for record in records())
    return Made(str(folder / "v.jsonl.gz"), form="float64")


def csv_of_lists(folder):
    with (folder / "v.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(records()[0]))
        writer.writeheader()
        writer.writerows(records())
    return Made(str(folder / "v.csv"), form="float64")


def csv_of_columns(folder):
    with (folder / "v.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", *(f"v{column}" for column in range(DIMENSION)), "text", "label", "year"])
        writer.writerows(zip(range(ROWS), *VECTORS.T.tolist(), TEXTS, LABELS, YEARS, strict=True))
    return Made(str(folder / "v.csv"), form="float64")


def hdf5(folder):
    h5py = pytest.importorskip("h5py")
    with h5py.File(folder / "v.h5", "w") as file:
        file["vectors"] = VECTORS
        file["id"], file["year"] = np.arange(ROWS), YEARS
        file["text"], file["label"] = TEXTS, LABELS
    return Made(str(folder / "v.h5"))


MAKERS = {
    "npy": npy,
    "npy, half": half_npy,
    "npz": npz,
    "parquet": parquet,
    "arrow": arrow,
    "feather": feather,
    "jsonl.gz": jsonl,
    "csv of lists": csv_of_lists,
    "csv of columns": csv_of_columns,
    "hdf5": hdf5,
}
