"""The attacks by name."""

from vestige.registry import Entry, Registry

ATTACKS = Registry(
    "attack",
    {
        "multilabel": Entry(
            "vestige.attacks.multilabel:MultiLabelInverter",
            "reads content words, one linear classifier a word (Song and Raghunathan 2020)",
        ),
        "multiset": Entry(
            "vestige.attacks.multiset.inverter:MultiSetInverter",
            "reads content words one after another, each given those before (Song and Raghunathan 2020; Corò 2022)",
        ),
        "sparse": Entry(
            "vestige.attacks.sparse:SparseInverter",
            "white box: the few words of the encoder's own matrix that make up a vector (Song and Raghunathan 2020)",
        ),
        "relaxed": Entry(
            "vestige.attacks.relaxed:RelaxedInverter",
            "white box: descent on soft words through the encoder (Song and Raghunathan 2020)",
        ),
        "fixed-words": Entry(
            "vestige.attacks.fixed_words:FixedWords",
            "the prior: the best fixed set of words, without looking at the vectors",
        ),
    },
)
