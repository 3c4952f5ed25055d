"""The attacks of the probe `keywords`: with texts of the same kind, and with cross-domain texts alone."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from vestige.attacks.decoder import DecoderInverter
from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.attacks.keywords.inference import KeywordInference
from vestige.case.case import Domain, Knowledge
from vestige.case.randomness import stream
from vestige.case.settings import Recipe, Settings
from vestige.encoders.metered import Metered
from vestige.text.keywords import keyword_table
from vestige.text.substitution import LabelledTexts, build_external_examples
from vestige.types import KeywordGuesses, Progress, TrainingLog

ATTACKS: dict[tuple[Domain, Recipe], str] = {
    (
        "same-domain",
        "default",
    ): "keyword inference, a classifier per keyword, linear or with a kernel (after Pan et al. 2020, Section VI)",
    ("same-domain", "paper"): "keyword inference, a linear support vector machine per keyword, paper recipe "
    "(Pan et al. 2020, Section VI)",
    ("cross-domain", "default"): "cross-domain keyword inference, domain-adversarial networks on centred domains "
    "(after Pan et al. 2020, Appendix I)",
    ("cross-domain", "paper"): "cross-domain keyword inference, domain-adversarial networks, paper recipe "
    "(Pan et al. 2020, Appendix I)",
}

NAMED = {
    "pan-mlp": "keyword inference, a perceptron per keyword, paper recipe (Pan et al. 2020, Section VI)",
    "pan-decoder": "keywords in the sentence that an LSTM decoder writes, paper recipe (Pan et al. 2020, Appendix F)",
}
NEAR_ZERO = 0.1
"""The paper trains its decoder until its loss is almost zero."""

RECIPES: dict[str, Literal["svm", "mlp"]] = {"paper": "svm", "pan-svm": "svm", "pan-mlp": "mlp"}


def name_attack(domain: Domain, settings: Settings) -> str:
    """What a report calls the attack that these settings run."""
    return NAMED.get(settings.recipe) or ATTACKS[domain, settings.recipe_kind]


@dataclass(frozen=True)
class InferredKeywords:
    """The number of queries, how likely each keyword is per target, and how the training ended."""

    queries: int
    guesses: KeywordGuesses
    log_: TrainingLog | None


def infer_keywords(
    knowledge: Knowledge, keywords: tuple[str, ...], settings: Settings, progress: Progress
) -> InferredKeywords:
    """What an adversary with texts of the same kind infers; the truth is out of reach here."""
    if settings.recipe == "pan-decoder":
        return decode_keywords(knowledge, keywords, settings, progress)
    pairs = knowledge.auxiliary
    meter = Metered(knowledge.encoder) if knowledge.encoder is not None else None
    attack = KeywordInference(recipe=RECIPES.get(settings.recipe, "default")).fit(
        pairs.vectors,
        pairs.texts,
        keywords=keywords,
        rng=stream(settings.seed, "attack"),
        encoder=meter,
        documents=pairs.documents,
        progress=progress,
    )
    return InferredKeywords(0 if meter is None else meter.spent, attack.infer(knowledge.targets), attack.log_)


def decode_keywords(
    knowledge: Knowledge, keywords: tuple[str, ...], settings: Settings, progress: Progress
) -> InferredKeywords:
    """Write a sentence for each target, and look for the keywords in it; nothing is queried."""
    pairs = knowledge.auxiliary
    attack = DecoderInverter(recipe="pan")
    attack.fit(pairs.vectors, pairs.texts, rng=stream(settings.seed, "attack"), progress=progress)
    written = keyword_table(attack.infer(knowledge.targets).texts, keywords).astype(np.float64)
    losses = attack.losses_
    rule = f"the {len(losses)} epochs of the paper; converged if the training loss per word is at most {NEAR_ZERO}"
    log = TrainingLog(rule, losses[-1] <= NEAR_ZERO, len(losses), tuple(enumerate(losses, 1)))
    return InferredKeywords(0, KeywordGuesses(keywords, written), log)


def put_in_keywords(knowledge: Knowledge, keywords: tuple[str, ...], settings: Settings) -> LabelledTexts:
    """Cross-domain texts, without a keyword and with each."""
    rng = stream(settings.seed, "external examples")
    return build_external_examples(knowledge.auxiliary.texts, keywords, size=settings.external, rng=rng)


def infer_cross_domain(
    knowledge: Knowledge, made: LabelledTexts, keywords: tuple[str, ...], settings: Settings, progress: Progress
) -> InferredKeywords:
    """What an adversary infers whose own texts are of another kind."""
    spent, attack = fit_cross_domain(knowledge, made, keywords, settings, progress)
    published = settings.recipe_kind == "paper"
    return InferredKeywords(spent, attack.infer(knowledge.targets), attack.log_ if published else None)


def fit_cross_domain(
    knowledge: Knowledge, made: LabelledTexts, keywords: tuple[str, ...], settings: Settings, progress: Progress
) -> tuple[int, DomainAdversarialKeyword]:
    """Query the texts into which keywords were put, and align their domain with that of the targets."""
    assert knowledge.encoder is not None
    meter, published = Metered(knowledge.encoder), settings.recipe_kind == "paper"
    vectors = meter.encode(made.texts, progress=lambda _, total: progress("encoding texts with keywords", total))
    attack = DomainAdversarialKeyword(centred=not published).fit(
        vectors,
        made.labels,
        keywords=keywords,
        victims=knowledge.targets,
        rng=stream(settings.seed, "attack"),
        counted=made.counted if published else None,
        progress=progress,
    )
    return meter.spent, attack
