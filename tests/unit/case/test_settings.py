"""Settings that could only give an empty audit are refused."""

from typing import get_args

import pytest

from vestige.case.settings import PRESETS, Preset, Settings, targets_within
from vestige.errors import InputError


@pytest.mark.parametrize("bad", [{"targets": 5}, {"pairs": 1}, {"seed": -1}, {"unit": "page"}, {"longest": 2}])
def test_bad_settings_are_named_with_what_was_expected(bad):
    with pytest.raises(InputError, match=f"'{next(iter(bad))}' parameter must be"):
        Settings(**bad)


def test_a_list_must_not_be_one_string():
    with pytest.raises(InputError, match="'keywords' parameter must be a tuple"):
        Settings(keywords="loan")


def test_targets_for_a_margin():
    assert targets_within(0.03) == 1068
    assert targets_within(0.4) == 30
    with pytest.raises(InputError, match="within"):
        targets_within(0)


def test_the_settings_of_a_preset_can_be_changed():
    quick = Settings.for_preset("quick", targets=500)
    assert (quick.targets, quick.pairs) == (500, PRESETS["quick"]["pairs"])
    assert Settings.for_preset("standard") == Settings()
    assert Settings.for_preset("thorough").targets > Settings().targets > Settings.for_preset("quick").targets
    assert get_args(Preset) == tuple(PRESETS)
    with pytest.raises(InputError, match="'preset' parameter must be one of quick, standard, thorough"):
        Settings.for_preset("fast")
