"""The papers by name."""

from vestige.registry import Entry, Registry

PAPERS = Registry(
    "paper",
    {
        "song2020": Entry(
            "vestige.papers.song2020.tables:SONG",
            "Song and Raghunathan, Information Leakage in Embedding Models, CCS 2020: "
            "table1, table2, figure2, figure3, figure4, figure5, figure6, figure7",
        ),
        "pan2020": Entry(
            "vestige.papers.pan2020.tables:PAN",
            "Pan et al., Privacy Risks of General-Purpose Language Models, IEEE S&P 2020: table2, figure3, figure6, "
            "table3, figure7, table4, table5, fingerprint",
        ),
        "chen2023": Entry(
            "vestige.papers.chen2023.tables:CHEN",
            "Chen, Open-World Document Embedding Inversion Attack under Limited Query Access, 2023: figure5.1, "
            "figure5.2, figure5.3, figure5.4, table5.2, table5.3, table5.4, table5.5, table5.6, figure6.1, figure6.2, "
            "tableA.1, tableB.2, tableC.3, casestudy",
        ),
        "coro2022": Entry(
            "vestige.papers.coro2022.tables:CORO",
            "Corò, Privacy Leakage Analysis of Text Representations, 2022: table5.1, table5.2, table5.4, "
            "table5.6, table5.7, figure5.1",
        ),
    },
)
