"""Tables at a size for tests: shipped corpora, random checkpoints, a few dozen texts."""

import numpy as np
import pytest

from tests.tiny_models import tiny_checkpoint
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.saved import save_encoder
from vestige.papers.chen2023.setup import ChenSizes as ChenSizes
from vestige.papers.coro2022.setup import CoroSizes as CoroSizes
from vestige.papers.pan2020.setup import MODELS as PAN_MODELS
from vestige.papers.pan2020.setup import DefenseStrengths
from vestige.papers.pan2020.setup import PanSizes as PanSizes
from vestige.papers.run import PaperRun
from vestige.papers.song2020.setup import SongSizes as SongSizes
from vestige.text.corpora import load_corpus

SONG_SIZES = SongSizes(
    documents=160,
    same=100,
    cross=80,
    targets=40,
    relaxed=12,
    steps=3,
    vocabulary=200,
    epochs=1,
    articles=80,
    windows=60,
    books=44,
    pages=6,
    memorised=(1,),
    corpus="complaints",
    public_corpus="speeches",
    authors=24,
    draws=2,
    author_epochs=1,
)
CORO_SIZES = CoroSizes(
    train=150,
    cross=150,
    targets=70,
    columns=64,
    directions=16,
    epochs=1,
    steps=(60,),
    per_class=16,
    named=200,
    naming=20,
    probe_columns=256,
    vocabulary=150,
    grid={"alpha": (1e-3,), "early_stopping": (False,)},
    corpus="complaints",
    public_corpus="speeches",
    paragraphs=300,
    jobs=1,
)
CHEN_SIZES = ChenSizes(
    targets=24,
    pool=30,
    budget=20,
    external=20,
    steps=3,
    rarest=0.05,
    shortest=5,
    longest=40,
    queries=(10, 20),
    pools=(15, 30),
    few=12,
    epsilons=(0.001, 1e6),
    dimensions=(4, 16, 10_000),
    shortened=10,
    tuning=1,
    corpus="complaints",
    public_corpus="speeches",
)
PAN_SIZES = PanSizes(
    records=40,
    examples=200,
    iterations=20,
    each=12,
    shadow=30,
    external=20,
    epochs=2,
    words=6,
    shadows=(20,),
    externals=(5,),
    shared=(4,),
    victims=(1,),
    learned=80,
    tested=220,
    strengths=DefenseStrengths(
        decimals=(0, 9),
        epsilons=(0.01,),
        fidelities=(0.1,),
        rounds=2,
        shares=(0.5,),
        changed=20,
        system=120,
        models=1,
    ),
    perceptron_epochs=2,
    decoder_epochs=6,
    medical="complaints",
    public_corpus="speeches",
)


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory):
    """Two random transformers, by kind."""
    folder = tmp_path_factory.mktemp("checkpoints")
    return {kind: tiny_checkpoint(kind, folder / kind) for kind in ("bert", "albert")}


@pytest.fixture(scope="session")
def duals(tmp_path_factory):
    """Two dual encoders, hardly trained, by architecture."""
    folder = tmp_path_factory.mktemp("duals")
    corpus = load_corpus("complaints").take(range(60))
    for architecture in ("lstm", "transformer"):
        recipe = DualRecipe(architecture, dimension=16, vocabulary_size=400, epochs=1)
        save_encoder(recipe.fit(corpus, rng=np.random.default_rng(0)), folder / architecture)
    return folder


@pytest.fixture(scope="session")
def song_run(checkpoints, duals):
    named = {"LSTM": f"saved:{duals / 'lstm'}", "Transformer": f"saved:{duals / 'transformer'}"}
    return PaperRun(
        SONG_SIZES, encoders=named | {kind.upper(): f"hf:{path}@mean" for kind, path in checkpoints.items()}
    )


@pytest.fixture(scope="session")
def coro_run(checkpoints):
    """Doc2Vec and Sentence-BERT are played by the random transformers."""
    named = {"Sentence-BERT": f"hf:{checkpoints['bert']}@mean", "Doc2Vec": f"hf:{checkpoints['albert']}@mean"}
    return PaperRun(CORO_SIZES, encoders=named)


@pytest.fixture(scope="session")
def chen_run(checkpoints):
    """SBERT and granite are played by the random transformers."""
    named = {"SBERT": f"hf:{checkpoints['bert']}@mean", "granite": f"hf:{checkpoints['albert']}@mean"}
    return PaperRun(CHEN_SIZES, encoders=named)


@pytest.fixture(scope="session")
def pan_run(tmp_path_factory):
    """Bert and potion are played by random transformers that read bytes, and so digits; no other model is here."""
    folder = tmp_path_factory.mktemp("bytes")
    played = {"Bert": "roberta", "potion": "gpt2"}
    return PaperRun(
        PAN_SIZES, encoders={model: f"hf:{tiny_checkpoint(kind, folder / kind)}" for model, kind in played.items()}
    )


@pytest.fixture(scope="module")
def nothing_else():
    """No data, no models and no packaged encoder besides what a test names."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("VESTIGE_DATA", raising=False)
        patch.delenv("VESTIGE_MODELS", raising=False)
        for model in ("RoBERTa", "USE", "Bert, CLS", "Bert, half way"):
            patch.setitem(PAN_MODELS, model, "hf:nowhere")
        yield
