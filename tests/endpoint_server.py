"""A small OpenAI-compatible server on a loopback port, with scripted faults and a memory of what it was sent."""

import asyncio
import base64
import json
import socket
import zlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import repeat
from threading import Thread
from typing import Any

import numpy as np
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from vestige.types import Encoder, Vectors


@dataclass(frozen=True)
class Asked:
    """One request as it arrived, and the status it got."""

    texts: list[str]
    body: dict[str, Any]
    authorization: str | None
    status: int


Fault = Callable[["EmbeddingServer", Request, list[str]], Response]


@dataclass
class EmbeddingServer:
    """Embeds with any encoder. Each request takes the next fault from `faults` until none is left."""

    encoder: Encoder
    faults: deque[Fault] = field(default_factory=deque)
    refused: set[str] = field(default_factory=set)
    most_texts: int = 2048
    latency: float = 0.0
    lists: bool = False
    usage: bool = True
    asked: list[Asked] = field(default_factory=list)
    tokens: int = 0
    url: str = ""

    async def embeddings(self, request: Request) -> Response:
        body = json.loads(await request.body())
        await asyncio.sleep(self.latency)
        response = self._respond(request, body)
        self.asked.append(Asked(body["input"], body, request.headers.get("authorization"), response.status_code))
        return response

    def _respond(self, request: Request, body: dict[str, Any]) -> Response:
        texts = body["input"]
        if self.faults:
            return self.faults.popleft()(self, request, texts)
        if len(texts) > self.most_texts:
            return error(413, f"batch size {len(texts)} > maximum allowed batch size {self.most_texts}")
        wrong = [text for text in texts if text in self.refused or not text]
        if wrong:
            return error(400, f"'$.input' is invalid: {len(wrong)} of {len(texts)}")
        return self.answer(self.encoder.encode(texts)[:, : body.get("dimensions")], texts)

    def answer(self, vectors: Vectors, texts: list[str], order: list[int] | None = None) -> Response:
        """What the vendor would send; `order` tells which rows come, and in which order."""
        rows = list(range(len(texts))) if order is None else order
        data = [{"object": "embedding", "index": row, "embedding": self._embedding(vectors[row])} for row in rows]
        used = sum(len(text.split()) for text in texts)
        self.tokens += used
        content = {"data": data} | ({"usage": {"prompt_tokens": used, "total_tokens": used}} if self.usage else {})
        return Response(json.dumps(content), media_type="application/json")

    def _embedding(self, vector: Vectors) -> Any:
        return vector.tolist() if self.lists else base64.b64encode(vector.astype("<f4").tobytes()).decode()

    @property
    def answered(self) -> list[str]:
        """Every text that was answered, once for each time."""
        return [text for asked in self.asked if asked.status == 200 for text in asked.texts]


def error(status: int, message: str, code: str | None = None, **headers: str) -> Response:
    content = {"error": {"message": message, "code": code}}
    return JSONResponse(content, status, {name.replace("_", "-"): value for name, value in headers.items()})


def failing(status: int, message: str = "not now", code: str | None = None, **headers: str) -> Fault:
    return lambda _server, _request, _texts: error(status, message, code, **headers)


def echoing(status: int) -> Fault:
    """Answers with an error that repeats the key, as careless servers do."""
    return lambda _server, request, _texts: error(status, f"bad key: {request.headers['authorization']} " + "x" * 500)


def shuffled(server: EmbeddingServer, _request: Request, texts: list[str]) -> Response:
    return server.answer(
        server.encoder.encode(texts), texts, list(np.random.default_rng(0).permutation(len(texts)).tolist())
    )


def missing_row(server: EmbeddingServer, _request: Request, texts: list[str]) -> Response:
    return server.answer(server.encoder.encode(texts), texts, list(range(len(texts) - 1)))


def repeated_row(server: EmbeddingServer, _request: Request, texts: list[str]) -> Response:
    return server.answer(server.encoder.encode(texts), texts, [0] * len(texts))


def narrow(server: EmbeddingServer, _request: Request, texts: list[str]) -> Response:
    return server.answer(server.encoder.encode(texts)[:, :7], texts)


def not_finite(server: EmbeddingServer, _request: Request, texts: list[str]) -> Response:
    return server.answer(server.encoder.encode(texts) * np.float32("nan"), texts)


def ragged(_server: EmbeddingServer, _request: Request, texts: list[str]) -> Response:
    return JSONResponse({"data": [{"index": row, "embedding": [0.5] * (row + 1)} for row in range(len(texts))]})


def garbled(_server: EmbeddingServer, _request: Request, _texts: list[str]) -> Response:
    return Response('{"data": [{"index": 0, "embed', media_type="application/json")


def unpackable(_server: EmbeddingServer, _request: Request, _texts: list[str]) -> Response:
    return Response("not gzip", headers={"content-encoding": "gzip"})


def endless(_server: EmbeddingServer, _request: Request, _texts: list[str]) -> Response:
    return StreamingResponse(repeat(b" " * 2**16))


def bomb(_server: EmbeddingServer, _request: Request, _texts: list[str]) -> Response:
    """A megabyte that unpacks to a gigabyte."""
    packer = zlib.compressobj(wbits=31)
    packed = b"".join(packer.compress(bytes(2**20)) for _ in range(2**10)) + packer.flush()
    return Response(packed, headers={"content-encoding": "gzip"})


def dripping(_server: EmbeddingServer, _request: Request, _texts: list[str]) -> Response:
    """A space ten times a second, for ever."""

    async def drip() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.1)

    return StreamingResponse(drip())


def healthy(server: EmbeddingServer, _request: Request, texts: list[str]) -> Response:
    return server.answer(server.encoder.encode(texts), texts)


class _Dropped(Response):
    """Promises a body and closes the connection."""

    async def __call__(self, _scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"1000")]})
        await send({"type": "http.response.body", "body": b'{"data"', "more_body": False})


class _Late(Response):
    """Comes after everybody has gone home."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0.6)
        await super().__call__(scope, receive, send)


def dropped(_server: EmbeddingServer, _request: Request, _texts: list[str]) -> Response:
    return _Dropped(status_code=500)


def hanging(_server: EmbeddingServer, _request: Request, _texts: list[str]) -> Response:
    return _Late(status_code=504)


@contextmanager
def served(server: EmbeddingServer) -> Iterator[EmbeddingServer]:
    """The server on a free loopback port, in a thread, for as long as the block lasts."""
    app = Starlette(routes=[Route("/v1/embeddings", server.embeddings, methods=["POST"])])
    # Named as TCP, so that asyncio turns Nagle's algorithm off; without, every answer takes 40 milliseconds.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_config=None, log_level=60, lifespan="off", ws="none", timeout_graceful_shutdown=1)
    running = uvicorn.Server(config)
    thread = Thread(target=running.run, args=([listening],), daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    try:
        yield server
    finally:
        running.should_exit = True
        thread.join()
        listening.close()


def serve(encoder: Encoder) -> str:
    """The URL of a server that runs until the tests end."""
    context = served(EmbeddingServer(encoder))
    _RUNNING.append(context)
    return context.__enter__().url


_RUNNING: list[Any] = []
