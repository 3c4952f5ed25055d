"""What a trained decoder and a search recover of whole sentences, by pairs, queries and length. MiniLM.

`recovery` attacks film reviews with 20,000 pairs from other reviews, with and without a decoder, which is trained first
and kept between runs; `recovery_search` without one, and `recovery_more` with 3,000 queries; `recovery_weights` with
the weights of the encoder, so that time is the only limit; `recovery_complaints` the shipped complaints;
`recovery_public` film reviews with pairs from other kinds of public text; `recovery_encoders` film reviews behind other
encoders; `recovery_few` film reviews without any query, with 100, 1,000 and 10,000 pairs. `--targets N` attacks
fewer than 200 texts, `--queries N` with another budget or none, and the output says so. `--develop N` attacks texts
that are never scored, to choose settings on. What was written for each target is kept in vestige-audit/bench/recovered,
not in the record. Seconds are processor time.

A search can be run in parts: `--part 1/2` and `--part 2/2` each search for a part of the texts and keep what they find;
then `--join 2` scores all of them. What is found is kept after every 20 texts: `--targets 100 --join 1` scores the
first 100 texts of a run that was stopped after them.
"""

import json
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bench.guided import describe_scores
from bench.invert import CACHE, SETTINGS
from vestige.attacks.guided.composed import ComposedInverter
from vestige.attacks.guided.inverter import GuidedInverter
from vestige.attacks.prefix.inverter import PrefixDecoder
from vestige.attacks.prefix.saved import SavedInverter, load_inverter, save_inverter
from vestige.attacks.priors import FixedText, NearestText
from vestige.case.case import Auxiliary
from vestige.case.inputs import read_inputs
from vestige.case.prepare import plan_case
from vestige.case.randomness import stream
from vestige.case.settings import FEWEST_PAIRS, Settings
from vestige.encoders.load import load_encoder
from vestige.encoders.white_box import white_box
from vestige.files import writable_folder, write_whole
from vestige.metrics.text_recovery import name_recovery
from vestige.papers.victims import locate_spec
from vestige.probes.sentences_evidence import find_best
from vestige.text.words import count_words, tokenize
from vestige.types import Encoder, Trial, Vectors, silent

TARGETS = 200
MARKS = (100, 300, 1000, 3000)
LENGTHS = ((8, 16), (17, 24), (25, 40))
UNLIMITED, SECONDS = 10**6, 10.0
RESTARTS = 1000
AT_ONCE = 20
ALL_WORDS = 100_000
"""More words than the pairs have."""

EPOCHS = 3
PUBLIC, FROM_EACH = ("complaints", "speeches", "agnews", "newsgroups", "wikitext"), 2000
"""Public text of which none is a film review, and how many sentences of each are encoded."""
PUBLIC_SOURCE = "public text"
FURTHER = 20_000
OTHERS = ("hf:granite-30m-english", "static:potion-base-8M", "use", "wordllama")
FEWEST_DOCUMENTS = 10
"""For an interval."""


@dataclass(frozen=True, eq=False)
class Attacked:
    """Targets with their truth, and what the adversary holds: pairs, and words of a public list."""

    name: str
    vectors: Vectors
    texts: list[str]
    documents: list[str]
    pairs: Auxiliary
    encoder: str = "minilm"
    public_words: Sequence[str] = ()

    def take(self, rows: Sequence[int]) -> "Attacked":
        """Some of the targets."""
        texts, documents = [self.texts[row] for row in rows], [self.documents[row] for row in rows]
        return replace(self, vectors=self.vectors[list(rows)], texts=texts, documents=documents)


@dataclass(frozen=True, eq=False)
class Recovered:
    """The trail of each target, whether the search knew all words of its text, the processor seconds that all took, and
    the number of known words."""

    trails: list[list[Trial]]
    known: list[bool]
    seconds: float
    words: int

    @property
    def texts(self) -> list[str]:
        """The best text for each target."""
        return [trail[-1].text for trail in self.trails]


def run() -> Iterator[str]:
    attacked = build_attacked("imdb", SETTINGS)
    yield from _search(attacked, fit_decoder("imdb", attacked.pairs), 3000)


def run_search() -> Iterator[str]:
    """The search alone, without a network."""
    yield from _search(build_attacked("imdb", SETTINGS), None, 1000)


def run_more() -> Iterator[str]:
    """The same with more queries, or as many as ten seconds on one core allow."""
    yield from _search(build_attacked("imdb", SETTINGS), None, 3000)


