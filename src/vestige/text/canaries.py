"""Canaries: made-up secrets planted in a corpus, to be searched for later.

See Carlini et al. 2019 and Corò 2022, Section 3.1.1. A canary is drawn from a `SecretSpace`, the numbered set of all
secrets that a pattern allows. The rank of a planted secret in that space gives its exposure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.patterns.pattern import Pattern, Template
from vestige.types import Integers

MOST = 2**62


@dataclass(frozen=True, slots=True)
class Canary:
    """The planted `text`: it begins with the `prompt`, which anyone may know, followed by the `secret`."""

    text: str
    prompt: str
    secret: str


def make_canaries(pattern: Pattern, count: int, rng: np.random.Generator) -> list[Canary]:
    """Draw `count` canaries from the first template of a pattern, all with different secrets and different prompts.

    Open fields are drawn as well; those before the secret distinguish the prompts.
    """
    space = SecretSpace.build(pattern)
    secrets = space.draw(count, rng)
    prompts: dict[str, dict[str, str]] = {}
    for _ in range(20 * count):
        values = {field.name: field.separator.join(field.spell(field.draw(1, rng))[0]) for field in pattern.fields}
        prompts.setdefault(space.before.fill(values), values)
        if len(prompts) == count:
            break
    if len(prompts) < count:
        raise InputError(
            f"pattern '{pattern.name}' gives {len(prompts)} different texts before the secret, but {count} canaries "
            "need one each; add an open field before the secret, or make fewer canaries"
        )
    return [
        Canary(prompt + secret + space.after.fill(values), prompt, secret)
        for secret, (prompt, values) in zip(secrets, prompts.items(), strict=True)
    ]


def plant(corpus: Corpus, canaries: Sequence[Canary], times: Sequence[int], rng: np.random.Generator) -> Corpus:
    """Insert each canary into the corpus as often as `times` says, each copy as a document at a random place.

    The documents of the corpus stay unchanged and in order. Their other columns are None for a canary.
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
        raise InputError(
            f"corpus '{corpus.name}' already has a document {min(taken)!r}; use the corpus from before canaries were "
            "planted"
        )
    return _insert_documents(corpus, added, rng)


def _insert_documents(corpus: Corpus, added: Corpus, rng: np.random.Generator) -> Corpus:
    """Insert before the first row of a document, or at the end, so that no document is split."""
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


@dataclass(frozen=True, slots=True)
class SecretSpace:
    """All secrets of a pattern: what a template has from its first secret field to its last, and the text around it."""

    before: Template
    inside: Template
    after: Template
    pattern: Pattern

    @classmethod
    def build(cls, pattern: Pattern) -> "SecretSpace":
        """Split the first template of the pattern; no open field may be between two secret ones."""
        parts = pattern.templates[0].parts
        places = [place for place, (_, name) in enumerate(parts) if name in pattern.secret]
        first, last = places[0], places[-1]
        opened = [name for _, name in parts[first : last + 1] if name not in pattern.secret]
        if opened:
            raise InputError(
                f"pattern '{pattern.name}': field '{opened[0]}' is between secret fields and is not secret; "
                "list it in secret = [...], or move it before or after them"
            )
        literal, name = parts[first]
        before = Template("", (*parts[:first], (literal, None)))
        inside = Template("", (("", name), *parts[first + 1 : last + 1]))
        space = cls(before, inside, Template("", parts[last + 1 :]), pattern)
        if space.size > MOST:
            raise InputError(f"pattern '{pattern.name}' allows {space.size:.1e} secrets; expected {MOST:.1e} at most")
        return space

    @property
    def size(self) -> int:
        """The number of secrets; where a date is secret, only dates of the calendar count."""
        return prod(self._radices)

    def decode(self, numbers: Iterable[int]) -> list[str]:
        """The secrets with these numbers, counted from 0."""
        radices, days = self._radices, self._days
        return [self.inside.fill(self._build_values(_to_digits(int(number), radices), days)) for number in numbers]

    def draw(self, count: int, rng: np.random.Generator) -> list[str]:
        """`count` different secrets, drawn uniformly."""
        if not 0 <= count <= self.size:
            raise InputError(f"pattern '{self.pattern.name}' allows {self.size} secrets; {count} were requested")
        return self.decode(rng.choice(self.size, size=count, replace=False))

    @property
    def _days(self) -> Integers | None:
        """The dates of the calendar if the whole date is secret; year, month and day are then one digit."""
        return (
            self.pattern.dates() if self.pattern.date and set(self.pattern.date) <= set(self.pattern.secret) else None
        )

    @property
    def _radices(self) -> list[int]:
        days = self._days
        in_date = self.pattern.date if days is not None else ()
        plain = [field for field in self.pattern.attacked if field.name not in in_date]
        return [*([] if days is None else [len(days)]), *(len(values) for field in plain for values in field.places)]

    def _build_values(self, digits: Sequence[int], days: Integers | None) -> dict[str, str]:
        rest = iter(digits)
        date = {} if days is None else dict(zip(self.pattern.date, days[next(rest)].tolist(), strict=True))
        values = {}
        for field in self.pattern.attacked:
            row = [date[field.name]] if field.name in date else [next(rest) for _ in field.places]
            values[field.name] = field.separator.join(field.spell([row])[0])
        return values


def _to_digits(number: int, radices: Sequence[int]) -> list[int]:
    """A number in mixed radix, most significant digit first."""
    digits = []
    for radix in reversed(radices):
        number, digit = divmod(number, radix)
        digits.append(digit)
    return digits[::-1]
