"""What a worker of the engine `ray` does, without a cluster; tests/slow has a cluster."""

import pickle

import pytest
from threadpoolctl import threadpool_info

from vestige.encoders.unfinished import RefusedTexts
from vestige.engine import ray_actors
from vestige.engine.job import FolderTaken, RemoteDefect, RemoteError, SourceChanged, Unreachable
from vestige.engine.ray_actors import make_portable
from vestige.errors import InputError, MissingExtra, UnusableRows


class Tens:
    """Divides ten by the item, and counts a step."""

    def prepare(self, advance):
        def divide(item):
            advance(1)
            return 10 / item, {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}

        return divide


@pytest.fixture
def actor(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    return ray_actors._Actor(Tens(), 1)


def test_an_actor_returns_a_result_with_its_steps_and_uses_its_cores(actor):
    (value, threads), error, steps = actor.run(5)
    assert (value, error, steps) == (2, None, 1)
    assert threads <= {1}


def test_an_actor_survives_an_error_and_sends_it(actor):
    result, error, _ = actor.run(0)
    assert result is None
    assert isinstance(error, RemoteDefect)
    assert str(error).startswith("ZeroDivisionError: division by zero, on a worker:\nTraceback")
    assert "return 10 / item" in str(error)
    assert actor.run(2)[0][0] == 5


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (UnusableRows("NaN"), UnusableRows),
        (SourceChanged("changed"), SourceChanged),
        (FolderTaken("taken"), FolderTaken),
        (Unreachable("s3"), Unreachable),
        (RefusedTexts({3: "too long"}, {}), InputError),
        (OSError(28, "No space left on device"), RemoteError),
        (MemoryError("8 GiB"), RemoteError),
        (MissingExtra("Milvus", "milvus"), RemoteError),
        (KeyError("x"), RemoteDefect),
        (TypeError("x"), RemoteDefect),
    ],
)
def test_errors_keep_the_kind_that_matters_and_can_be_sent(error, kind):
    sent = pickle.loads(pickle.dumps(make_portable(error)))  # noqa: S301
    assert type(sent) is kind


def test_a_machine_with_other_versions_is_refused():
    assert ray_actors._check_versions("node", ray_actors.describe_versions()) == "node"
    with pytest.raises(InputError, match=r"a machine of the cluster has vestige 0, .* install the same on all"):
        ray_actors._check_versions("node", "vestige 0")