def run_weights() -> Iterator[str]:
    """Queries cost nothing but time: ten seconds of processor time for each text, on one thread."""
    attack = GuidedInverter(queries=UNLIMITED, seconds=SECONDS, restarts=RESTARTS)
    yield from search(build_attacked("imdb", SETTINGS), attack)


def run_complaints() -> Iterator[str]:
    attacked = build_attacked("complaints", Settings(targets=1000))
    yield from _search(attacked, None, 300)


def run_public() -> Iterator[str]:
    """The adversary has public text and its vectors, and nothing that resembles the film reviews."""
    targets = build_attacked("imdb", Settings(targets=1000, pairs=FEWEST_PAIRS))
    yield from _search(replace(targets, pairs=build_public()), None, 1000)


def build_public() -> Auxiliary:
    """Pairs from public text of several kinds."""
    settings = Settings(targets=100, pairs=FROM_EACH)
    found = [_build_case(name, settings).pairs for name in PUBLIC]
    return Auxiliary(
        np.vstack([each.vectors for each in found]),
        [text for each in found for text in each.texts],
        [f"{name} {document}" for name, each in zip(PUBLIC, found, strict=True) for document in each.documents],
        PUBLIC_SOURCE,
        sum(each.queries for each in found),
    )


def run_few() -> Iterator[str]:
    """No query at all: neither for single words nor for texts with mistakes, and no weights.

    The adversary may have further film reviews, without their vectors. The control is fitted on shuffled pairs. With
    `--decoder`, a network is trained on the same pairs as well.
    """
    attacked = build_attacked("imdb", replace(SETTINGS, pairs=10_000))
    for pairs in (100, 1000, 10_000):
        held = attacked.pairs.keep_vectors_of(range(pairs))
        yield from _write_without_queries(attacked, replace(held, further=held.further[:FURTHER]))


def run_encoders() -> Iterator[str]:
    """Other encoders, with 8,000 pairs and 300 queries; `--encoders` takes some of them, separated by commas."""
    for encoder in sys.argv[sys.argv.index("--encoders") + 1].split(",") if "--encoders" in sys.argv else OTHERS:
        attacked = build_attacked("imdb", Settings(targets=1000, pairs=8000), encoder)
        yield f"{encoder}:"
        few = attacked.pairs.take(range(1000))
        written = _compose(few.vectors, few).infer(attacked.vectors).texts
        yield f"  composed from 1,000 pairs: {describe_scores(written, attacked.texts, attacked.documents)}"
        yield from _search(attacked, None, 300)


def _write_without_queries(attacked: Attacked, few: Auxiliary) -> Iterator[str]:
    yield (
        f"{attacked.name}, {len(few.texts):,} pairs, no query, n {len(attacked.texts)}; further texts without vectors: "
        f"{len(few.further):,}"
    )
    shuffled = stream(0, "shuffle").permutation(few.vectors)
    attacks: dict[str, FixedText | NearestText | ComposedInverter | PrefixDecoder] = {
        "fixed text": FixedText().fit(few.texts, rng=stream(0, "fixed text")),
        "nearest text": NearestText().fit(few.vectors, few.texts),
        "composed": _compose(few.vectors, few),
        "composed, control of shuffled pairs": _compose(shuffled, few),
        "composed with further texts": _compose(few.vectors, few, few.further),
        "composed with further texts, control of shuffled pairs": _compose(shuffled, few, few.further),
    }
    if "--decoder" in sys.argv:
        rng = stream(0, "few")
        decoder = PrefixDecoder().fit(few.vectors, few.texts, documents=few.documents, rng=rng)
        state = "converged" if decoder.log_.converged else "not converged"
        attacks[f"decoder, {state}"] = decoder
    for label, attack in attacks.items():
        start = time.process_time()
        texts = attack.infer(attacked.vectors).texts
        each = (time.process_time() - start) / len(texts)
        yield f"  {label}: {describe_scores(texts, attacked.texts, attacked.documents)}; {each:.2f} s each"


def _compose(vectors: Vectors, few: Auxiliary, further: Sequence[str] = ()) -> ComposedInverter:
    rng = stream(0, "few")
    return ComposedInverter().fit(vectors, few.texts, documents=few.documents, rng=rng, further_texts=further)


def build_attacked(name: str, settings: Settings, encoder: str = "minilm") -> Attacked:
    """The targets that are scored, the same in every run; with `--develop`, others."""
    whole = replace(_build_case(name, settings, encoder), public_words=list_public_words())
    if "--develop" in sys.argv:
        return hold_out(whole, read_option("--develop", TARGETS))
    rows = stream(0, "guided").permutation(len(whole.texts))[: read_option("--targets", TARGETS)]
    return whole.take(rows.tolist())


