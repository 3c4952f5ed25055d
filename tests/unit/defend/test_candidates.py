"""Which defenses are tried, and how strong."""

import pytest

from vestige.defend.candidates import REDACTION, Candidate, explain, list_candidates, split_specs
from vestige.defenses.catalogue import DEFENSES
from vestige.errors import InputError


def test_commas_separate_specs_and_their_settings():
    listed = "rounding:2, gaussian:10,delta=1e-6,norm=2,int8,subspace:0.1,scatter=within@product"
    assert split_specs(listed) == [
        "rounding:2",
        "gaussian:10,delta=1e-6,norm=2",
        "int8",
        "subspace:0.1,scatter=within@product",
    ]


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        ("roundin:2", "did you mean 'rounding'"),
        ("", "no defense was listed"),
        ("rounding:2,int9", "did you mean 'int8'"),
    ],
)
def test_a_list_that_names_no_defense_is_refused(listed, message):
    with pytest.raises(InputError, match=message):
        split_specs(listed)


def test_a_family_alone_is_tried_from_mild_to_strong():
    found = list_candidates("gaussian,rounding:3,leace@author", 64)
    strengths = [each.build().epsilon for each in found if each.spec.startswith("gaussian")]
    assert len(strengths) >= 3
    assert strengths == sorted(strengths, reverse=True)
    assert found[-2:] == [Candidate("rounding:3"), Candidate("leace", "author")]
    assert found[-1].name == "leace@author"


@pytest.mark.parametrize("dimension", [8, 50, 384, 1536])
def test_every_family_that_is_swept_is_tried_by_default(dimension):
    found = list_candidates(None, dimension)
    not_swept = {"permutation", "tenant", "float16", "truncation", "asymmetric"}
    assert {each.spec.partition(":")[0] for each in found} == {name for name, _ in DEFENSES} - not_swept | {"redact"}
    assert [each.name for each in list_candidates("permutation", dimension)] == ["permutation"]
    assert len(found) == len(set(found))


def test_a_defense_is_explained_in_a_sentence_and_one_that_is_not_installed_is_not():
    assert explain("leace@product") == explain("leace")
    assert "linear classifier" in explain("leace")
    assert explain("redact:names,mode=mask") == REDACTION
    assert explain("some-plugin:3") == ""
