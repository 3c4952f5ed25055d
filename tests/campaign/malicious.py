"""Files that are made to harm whoever reads them: code, bombs, links, loops, and text that controls a terminal."""

import gzip
import io
import json
import os
import pickle
import sqlite3
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.campaign.formats import COLUMNS, ROWS, TEXTS, VECTORS
from tests.campaign.trials import Tally, run_vestige

MEMORY, MOST_MEMORY = "1.5GB", 2.5 * 10**9
ESCAPE = "\x1b]0;owned\x07\x1b[2J\u202e"


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, zeroblob(1000000000) AS e FROM c"
SCHEMAS = {
    "view": [f"CREATE VIEW t AS {ENDLESS}"],
    "quotes": ['CREATE TABLE "t""; DROP TABLE t; --"(id INTEGER PRIMARY KEY, embedding BLOB)'],
    "escape": [f'CREATE TABLE "{ESCAPE}"(id INTEGER PRIMARY KEY, embedding BLOB)'],
    "trigger": [
        "CREATE TABLE t(id INTEGER PRIMARY KEY, embedding BLOB)",
        "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT load_extension('x'); END",
    ],
    "no tables": ["PRAGMA user_version = 3"],
    "text blobs": ["CREATE TABLE t(id, embedding TEXT)", "INSERT INTO t VALUES (1, CAST(x'ff' AS TEXT))"],
    "chroma": ["CREATE TABLE x(y)"],
}


class Payload:
    """An object whose unpickling writes a file."""

    def __reduce__(self):
        return os.system, ("touch EXECUTED",)


def _pickles() -> dict[str, bytes]:
    blob = pickle.dumps(Payload())
    array = io.BytesIO()
    np.save(array, np.array([Payload()] * 10, dtype=object), allow_pickle=True)
    archive = io.BytesIO()
    np.savez(archive, vectors=np.array([[Payload()]] * 10, dtype=object))
    return {
        "pickle.npy": blob,
        "object array.npy": array.getvalue(),
        "object arrays.npz": archive.getvalue(),
        "pickle.parquet": blob,
        "pickle.npz": blob,
        "pickle.h5": blob,
        "pickle.jsonl": blob,
        "pickle.csv": blob,
        "pickle.arrow": blob,
    }


def _headers() -> dict[str, bytes]:
    """Headers of .npy files that declare the impossible."""
    files = {}
    for name, header in {
        "huge": "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000, 384), }",
        "beyond 64 bits": "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999, 2), }",
        "negative": "{'descr': '<f4', 'fortran_order': False, 'shape': (-5, 2), }",
        "code": "__import__('os').system('touch EXECUTED')",
        "objects": "{'descr': '|O', 'fortran_order': False, 'shape': (5, 2), }",
        "nested dtype": "{'descr': [('a', '<f4', (1000000,))], 'fortran_order': False, 'shape': (5, 2), }",
        "not closed": "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 2",
        "deep": "(" * 5000,
    }.items():
        text = header.encode().ljust(118) + b"\n"
        files[f"{name}.npy"] = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + bytes(40)
    return files