def _build_case(name: str, settings: Settings, encoder: str = "minilm") -> Attacked:
    """All targets of a corpus, and the pairs of other documents."""
    inputs = read_inputs(None, name, locate_spec(encoder), None, settings).cache_vectors(CACHE)
    case = plan_case(inputs, settings).build(silent)
    assert case.truth is not None
    truth, pairs = case.truth, case.auxiliary["same-domain"]
    return Attacked(name, case.targets, truth.texts, truth.documents, pairs, encoder)


def hold_out(attacked: Attacked, count: int) -> Attacked:
    """Targets from the adversary's pairs, which lose all texts of their documents."""
    pairs = attacked.pairs
    rows = stream(0, "development").permutation(len(pairs.texts))[:count].tolist()
    held, gone = pairs.take(rows), {pairs.documents[row] for row in rows}
    kept = pairs.take([row for row, document in enumerate(pairs.documents) if document not in gone])
    name = f"{attacked.name} for development"
    return replace(attacked, name=name, vectors=held.vectors, texts=held.texts, documents=held.documents, pairs=kept)


def fit_decoder(name: str, pairs: Auxiliary) -> PrefixDecoder:
    """The decoder of these pairs; trained once, and read from its folder from then on."""
    folder = CACHE / f"inverter-{name}"
    if not folder.is_dir():
        start = time.perf_counter()
        encoder = load_encoder("minilm")
        decoder = PrefixDecoder(epochs=EPOCHS).fit(
            pairs.vectors,
            pairs.texts,
            documents=pairs.documents,
            rng=np.random.default_rng(0),
            encoder=load_encoder("minilm", precision="bf16"),
            box=white_box(encoder),
        )
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"trained in {time.perf_counter() - start:.0f} s, peak memory {memory:,.0f} MiB", flush=True)
        save_inverter(SavedInverter(decoder, encoder.name, encoder.identity), folder)
    return load_inverter(folder).decoder


def _search(attacked: Attacked, decoder: PrefixDecoder | None, queries: int) -> Iterator[str]:
    queries = read_option("--queries", queries)
    pairs, targets, truth, documents = attacked.pairs, attacked.vectors, attacked.texts, attacked.documents
    yield f"{attacked.name}, {len(pairs.texts):,} pairs ({pairs.source}), n {len(truth)}"
    fixed = FixedText().fit(pairs.texts, rng=stream(0, "fixed text")).infer(targets).texts
    yield f"  prior without the vectors: {describe_scores(fixed, truth, documents)}"
    nearest = NearestText().fit(pairs.vectors, pairs.texts).infer(targets).texts
    yield f"  nearest text: {describe_scores(nearest, truth, documents)}"
    if decoder is not None:
        curve = ", ".join(f"{loss:.2f}" for _, loss in decoder.log_.curve)
        written = describe_scores(decoder.infer(targets).texts, truth, documents)
        yield f"  decoder, no query, held-out loss by epoch {curve}: {written}"
    if queries == 0:
        return
    for label, given in {"": None, " with the decoder": decoder}.items():
        if given is not None or not label:
            yield from search(attacked, GuidedInverter(queries=queries), given, label)


