"""Pan et al., Privacy Risks of General-Purpose Language Models, IEEE S&P 2020: Tables II to V, Figures 3, 6 and 7.

The reproduction follows the paper in its attacks on secrets of a known format, which learn from generated texts and
know no real record; in the balanced tests of keywords, with a tenth of the documents as shadow corpus or with unrelated
text alone; in the networks, their sizes and step sizes; in the average and the worst of fifty epochs; in the four
defenses and the downstream systems.
"""

from vestige.papers.pan2020.setup import MODELS, SCALES
from vestige.papers.table import Paper

PAPER = Paper(
    "pan2020",
    "Xudong Pan, Mi Zhang, Shouling Ji and Min Yang, Privacy Risks of General-Purpose Language Models, IEEE S&P 2020",
    {
        "table2": "table2",
        "figure3": "figure3",
        "figure6": "figure6",
        "table3": "table3",
        "figure7": "figure7",
        "table4": "table4",
        "table5": "table5",
        "fingerprint": "fingerprint",
    },
    SCALES,
    MODELS,
)
