"""The papers by name. Their tables are those whose figures `published` holds."""

from vestige.papers.published import list_tables
from vestige.registry import Entry, Registry

CITATIONS = {
    "song2020": "Song and Raghunathan, Information Leakage in Embedding Models, CCS 2020",
    "pan2020": "Pan et al., Privacy Risks of General-Purpose Language Models, IEEE S&P 2020",
    "chen2023": "Chen, Open-World Document Embedding Inversion Attack under Limited Query Access, 2023",
    "coro2022": "Corò, Privacy Leakage Analysis of Text Representations, 2022",
}


def _list_papers() -> dict[str, Entry]:
    return {
        name: Entry(f"vestige.papers.{name}.paper:PAPER", f"{citation}: {', '.join(list_tables(name))}")
        for name, citation in CITATIONS.items()
    }


PAPERS = Registry("paper", _list_papers)
