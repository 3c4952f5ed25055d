"""Redaction: names, numbers, addresses and keywords are masked, or replaced, before a text is encoded."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from hashlib import blake2b, sha256
from pathlib import Path
from secrets import randbits
from typing import Any, Literal, get_args
from unicodedata import normalize

from vestige.checks import check_choice
from vestige.errors import InputError
from vestige.files import write_whole
from vestige.memory import read_file
from vestige.registry import nearest
from vestige.text.detectors import DETECTORS, Detector, Mention, find_emails, find_links, find_numbers, load_detector
from vestige.text.keywords import locate_words, split_keyword
from vestige.text.names import first_names, last_names

Mode = Literal["placeholder", "mask", "surrogate", "pseudonym"]
"""A redacted part becomes its kind in brackets, nothing at all, or something else of its kind: drawn anew for each
document, or the same everywhere."""

KEYED = ("surrogate", "pseudonym")
"""Modes in which whoever knows the seed can test guesses."""

KINDS = ("names", "numbers", "emails", "links", "keywords")
LABELS = ("PERSON", "GPE", "ORG", "NORP", "LOC", "FAC", "DATE", "MONEY", "EVENT", "PRODUCT", "LAW")
"""Labels of a tagger that can be redacted as well."""

FORMAT = 2
"""The version of the saved settings."""

PLACEHOLDERS = {"names": "NAME", "numbers": "NUMBER", "emails": "EMAIL", "links": "LINK", "keywords": "WORD"}
_SPACES = re.compile(r"[ \t]{2,}")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Redacted:
    """A redacted text, and what was redacted in the original: kind, start and end of each part."""

    text: str
    mentions: tuple[Mention, ...]


@dataclass(frozen=True)
class Redactor:
    """Redacts parts of texts. Settings only: nothing is learned, and the same settings give the same text.

    `kinds` are those of `KINDS`, or labels of a tagger such as ORG. `keywords` are the words of the kind `keywords`.
    `detector` finds names: "lists" by lists of the US census, titles and greetings; "tagger" by these and a trained
    tagger; "presidio" by Presidio; "auto" is "tagger" if one is installed, else "lists". Within a document a surrogate
    is the same for the same part, and a pseudonym is the same in all documents; `seed` decides which, and is the key.
    Guarantee: what is detected does not reach the encoder. What is missed, or follows from the rest, does. A pseudonym
    tells which texts share a name, and whoever knows one text with it knows it everywhere.
    """

    kinds: tuple[str, ...] = ("names", "numbers", "emails")
    mode: Mode = "placeholder"
    keywords: tuple[str, ...] = ()
    detector: str = "auto"
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse settings that name nothing."""
        check_choice("mode", self.mode, get_args(Mode))
        check_choice("detector", self.detector, ("auto", *DETECTORS))
        for kind in self.kinds:
            if kind not in (*KINDS, *LABELS):
                raise InputError(f"'{kind}' is not a kind of text to redact; {nearest(kind, [*KINDS, *LABELS])}")
        if not self.kinds:
            raise InputError(f"there is nothing to redact; name some of {', '.join(KINDS)}")
        if "keywords" in self.kinds and not self.keywords:
            raise InputError("the kind 'keywords' needs a list of keywords; give one with --keywords")
        if self.keywords and "keywords" not in self.kinds:
            raise InputError("keywords were given, but the kinds do not include 'keywords'; add it, or drop the list")

    def redact(self, texts: Sequence[str], documents: Sequence[str] | None = None) -> list[Redacted]:
        """Redact each text; `documents` says which texts share their surrogates, by default none do."""
        composed = [normalize("NFC", text) for text in texts]
        owners = [str(row) for row in range(len(texts))] if documents is None else documents
        found = self._detect(composed)
        return [
            self._replace(text, mentions, owner) for text, mentions, owner in zip(composed, found, owners, strict=True)
        ]

    def draw_key(self) -> "Redactor":
        """The same settings with a seed that nobody knows, where the seed matters."""
        return replace(self, seed=randbits(63)) if self.mode in KEYED else self

    def redact_texts(self, texts: Sequence[str], documents: Sequence[str] | None = None) -> list[str]:
        """The redacted texts alone."""
        return [each.text for each in self.redact(texts, documents)]

    def save(self, path: str | Path) -> None:
        """Write the settings as JSON; keywords are part of them, and so is the seed."""
        write_whole(Path(path), self.serialize())

    def serialize(self) -> bytes:
        """The settings as JSON, with a digest of them."""
        plain = asdict(self)
        return (json.dumps({"redactor": FORMAT, **plain, "sha256": _digest(plain)}, indent=1) + "\n").encode()

    @classmethod
    def load(cls, path: str | Path) -> "Redactor":
        """Read settings that `save` wrote; a file that was changed since is refused, as it would redact otherwise."""
        try:
            plain: dict[str, Any] = json.loads(read_file(Path(path)).decode("utf-8"))
            written = plain.pop("sha256")
            if plain.pop("redactor") != FORMAT or set(plain) != {field.name for field in fields(cls)}:
                raise ValueError("other settings were expected")
            if written != _digest(plain):
                raise ValueError("it was changed after it was written")
            plain |= {name: tuple(map(str, plain[name])) for name in ("kinds", "keywords")}
            return cls(**plain | {"seed": int(plain["seed"])})
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise InputError(
                f"{path} is not a saved redactor ({error}); name a file that Redactor.save wrote"
            ) from error

    def _detect(self, texts: Sequence[str]) -> list[tuple[Mention, ...]]:
        """The parts to redact, in order and without overlap: of two that overlap, the one that begins first wins."""
        labels = [kind for kind in self.kinds if kind in LABELS]
        entities = self._find_entities(texts, labels) if labels or "names" in self.kinds else [[] for _ in texts]
        plain = [finder for kind, finder in self._list_finders().items() if kind in self.kinds]
        return [
            _without_overlap([*(mention for finder in plain for mention in finder(text)), *named])
            for text, named in zip(texts, entities, strict=True)
        ]

    def _find_entities(self, texts: Sequence[str], labels: Sequence[str]) -> list[list[Mention]]:
        detector: Detector = load_detector(self.detector, labels)
        wanted = {*labels, *(["names"] if "names" in self.kinds else [])}
        return [[mention for mention in found if mention.kind in wanted] for found in detector(texts)]

    def _list_finders(self) -> dict[str, Callable[[str], Iterator[Mention]]]:
        return {
            "emails": find_emails,
            "links": find_links,
            "numbers": find_numbers,
            "keywords": self._find_keywords,
        }

    def _find_keywords(self, text: str) -> Iterator[Mention]:
        words = locate_words(text)
        for keyword in self.keywords:
            forms = split_keyword(keyword)
            for place in range(len(words) - len(forms) + 1):
                if tuple(form for form, _ in words[place : place + len(forms)]) == forms:
                    yield Mention("keywords", words[place][1][0], words[place + len(forms) - 1][1][1])

    def _replace(self, text: str, mentions: tuple[Mention, ...], document: str) -> Redacted:
        parts, end = [], 0
        for mention in mentions:
            parts += [
                text[end : mention.start],
                self._stand_in(mention.kind, text[mention.start : mention.end], document),
            ]
            end = mention.end
        redacted = "".join([*parts, text[end:]])
        return Redacted(_SPACES.sub(" ", redacted).strip() if mentions and self.mode == "mask" else redacted, mentions)

    def _stand_in(self, kind: str, part: str, document: str) -> str:
        if self.mode == "mask":
            return ""
        document = "" if self.mode == "pseudonym" else document
        if self.mode == "placeholder" or kind not in ("names", "numbers", "emails", "PERSON"):
            return f"[{PLACEHOLDERS.get(kind, kind)}]"
        if kind == "numbers":
            return _DIGIT.sub(lambda found: str(self._draw(document, part, found.start()) % 10), part)
        names = " ".join(self._draw_name(document, word, place) for place, word in enumerate(part.split()))
        return names if kind != "emails" else f"{names.lower().replace(' ', '.')}@example.com"

    def _draw_name(self, document: str, word: str, place: int) -> str:
        """A word of a name; a pseudonym depends on the word alone, so that "Anna" and "Anna Smith" share it."""
        listed = word.lower() in first_names() or word.lower() not in last_names()
        pool = sorted(first_names() if (listed if self.mode == "pseudonym" else place == 0) else last_names())
        return pool[self._draw(document, word.lower(), 0) % len(pool)].title()

    def _draw(self, *what: object) -> int:
        """A number that depends on the seed and on these values alone."""
        return int.from_bytes(blake2b(json.dumps([self.seed, *what]).encode(), digest_size=8).digest())


def parse_redactor(spec: str, keywords: Sequence[str] = ()) -> Redactor:
    """The redactor of a spec such as "redact:names+numbers,mode=surrogate"; `keywords` are those to redact."""
    listed, *settings = spec.removeprefix("redact").removeprefix(":").split(",")
    kinds = tuple(kind.strip() for kind in listed.split("+") if kind.strip()) or Redactor().kinds
    chosen = {name: value for name, _, value in (setting.partition("=") for setting in settings)}
    for name in chosen:
        if name not in ("mode", "detector"):
            raise InputError(f"'{spec}' has no setting '{name}'; {nearest(name, ['mode', 'detector'])}")
    return Redactor(kinds, keywords=tuple(keywords) if "keywords" in kinds else (), **chosen)  # type: ignore[arg-type]


def _without_overlap(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda each: (each.start, -each.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
        elif mention.end > kept[-1].end:  # The rest of it must not remain.
            kept[-1] = Mention(kept[-1].kind, kept[-1].start, mention.end)
    return tuple(kept)


def _digest(plain: dict[str, Any]) -> str:
    """A digest of the settings of a redactor."""
    return sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()
