"""The transcription against the papers: single values looked up in them, and what their own figures must satisfy."""

import re

import pytest

from vestige.papers.catalogue import PAPERS
from vestige.papers.published import published

TABLES = [(name, table) for name, entry in PAPERS for table in entry.load().tables]


@pytest.mark.parametrize(
    ("paper", "table", "section", "model", "column", "value"),
    [
        ("song2020", "table1", "Equation 5", "LSTM", 2, 56.74),
        ("song2020", "table1", "Equation 5", "BERT", 0, 0.84),
        ("song2020", "table1", "Equation 5", "ALBERT", 3, None),
        ("song2020", "table1", "Equation 7", "Transformer", 2, 62.76),
        ("song2020", "table1", "Equation 7", "ALBERT", 5, 59.86),
        ("song2020", "table2", "Multi-label classification", "BERT", 0, 89.70),
        ("song2020", "table2", "Multi-label classification", "LSTM", 4, 32.91),
        ("song2020", "table2", "Multi-set prediction", "ALBERT", 2, 74.33),
        ("song2020", "table2", "Multi-set prediction", "Transformer", 5, 52.07),
        ("song2020", "figure3", "Speeches", "LSTM", 0, None),
        ("song2020", "figure4", "Windows of five words", "GloVe", 9, "about 30"),
        ("song2020", "figure4", "Windows of five words", "FastText", 9, None),
        ("song2020", "figure5", "By frequency of words", "LSTM", 0, "< 10"),
        ("song2020", "figure5", "By frequency of words", "Transformer", 3, "up to 30"),
        ("song2020", "figure5", "All", "LSTM", 3, None),
        ("pan2020", "table2", "Birth date in a citizen ID", "Bert", 0, 66.1),
        ("pan2020", "table2", "Birth date in a citizen ID", "Transformer-XL", 6, 48.8),
        ("pan2020", "table2", "Birth date in a citizen ID", "RoBERTa", 7, 10.8),
        ("pan2020", "table2", "Birth date in a citizen ID", "USE", 0, None),
        ("pan2020", "figure3", "Human sequences", "GPT-2", 0, 62.4),
        ("pan2020", "figure3", "Human sequences", "GPT-2", 20, None),
        ("pan2020", "figure6", "Medical", "Bert", 1, 99.8),
        ("pan2020", "figure6", "Medical", "Bert", 5, 74.8),
        ("pan2020", "figure6", "Medical", "XLNet", 6, 69.1),
        ("pan2020", "figure6", "Medical, (c) size of the shadow corpus", "GPT-2 Large", 1, 68.5),
        ("pan2020", "table3", "Five keywords that no target holds", "XLM", 1, 90.7),
        ("pan2020", "table3", "Five keywords that no target holds", "RoBERTa", 3, 99.6),
        ("pan2020", "figure7", "Medical", "GPT-2", 4, None),
        ("pan2020", "figure7", "Medical", "USE", 2, None),
        ("pan2020", "table5", "Fifty words", "Bert", 0, 77),
        ("pan2020", "fingerprint", "Which encoder made the vectors", "GPT", 0, 100),
        ("coro2022", "table5.1", "In-domain", "Reduced hashing", 2, 84.31),
        ("coro2022", "table5.1", "In-domain", "Sentence-BERT", 0, None),
        ("coro2022", "table5.1", "Cross-domain", "Doc2Vec", 0, 74.64),
        ("coro2022", "table5.2", "In-domain", "Sentence-BERT", 2, 41.36),
        ("coro2022", "table5.2", "Cross-domain", "Reduced bag-of-words", 5, 63.70),
        ("coro2022", "table5.4", "In-domain", "Hashing*", 1, 54.34),
        ("coro2022", "table5.4", "Cross-domain", "Sentence-BERT*", 5, 29.63),
        ("coro2022", "table5.6", "Padoan", "Sentence-BERT", 2, 88.54),
        ("coro2022", "table5.7", "Ligabue", "Sentence-BERT", 3, 20.61),
        ("coro2022", "figure5.1", "In-domain", "Hashing", 2, 89.33),
        ("coro2022", "table5.5", "In-domain", "Sentence-BERT", 2, 24.01),
        ("coro2022", "tableA.1", "In-domain", "Sentence-BERT", 1, 18.75),
        ("coro2022", "tableA.2", "Cross-domain", "Doc2Vec", 4, 60.01),
        ("chen2023", "figure5.1", "IMDB, TF-IDF", "Doc2vec", 1, 32.25),
        ("chen2023", "figure5.1", "IMDB, YAKE", "SBERT", 0, None),
        ("chen2023", "table5.2", "AG News", "ERNIE", 1, 31.53),
        ("chen2023", "table5.2", "20 News", "GPT2", 2, 14.38),
        ("chen2023", "table5.3", "BCE", "SBERT", 4, 7.57),
        ("chen2023", "table5.4", "without training", "SBERT", 0, 60.21),
        ("chen2023", "table5.5", "no adversarial", "SBERT", 5, 17.15),
        ("chen2023", "table5.6", "training + adversarial", "SBERT", 2, 54.33),
        ("chen2023", "figure6.1", "Laplace noise", "SBERT", 0, None),
        ("chen2023", "tableA.1", "Random projection", "SBERT", 0, 63.21),
        ("chen2023", "tableA.1", "PCA", "SBERT", 5, 16.00),
        ("chen2023", "tableA.1", "Autoencoder", "SBERT", 3, 16.92),
        ("chen2023", "tableA.1", "No defense", "SBERT", 6, None),
        ("chen2023", "tableB.2", "Kmeans", "SBERT", 1, 20.08),
        ("chen2023", "tableC.3", "n = 50", "SBERT", 4, 39.79),
        ("chen2023", "figure5.4", "Surrogate SBERT", "XLNET", 0, 60.22),
    ],
)
def test_values_as_printed(paper, table, section, model, column, value):
    assert published(paper, table)[section][model][column] == value


