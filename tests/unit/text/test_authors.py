from collections import Counter

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.authors import normalize_subject, split_by_author, strip_quotes, strip_repeated_lines

POST = """In article <12@x.edu> joe@x.edu (Joe) writes:
>I think that the fish is red.
> > No, it is blue.
JB> It is green.
C >Or brown.
| or white

The fish was never red: I saw it.
A value x > 3 stays where it stands.
Write to me at ann@y.edu for the picture.

--
Ann Y, Institute of Fish
ann@y.edu
"""


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("Re: Gospel Dating", "gospel dating"),
        ("RE:re:  Gospel   dating", "gospel dating"),
        ("Re^2: Gospel Dating", "gospel dating"),
        ("Fwd: Re[3]: Gospel Dating", "gospel dating"),
        ("Regarding fish", "regarding fish"),
        ("", ""),
    ],
)
def test_posts_of_one_thread_share_its_name(subject, expected):
    assert normalize_subject(subject) == expected


def test_quotes_addresses_and_signature_go_and_own_lines_stay():
    assert strip_quotes(POST) == "The fish was never red: I saw it.\nA value x > 3 stays where it stands."


def test_a_ruler_ends_a_text_only_near_its_end():
    body = "\n".join(f"Line {place} of the text." for place in range(20))
    assert strip_quotes("First line.\n==========\n" + body).endswith("Line 19 of the text.")
    assert strip_quotes(body + "\n**********\nAnn | Fish") == body


def test_lines_of_two_posts_and_names_alone_go():
    posts = ["It is blue.\nFish are friends!\nAnn", "It is\n\nred.\nfish ARE friends", "Fish are friends!"]
    authors = ["ann@y.edu (Ann Y)", "ann@y.edu (Ann Y)", "bob@y.edu (Bob)"]
    assert strip_repeated_lines(posts, authors) == ["It is blue.", "It is\n\nred.", "Fish are friends!"]


def test_halves_of_every_author_and_no_document_on_both_sides():
    rng = np.random.default_rng(0)
    documents = [f"thread {number}" for number in rng.integers(60, size=1200)]
    authors = [f"author {number}" for number in rng.integers(6, size=1200)]
    found = split_by_author(authors, documents, np.random.default_rng(1))
    sides = [found.auxiliary, found.target]
    assert sorted([*sides[0], *sides[1]]) == list(range(1200))
    assert not set.intersection(*({documents[row] for row in side} for side in sides))
    first, second = (Counter(authors[row] for row in side) for side in sides)
    assert all(0.35 < first[name] / (first[name] + second[name]) < 0.65 for name in first)
    assert found == split_by_author(authors, documents, np.random.default_rng(1))
    assert found != split_by_author(authors, documents, np.random.default_rng(2))


def test_two_speeches_of_an_author_go_to_two_sides():
    authors = [f"author {number // 2}" for number in range(40)]
    found = split_by_author(authors, [str(row) for row in range(40)], np.random.default_rng(0))
    assert Counter(authors[row] for row in found.target) == dict.fromkeys(set(authors), 1)


def test_every_text_has_one_author_and_one_document():
    with pytest.raises(InputError, match="2 authors but 1 documents"):
        split_by_author(["a", "b"], ["1"], np.random.default_rng(0))
