"""The attacks by name."""

from vestige.registry import Entry, Registry

ATTACKS = Registry(
    "attack",
    {
        "multilabel": Entry(
            "vestige.attacks.multilabel:MultiLabelInverter",
            "reads content words, one linear classifier a word (Song and Raghunathan 2020)",
        ),
        "fixed-words": Entry(
            "vestige.attacks.fixed_words:FixedWords",
            "the prior: the best fixed set of words, without looking at the vectors",
        ),
    },
)
