"""Why the published recipe fails on unit-norm vectors: what its weights learn, what a lower threshold gives."""

from collections.abc import Iterator

import numpy as np

from bench.invert import build_film_case
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.case.randomness import stream
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words


def run() -> Iterator[str]:
    name, case = build_film_case()
    pairs = case.auxiliary["same-domain"]
    assert case.truth is not None
    truth = [content_words(text) for text in case.truth.texts]
    yield f"{name}: mean size of a coordinate {np.abs(case.targets).mean():.3f}"
    for recipe in ("paper", "default"):
        attack = MultiLabelInverter(recipe="paper" if recipe == "paper" else "default")
        attack.fit(pairs.vectors, pairs.texts, rng=stream(0, "attack"), documents=pairs.documents)
        scorer = attack.scorer_
        spread = np.median(scorer.logits(case.targets).std(axis=0))
        yield (
            f"  {recipe}: median bias {np.median(scorer.bias):.2f}, median log odds {np.median(scorer.log_odds):.2f}, "
            f"median spread of a word's logit over texts {spread:.2f}"
        )
        if recipe == "paper":
            guesses = attack.infer(case.targets)
            yield f"  paper: share of texts with any guess {np.mean([bool(words) for words in guesses.sets]):.3f}"
            for threshold in (0.5, 0.2, 0.1, 0.05, 0.03):
                sets = [{word for word, chance in ranked if chance > threshold} for ranked in guesses.ranked]
                yield f"  paper: F1 at threshold {threshold}: {word_recovery(sets, truth).f1.mean():.4f}"
