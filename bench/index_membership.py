"""Is this sentence in the store? Complaints under MiniLM: 2,000 sentences kept in several forms, and asked for again.

Candidates are members, near copies (the store holds a sentence that shares more than 0.7 of their words, and not
themselves) and others, as they are or changed as somebody would change them who has the text from elsewhere. Sentences
that have near copies are of a kind, set phrases of letters, so that near copies are held against members of that kind:
the very sentences they are copies of. Against members drawn at random, telling set phrases would pass for telling
members.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from bench.variants import VARIANTS, Synonyms
from vestige.attacks.membership.index import IndexMembership
from vestige.case.randomness import stream
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.encoders.metered import Metered
from vestige.metrics.membership.figures import Membership, membership
from vestige.metrics.similarity import near_copies
from vestige.stores.forms import FORMS, as_float32
from vestige.stores.memory import MemoryIndex
from vestige.text.named import load_corpus
from vestige.text.words import content_words, words
from vestige.types import Encoder, Floats, Integers, Vectors

CACHE = Path("vestige-audit/bench")
KEPT = 2000
EACH = 400
OWN = 200


@dataclass(frozen=True)
class World:
    """What the store holds, who is asked for, and what the adversary has that is not in the store."""

    kept: list[str]
    groups: dict[str, list[str]]
    own: list[str]
    synonyms: Synonyms


def run() -> Iterator[str]:
    world = _world()
    encoder = CachedEncoder(load_encoder("minilm"), CACHE)
    vectors = encoder.encode(world.kept)
    sizes = ", ".join(f"{len(texts)} {name}" for name, texts in world.groups.items())
    yield f"{len(world.kept):,} sentences in the store; candidates: {sizes}; {len(world.own)} texts of the adversary"
    for variant in VARIANTS:
        for form, keep in _forms().items():
            index = MemoryIndex(keep(vectors), form=form.partition(",")[0])
            for recipe in ("top", "default"):
                yield f"  {variant}, {form}, {recipe}: " + _attacked(world, variant, index, encoder, recipe)


def _forms() -> dict[str, Callable[[Vectors], Vectors]]:
    plain = dict.fromkeys(FORMS, as_float32)
    return {**plain, **{f"float32, noise {level}": partial(_noised, level=level) for level in (0.02, 0.05)}}


def _noised(vectors: Vectors, level: float) -> Vectors:
    noise = stream(0, "noise").standard_normal(vectors.shape)
    return np.asarray(vectors + level * noise, np.float32)


def _attacked(world: World, variant: str, index: MemoryIndex, encoder: Encoder, recipe: str) -> str:
    attack = IndexMembership(recipe="top" if recipe == "top" else "default")
    attack.fit(world.own, index=index, encoder=Metered(encoder), kept=FORMS[index.form])
    change = VARIANTS[variant]
    scores = {
        name: attack.infer([change(text, world.synonyms, stream(0, text)) for text in texts]).scores
        for name, texts in world.groups.items()
    }
    copied = _figures(scores["copied members"], scores["near copies"], None)
    plain = _figures(scores["members"], scores["others"], attack.threshold_)
    return f"copied members against near copies: {_said(copied)}; members against others: {_said(plain)}"


def _figures(members: Floats, others: Floats, threshold: float | None) -> Membership:
    """The adversary's own texts set a threshold against others; of near copies it has none to set one by."""
    names = [[f"{side} {row}" for row in range(len(scores))] for side, scores in (("in", members), ("out", others))]
    return membership(
        members, others, member_groups=names[0], other_groups=names[1], rng=stream(0, "halves"), threshold=threshold
    )


def _said(figures: Membership) -> str:
    low = figures.at[0].tpr
    caught = "" if low is None else f", TPR at 1% {low.value:.3f} ({low.low:.3f} to {low.high:.3f})"
    area = f"AUC {figures.auc.value:.4f} ({figures.auc.low:.4f} to {figures.auc.high:.4f})"
    return f"{area}{caught}, advantage {figures.advantage.value:.3f}"


def _world() -> World:
    """Half of the sentences may be kept; near copies are those of the other half that have one among them."""
    found = load_corpus("complaints").sentences(6, 40).texts
    texts = list({tuple(words(text)): text for text in found}.values())
    order = stream(0, "order").permutation(len(texts))
    sets = [content_words(text) for text in texts]
    ours, theirs = order[: len(order) // 2], order[len(order) // 2 :]
    near = _with_copy(sets, ours, theirs)
    asked = near[:EACH]
    partners = _with_copy(sets, theirs, asked)
    rest = theirs[~np.isin(theirs, partners)]
    members, apart = rest[:EACH], ours[~np.isin(ours, near)]
    kept = np.concatenate([partners, rest[: KEPT - len(partners)]])

    def of(rows: Integers) -> list[str]:
        return [texts[row] for row in rows]

    groups = {
        "members": of(members),
        "others": of(apart[:EACH]),
        "copied members": of(partners[:EACH]),
        "near copies": of(asked),
    }
    return World(of(kept), groups, of(apart[EACH : EACH + OWN]), Synonyms.of(texts))


def _with_copy(sets: list[frozenset[str]], rows: Integers, others: Integers) -> Integers:
    return rows[near_copies([sets[row] for row in rows], [sets[row] for row in others])]
