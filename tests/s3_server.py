"""A real S3 server for tests: moto, in an environment of its own, and a proxy that breaks connections on request."""

import os
import socket
import subprocess
import threading
import time
import urllib.request
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

SERVER = Path(__file__).parent.parent / ".venv" / "s3-server" / "bin" / "moto_server"
CHUNK = 2**16


def free_port():
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def serve_s3(bucket, **settings):
    """A server with an empty bucket and these settings of moto; yields its port."""
    if not SERVER.is_file():
        pytest.skip("the S3 server is not installed; `make setup` does it")
    port = free_port()
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | settings
    process = subprocess.Popen(
        [SERVER, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=clean
    )
    try:
        request = urllib.request.Request(f"http://127.0.0.1:{port}/{bucket}", method="PUT")
        for _ in range(300):
            try:
                urllib.request.urlopen(request).read()
                break
            except OSError:
                time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait()


class Breaking:
    """A proxy to a port. After `break_after(bytes)`, the next connection that carries so many bytes is cut.

    After `break_for(seconds)`, every connection is cut until then.
    """

    def __init__(self, target):
        self.target, self.port, self.left, self.broken = target, free_port(), None, 0
        self.cut_until = 0.0
        self.listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self.accept, daemon=True).start()

    def break_after(self, size, times=1):
        self.left, self.size, self.times = size, size, times

    def break_for(self, seconds):
        self.cut_until = time.monotonic() + seconds

    def accept(self):
        while True:
            try:
                one, _ = self.listener.accept()
            except OSError:
                return
            try:
                other = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                one.close()
                continue
            for source, sink in ((one, other), (other, one)):
                threading.Thread(target=self.copy, args=(source, sink), daemon=True).start()

    def copy(self, source, sink):
        try:
            while content := source.recv(CHUNK):
                sink.sendall(self.pass_on(content))
        except OSError:
            pass
        for end in (source, sink):
            with closing(end):
                pass

    def pass_on(self, content):
        if time.monotonic() < self.cut_until:
            self.broken += 1
            raise OSError("cut")
        if self.left is not None:
            self.left -= len(content)
            if self.left <= 0:
                self.broken += 1
                self.left = self.size if self.broken < self.times else None
                raise OSError("cut")
        return content

    def close(self):
        self.listener.close()
