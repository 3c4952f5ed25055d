"""Pan et al., Privacy Risks of General-Purpose Language Models, S&P 2020: Tables II to V, Figures 3, 6, 7.

What is kept (P2 to P5, P8 to P12): secrets read from generated texts of a known format, no real record being
known; keywords told on balanced sets, with a tenth of the documents as shadow corpus or with unrelated text alone; the
networks, their sizes and step sizes; average and worst over fifty epochs; the
four defenses, and the systems that vectors are made for.
"""

from vestige.papers.pan2020 import (
    adversary,
    citizen,
    defenses,
    fingerprint,
    genome,
    ground,
    keywords,
    random_keywords,
    reassembly,
    sensitivity,
)
from vestige.papers.pan2020.models import MODELS
from vestige.papers.pan2020.sizes import SCALES
from vestige.papers.table import Paper, Table

PAN = Paper(
    "pan2020",
    "Xudong Pan, Mi Zhang, Shouling Ji and Min Yang, Privacy Risks of General-Purpose Language Models, IEEE S&P 2020",
    {
        "table2": Table("Table II: birth dates read from citizen IDs", citizen.COLUMNS, citizen.table2),
        "figure3": Table("Figure 3: nucleotides read from sequences, by position", genome.COLUMNS, genome.figure3),
        "figure6": Table("Figure 6: keywords told from vectors", adversary.COLUMNS, keywords.figure6),
        "table3": Table("Table III: keywords that no target holds", random_keywords.COLUMNS, random_keywords.table3),
        "figure7": Table("Figure 7: what four defenses hide, and what they cost", ground.COLUMNS, defenses.figure7),
        "table4": Table("Table IV: how far one word moves a vector", sensitivity.COLUMNS, sensitivity.table4),
        "table5": Table("Table V: sentences reassembled from keywords", reassembly.COLUMNS, reassembly.table5),
        "fingerprint": Table("Appendix D: which model made the vectors", fingerprint.COLUMNS, fingerprint.fingerprint),
    },
    SCALES,
    MODELS,
)
