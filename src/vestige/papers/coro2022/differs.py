"""What a run does otherwise than Corò's thesis, told from what it used."""

from collections.abc import Sequence
from math import prod

from vestige.papers.coro2022.classes import FIRST, Classes
from vestige.papers.coro2022.people import FOREIGN, OWN, People
from vestige.papers.coro2022.representations import Sizes
from vestige.papers.coro2022.texts import Sides
from vestige.papers.run import Run
from vestige.papers.told import NOT_CONVERGED, named, updates
from vestige.papers.victims import Absent, Victim
from vestige.text.corpus import Corpus
from vestige.utility.linear_probe import PUBLISHED_GRID

IN_DOMAIN, CROSS_DOMAIN, TEST = 166_377, 849_692, 71_398
COLUMNS, DIRECTIONS, VOCABULARY = 2**18, 1000, 20_000
EPOCHS, BATCH, VALIDATION = 100, 64, 0.1


def differs(run: Run[Sizes], study: Corpus, targets: Sequence[Victim | Absent], columns: int) -> tuple[str, ...]:
    """What is so in every table: the representations."""
    here = {target.model: target.here for target in targets if isinstance(target, Victim)}
    stand_ins = {model: name for model, name in here.items() if model not in run.encoders}
    told = [
        f"The corpus from elsewhere is '{study.name}', {len(study):,} paragraphs, in place of the Italian Wikipedia "
        "(500,000 articles, and all of it for Doc2Vec)."
    ]
    if counts := [name for model, name in stand_ins.items() if model in ("Bag-of-words + tf-idf", "Hashing")]:
        told.append(f"{_listed(counts)}: {columns:,} columns ({COLUMNS:,} in the thesis); vectors are held dense here.")
    if reduced := [name for name in stand_ins.values() if name.startswith("lsa:")]:
        told.append(f"{_listed(reduced)}: {run.sizes.directions:,} directions ({DIRECTIONS:,} in the thesis).")
    if stand_ins.get("Sentence-BERT") == "minilm":
        told.append(
            "'minilm', a Sentence-BERT of English, stands for an Italian one. Its vectors are made unit length; the "
            "thesis averages the states and says no more."
        )
    return (*told, *named(targets, run.encoders))


def inversion_differs(sizes: Sizes, sides: Sides) -> tuple[str, ...]:
    """What the inversions do otherwise."""
    inside, across = sides.in_domain.sentences, sides.cross_domain.sentences
    return (
        f"Texts: {sides.domain}, in English, is the domain under attack, in place of the Economy pages of an Italian "
        "newspaper, and all its other groups are the cross-domain side. The thesis leaves General and World out of "
        "that side, since they overlap with all others.",
        "Quoted lines and sentences met before are left out, so that no sentence is on two sides. Paragraphs of one "
        "document may be on both sides of the in-domain split, as in the thesis.",
        f"Sizes: {len(inside):,} sentences to learn from in the domain ({IN_DOMAIN:,} in the thesis), {len(across):,} "
        f"across ({CROSS_DOMAIN:,}), {len(sides.test.sentences):,} to test ({TEST:,}), of "
        f"{len(sides.test.paragraphs):,} paragraphs. The vocabulary has at most {sizes.vocabulary:,} words "
        f"({VOCABULARY:,}).",
        f"The inverter by the thesis' recipe trains {sizes.epochs} epochs, about {_updates(len(inside), sizes.epochs)} "
        f"updates in the domain and {_updates(len(across), sizes.epochs)} across (in the thesis at most {EPOCHS} "
        f"epochs, {_updates(IN_DOMAIN, EPOCHS)} and {_updates(CROSS_DOMAIN, EPOCHS)} updates). {NOT_CONVERGED}",
    )


def paragraphs_differ(sizes: Sizes, sides: Sides) -> tuple[str, ...]:
    """What Table 5.4 does otherwise."""
    inside, across = len(sides.in_domain.paragraphs), len(sides.cross_domain.paragraphs)
    return (
        "The thesis does not state the number of steps L for this table. The inverter by its recipe takes here as many "
        "as training paragraphs have words of its vocabulary on average where paragraphs are inverted, and as many as "
        "training sentences have where sentences are.",
        f"Rows with a star learn from {inside:,} paragraphs in the domain and {across:,} across, with about "
        f"{_updates(inside, sizes.epochs)} and {_updates(across, sizes.epochs)} updates.",
    )


def amounts_differ() -> tuple[str, ...]:
    """What Figure 5.1 does otherwise."""
    return (
        "For its figure the thesis trains up to 200 epochs, and prints no values; what is known is the right end, "
        "which Table 5.2 has.",
        "Whatever the size of the training data, the same words count.",
    )


def probe_differs(sizes: Sizes, classes: Classes) -> tuple[str, ...]:
    """What Table 5.1 does otherwise."""
    tried, asked = (prod(map(len, grid.values())) for grid in (sizes.grid, PUBLISHED_GRID))
    titles = "The title is the subject line." if "titles" in classes.train else "There are no titles here."
    return (
        f"Texts: '{classes.name}', {len(set(classes.train_labels))} classes, {len(classes.train_labels):,} texts to "
        f"learn from and {len(classes.test_labels):,} to test (an Italian newspaper, eight classes, 11,200 and 4,800).",
        f"Posts of one thread are on one side. {titles} Sentences are the first {FIRST} after the title (three to five "
        "with the title in the thesis).",
        f"The search goes through {tried} of the {asked} settings of the grid.",
    )


def names_differ(run: Run[Sizes], people: People, attacked: int, targets: Sequence[Victim | Absent]) -> tuple[str, ...]:
    """What Tables 5.6 and 5.7 do otherwise."""
    sizes, training = run.sizes, people.training
    stood = ", ".join(f"{name.last.title()} ({len(people.tests[name.last])})" for name in people.own)
    return (
        f"Texts: '{training.name}', in English. The domain under attack is '{OWN}' in place of Economy, names from "
        f"another domain come from '{FOREIGN}'. Names are found by lists of first and last names, and are those in "
        "most documents; rows and columns stand in the order of the alphabet, as in the thesis. A sentence met before, "
        "such as a signature, is left out.",
        f"Whose place is taken, with the number of sentences under attack: {stood} (in the thesis Berlusconi 287, "
        f"Draghi 529, Padoan 288, Renzi 679); {attacked:,} sentences with all the names put in.",
        f"The inverter learns from {len(training):,} sentences ({CROSS_DOMAIN:,} in the thesis) of all groups, the "
        "domain's own documents that are not attacked included; half of them hold one of the names, as far as there "
        "are so many, since so few sentences drawn at random would hold none.",
        f"By the thesis' recipe it trains {sizes.epochs} epochs, about {_updates(len(training), sizes.epochs)} updates "
        f"({_updates(CROSS_DOMAIN, EPOCHS)} at most in the thesis). {NOT_CONVERGED}",
        "False alarms: in the same sentences with any other name put in, how often this name is claimed. The thesis "
        "has no such figure. Intervals are exact and take sentences for independent.",
        *named(targets, run.encoders),
    )


def _updates(texts: int, epochs: int) -> str:
    """How often the parameters are changed, a tenth of the texts being left for validation."""
    return f"{updates(round(texts * (1 - VALIDATION)), epochs, BATCH):,}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"'{name}'" for name in names)
