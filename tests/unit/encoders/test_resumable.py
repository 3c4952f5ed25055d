import numpy as np
import pytest

from vestige.encoders.resumable import encode_blocks
from vestige.encoders.unfinished import RefusedTexts, Unfinished
from vestige.errors import InputError

BLOCKS = [[f"text {block} {row}" for row in range(5)] for block in range(4)]


def test_blocks_come_in_order(tmp_path, encoder):
    found = np.concatenate(list(encode_blocks(encoder, BLOCKS, tmp_path, total=20)))
    assert (found == encoder.encode([text for block in BLOCKS for text in block])).all()


def test_a_stored_block_is_not_encoded_again(tmp_path, encoder):
    given = encode_blocks(encoder, BLOCKS, tmp_path, total=20)
    next(given)
    next(given)
    given.close()
    assert encoder.calls == [5, 5]
    list(encode_blocks(encoder, BLOCKS, tmp_path, total=20))
    assert encoder.calls == [5] * 4


def test_other_texts_or_another_encoder_use_no_stored_block(tmp_path, encoder):
    list(encode_blocks(encoder, BLOCKS[:1], tmp_path, total=5))
    list(encode_blocks(encoder, [["other", *BLOCKS[0][1:]]], tmp_path, total=5))
    encoder.identity = "retrained"
    list(encode_blocks(encoder, BLOCKS[:1], tmp_path, total=5))
    assert encoder.calls == [5, 5, 5]


def test_vectors_computed_before_a_failure_are_stored(tmp_path, encoder):
    class Tired:
        name, identity, dimension = encoder.name, encoder.identity, encoder.dimension

        def encode(self, texts, *, progress):  # noqa: ARG002
            raise Unfinished("enough", {3: encoder.encode(texts[3:4])[0]})

    with pytest.raises(Unfinished):
        list(encode_blocks(Tired(), BLOCKS[:1], tmp_path, total=5))
    found = next(encode_blocks(encoder, BLOCKS[:1], tmp_path, total=5))
    assert encoder.calls == [1, 4]
    assert (found == encoder.encode(BLOCKS[0])).all()


def test_progress_includes_stored_blocks(tmp_path, encoder):
    seen = []

    def progress(_task, total):
        seen.append(total)
        return lambda steps: seen.append(-steps)

    list(encode_blocks(encoder, BLOCKS[:2], tmp_path, total=10))
    list(encode_blocks(encoder, BLOCKS[:2], tmp_path, total=10, progress=progress))
    assert seen[0] == 10
    assert sum(seen) == 0


def test_a_damaged_block_is_named(tmp_path, encoder):
    list(encode_blocks(encoder, BLOCKS[:1], tmp_path, total=5))
    next(tmp_path.iterdir()).write_bytes(b"broken")
    with pytest.raises(InputError, match=r"is damaged .* delete it, its texts will be encoded again"):
        list(encode_blocks(encoder, BLOCKS[:1], tmp_path, total=5))


def test_texts_that_concatenate_alike_are_not_confused(tmp_path, encoder):
    list(encode_blocks(encoder, [["a", "b"]], tmp_path, total=2))
    list(encode_blocks(encoder, [["a\0b"]], tmp_path, total=1))
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
            list(encode_blocks(encoder, BLOCKS[:1], tmp_path, total=5))
    found = next(encode_blocks(encoder, BLOCKS[:1], tmp_path, total=5))
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
        list(encode_blocks(Picky(), BLOCKS, tmp_path, total=20))