def _bombs() -> dict[str, bytes]:
    """Small files that unpack to gigabytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    long = pa.array(["x" * 2**20])
    repeated = pa.DictionaryArray.from_arrays(pa.array(np.zeros(20_000, np.int32)), long)
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(np.ones(20_000 * 2, np.float32)), 2)
    table = io.BytesIO()
    pq.write_table(pa.table({"text": repeated, "vector": vectors}), table, compression="zstd")
    archive = io.BytesIO()
    with (
        zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file,
        file.open("vectors.npy", "w", force_zip64=True) as member,
    ):
        np.lib.format.write_array_header_1_0(member, {"descr": "<f4", "fortran_order": False, "shape": (850_000, 500)})
        for _ in range(1700):
            member.write(bytes(10**6))
    small = io.BytesIO()
    np.savez(small, vectors=VECTORS)
    return {
        "repeated text.parquet": table.getvalue(),
        "zeros.npz": archive.getvalue(),
        "one line.jsonl.gz": gzip.compress(b'{"vector": [' + b"0," * 7 * 10**7 + b"0]}"),
        "one line.csv.gz": gzip.compress(b"vector\n" + b"0" * 2 * 10**8),
        "spaces.jsonl.gz": gzip.compress(b" " * 3 * 10**8),
        "deep.jsonl": b'{"vector": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        "many columns.jsonl": b"".join(
            json.dumps({f"c{row}": 1, "vector": [1, 2]}).encode() + b"\n" for row in range(20_000)
        ),
        "encrypted.npz": _set_flag(small.getvalue(), 1),
        "unknown method.npz": _set_method(small.getvalue(), 99),
    }


def _set_flag(content: bytes, flag: int) -> bytes:
    data = bytearray(content)
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.find(magic)
        data[place + offset] |= flag
    return bytes(data)


def _set_method(content: bytes, method: int) -> bytes:
    data = bytearray(content)
    for magic, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        place = data.find(magic)
        data[place + offset] = method
    return bytes(data)


def _write_hdf5(folder: Path) -> None:
    import h5py

    with h5py.File(folder / "declared.h5", "w") as file:
        file.create_dataset("vectors", shape=(10**12, 384), dtype="f4", chunks=(1000, 384))
    with h5py.File(folder / "one chunk.h5", "w") as file:
        file.create_dataset("vectors", shape=(2_000_000, 300), dtype="f4", chunks=(2_000_000, 300), compression="gzip")
        file["vectors"][:10] = np.ones((10, 300), np.float32)
    with h5py.File(folder / "loop.h5", "w") as file:
        file["vectors"] = VECTORS
        file["group/here"] = h5py.SoftLink("/group")
        file["outside"] = h5py.ExternalLink("/etc/passwd", "/")
    with h5py.File(folder / "outside.h5", "w") as file:
        file.create_dataset("vectors", (10, 4), "f4", external=[("/etc/passwd", 0, 160)])


def _write_qdrant(folder: Path) -> None:
    """Points whose pickles run code, or unfold to gigabytes."""
    laughs = b"\x80\x04]\x94" + b"".join(b"](h%ch%ce\x94" % (level, level) for level in range(60)) + b"."
    cyclic = b"\x80\x04]\x94h\x00a."
    for name, blob in {
        "code": pickle.dumps(Payload()),
        "laughs": laughs,
        "cyclic": cyclic,
        "empty": b"",
        "text": "x",
    }.items():
        place = folder / f"qdrant {name}" / "collection" / "t"
        place.mkdir(parents=True)
        shape = {"vectors": {"size": 4, "distance": "Cosine"}}
        (folder / f"qdrant {name}" / "meta.json").write_text(json.dumps({"collections": {"t": shape}}))
        connection = sqlite3.connect(place / "storage.sqlite")
        connection.execute("CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB)")
        connection.execute("INSERT INTO points VALUES ('1', ?)", (blob,))
        connection.commit()
        connection.close()
    (folder / "qdrant outside").mkdir()
    outside = {"collections": {"../../../../etc": {"vectors": {"size": 4, "distance": "Cosine"}}}}
    (folder / "qdrant outside" / "meta.json").write_text(json.dumps(outside))


def _write_sqlite(folder: Path) -> None:
    """Databases with hostile schemas."""
    for name, statements in SCHEMAS.items():
        connection = sqlite3.connect(folder / f"{name}.db")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
    (folder / "chroma").mkdir()
    (folder / "chroma.db").rename(folder / "chroma" / "chroma.sqlite3")


def _write_names(folder: Path) -> None:
    """Columns, values and file names that control a terminal."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    vectors = pa.FixedSizeListArray.from_arrays(pa.array(VECTORS.ravel()), COLUMNS)
    mails = [f"{ESCAPE}person{row}@example.com" for row in range(ROWS)]
    pq.write_table(pa.table({"vector": vectors, f"mail{ESCAPE}": mails, "text": TEXTS}), folder / "names.parquet")
    pq.write_table(pa.table({f"a{ESCAPE}": TEXTS, f"b{ESCAPE}": TEXTS}), folder / "no vectors.parquet")
    np.save(folder / f"name{ESCAPE}.npy", VECTORS)
    (folder / f"bad{ESCAPE}.npy").write_bytes(b"x")
    (folder / "escape.jsonl").write_text(json.dumps({"vector": ESCAPE, ESCAPE: 1}) + "\n")


def write_malicious(folder: Path, *, bombs: bool = True) -> list[str]:
    """Write all files, and list how each is named as a source. Bombs take seconds to write."""
    for name, content in {**_pickles(), **_headers(), **(_bombs() if bombs else {})}.items():
        (folder / name).write_bytes(content)
    writers: list[Callable[[Path], None]] = [_write_hdf5, _write_qdrant, _write_sqlite, _write_names]
    for write in writers:
        write(folder)
    (folder / "code.faiss").write_bytes(pickle.dumps(Payload()))
    sources = []
    for path in sorted(folder.iterdir()):
        kind = {".db": "sqlite-vec:", ".faiss": "faiss:"}.get(path.suffix, "")
        kind = {"qdrant": "qdrant:", "chroma": "chroma:"}.get(path.name.split()[0], kind) if path.is_dir() else kind
        sources.append(f"{kind}{path.name}")
    return sources


def run_malicious(folder: Path, tally: Tally, every: int = 1) -> None:
    """Check every n-th file: no code runs, little memory is used, it ends, and the terminal is safe."""
    for source in write_malicious(folder, bombs=every == 1)[::every]:
        for command in (
            ["check", source, "--memory", MEMORY],
            ["protect", source, "out.npy", "--defense", "rounding:2", "--memory", MEMORY],
        ):
            ended = run_vestige(*command, folder=folder, seconds=150)
            fault = ended.find_fault(0, 1, 2)
            if (folder / "EXECUTED").exists():
                fault = "code was executed"
                (folder / "EXECUTED").unlink()
            if fault is None and ended.memory > MOST_MEMORY:
                fault = f"{ended.memory / 1e9:.1f} GB of memory"
            (folder / "out.npy").unlink(missing_ok=True)
            tally.add("malicious file", f"{command[0]} {source!r}", fault)
