"""The contract of every encoder, plain or wrapped, local or remote."""

import numpy as np
import pytest

from tests.encoder_factories import LEARNERS, NAMES, encoder_factories, learning_corpus
from vestige.encoders.batching import receive_batches
from vestige.encoders.endpoint.encoder import EndpointEncoder
from vestige.encoders.load import FAMILIES, list_public_encoders, load_encoder, load_learned, may_have_columns
from vestige.encoders.saved import save_encoder
from vestige.encoders.wrapper import unwrap
from vestige.errors import InputError, MissingExtra

TEXTS = [
    "I disputed the charge and nobody answered.",
    "Bacox dufex gikax bacox.",
    "The bank closed my account.",
    "",
    "🙂🙃 emoji and ünïcödé",
    "word " * 10_000,
    "The bank closed my account.",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("encoders")


@pytest.fixture(params=NAMES, scope="module")
def any_encoder(request, folder):
    """The encoder, or a skip if an extra is missing, as where versions of dependencies are tested."""
    if "onnx" in request.param:
        pytest.importorskip("onnx")
    try:
        encoder = encoder_factories(folder)[request.param]()
        encoder.encode(TEXTS[:1])
    except MissingExtra as error:
        pytest.skip(str(error))
    return encoder


@pytest.fixture(scope="module")
def vectors(any_encoder):
    return any_encoder.encode(TEXTS)


def test_shape_type_and_finiteness(any_encoder, vectors):
    assert vectors.shape == (len(TEXTS), any_encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()


def test_no_texts_give_no_rows(any_encoder):
    assert any_encoder.encode([]).shape == (0, any_encoder.dimension)


def test_different_texts_have_different_vectors(vectors):
    assert (vectors[0] != vectors[1]).any()


def test_the_same_bits_again_alone_and_in_any_order(any_encoder, vectors):
    assert (any_encoder.encode(TEXTS) == vectors).all()
    assert (any_encoder.encode(TEXTS[::-1]) == vectors[::-1]).all()
    assert (any_encoder.encode(TEXTS[1:2]) == vectors[1:2]).all()
    assert (vectors[2] == vectors[6]).all()


def test_the_same_bits_for_any_batching(any_encoder):
    texts = [f"The bank took {row} dollars from bacox and dufex." for row in range(10, 51)]
    together = any_encoder.encode(texts)
    for size in (1, 7, 20):
        parts = [any_encoder.encode(texts[start : start + size]) for start in range(0, len(texts), size)]
        assert (np.concatenate(parts) == together).all()


def test_batches_that_are_handed_over_are_rows_of_the_result(any_encoder, vectors):
    """A cache writes them before the result is there."""
    received = []
    with receive_batches(lambda rows, batch: received.append((rows, batch))):
        any_encoder.encode(TEXTS)
    for rows, batch in received:
        assert (vectors[rows] == batch).all()


def test_one_that_was_used_can_be_sent_to_another_machine_unless_it_is_a_service(any_encoder, vectors):
    cloudpickle = pytest.importorskip("ray.cloudpickle")
    if isinstance(unwrap(any_encoder), EndpointEncoder):
        with pytest.raises(InputError, match=r"is a service, .* whose key stays here"):
            cloudpickle.dumps(any_encoder)
        return
    sent = cloudpickle.loads(cloudpickle.dumps(any_encoder))
    assert sent.identity == any_encoder.identity
    assert (sent.encode(TEXTS[:3]) == vectors[:3]).all()


def test_it_names_itself(any_encoder):
    assert any_encoder.name
    assert any_encoder.identity


def test_progress_reaches_the_end(any_encoder):
    seen = []

    def progress(_task, total):
        seen.append(total)
        return lambda steps: seen.append(-steps)

    any_encoder.encode(["one text never met before", "and another one"], progress=progress)
    assert sum(seen) == 0
    assert seen


@pytest.mark.parametrize("spec", LEARNERS)
def test_a_fitted_encoder_is_the_same_after_saving_and_loading(spec, tmp_path):
    fitted = load_learned(spec, learning_corpus()).fit()
    save_encoder(fitted, tmp_path / "mine")
    again = load_encoder(f"saved:{tmp_path / 'mine'}")
    assert again.name == "saved:mine"
    assert again.identity == fitted.identity
    assert (again.encode(TEXTS) == fitted.encode(TEXTS)).all()


@pytest.mark.parametrize("spec", LEARNERS)
def test_the_same_seed_learns_the_same_bytes(spec):
    first, second = (load_learned(spec, learning_corpus(), seed=3) for _ in range(2))
    assert first.identity == second.identity
    assert first.fit().identity == second.fit().identity


@pytest.mark.parametrize("name", list_public_encoders())
def test_a_family_of_one_model_declares_its_columns(name):
    assert FAMILIES[name].columns == load_encoder(name).dimension
    assert may_have_columns(name, FAMILIES[name].columns)
    assert not may_have_columns(name, 7)
    assert may_have_columns("st:anything", 7)


def test_every_family_is_under_test():
    """`saved` is tested with the learned encoders; `openai` and `https` are `http` at another address."""
    tested = {name.partition(":")[0].partition(" ")[0] for name in NAMES}
    assert set(FAMILIES) - tested == {"saved", "openai", "https"}