COUNTED = {("pan2020", "table8"), ("chen2023", "table5.1")}
"""Tables of counts, as strings; their rows are keywords and data sets, not models."""


@pytest.mark.parametrize(("paper", "table"), TABLES)
def test_every_table_has_its_figures_one_a_column(paper, table):
    columns = len(PAPERS[paper].load().table(table).columns)
    rows = [row for section in published(paper, table).values() for row in section.values()]
    assert rows
    assert {len(row) for row in rows} == {columns}
    figures = [value for row in rows for value in row if value is not None]
    bounds = [value for value in figures if isinstance(value, str)]
    pattern = r"[\d,]+( samples|( / [\d,.]+){2})" if (paper, table) in COUNTED else r"(<|>|about|up to) \d+"
    assert all(re.fullmatch(pattern, bound) for bound in bounds)
    assert all(0 <= value <= 100 for value in figures if value not in bounds)


@pytest.mark.parametrize("table", ["table1", "table2"])
def test_the_f1_of_song_is_the_harmonic_mean_of_the_averages_beside_it(table):
    for section in published("song2020", table).values():
        for row in section.values():
            for precision, recall, f1 in (row[:3], row[3:]):
                if f1 is not None:
                    assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=0.01)


@pytest.mark.parametrize("table", ["table5.2", "table5.4"])
def test_the_f1_of_the_thesis_is_an_average_over_texts_and_so_no_larger(table):
    for section in published("coro2022", table).values():
        for row in section.values():
            for precision, recall, f1 in (row[:3], row[3:]):
                assert f1 <= 2 * precision * recall / (precision + recall) + 0.01


@pytest.mark.parametrize("table", ["table5.3", "table5.4", "table5.5", "table5.6", "tableB.2", "tableC.3"])
def test_precision_in_chen_falls_with_depth_since_any_word_of_the_document_counts(table):
    for section in published("chen2023", table).values():
        five, ten, fifteen = section["SBERT"][::2]
        if five is not None:
            assert five > ten > fifteen


@pytest.mark.parametrize(("paper", "table"), [each for each in TABLES if each not in COUNTED])
def test_models_are_those_of_the_paper(paper, table):
    known = set(PAPERS[paper].load().models)
    for section in published(paper, table).values():
        assert {model.rstrip("*") for model in section} <= known


def test_the_whole_date_of_pan_is_harder_than_any_part_of_it():
    for row in published("pan2020", "table2")["Birth date in a citizen ID"].values():
        if row[0] is not None:
            assert row[6] < min(row[0:6:2])
            assert row[7] < min(row[1:6:2])
            assert all(first < five for first, five in zip(row[::2], row[1::2], strict=True))


def test_the_worst_case_of_pan_is_no_better_than_the_average():
    for row in published("pan2020", "table3")["Five keywords that no target holds"].values():
        if row[0] is not None:
            assert row[0] > row[1]
            assert row[2] > row[3]
