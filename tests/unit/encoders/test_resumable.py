"""Encoding in parts."""

import pickle
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from vestige.encoders.load import load_encoder
from vestige.encoders.resumable import EncoderSource, cut_texts, encode_parts, read_parts
from vestige.encoders.unfinished import RefusedTexts, Unfinished
from vestige.engine.folders import LocalFolder
from vestige.errors import InputError

BLOCKS = [[f"text {block} {row}" for row in range(5)] for block in range(4)]


def encode_blocks(encoder, blocks, folder, **options):
    source = EncoderSource.wrap(encoder)
    records = encode_parts(source, cut_texts(blocks), len(blocks), LocalFolder(folder), **options)
    return list(read_parts(folder, records))


def tire(encoder):
    """The same encoder, which stops after one text."""

    class Tired:
        name, identity, dimension = encoder.name, encoder.identity, encoder.dimension

        def encode(self, texts, *, progress):  # noqa: ARG002
            raise TiredError("enough", {3: encoder.encode(texts[3:4])[0]})

    return Tired()


class TiredError(Unfinished, InputError):
    """An error that ends the run."""


def test_blocks_come_in_order(tmp_path, encoder):
    found = np.concatenate(encode_blocks(encoder, BLOCKS, tmp_path))
    assert (found == encoder.encode([text for block in BLOCKS for text in block])).all()


def test_a_stored_block_is_not_encoded_again(tmp_path, encoder):
    encode_blocks(encoder, BLOCKS[:2], tmp_path)
    assert encoder.calls == [5, 5]
    encode_blocks(encoder, BLOCKS, tmp_path)
    assert encoder.calls == [5] * 4


def test_other_texts_or_another_encoder_use_no_stored_block(tmp_path, encoder):
    encode_blocks(encoder, BLOCKS[:1], tmp_path)
    encode_blocks(encoder, [["other", *BLOCKS[0][1:]]], tmp_path)
    encoder.identity = "retrained"
    encode_blocks(encoder, BLOCKS[:1], tmp_path)
    assert encoder.calls == [5, 5, 5]


def test_vectors_computed_before_a_failure_are_stored(tmp_path, encoder):
    with pytest.raises(Unfinished):
        encode_blocks(tire(encoder), BLOCKS[:1], tmp_path)
    found = encode_blocks(encoder, BLOCKS[:1], tmp_path)[0]
    assert encoder.calls == [1, 4]
    assert (found == encoder.encode(BLOCKS[0])).all()


def test_vectors_of_another_encoder_do_not_complete_an_unfinished_part(tmp_path, encoder):
    with pytest.raises(Unfinished):
        encode_blocks(tire(encoder), BLOCKS[:1], tmp_path)
    encoder.identity = "the same model on a card"
    encode_blocks(encoder, BLOCKS[:1], tmp_path)
    assert encoder.calls == [1, 5]


def test_progress_includes_stored_blocks(tmp_path, encoder):
    seen = []
    encode_blocks(encoder, BLOCKS[:2], tmp_path)
    encode_blocks(encoder, BLOCKS[:2], tmp_path, advance=seen.append)
    assert sum(seen) == 10


@pytest.mark.parametrize("kind", ["part", "record"])
@pytest.mark.parametrize("place", [0, 40, -1])
def test_a_damaged_block_is_encoded_again(tmp_path, encoder, kind, place):
    encode_blocks(encoder, BLOCKS[:1], tmp_path)
    path = next(tmp_path.glob("part-*" if kind == "part" else "_records/0*"))
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    (found,) = encode_blocks(encoder, BLOCKS[:1], tmp_path)
    assert encoder.calls == [5, 5]
    assert (found == encoder.encode(BLOCKS[0])).all()


@pytest.mark.parametrize("place", [0, 33, 60, -1])
def test_a_damaged_partial_block_is_encoded_again(tmp_path, encoder, place):
    with pytest.raises(Unfinished):
        encode_blocks(tire(encoder), BLOCKS[:1], tmp_path)
    (path,) = tmp_path.glob("_records/*.partial")
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    (found,) = encode_blocks(encoder, BLOCKS[:1], tmp_path)
    assert encoder.calls == [1, 5]
    assert (found == encoder.encode(BLOCKS[0])).all()
    assert not list(tmp_path.glob("_records/*.partial")), "it is not needed any more"


