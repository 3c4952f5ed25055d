"""A thief without pairs: the stolen store, the public encoder and similar text, but no vector of a known text."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from vestige.attacks.alignment.schemes import align_any
from vestige.case.case import Case, Knowledge, Missing
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.defend.fitting import draw_own_half
from vestige.defenses.asymmetric import AsymmetricEncryption
from vestige.probes.plan import choose_probes
from vestige.probes.probe import Effort, Fitted, ProbeScore, Run, Setup
from vestige.types import Progress, Vectors, silent

PROBES = ("words", "names", "keywords", "attributes")
"""The probes that a thief judges by: those whose attack learns from pairs, which a thief makes of its own text."""

_ENDING = "-thief"


def name_thief(probe: str) -> str:
    """What a probe is called when a thief runs it: "words-thief", "attributes-thief:topic"."""
    kind, colon, rest = probe.partition(":")
    return f"{kind}{_ENDING}{colon}{rest}"


def is_thief(probe: str) -> bool:
    """Whether a thief without pairs runs the probe of this name."""
    return probe.partition(":")[0].endswith(_ENDING)


def name_probe(name: str) -> str:
    """The probe that a thief runs under this name; the name itself if it is not a thief's."""
    kind, colon, rest = name.partition(":")
    return f"{kind.removesuffix(_ENDING)}{colon}{rest}"


class Thief:
    """What a thief holds, and what it makes of stolen vectors.

    Of the owner's other documents, one half stands for public text: the thief has their texts and, from the encoder,
    their raw vectors. The other half is stolen along with the targets: the thief has their defended vectors alone.
    """

    def __init__(self, case: Case, settings: Settings) -> None:
        pairs = case.auxiliary["same-domain"]
        self.settings = settings
        self.own = draw_own_half(pairs, settings.seed)
        self.case = replace(case, auxiliary={**case.auxiliary, "same-domain": self.own})
        public = set(self.own.documents)
        self.stolen = [row for row, name in enumerate(pairs.documents) if name not in public]
        self._last: tuple[Vectors, Callable[[Vectors], Vectors]] | None = None

    def align(self, knowledge: Knowledge) -> Callable[[Vectors], Vectors]:
        """The map from stolen vectors to raw ones: one for all probes of the same defense."""
        if self._last is None or self._last[0] is not knowledge.targets:
            stolen = np.concatenate([knowledge.targets, knowledge.auxiliary.vectors[self.stolen]])
            rng = stream(self.settings.seed, "thief")
            self._last = knowledge.targets, align_any(stolen, self.own.vectors, encrypt=_encrypt, rng=rng)
        return self._last[1]


class ThiefSetup(Setup):
    """A probe, run by a thief who has to align the stolen vectors with those of its own text.

    The naive thief does not: it attacks the stolen vectors as if they were raw.
    """

    def __init__(self, inner: Setup, thief: Thief) -> None:
        self.name = name_thief(inner.name)
        self.measure = f"{inner.measure} without pairs"
        self.tested = inner.tested
        self.inner = inner
        self.thief = thief

    @property
    def attack(self) -> str:  # type: ignore[override]
        """The alignment, then the attack of the probe."""
        return (
            "alignment of the stolen vectors with raw vectors of other texts of the same kind, without any pair, by "
            "the scheme that the stolen vectors show: one key, a key per cluster, or encryption with noise; then, "
            f"fitted on those texts: {self.inner.attack}"
        )

    def select_targets(self, case: Case) -> Vectors:
        """Those of the probe."""
        return self.inner.select_targets(case)

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:  # noqa: ARG002
        """Align; of the pairs, only the vectors of the stolen half are used, in one draw."""
        found, fitted = self.thief.align(knowledge), self._fitted
        return lambda vectors: fitted(found(vectors))

    def fit_naive(self) -> Fitted:
        """The attack on raw vectors."""
        return self._fitted

    def score(self, guesses: Any) -> ProbeScore:
        """As the probe does."""
        return self.inner.score(guesses)

    @cached_property
    def _fitted(self) -> Fitted:
        """The attack of the probe, fitted on raw vectors of the thief's own texts."""
        own = self.thief.own
        return self.inner.fit(Knowledge(own.vectors, own, self.thief.case.encoder), 1, silent)


def open_thief(case: Case, probes: tuple[str, ...], run: Run, effort: Effort) -> Iterator[ThiefSetup]:
    """The probes among those named that a thief can run."""
    thief = Thief(case, run.settings)
    for probe in choose_probes(tuple(name for name in probes if name in PROBES) or ("words",)):
        opened = probe.open(thief.case, run, effort)
        if not isinstance(opened, Missing):
            yield from (ThiefSetup(each, thief) for each in opened)


def _encrypt(vectors: Vectors, noise: int) -> Vectors:
    """The thief's own vectors under a key of its own: the scheme is public, the key is not."""
    own = AsymmetricEncryption(noise=noise).fit(vectors, rng=np.random.default_rng(0))
    return own.transform(vectors)
