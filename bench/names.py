"""Names recovered from MiniLM's vectors, as written and swapped in for others; compare Corò 2022, Tables 5.6 and 5.7.

20,000 auxiliary sentences: 14,000 of film reviews and 6,000 of news, half of each drawn from sentences with a
listed name, as an adversary who wants names would choose them. The four own names are the most frequent in reviews; the
foreign ones are frequent in news and occur in no auxiliary sentence of a review. Needs VESTIGE_DATA.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.case.randomness import stream
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.metrics.name_recovery import NameRecovery, name_recovery
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.names import Name, find_full_name, find_names, first_names, last_names, names_person, swap_person
from vestige.text.split import sample_rows, split_documents
from vestige.text.words import words

CACHE = Path("vestige-audit/bench")
REVIEWS, NEWS = 14_000, 6_000
OWN, FOREIGN, TEXTS, MOST_TRIED = 4, 10, 60, 150
PUBLISHED = {"own": "60 to 89% (Table 5.6)", "foreign": "4 to 49% (Table 5.7)"}


def run() -> Iterator[str]:
    encoder = CachedEncoder(load_encoder("minilm"), CACHE)
    reviews = load_corpus("imdb").sentences(4, 40)
    split = split_documents(reviews.documents, 0.5, stream(0, "split"))
    under_attack = reviews.take(split.target)
    known = draw_rich_in_names(reviews.take(split.auxiliary), REVIEWS)
    news = draw_rich_in_names(load_corpus("agnews").sentences(4, 40), NEWS)
    texts, documents = known.texts + news.texts, known.documents + [f"news {name}" for name in news.documents]
    own, foreign = choose_names(known.texts, under_attack, news.texts)
    sentences = [draw_sentences(under_attack, name) for name in own]
    vectors = encoder.encode(texts)
    attacks: dict[str, MultiSetInverter | MultiLabelInverter] = {
        "multi-set": MultiSetInverter(),
        "multi-label": MultiLabelInverter(),
    }
    for label, attack in attacks.items():
        attack.fit(vectors, texts, rng=stream(0, "attack"), documents=documents)
        for kind, put in {"own": own, "foreign": foreign}.items():
            yield f"{label}, {kind} names; published: {PUBLISHED[kind]}"
            trials = [
                (swap_person(text, old, new), new.last, old.last, document)
                for old, rows in zip(own, sentences, strict=True)
                for text, document in zip(rows.texts, rows.documents, strict=True)
                for new in put
            ]
            changed, names, stood, owners = (list(column) for column in zip(*trials, strict=True))
            found = attack.infer(encoder.encode(changed)).sets
            table = name_recovery(found, names, stood, documents=owners, rng=stream(0, "bootstrap"))
            yield from describe_names(table, put, texts)


def draw_rich_in_names(corpus: Corpus, size: int) -> Corpus:
    """Draw sentences, half of them from those with a name, as far as there are enough."""
    people = {name for name in find_names(corpus.texts, last_names()) if name not in first_names()}
    named = [row for row, text in enumerate(corpus.texts) if not people.isdisjoint(words(text))]
    half = sample_rows(named, size // 2, stream(0, "named"))
    taken = set(half)
    others = [row for row in range(len(corpus)) if row not in taken]
    return corpus.take(sorted([*half, *sample_rows(others, size - len(half), stream(0, "others"))]))


def choose_names(reviews: Sequence[str], under_attack: Corpus, news: Sequence[str]) -> tuple[list[Name], list[Name]]:
    """The people most frequent in reviews, and those most frequent in news whose names occur in no auxiliary review."""
    in_reviews, attacked = find_names(reviews, last_names()), find_names(under_attack.texts, last_names())
    own = find_people([name for name in in_reviews if attacked.get(name, 0) >= TEXTS], reviews)
    seen = {word for text in reviews for word in words(text)}
    foreign = find_people([name for name in find_names(news, last_names()) if name not in seen], news)
    return own[:OWN], foreign[:FOREIGN]


def find_people(names: Sequence[str], texts: Sequence[str]) -> list[Name]:
    """The names that are not also first names and occur with one."""
    found = [find_full_name(name, texts) for name in names[:MOST_TRIED] if name not in first_names()]
    return [name for name in found if name.first]


def draw_sentences(under_attack: Corpus, name: Name) -> Corpus:
    """Sentences that contain the name, equally many for each name."""
    rows = [row for row, text in enumerate(under_attack.texts) if names_person(text, name)]
    return under_attack.take(sample_rows(rows, TEXTS, stream(0, name.last)))


def describe_names(table: NameRecovery, put: Sequence[Name], texts: Sequence[str]) -> Iterator[str]:
    for name in put:
        held = sum(names_person(text, name) for text in texts)
        cells = (
            f"{context} {100 * share.value:.0f}% ({100 * share.low:.0f} to {100 * share.high:.0f}; "
            f"false alarm {100 * (share.baseline or 0):.1f}%)"
            for context in table.contexts
            if (share := table.shares.get((name.last, context)))
        )
        yield f"  {name.first or ''} {name.last}, in {held} of {len(texts)} auxiliary texts: {'; '.join(cells)}"