def search(
    attacked: Attacked, attack: GuidedInverter, decoder: PrefixDecoder | None = None, label: str = ""
) -> Iterator[str]:
    """Guided inversion of all targets: scores by the number of queries, names, lengths, and the control."""
    pairs, truth, documents = attacked.pairs, attacked.texts, attacked.documents
    timed = "-timed" if attack.seconds else ""
    encoder = "" if attacked.encoder == "minilm" else f"-{attacked.encoder.replace(':', '-')}"
    kept = f"{attacked.name}{encoder}-from-{pairs.source}-{attack.queries}{label}{timed}".replace(" ", "-")
    part, parts = _read_part()
    if part is not None:
        rows = np.array_split(np.arange(len(truth)), parts)[part - 1].tolist()
        yield _search_part(attacked.take(rows), attack, decoder, kept, part)
    if part is not None and parts > 1:
        return
    written = _join_parts(attacked, kept, parts)
    spent = np.mean([trail[-1].queries for trail in written.trails])
    seconds_each = written.seconds / len(truth)
    yield (
        f"  search{label}: {seconds_each:.1f} s, {spent:.0f} queries per text; {written.words:,} single words, each "
        f"queried once for all texts ({written.words / len(truth):.0f} per text)"
    )
    marks = {f"{mark:,} queries": mark for mark in MARKS if mark <= attack.queries}
    if attack.seconds:
        marks[f"{attack.seconds:g} s per text"] = attack.queries
    for reached, mark in marks.items():
        best = [find_best(trail, mark) for trail in written.trails]
        texts, cosines = [trial.text for trial in best], [trial.similarity for trial in best]
        yield f"  {reached}{label}: {describe_scores(texts, truth, documents, cosines)}"
    yield f"  names and numbers recovered: {describe_names(written.texts, truth)}"
    lengths = [count_words(text) for text in truth]
    groups = {
        f"{shortest} to {longest} words": [shortest <= length <= longest for length in lengths]
        for shortest, longest in LENGTHS
    }
    groups |= {"every word known": written.known, "a word unknown": [not known for known in written.known]}
    for group, chosen in groups.items():
        rows = [row for row, is_in in enumerate(chosen) if is_in]
        if len({documents[row] for row in rows}) >= FEWEST_DOCUMENTS:
            texts, true, of = ([each[row] for row in rows] for each in (written.texts, truth, documents))
            yield f"  {group}, n {len(rows)}, all queries: {describe_scores(texts, true, of)}"
    others = np.roll(written.texts, len(truth) // 2).tolist()
    yield f"  control, against the text of another target: {describe_scores(others, truth, documents)}"


def _read_part() -> tuple[int | None, int]:
    """Which part of how many is searched for; None if all parts are kept already."""
    if "--join" in sys.argv:
        return None, read_option("--join", 1)
    if "--part" not in sys.argv:
        return 1, 1
    part, _, parts = sys.argv[sys.argv.index("--part") + 1].partition("/")
    return int(part), int(parts)


def _search_part(
    attacked: Attacked, attack: GuidedInverter, decoder: PrefixDecoder | None, kept: str, part: int
) -> str:
    """Search, keep what was written for each target after each round beside the truth, and tell the cost."""
    attack.vocabulary_size = ALL_WORDS
    pairs, encoder = attacked.pairs, load_attacked(attacked.encoder)
    attack.fit(pairs.vectors, pairs.texts, encoder=encoder, further_words=attacked.public_words, decoder=decoder)
    path = writable_folder(CACHE / "recovered") / f"{kept}-{part}.json"
    start, lexicon = time.process_time(), attack.lexicon_
    trails: list[list[list[int | str | float]]] = []
    for begin in range(0, len(attacked.texts), AT_ONCE):
        found = attack.infer(attacked.vectors[begin : begin + AT_ONCE]).trails
        trails += [[[trial.queries, trial.text, trial.similarity] for trial in trail] for trail in found]
        truth = attacked.texts[: len(trails)]
        content = {
            "truth": truth,
            "known": [len(lexicon.parse(text)) == len(tokenize(text)) for text in truth],
            "seconds": time.process_time() - start,
            "words": len(lexicon.words),
            "trails": trails,
        }
        write_whole(path, json.dumps(content).encode())
        print(f"{len(trails)} of {len(attacked.texts)} texts searched for, written to {path}", file=sys.stderr)
    return f"  {len(trails)} texts searched for in {content['seconds']:.0f} s"


def _join_parts(attacked: Attacked, kept: str, parts: int) -> "Recovered":
    """What was written for all targets, from the files of the parts, which may hold more."""
    paths = [CACHE / "recovered" / f"{kept}-{part}.json" for part in range(1, parts + 1)]
    read = [json.loads(path.read_text()) for path in paths]
    truth = [text for each in read for text in each["truth"]]
    count = len(attacked.texts)
    if truth[:count] != attacked.texts:
        raise SystemExit(f"{', '.join(map(str, paths))} are of other targets; run the parts again")
    trails = [[Trial(*trial) for trial in trail] for each in read for trail in each["trails"]]
    known = [every for each in read for every in each["known"]]
    seconds = sum(each["seconds"] for each in read) * count / len(truth)
    return Recovered(trails[:count], known[:count], seconds, read[0]["words"])


def describe_names(texts: Sequence[str], truth: Sequence[str]) -> str:
    """The share of names and numbers, over the texts that have some."""
    shares = name_recovery(texts, truth)
    known = shares[~np.isnan(shares)]
    return f"{known.mean():.3f}, n {len(known)}" if len(known) else "no text has any"


def load_attacked(spec: str) -> Encoder:
    """The encoder that a search queries, in bf16 where it is a transformer."""
    fast = spec == "minilm" or spec.startswith("hf:")
    return load_encoder(locate_spec(spec), precision="bf16" if fast else "fp32")


def list_public_words() -> list[str]:
    """The vocabulary of MiniLM, which is public, without pieces of words; every encoder is queried with it."""
    return [word for word in white_box(load_encoder("minilm")).words if word.isalpha()]


def read_option(name: str, usual: int) -> int:
    """The number after an option of the command line."""
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else usual
