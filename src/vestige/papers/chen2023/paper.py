"""Chen, Open-World Document Embedding Inversion Attack under Limited Query Access, National Taiwan University 2023.

The reproduction follows the thesis: 200 queries to the private encoder from a pool; an external corpus; a surrogate;
words ranked by their importance; Precision@k and NDCG@k; the settings of SADE and of its five baselines; four defenses,
and topics predicted from the same vectors.
"""

from vestige.papers.chen2023.setup import MODELS, SCALES
from vestige.papers.table import Paper

PAPER = Paper(
    "chen2023",
    "Wei-En Chen, Open-World Document Embedding Inversion Attack under Limited Query Access, National Taiwan "
    "University 2023",
    {
        "figure5.1": "figure5_1",
        "figure5.2": "figure5_2",
        "figure5.3": "figure5_2",
        "figure5.4": "figure5_4",
        "table5.2": "figure5_1",
        "table5.3": "ablations",
        "table5.4": "ablations",
        "table5.5": "ablations",
        "table5.6": "ablations",
        "figure6.1": "chapter6",
        "figure6.2": "chapter6",
        "tableA.1": "chapter6",
        "tableB.2": "ablations",
        "tableC.3": "ablations",
        "casestudy": "case_study",
        "figureD.1": "case_study",
        "table5.1": "table5_1",
    },
    SCALES,
    MODELS,
)

KEPT = (
    "200 queries to the private encoder out of a pool of 1,000 documents; external text of another kind; a surrogate; "
    "words ranked by TF-IDF, KeyBERT or YAKE; Precision@k and NDCG@k.",
    "Preprocessing: nouns and verbs in at least 0.3% of documents; documents with at least 15 of them, external ones "
    "too.",
    "SADE: selection by Procrustes and k-means, Equation 4.8, the feature extractor with its domain classifier (alpha "
    "10), ListNet, Adam at 1e-4, batches of 32; the five baselines; with `--scale paper` or `--set validation=N`, the "
    "epoch is chosen on further pairs and all queried ones are learned from.",
)
"""What a reproduction has in common with the thesis."""

DIFFERS = (
    "20 Newsgroups without headers, except with `--scale paper` or `--set headers=true`, which rebuild From, Subject "
    "and Lines from the columns; the thesis has headers, whose words are in every post. Guessing by the words of most "
    "documents is shown next to every figure.",
    "Half of the documents, not 80%, are the private side, up to the number of the scale; documents on which our "
    "defaults were chosen are never scored. The vocabulary is that of the adversary's documents.",
    "WikiText-2 has about 2,900 paragraphs that are long enough; the thesis draws 10,000.",
    "Equation 4.8 trains a linear layer behind the surrogate; the thesis fine-tunes the surrogate itself, which the "
    "section 'fine-tuned' of Table 5.4 does for a Hugging Face encoder.",
    "Networks end when the precision on held-out pairs has not risen for 200 epochs; the thesis has no rule. Hidden "
    "layers have 256 units, queries are distinct documents, the map of Equation 4.1 is orthogonal, PLD uses the "
    "untrained surrogate; the thesis says none of it. ERNIE is ERNIE 2.0, where the thesis cites the ERNIE of 2019.",
)
"""How every reproduction differs; each page adds what differs in its run."""
