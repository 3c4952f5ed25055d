"""Parts on servers with the interfaces of Google's and Microsoft's object stores, where emulators of them are found.

`pip install gcp-storage-emulator` and `npm install azurite` have them; put `gcp-storage-emulator` and `azurite-blob` on
the PATH.
"""

import base64
import hashlib
import hmac
import shutil
import socket
import subprocess
import time
from contextlib import closing, contextmanager, suppress
from urllib.parse import urlencode

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.s3_server import free_port
from vestige.defenses.catalogue import make_defense
from vestige.defenses.saved import save_defense
from vestige.engine.filesystems import open_filesystem
from vestige.engine.folders import RemoteFolder
from vestige.engine.job import Unreachable
from vestige.engine.local_engine import LOCAL
from vestige.errors import InputError
from vestige.preflight.whole import read_whole
from vestige.protect.run import protect
from vestige.stores.arrow_columns import as_column
from vestige.stores.columns import Columns
from vestige.stores.load import open_store
from vestige.types import silent

pytestmark = pytest.mark.slow
VECTORS = np.random.default_rng(0).normal(size=(3000, 32)).astype(np.float32)
ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
"""Of the emulator, the same for everybody: https://github.com/Azure/azurite#default-storage-account"""

END = "2099-01-01T00:00:00Z"


@contextmanager
def serve(name, *options):
    """An emulator on a free port, which it yields."""
    command = shutil.which(name)
    if command is None:
        pytest.skip(f"{name} is not on the PATH")
    port = free_port()
    words = [command, *(option.format(port=port) for option in options)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with suppress(OSError), closing(socket.create_connection(("127.0.0.1", port))):
                break
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait()


def sign():
    """A token that permits everything in the emulated account."""
    fields = {"sp": "rwdlacup", "ss": "b", "srt": "sco", "st": "", "se": END, "sip": "", "spr": "https,http"}
    fields |= {"sv": "2021-12-02", "ses": ""}
    text = "\n".join([ACCOUNT, *fields.values(), ""])
    signature = base64.b64encode(hmac.digest(base64.b64decode(KEY), text.encode(), hashlib.sha256)).decode()
    return urlencode({name: value for name, value in (*fields.items(), ("sig", signature)) if value})


@pytest.fixture(scope="module", params=["gs", "abfs"])
def base(request):
    """The address of a bucket, before and after the path."""
    if request.param == "gs":
        options = ("start", "--host=127.0.0.1", "--port={port}", "--in-memory", "--default-bucket=bucket")
        with serve("gcp-storage-emulator", *options) as port:
            query = f"endpoint_override=127.0.0.1:{port}&scheme=http&retry_limit_seconds=10"
            yield "gs://anonymous@bucket", query
        return
    options = ("--inMemoryPersistence", "--blobHost=127.0.0.1", "--blobPort={port}", "--skipApiVersionCheck")
    with serve("azurite-blob", *options, "--disableTelemetry") as port:
        query = f"enable_tls=false&{sign()}"
        filesystem, _ = open_filesystem(f"abfs://{ACCOUNT}@127.0.0.1:{port}/bucket?{query}")
        filesystem.create_dir("bucket")
        yield f"abfs://{ACCOUNT}@127.0.0.1:{port}/bucket", query


@pytest.fixture
def place(base, tmp_path):
    """The address of a name in a folder of its own, in which `in` has vectors in three files."""
    start, query = base
    for number in range(3):
        rows = slice(1000 * number, 1000 * number + 1000)
        table = pa.table({"id": range(rows.start, rows.stop), "vector": as_column(VECTORS[rows])})
        filesystem, path = open_filesystem(f"{start}/{tmp_path.name}/in/{number}.parquet?{query}")
        pq.write_table(table, path, filesystem=filesystem)
    return lambda name: f"{start}/{tmp_path.name}/{name}?{query}"


@pytest.fixture
def fitted(tmp_path):
    save_defense(make_defense("gaussian:50").fit(VECTORS, rng=np.random.default_rng(0)), tmp_path / "fitted")
    return str(tmp_path / "fitted")


def test_a_run_that_stopped_is_resumed_with_the_bytes_of_a_run_here(place, fitted, tmp_path, monkeypatch):
    np.save(tmp_path / "v.npy", VECTORS)
    protect(tmp_path / "v.npy", tmp_path / "expected.npy", fitted)
    real = RemoteFolder._upload

    def fail(self, scratch, name):
        if name == "part-000001.parquet":
            raise OSError("the connection was reset")
        real(self, scratch, name)

    with monkeypatch.context() as patch:
        patch.setattr(RemoteFolder, "_upload", fail)
        with pytest.raises(InputError, match=r"1 of 3 parts failed repeatedly .*rows 1,000 to 1,999.*was reset"):
            protect(place("in"), place("out"), fitted)
    names = RemoteFolder(place("out")).list_names()
    assert [name for name in names if name.startswith("part-")] == ["part-000000.parquet", "part-000002.parquet"]
    assert protect(place("in"), place("out"), fitted).rows == 3000
    with open_store(place("out")) as store:
        assert store.vectors().tobytes() == np.load(tmp_path / "expected.npy").tobytes()
    parts = [f"part-{number:06d}.parquet" for number in range(3)]
    assert RemoteFolder(place("out")).list_names() == ["_manifest.json", *parts]
    found = read_whole(place("out"), Columns(), 100, 0, texts=None, engine=LOCAL, progress=silent)
    assert found.statistics.rows == 3000
    with pytest.raises(InputError, match="out is already complete") as raised:
        protect(place("in"), place("out"), fitted)
    assert "sig=" not in str(raised.value)


def test_a_bucket_that_is_not_there_is_named_without_credentials(place, fitted):
    elsewhere = place("out").replace("bucket", "nobucket")
    with pytest.raises(Unreachable, match=r"nobucket/.*cannot be used") as raised:
        protect(place("in"), elsewhere, fitted)
    assert "sig=" not in str(raised.value)
