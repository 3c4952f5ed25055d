"""Is this sentence in the store? Complaints encoded with MiniLM: 2,000 sentences stored in several forms, and queried.

Candidates are members, near copies (the store does not hold them, but a sentence that shares more than 0.7 of their
words) and others. They are queried unchanged, or changed as in the copy of somebody who did not take the text from the
store. Sentences with near copies are mostly set phrases of letters, so near copies are compared with members of that
kind: the sentences that they are copies of. Against random members, recognizing set phrases would look like membership.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from vestige.attacks.membership.index import IndexMembership
from vestige.case.randomness import stream
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.encoders.metered import Metered
from vestige.metrics.membership.summary import Membership, membership
from vestige.metrics.near_copies import find_near_copies
from vestige.stores.memory_index import FORMS, MemoryIndex, as_float32
from vestige.text.corpora import load_corpus
from vestige.text.perturbed import replace_words, strip_punctuation, truncate
from vestige.text.words import content_words, words
from vestige.types import Encoder, Floats, Integers, Vectors

CACHE = Path("vestige-audit/bench")
STORED = 2000
EACH = 400
OWN = 200
WORDS = 4000
OTHER_WORDS = 3


@dataclass(frozen=True)
class Synonyms:
    """Frequent content words, and for each the nearest other one in GloVe."""

    nearest: dict[str, str]

    @classmethod
    def build(cls, texts: Sequence[str]) -> "Synonyms":
        """Build the table from the most frequent content words of these texts."""
        counts = Counter(word for text in texts for word in content_words(text))
        frequent = [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:WORDS]]
        vectors = load_encoder("glove-6b").encode(frequent)
        vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        cosines = vectors @ vectors.T
        np.fill_diagonal(cosines, -1)
        return cls({word: frequent[row] for word, row in zip(frequent, cosines.argmax(axis=1), strict=True)})


Change = Callable[[str, Synonyms, np.random.Generator], str]


def _change_word(text: str, synonyms: Synonyms, rng: np.random.Generator) -> str:
    others = list(synonyms.nearest)
    return replace_words(text, 1, rng, lambda _: others[int(rng.integers(len(others)))], synonyms.nearest)


def _reword(text: str, synonyms: Synonyms, rng: np.random.Generator) -> str:
    return replace_words(text, OTHER_WORDS, rng, synonyms.nearest.__getitem__, synonyms.nearest)


CHANGES: dict[str, Change] = {
    "unchanged": lambda text, _synonyms, _rng: text,
    "a word changed": _change_word,
    "three words by their nearest": _reword,
    "cut to 70%": lambda text, _synonyms, _rng: truncate(text),
    "no capitals, no marks": lambda text, _synonyms, _rng: strip_punctuation(text),
}


@dataclass(frozen=True)
class World:
    """What the store holds, the candidates by group, and texts of the adversary that are not in the store."""

    stored: list[str]
    groups: dict[str, list[str]]
    own: list[str]
    synonyms: Synonyms


def run() -> Iterator[str]:
    world = _draw_world()
    encoder = CachedEncoder(load_encoder("minilm"), CACHE)
    vectors = encoder.encode(world.stored)
    sizes = ", ".join(f"{len(texts)} {name}" for name, texts in world.groups.items())
    yield f"{len(world.stored):,} sentences in the store; candidates: {sizes}; {len(world.own)} texts of the adversary"
    for change in CHANGES:
        for form, store in _list_forms().items():
            index = MemoryIndex(store(vectors), form=form.partition(",")[0])
            for recipe in ("top", "default"):
                yield f"  {change}, {form}, {recipe}: " + _run_attack(world, change, index, encoder, recipe)


def _list_forms() -> dict[str, Callable[[Vectors], Vectors]]:
    plain = dict.fromkeys(FORMS, as_float32)
    return {**plain, **{f"float32, noise {level}": partial(_add_noise, level=level) for level in (0.02, 0.05)}}


def _add_noise(vectors: Vectors, level: float) -> Vectors:
    noise = stream(0, "noise").standard_normal(vectors.shape)
    return np.asarray(vectors + level * noise, np.float32)


def _run_attack(world: World, changed: str, index: MemoryIndex, encoder: Encoder, recipe: str) -> str:
    attack = IndexMembership(recipe="top" if recipe == "top" else "default")
    attack.fit(world.own, index=index, encoder=Metered(encoder), stored_form=FORMS[index.form])
    change = CHANGES[changed]
    scores = {
        name: attack.infer([change(text, world.synonyms, stream(0, text)) for text in texts]).scores
        for name, texts in world.groups.items()
    }
    copied = _measure(scores["copied members"], scores["near copies"], None)
    plain = _measure(scores["members"], scores["others"], attack.threshold_)
    return f"copied members against near copies: {_describe(copied)}; members against others: {_describe(plain)}"


def _measure(members: Floats, others: Floats, threshold: float | None) -> Membership:
    """The adversary's own texts set the threshold against others; it has no near copies to set one with."""
    names = [[f"{side} {row}" for row in range(len(scores))] for side, scores in (("in", members), ("out", others))]
    return membership(
        members, others, member_groups=names[0], other_groups=names[1], rng=stream(0, "halves"), threshold=threshold
    )


def _describe(result: Membership) -> str:
    low = result.at[0].tpr
    caught = "" if low is None else f", TPR at 1% {low.value:.3f} ({low.low:.3f} to {low.high:.3f})"
    area = f"AUC {result.auc.value:.4f} ({result.auc.low:.4f} to {result.auc.high:.4f})"
    return f"{area}{caught}, advantage {result.advantage.value:.3f}"


def _draw_world() -> World:
    """Half of the sentences may be stored; near copies are those of the other half that have a copy among them."""
    found = load_corpus("complaints").sentences(6, 40).texts
    texts = list({tuple(words(text)): text for text in found}.values())
    order = stream(0, "order").permutation(len(texts))
    sets = [content_words(text) for text in texts]
    ours, theirs = order[: len(order) // 2], order[len(order) // 2 :]
    near = _find_with_copy(sets, ours, theirs)
    copies = near[:EACH]
    partners = _find_with_copy(sets, theirs, copies)
    rest = theirs[~np.isin(theirs, partners)]
    members, others = rest[:EACH], ours[~np.isin(ours, near)]
    stored = np.concatenate([partners, rest[: STORED - len(partners)]])

    def take(rows: Integers) -> list[str]:
        return [texts[row] for row in rows]

    groups = {
        "members": take(members),
        "others": take(others[:EACH]),
        "copied members": take(partners[:EACH]),
        "near copies": take(copies),
    }
    return World(take(stored), groups, take(others[EACH : EACH + OWN]), Synonyms.build(texts))


def _find_with_copy(sets: list[frozenset[str]], rows: Integers, others: Integers) -> Integers:
    return rows[find_near_copies([sets[row] for row in rows], [sets[row] for row in others])]
