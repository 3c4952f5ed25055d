"""From the pieces that a descent ends with to what is guessed."""

from dataclasses import dataclass

from vestige.attacks.dictionary import Dictionary
from vestige.types import Singles

Spelled = tuple[list[tuple[str, float]], frozenset[str]]
"""Names with their chances, likeliest first, and those that are claimed."""


@dataclass(frozen=True)
class Speller:
    """Spells the claimable names of a dictionary with pieces; where the names are the pieces, each is its own.

    A name is as likely as the least likely of its pieces, and claimed where all of them are.
    """

    names: Dictionary

    def read(self, pieces: list[int], chances: Singles) -> Spelled:
        """`chances` is (places, pieces). A piece is as likely as at its likeliest place; a place claims its likeliest.

        No chance is above one, which sums of softmax may miss by a bit.
        """
        likely = dict(zip(pieces, chances.max(axis=0).tolist(), strict=True))
        taken = {pieces[column] for column in chances.argmax(axis=1)}
        spelled = zip(self.names.names, self.names.pieces, self.names.claimable, strict=True)
        known = [
            (name, parts) for name, parts, claimable in spelled if claimable and all(map(likely.__contains__, parts))
        ]
        ranked = [(name, min(1.0, *(likely[part] for part in parts))) for name, parts in known]
        claimed = frozenset(name for name, parts in known if taken.issuperset(parts))
        return sorted(ranked, key=lambda item: -item[1]), claimed
