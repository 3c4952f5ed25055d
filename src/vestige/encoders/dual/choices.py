"""What a dual encoder's recipe may choose between."""

from typing import Literal

Architecture = Literal["lstm", "transformer"]

Decline = Literal["none", "root", "line"]
"""After the warm-up the learning rate stays, falls as 1/root(step), or falls in a line to nothing."""

Start = Literal["random", "shared sentences"]
"""Word vectors begin at random, or where words that share sentences are neighbours."""

Opposition = Literal["reader", "overlap"]
"""What hides an attribute: a linear reader that learns along, or what vectors and attribute have in common."""
