"""Pan et al., Privacy Risks of General-Purpose Language Models, IEEE S&P 2020.

Tables II to V and VIII, Figures 3, 4 and 6 to 10, and the fingerprint of Appendix D.

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
        "figure8": "figure8",
        "figure10": "figure10",
        "figure4": "figure4",
        "figure9": "figure9",
        "table8": "table8",
    },
    SCALES,
    MODELS,
)

KEPT = (
    "Secrets of a known format: the attack learns from generated texts and knows no real record; the networks, their "
    "sizes and batches; with `--scale paper` or `--set fresh=true`, 100,000 iterations on fresh texts.",
    "Keywords: balanced tests per keyword; a tenth of the documents as shadow corpus, or unrelated text alone; word "
    "substitution; 2,000 sentences without and 2,000 with each keyword; SVM and MLP until they converge; DANN with its "
    "25 units, batches from the union of both domains, and the average and the best of fifty epochs.",
    "Defenses: rounding, Laplace noise scaled by the estimated sensitivity, PPM (200 units, one update against five) "
    "and subspace projection, against one keyword at a time and against all.",
)
"""What a reproduction has in common with the paper."""

DIFFERS = (
    "Corpora: reviews of airport lounges for Skytrax' airline reviews, with three other places for cities that they "
    "lack; abstracts of PubMed, or consumer complaints, for descriptions of CMS; film reviews for Yelp; UCI's splice "
    "sites for HS3D. The department is the first main qualifier of MeSH, or the product of a complaint.",
    "Models: sentence encoders stand in for language models; all eight names are accepted with --encoder. XLM is one "
    "of the checkpoints with 1,024 dimensions, since the paper does not name its own.",
    "Figure 7: defenses are fitted on documents that are not scored; the paper does not say. Columns with a defense "
    "fitted on the targets are next to them. PPM averages its loss over keywords, so that lambda has the scale of one.",
    "Line 8 of Algorithm 1 subtracts the keyword loss from itself; here the second gradient is that of the domain "
    "loss. The subspace of the paper's formula is that of most scatter, whatever the keyword; the one between class "
    "means is what its text describes. Both are shown.",
    "The rule by which SVM and MLP converge is ours, and so is that of the pattern networks, whose step size (1e-3) "
    "the paper does not state.",
    "Figures 4 and 9 are drawings; numbers are in their place. Table VI (iterations per second) has no page: every "
    "line of a record has its iterations and its seconds. Table VII lists the sizes of GPT-2, which are not here.",
)
"""How every reproduction differs; each page adds what differs in its run."""
