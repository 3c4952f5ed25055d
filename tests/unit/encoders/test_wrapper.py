from vestige.encoders.memoized import Memoized
from vestige.encoders.metered import Metered
from vestige.encoders.wrapper import share_progress_bar, unwrap


def test_a_wrapper_has_the_name_identity_and_dimension_of_its_encoder(encoder):
    wrapped = Memoized(Metered(encoder))
    assert (wrapped.name, wrapped.identity, wrapped.dimension) == (encoder.name, encoder.identity, encoder.dimension)


def test_unwrapping_finds_the_innermost_encoder(encoder):
    assert unwrap(Memoized(Metered(encoder))) is encoder
    assert unwrap(encoder) is encoder


def test_many_calls_share_one_bar_and_training_has_its_own(encoder):
    bars = {}

    def progress(task, total):
        bars[task] = [total]
        return bars[task].append

    advance, progress_of_call = share_progress_bar(encoder, 5, progress)
    advance(1)
    for task, steps in [("encoding", 2), ("training tfidf", 3), ("encoding", 2)]:
        progress_of_call(task, steps)(steps)
    assert bars == {"encoding with word-sum": [5, 1, 2, 2], "training tfidf": [3, 3]}
