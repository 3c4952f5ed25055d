"""A scripted server, a clock that only moves when somebody sleeps, and encoders that use both."""

import pytest

from tests.conftest import WordSum
from tests.endpoint_server import EmbeddingServer, served
from vestige.encoders.endpoint.address import Endpoint
from vestige.encoders.endpoint.client import EmbeddingClient, RetryPolicy
from vestige.encoders.endpoint.encoder import EndpointEncoder

RETRY = RetryPolicy()
KEY = "sk-very/secret+key"
TEXTS = [f"text number {row} of many" for row in range(50)]


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self):
        self.now = 0.0
        self.slept = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture(scope="module")
def running():
    with served(EmbeddingServer(WordSum())) as server:
        yield server


@pytest.fixture
def server(running):
    fresh = EmbeddingServer(WordSum(), url=running.url)
    vars(running).update(vars(fresh))
    return running


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def make(server, clock):
    def make(*, key=KEY, dimensions=None, retry=RETRY, **settings):
        endpoint = Endpoint(server.url, "toy", "VESTIGE_API_KEY", key)
        client = EmbeddingClient(endpoint, dimensions=dimensions, retry=retry, sleep=clock.sleep, clock=clock)
        return EndpointEncoder(client, name="toy", **{"batch_size": 8, **settings})

    return make
