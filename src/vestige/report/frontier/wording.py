"""The standing words of a page about defenses."""

from vestige.defend.record import DefendResult, Fate

FATES: dict[Fate, str] = {
    "reference": "undefended",
    "chosen": "chosen",
    "holds": "holds the limits",
    "misses": "misses a limit",
    "dropped": "dropped",
}

READING = (
    (
        "Leakage",
        "What an attack reads beyond guessing, as in an audit: the gain in F1 for words, in accuracy for keywords and "
        "labels. Zero means that the vectors added nothing.",
    ),
    (
        "Adaptive",
        "The stranger knows which defense is in place, has defended vectors of texts of its own, and learns from "
        "these. A limit holds where it holds against this stranger and the naive one, since whoever knows a defense "
        "can do as if it did not.",
    ),
    (
        "Naive",
        "The stranger learned from undefended vectors and is handed defended ones. Where this figure is low and the "
        "adaptive one is not, the defense is only obscurity: it works until someone knows of it.",
    ),
    (
        "Control",
        "The adaptive attack judged by the texts of other vectors. It should gain nothing over guessing.",
    ),
    (
        "recall@10",
        "Of the ten nearest neighbours of a vector among undefended vectors, by cosine, the share that is among the "
        "ten nearest after the defense.",
    ),
    ("correlation", "Spearman's rank correlation of the cosines before and after, query by query."),
    ("task", "Macro-F1 of a linear classifier of the task's labels, learned from and tried on defended vectors."),
    (
        "Holds a limit",
        "The whole 95% interval lies on the right side. Of all that hold every limit, the cheapest is the one that "
        "keeps most.",
    ),
    (
        "Dropped",
        "At a small size, all of the interval lay beyond a limit, or another defense leaked less in every question and "
        "kept more of all that a limit is set on, intervals and all. The same keywords and classes are looked for at "
        "either size, and with more pairs an attack reads more, so that leakage at full size would be higher.",
    ),
)

NOT_TOLD = (
    "A defense is judged here by these attacks on these texts. A stronger attack may read more of defended vectors, "
    "and only a mechanism with a guarantee promises anything of attacks that nobody has tried."
)


def axes(result: DefendResult) -> tuple[str, str]:
    """What the two axes of the plot are."""
    return f"leakage of {result.question}", f"{result.cost} kept"


def title(result: DefendResult) -> str:
    """What the defenses are of."""
    return f"Defenses of embeddings: {result.subject.corpus or result.subject.vectors}"


def judged(result: DefendResult) -> list[str]:
    """Who asked what, with how much."""
    again = len(result.rungs) > 1
    return [
        *(
            f"Rung {place}: {rung(each.pairs, each.targets, each.judged, each.dropped)}."
            for place, each in enumerate(result.rungs, 1)
        ),
        *(
            f"{each.question}{f', from rung {each.rung} on' if again else ''}: {each.measure}; {each.attack}."
            for each in result.attacks
        ),
        f"Where a defense adds noise and the encoder may be asked, the stranger had each of its texts defended "
        f"{result.draws} times.",
        "Every defense was fitted on half of the documents that are not under attack; the stranger's pairs are of all "
        "of these.",
    ]


def rung(pairs: int, targets: int, judged: int, dropped: int) -> str:
    """A rung in a sentence."""
    end = f"{dropped} were dropped" if dropped else "none was dropped"
    return f"{judged} defenses with {pairs:,} pairs and {targets:,} targets; {end}"
