"""Canaries (Carlini et al. 2019; Corò, Section 3.1.1): made-up secrets planted in a corpus, to ask for later."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.patterns.pattern import Pattern
from vestige.text.secrets import SecretSpace


@dataclass(frozen=True, slots=True)
class Canary:
    """The text that is planted; it begins with the `prompt`, which anyone may know, and then tells the `secret`."""

    text: str
    prompt: str
    secret: str


def make_canaries(pattern: Pattern, count: int, rng: np.random.Generator) -> list[Canary]:
    """So many canaries after the first template of a pattern; no two have the same secret, nor the same prompt.

    The open fields are drawn too, and those before the secret are what tells one prompt from another.
    """
    space = SecretSpace.of(pattern)
    secrets = space.drawn(count, rng)
    prompts: dict[str, dict[str, str]] = {}
    for _ in range(20 * count):
        values = {field.name: field.separator.join(field.spelled(field.draw(1, rng))[0]) for field in pattern.fields}
        prompts.setdefault(space.before.filled(values), values)
        if len(prompts) == count:
            break
    if len(prompts) < count:
        raise InputError(
            f"pattern '{pattern.name}' gave {len(prompts)} different texts before the secret, {count} canaries need as "
            "many; write an open field before the secret, or make fewer"
        )
    return [
        Canary(prompt + secret + space.after.filled(values), prompt, secret)
        for secret, (prompt, values) in zip(secrets, prompts.items(), strict=True)
    ]


def plant(corpus: Corpus, canaries: Sequence[Canary], times: Sequence[int], rng: np.random.Generator) -> Corpus:
    """The corpus with each canary in it as often as `times` says, every copy a document of its own at a random place.

    The documents of the corpus stay as they are and in their order. A column that came with it has None for a canary.
    """
    if len(times) != len(canaries) or any(count < 0 for count in times):
        raise InputError(f"{len(canaries)} canaries but times {list(times)}; expected a number of 0 or more for each")
    copies = [(number, copy) for number, count in enumerate(times) for copy in range(count)]
    added = Corpus(
        corpus.name,
        [canaries[number].text for number, _ in copies],
        [f"canary {number} copy {copy}" for number, copy in copies],
    )
    taken = set(added.documents) & set(corpus.documents)
    if taken:
        raise InputError(f"corpus '{corpus.name}' has a document {min(taken)!r} already; plant into the corpus without")
    return _merged(corpus, added, rng)


def _merged(corpus: Corpus, added: Corpus, rng: np.random.Generator) -> Corpus:
    """Canaries go before the first row of a document, or at the end: no document is parted."""
    starts = [row for row, name in enumerate(corpus.documents) if row == 0 or corpus.documents[row - 1] != name]
    gaps = rng.choice([*starts, len(corpus)], size=len(added))
    order = np.argsort(np.concatenate([gaps, np.arange(len(corpus)) + 0.5]), kind="stable").tolist()
    blank = [None] * len(added)
    whole = replace(
        corpus,
        texts=added.texts + corpus.texts,
        documents=added.documents + corpus.documents,
        attributes={name: blank + values for name, values in corpus.attributes.items()},
    )
    return whole.take(order)
