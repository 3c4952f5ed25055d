import numpy as np

from vestige.encoders.fitted import EncoderState
from vestige.encoders.load import load_encoder


def test_it_learns_from_the_given_corpus_or_from_the_one_in_its_spec(corpus):
    own, other = load_encoder("tfidf", corpus=corpus), load_encoder("tfidf@complaints")
    assert (own.name, other.name) == ("tfidf", "tfidf@complaints")
    assert own.identity != other.identity
    assert "cocox" in own.fit().words
    assert own.encode(["cocox and a bank"]).any()
    assert "bank" in other.fit().words


def test_with_every_vector_in_the_cache_it_is_never_fitted(corpus, tmp_path):
    from vestige.encoders.cached import CachedEncoder

    encoder = load_encoder("tfidf", corpus=corpus)
    CachedEncoder(encoder, tmp_path).encode(["bacox"])
    again = load_encoder("tfidf", corpus=corpus)
    CachedEncoder(again, tmp_path).encode(["bacox"])
    assert encoder._fitted is not None
    assert again._fitted is None


def test_the_digest_of_a_state_covers_settings_names_and_tensors():
    state = EncoderState({"words": ["a"]}, {"matrix": np.arange(4, dtype=np.float32)})
    same = EncoderState({"words": ["a"]}, {"matrix": np.arange(8, dtype=np.float32)[:4]})
    others = [
        EncoderState({"words": ["b"]}, state.tensors),
        EncoderState(state.settings, {"vectors": state.tensors["matrix"]}),
        EncoderState(state.settings, {"matrix": state.tensors["matrix"].reshape(2, 2)}),
        EncoderState(state.settings, {"matrix": state.tensors["matrix"].astype(np.float64)}),
    ]
    assert same.digest() == state.digest()
    assert len({state.digest(), *(other.digest() for other in others)}) == 5


def test_the_identity_of_a_learned_encoder_depends_on_texts_recipe_and_seed(corpus):
    from vestige.encoders.load import load_learned

    first = load_learned("tfidf", corpus)
    assert load_learned("tfidf", corpus).identity == first.identity
    others = [
        load_learned("tfidf", corpus, seed=1),
        load_learned("tfidf:10", corpus),
        load_learned("tfidf", corpus.take(range(10))),
    ]
    assert len({first.identity, *(other.identity for other in others)}) == 4
    assert first._fitted is None
