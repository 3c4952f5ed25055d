"""The truth is locked away: what an attack receives has no field for it."""

from dataclasses import fields

import numpy as np

from vestige.case.case import Auxiliary, Knowledge


def test_knowledge_has_no_field_for_the_target_texts():
    assert [field.name for field in fields(Knowledge)] == ["targets", "auxiliary", "encoder"]
    assert [field.name for field in fields(Auxiliary)] == [
        "vectors",
        "texts",
        "documents",
        "source",
        "queries",
        "attributes",
        "further",
    ]


def test_some_pairs_carry_their_texts_labels_and_share_of_the_queries():
    pairs = Auxiliary(
        np.arange(8.0).reshape(4, 2), list("abcd"), list("1122"), "letters", 4, {"author": [*"xyx", None]}
    )
    some = pairs.take([3, 1])
    assert some.vectors.tolist() == [[6, 7], [2, 3]]
    assert (some.texts, some.documents, some.queries) == (["d", "b"], ["2", "1"], 2)
    assert some.attributes == {"author": [None, "y"]}
    assert some.source == "letters"
