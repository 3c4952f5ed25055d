import numpy as np
import pytest

from vestige.encoders.batching import encode_by_length
from vestige.encoders.cached import CachedEncoder
from vestige.types import silent


def test_a_second_pass_makes_no_queries(tmp_path, encoder):
    texts = [f"text number {row}" for row in range(30)]
    first = CachedEncoder(encoder, tmp_path).encode(texts)
    queries = len(encoder.calls)
    second = CachedEncoder(encoder, tmp_path).encode(texts)
    assert (first == second).all()
    assert len(encoder.calls) == queries == 1


def test_only_what_is_new_is_encoded_and_copies_once(tmp_path, encoder):
    CachedEncoder(encoder, tmp_path).encode(["a", "b"])
    CachedEncoder(encoder, tmp_path).encode(["b", "c", "c", "a"])
    assert encoder.calls == [2, 1]


def test_another_encoder_has_another_cache(tmp_path, encoder):
    CachedEncoder(encoder, tmp_path).encode(["a"])
    encoder.identity = "retrained"
    CachedEncoder(encoder, tmp_path).encode(["a"])
    assert encoder.calls == [1, 1]


def test_a_write_that_is_cut_short_leaves_no_block(tmp_path, encoder, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        CachedEncoder(encoder, tmp_path).encode(["a"])
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_an_encoder_that_fails_leaves_no_folder(tmp_path, encoder, monkeypatch):
    monkeypatch.setattr(type(encoder), "encode", lambda *_args, **_kwargs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        CachedEncoder(encoder, tmp_path / "cache").encode(["a"])
    assert not list(tmp_path.iterdir())


def test_blocks_that_were_finished_survive_a_failure(tmp_path, encoder):
    class Fragile(type(encoder)):
        def encode(self, texts, **kwargs):
            if len(self.calls) == 2:
                raise RuntimeError("pulled the plug")
            return super().encode(texts, **kwargs)

    texts = [f"text {row}" for row in range(1500)]
    with pytest.raises(RuntimeError):
        CachedEncoder(Fragile(), tmp_path).encode(texts)
    whole = CachedEncoder(encoder, tmp_path).encode(texts)
    assert sum(encoder.calls) == 1500 - 2 * 512
    assert np.allclose(whole, type(encoder)().encode(texts))


def test_the_size_of_a_block_can_be_chosen(tmp_path, encoder):
    cached = CachedEncoder(encoder, tmp_path, block=4)
    cached.encode([f"text {number}" for number in range(10)])
    assert encoder.calls == [4, 4, 2]
    assert len(list(tmp_path.rglob("*.safetensors"))) == 3


@pytest.mark.parametrize("place", [10, -3])
def test_a_damaged_block_is_encoded_again(tmp_path, encoder, place):
    expected = CachedEncoder(encoder, tmp_path).encode(["a", "b"])
    block = next(tmp_path.rglob("*.safetensors"))
    content = bytearray(block.read_bytes())
    content[place] ^= 4
    block.write_bytes(content)
    assert np.array_equal(CachedEncoder(encoder, tmp_path).encode(["a", "b"]), expected)
    assert encoder.calls == [2, 2]
    assert np.array_equal(CachedEncoder(encoder, tmp_path).encode(["a", "b"]), expected)
    assert encoder.calls == [2, 2], "what was damaged is whole again"


def test_learning_has_a_bar_of_its_own(tmp_path, corpus):
    from vestige.encoders.load import load_encoder

    seen = {}

    def progress(task, total):
        seen[task] = [total]
        return lambda steps: seen[task].append(-steps)

    CachedEncoder(load_encoder("tfidf", corpus=corpus), tmp_path).encode(["a", "b"], progress=progress)
    assert {task: sum(steps) for task, steps in seen.items()} == {"encoding with tfidf": 0, "fitting tfidf": 0}


class Batched:
    """An encoder in batches of equal length, which is killed in one of them."""

    name = identity = "batched"
    dimension = 2

    def __init__(self, killed_at=99):
        self.batches, self.killed_at = [], killed_at

    def encode(self, texts, *, progress=silent):
        def encode_rows(rows):
            self.batches.append([texts[row] for row in dict.fromkeys(rows)])
            if len(self.batches) > self.killed_at:
                raise SystemExit
            return np.array([[len(texts[row]), ord(texts[row][0])] for row in rows], np.float32)

        return encode_by_length(list(map(len, texts)), 4, encode_rows, progress("encoding", len(texts)))


@pytest.mark.parametrize("eager", [False, True])
def test_batches_that_were_finished_survive_a_kill(tmp_path, eager):
    texts = [letter * length for length in (1, 2, 3) for letter in "abcd"]
    dying, next_one = Batched(killed_at=2), Batched()
    with pytest.raises(SystemExit):
        CachedEncoder(dying, tmp_path, block=64, eager=eager).encode(texts)
    vectors = CachedEncoder(next_one, tmp_path, block=64, eager=eager).encode(texts)
    assert vectors.tolist() == [[len(text), ord(text[0])] for text in texts]
    again = [batch for batch in next_one.batches if batch in dying.batches[:2]]
    assert len(again) == (0 if eager else 2), "positive control: without `eager` they are lost"
