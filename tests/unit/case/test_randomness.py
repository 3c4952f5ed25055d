"""A stream of random numbers per purpose: the numbers of every result depend on these values."""

from vestige.case.randomness import stream


def test_the_numbers_of_a_purpose_are_fixed():
    assert stream(0, "split").integers(1000, size=3).tolist() == [267, 526, 233]


def test_purposes_and_seeds_do_not_share_numbers():
    drawn = {tuple(stream(seed, purpose).integers(1000, size=5)) for seed in (0, 1) for purpose in ("split", "attack")}
    assert len(drawn) == 4
