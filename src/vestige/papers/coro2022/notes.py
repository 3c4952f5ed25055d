"""Notes on how a run differs from Corò 2022 that several of its tables share."""

from collections.abc import Sequence

from vestige.papers.coro2022.setup import MODELS, CoroSizes
from vestige.papers.coro2022.texts import DomainSplit
from vestige.papers.notes import count_updates, describe_named, list_used
from vestige.papers.run import PaperRun
from vestige.papers.victims import Victims
from vestige.text.corpus import Corpus

IN_DOMAIN, CROSS_DOMAIN, TEST = 166_377, 849_692, 71_398
COLUMNS, DIRECTIONS, VOCABULARY = 2**18, 1000, 20_000
EPOCHS, PATIENCE, BATCH, VALIDATION = 100, 10, 64, 0.1


def representation_notes(run: PaperRun[CoroSizes], study: Corpus, targets: Victims, columns: int) -> tuple[str, ...]:
    """The representations and the corpus on which they were fitted."""
    used = {target.model: target.here for target in list_used(run, targets)}
    stand_ins = {model: name for model, name in used.items() if model not in run.encoders}
    notes = [
        f"The public corpus is '{study.name}', {len(study):,} paragraphs, in place of the Italian Wikipedia "
        "(500,000 articles, and all of it for Doc2Vec)."
    ]
    if counts := [name for model, name in stand_ins.items() if model in ("Bag-of-words + tf-idf", "Hashing")]:
        notes.append(f"{_listed(counts)}: {columns:,} columns ({COLUMNS:,} in the thesis).")
    if reduced := [name for name in stand_ins.values() if name.startswith("lsa:")]:
        notes.append(f"{_listed(reduced)}: {run.sizes.directions:,} directions ({DIRECTIONS:,} in the thesis).")
    if stand_ins.get("Sentence-BERT") == MODELS["Sentence-BERT"]:
        notes.append(
            f"'{MODELS['Sentence-BERT']}', a Sentence-BERT of English, stands in for an Italian one. Its vectors are "
            "the mean of the last states, as in the thesis, without unit length."
        )
    return (*notes, *describe_named(targets, run.encoders))


def inversion_notes(sizes: CoroSizes, split: DomainSplit) -> tuple[str, ...]:
    """The texts, sizes and trainings of the inversion tables."""
    inside, across = split.in_domain.sentences, split.cross_domain.sentences
    return (
        f"Texts: {split.domain}, in English, is the domain under attack, in place of the Economy pages of an Italian "
        "newspaper, and all its other groups are the cross-domain side. The thesis excludes General and World from "
        "that side, since they overlap with all others.",
        "Quoted lines and repeated sentences are dropped, so that no sentence is on two sides. Paragraphs of one "
        "document may be on both sides of the in-domain split, as in the thesis.",
        f"Sizes: {len(inside):,} sentences to learn from in the domain ({IN_DOMAIN:,} in the thesis), {len(across):,} "
        f"across ({CROSS_DOMAIN:,}), {len(split.test.sentences):,} to test ({TEST:,}), of "
        f"{len(split.test.paragraphs):,} paragraphs. The vocabulary has at most {sizes.vocabulary:,} words "
        f"({VOCABULARY:,}).",
        describe_training(sizes, len(inside), IN_DOMAIN),
        describe_training(sizes, len(across), CROSS_DOMAIN, "across domains"),
    )


def describe_training(sizes: CoroSizes, texts: int, published: int, where: str = "") -> str:
    """How long the inverter trains by the thesis' recipe."""
    epochs = sizes.epochs or EPOCHS
    return (
        f"The inverter by the thesis' recipe trains {f'{where} ' if where else ''}until its held-out loss has not "
        f"fallen for {PATIENCE} epochs, at most {epochs} ({EPOCHS}), at most {describe_updates(texts, epochs)} updates "
        f"({describe_updates(published, EPOCHS)} in the thesis)."
    )


def describe_updates(texts: int, epochs: int) -> str:
    """How often the inverter updates its parameters; a tenth of the texts is for validation."""
    return f"{count_updates(round(texts * (1 - VALIDATION)), epochs, BATCH):,}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"'{name}'" for name in names)
