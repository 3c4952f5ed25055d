"""The scripts of tools/ import each other by their bare names, as they do when one of them runs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