def test_an_encoder_is_sent_by_its_spec_and_must_be_the_same():
    source = EncoderSource.wrap(load_encoder("glove-6b"), "glove-6b")
    sent = pickle.loads(pickle.dumps(source))  # noqa: S301
    assert sent.encoder is None
    assert sent.load().identity == source.identity
    with pytest.raises(InputError, match="is another one on a machine of the cluster"):
        replace(sent, identity="retrained").load()


@pytest.mark.parametrize(
    ("device", "card", "repeats"), [("cpu", False, True), ("cuda", True, False), ("mps", False, False)]
)
def test_a_part_is_never_computed_twice_at_once_on_cards_which_may_differ(tmp_path, device, card, repeats):
    jobs = []

    class Engine:
        is_cluster = True

        def run(self, job, _items, _total, _advance):
            jobs.append(job)
            return iter(())

    source = EncoderSource.wrap(load_encoder("minilm", device=device), "minilm", device=device)
    encode_parts(source, cut_texts(BLOCKS), len(BLOCKS), LocalFolder(tmp_path), engine=Engine())
    assert (jobs[0].card, jobs[0].repeats) == (card, repeats)
    assert pickle.loads(pickle.dumps(source)).device == device  # noqa: S301


def test_vectors_of_another_device_are_not_continued(tmp_path):
    works = []

    class Engine:
        is_cluster = True

        def run(self, job, _items, _total, _advance):
            works.append(job.work.work)
            return iter(())

    for device in ("cpu", "cuda", "cpu"):
        source = EncoderSource.wrap(load_encoder("minilm", device=device), "minilm", device=device)
        encode_parts(source, cut_texts(BLOCKS), len(BLOCKS), LocalFolder(tmp_path), engine=Engine())
    assert works[0] == works[2] != works[1]


def test_texts_that_concatenate_alike_are_not_confused(tmp_path, encoder):
    encode_blocks(encoder, [["a", "b"]], tmp_path)
    encode_blocks(encoder, [["a\0b"]], tmp_path)
    assert encoder.calls == [2, 1]


def test_vectors_computed_before_an_interrupt_are_stored(tmp_path, encoder, monkeypatch):
    from vestige.encoders import resumable

    monkeypatch.setattr(resumable, "SLICE", 2)
    real = encoder.encode

    def tired(texts, **more):
        if len(encoder.calls) == 2:
            raise KeyboardInterrupt
        return real(texts, **more)

    with monkeypatch.context() as patch:
        patch.setattr(encoder, "encode", tired)
        with pytest.raises(KeyboardInterrupt):
            encode_blocks(encoder, BLOCKS[:1], tmp_path)
    found = encode_blocks(encoder, BLOCKS[:1], tmp_path)[0]
    assert encoder.calls == [2, 2, 1]
    assert (found == real(BLOCKS[0])).all()


def test_a_refused_text_is_named_by_its_row_in_the_file(tmp_path, encoder):
    class Picky:
        name, identity, dimension = encoder.name, encoder.identity, encoder.dimension

        def encode(self, texts, *, progress):  # noqa: ARG002
            if BLOCKS[1][3] in texts:
                raise RefusedTexts({texts.index(BLOCKS[1][3]): "too rude"}, {})
            return encoder.encode(texts)

    with pytest.raises(RefusedTexts, match=r"^row 8: too rude"):
        encode_blocks(Picky(), BLOCKS, tmp_path)


def test_other_columns_under_another_name_use_no_stored_block(tmp_path, encoder):
    source = EncoderSource.wrap(encoder)
    for name in ("id", "id", "key"):
        parts = cut_texts(BLOCKS[:1], [pa.table({name: range(5)})])
        (record,) = encode_parts(source, parts, 1, LocalFolder(tmp_path))
    assert encoder.calls == [5, 5], "the second run used what the first one stored"
    with pa.memory_map(str(tmp_path / record.name)) as file:
        assert pa.ipc.open_file(file).read_all().column_names == ["key", "vector"]
