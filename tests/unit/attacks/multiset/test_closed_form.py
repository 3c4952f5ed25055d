"""The default decoder, in blocks and for one vector at a time."""

import numpy as np

from vestige.attacks.multiset.inverter import MultiSetInverter


def test_one_vector_at_a_time_gives_the_same_words_and_keeps_no_table_of_overlaps(toy_pairs):
    vectors, texts = toy_pairs
    inverter = MultiSetInverter().fit(vectors[:-50], texts[:-50], rng=np.random.default_rng(0))
    blocks = inverter.infer(vectors[-50:])
    assert inverter.decoder_.greedy._overlaps is not None
    inverter.decoder_ = inverter.decoder_.decode_singly()
    assert inverter.decoder_.greedy._overlaps is None
    singly = [inverter.infer(vector[None]) for vector in vectors[-50:]]
    assert [each.sets[0] for each in singly] == blocks.sets
    for one, many in zip(singly, blocks.ranked, strict=True):
        chances = dict(many)
        assert all(abs(chance - chances.get(word, chance)) < 1e-3 for word, chance in one.ranked[0])
