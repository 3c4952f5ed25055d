"""What each defense hides and what it costs: words read from complaints by a reader that is fitted again, and search.

A row a defense: how well a ridge classifier, fitted on half of the defended vectors, ranks the other half by whether
the text holds each of ten frequent words (mean AUC; 0.5 by chance), the recall of the ten nearest neighbours, and
seconds to fit and transform. Encoder: MiniLM, its vectors kept between runs. Defenses whose library is not installed
are left out.
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
from vestige.text.changed import removed, substituted
from vestige.text.keywords import keyword_table
from vestige.text.named import load_corpus
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
        "largest": substituted(texts, pairs=PAIRS, rng=rng),
        "mean": removed(texts, documents=DOCUMENTS, rng=rng),
    }
    pairs = {name: (encoder.encode(each.original), encoder.encode(each.changed)) for name, each in made.items()}
    yield f"{'defense':38} {'AUC':>6} {'recall@10':>9} {'seconds':>8}"
    yield _line("none", vectors, vectors, held, 0)
    for spec in SPECS:
        if not DEFENSES[spec.partition(":")[0]].installed:
            continue
        began = time.perf_counter()
        defense = make_defense(spec)
        known = pairs[defense.get_params().get("estimate", "largest")]
        defense.fit(vectors[: TEXTS // 2], held[: TEXTS // 2], pairs=known, rng=np.random.default_rng(0))
        defended = defense.transform(vectors)
        yield _line(spec, vectors, defended, held, time.perf_counter() - began)


def _line(spec: str, vectors: Vectors, defended: Vectors, held: Flags, seconds: float) -> str:
    half = len(vectors) // 2
    spread = max(float(defended[:half].std()), 1e-12)
    reader = Ridge(alpha=10.0).fit(defended[:half] / spread, held[:half])
    told = roc_auc_score(held[half:], reader.predict(defended[half:] / spread), average="macro")
    found = neighbourhood(vectors, defended, rng=np.random.default_rng(0), queries=300)
    return f"{spec:38} {told:6.3f} {found.recall.value:9.3f} {seconds:8.2f}"
