"""Options have the defaults of the settings."""

from vestige.case.settings import Settings
from vestige.cli.build_settings import build_settings
from vestige.cli.options import AdversaryOptions, ColumnOptions, ProbeOptions, SizeOptions


def test_the_defaults_of_the_options_are_the_default_settings():
    assert build_settings(AdversaryOptions(), ProbeOptions(), SizeOptions(), ColumnOptions()) == Settings()
