"""The probes of an audit: their order, and how they are chosen."""

import pytest

from vestige.errors import InputError
from vestige.probes.plan import choose_probes, list_probes

ORDER = [
    "words",
    "words-cross-domain",
    "keywords",
    "keywords-cross-domain",
    "names",
    "attributes",
    "patterns",
    "sentences",
    "budget",
    "membership",
    "membership-training",
    "fingerprint",
]


def test_the_order_of_the_probes_is_fixed():
    assert [probe.name for probe in list_probes() if probe.name in ORDER] == ORDER


def test_chosen_probes_run_in_their_usual_order_and_no_choice_means_all():
    assert [probe.name for probe in choose_probes(["membership", "words"])] == ["words", "membership"]
    assert choose_probes([]) == list_probes()


def test_an_unknown_probe_is_refused_with_a_suggestion():
    with pytest.raises(InputError, match="unknown probe 'member'; did you mean 'membership'"):
        choose_probes(["words", "member"])
