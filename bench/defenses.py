"""What each defense hides and what it costs: words in complaints, against an adaptive attack, and search.

One row per defense: how well a ridge classifier, fitted on half of the defended vectors, ranks the other half by
whether the text contains each of ten frequent words (mean AUC; 0.5 by chance), the recall of the ten nearest
neighbours, and seconds to fit and transform. The encoder is MiniLM; its vectors are cached between runs. Defenses whose
library is not installed are skipped.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.linear_model import Ridge
from sklearn.metrics import roc_auc_score

from vestige.defenses.catalogue import DEFENSES, make_defense
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.text.corpora import load_corpus
from vestige.text.keywords import keyword_table
from vestige.text.perturbed import remove_words, substitute_words
from vestige.types import Flags, Vectors
from vestige.utility.neighbours import neighbourhood

CACHE = Path("vestige-audit/bench")
TEXTS = 5000
PAIRS, DOCUMENTS = 1000, 200
WORDS = ("bank", "card", "loan", "payment", "debt", "account", "report", "phone", "mortgage", "fraud")
SPECS = [
    "rotation",
    "rounding:2",
    "rounding:1",
    "int8",
    "int8:ranges=all,quantile=0.99",
    "pq:96",
    "pq:32",
    "binary",
    "projection:64",
    "projection:16",
    "pca:64",
    "pca:16",
    "autoencoder:64",
    "autoencoder:16",
    "laplace:1000",
    "laplace:100",
    "laplace:10",
    "laplace:1",
    "laplace:10,estimate=mean",
    "gaussian:1000",
    "gaussian:100",
    "gaussian:10",
    "metric:1536",
    "metric:384",
    "metric:96",
    "vmf:1536",
    "vmf:384",
    "vmf:96",
    "subspace:0.01,scatter=within,norm=true",
    "subspace:0.1,scatter=within,norm=true",
    "subspace:norm=true",
    "subspace",
    "leace",
    "ppm:0.1,recipe=pan",
    "ppm:1",
]


def run() -> Iterator[str]:
    rng = np.random.default_rng(0)
    sentences = load_corpus("complaints").sentences().texts
    texts = [sentences[row] for row in np.sort(rng.permutation(len(sentences))[:TEXTS])]
    encoder = CachedEncoder(load_encoder("minilm"), CACHE)
    vectors, held = encoder.encode(texts), keyword_table(texts, WORDS)
    made = {
        "largest": substitute_words(texts, pairs=PAIRS, rng=rng),
        "mean": remove_words(texts, documents=DOCUMENTS, rng=rng),
    }
    pairs = {name: (encoder.encode(each.original), encoder.encode(each.perturbed)) for name, each in made.items()}
    yield f"{'defense':38} {'AUC':>6} {'recall@10':>9} {'seconds':>8}"
    yield _format_line("none", vectors, vectors, held, 0)
    for spec in SPECS:
        if not DEFENSES[spec.partition(":")[0]].installed:
            continue
        started = time.perf_counter()
        defense = make_defense(spec)
        known = pairs[defense.get_params().get("estimate", "largest")]
        defense.fit(vectors[: TEXTS // 2], held[: TEXTS // 2], pairs=known, rng=np.random.default_rng(0))
        defended = defense.transform(vectors)
        yield _format_line(spec, vectors, defended, held, time.perf_counter() - started)


def _format_line(spec: str, vectors: Vectors, defended: Vectors, held: Flags, seconds: float) -> str:
    half = len(vectors) // 2
    spread = max(float(defended[:half].std()), 1e-12)
    classifier = Ridge(alpha=10.0).fit(defended[:half] / spread, held[:half])
    auc = roc_auc_score(held[half:], classifier.predict(defended[half:] / spread), average="macro")
    search = neighbourhood(vectors, defended, rng=np.random.default_rng(0), queries=300)
    return f"{spec:38} {auc:6.3f} {search.recall.value:9.3f} {seconds:8.2f}"
