import numpy as np

from vestige.preflight.spot_check import FEW_ROWS, ROWS, SpotCheck


def test_rows_with_a_valid_vector_and_a_text_are_chosen_by_their_texts(make_sample, clean, texts):
    vectors, written = clean.copy(), list(texts)
    vectors[0], written[399] = np.nan, "  "
    spot_check = SpotCheck.from_sample(make_sample(vectors, texts=written))
    assert len(spot_check.positions) == ROWS
    assert not {0, 399} & set(spot_check.positions)
    assert np.histogram(spot_check.positions, bins=4, range=(0, 400))[0].min() >= 2
    assert spot_check.texts == [written[position] for position in spot_check.positions]
    assert (spot_check.stored == vectors[spot_check.positions]).all()


def test_the_order_of_the_rows_does_not_change_the_choice(make_sample, clean, texts):
    order = np.random.default_rng(0).permutation(400)
    one = SpotCheck.from_sample(make_sample(clean))
    other = SpotCheck.from_sample(make_sample(clean[order], texts=[texts[row] for row in order]))
    assert sorted(one.texts) == sorted(other.texts)


def test_a_few_rows_include_the_shortest_and_the_longest_text(make_sample, clean):
    spot_check = SpotCheck.from_sample(make_sample(clean))
    few = spot_check.take_few()
    lengths = sorted(map(len, spot_check.texts))
    assert len(few.texts) == FEW_ROWS
    assert (len(few.texts[0]), len(few.texts[-1])) == (lengths[0], lengths[-1])
    assert few.compare(few.stored).matches


def test_without_texts_or_valid_vectors_there_is_nothing_to_check(make_sample, clean):
    assert SpotCheck.from_sample(make_sample(clean, texts=None)) is None
    assert SpotCheck.from_sample(make_sample(np.full_like(clean, np.nan))) is None
