import numpy as np

from vestige.preflight.spot_check import FEW_ROWS, ROWS, SpotCheck


def test_rows_are_spread_over_valid_vectors_with_a_text(make_sample, clean, texts):
    vectors, written = clean.copy(), list(texts)
    vectors[0], written[399] = np.nan, "  "
    spot_check = SpotCheck.from_sample(make_sample(vectors, texts=written))
    assert len(spot_check.positions) == ROWS
    assert (spot_check.positions[0], spot_check.positions[-1]) == (1, 398)
    assert spot_check.texts == [written[position] for position in spot_check.positions]
    assert (spot_check.stored == vectors[spot_check.positions]).all()


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
