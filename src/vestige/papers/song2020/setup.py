"""What a run of Song and Raghunathan 2020 uses: the models with their stand-ins, and the sizes at each scale."""

from dataclasses import dataclass

MODELS = {
    "LSTM": "dual:lstm",
    "Transformer": "dual:transformer",
    "BERT": "minilm@mean",
    "ALBERT": "hf:granite-30m-english@mean",
}
"""The sentence encoders of the paper, each with its stand-in."""

LAYERED = {"BERT": MODELS["BERT"], "ALBERT": MODELS["ALBERT"], "MPNet": "hf:all-mpnet-base-v2@mean"}
"""The transformers of Figure 2, and one with twelve layers."""

AUTHOR_MODELS = {**MODELS, "Skip-thought": "skipthought:skip-thought", "InferSent": "infersent:infersent"}
"""The encoders of Figure 3; the last two where their weights are in the folder that VESTIGE_MODELS names."""

WORD_MODELS = {"Word2Vec": "word2vec", "FastText": "fasttext", "GloVe": "glove"}
"""The word vectors of Figure 4, which are trained here."""


@dataclass(frozen=True)
class SongSizes:
    """Sizes of one scale.

    For inversion: documents, auxiliary sentences of the same domain and across domains, targets, targets of
    relaxation, which is expensive, the most steps of a descent, words of the vocabulary, epochs, the words that
    count in the black box, "all" or "content", the domains of auxiliary text that are used, how many of their most
    frequent words relaxation searches, and after how many epochs without a lower held-out loss multi-set prediction
    ends. None means no limit: as many steps as it takes, all words, all epochs. `released` trains multi-set
    prediction as the authors' code does as well. `tuned` chooses the rate and the temperature of relaxation on
    auxiliary texts. For membership: documents and windows per decile and side; books per part, their least number
    of sentences, epochs of the encoders to compare, and epochs of the learned similarity. For authors: how many at
    most, how often they are drawn, and epochs of the classifiers. For adversarial training: the lambdas of every
    adversary, instead of those of the figure; `published` attacks the encoders of Figure 6 by the paper's recipes as
    well as by our default. An empty corpus name means the first corpus that is available: film
    reviews or complaints, Wikipedia or speeches.
    """

    documents: int
    same: int
    cross: int
    targets: int
    relaxed: int
    steps: int | None
    vocabulary: int | None
    epochs: int
    articles: int
    windows: int
    books: int
    pages: int
    memorised: tuple[int, ...]
    corpus: str = ""
    public_corpus: str = ""
    similarity_epochs: int = 10
    authors: int = 32
    draws: int = 5
    author_epochs: int = 30
    words: str = "all"
    domains: tuple[str, ...] = ("same", "cross")
    searched: int | None = None
    patience: int | None = None
    released: bool = True
    lambdas: tuple[float, ...] = ()
    tuned: bool = False
    published: bool = True


SCALES = {
    "small": SongSizes(
        documents=800,
        same=1000,
        cross=4000,
        targets=200,
        relaxed=12,
        steps=2000,
        vocabulary=2000,
        epochs=30,
        articles=1500,
        windows=4000,
        books=200,
        pages=20,
        memorised=(1, 10),
    ),
    "full": SongSizes(
        documents=8000,
        same=12_000,
        cross=48_000,
        targets=1000,
        relaxed=32,
        steps=None,
        vocabulary=5000,
        epochs=30,
        authors=130,
        articles=8000,
        windows=10_000,
        books=1100,
        pages=20,
        memorised=(1, 2, 5, 10),
    ),
    "paper": SongSizes(
        documents=10**9,
        same=200_000,
        cross=800_000,
        targets=100_000,
        relaxed=100_000,
        steps=None,
        vocabulary=None,
        epochs=30,
        authors=800,
        articles=10**9,
        windows=10**6,
        books=14_000,
        pages=20,
        memorised=(1, 5),
    ),
}
