"""One progress bar for the many calls that wrappers make of an encoder."""

from vestige.types import Advance, Encoder, Progress


def one_bar(encoder: Encoder, total: int, progress: Progress) -> tuple[Advance, Progress]:
    """A bar of `total` texts, and the progress to hand to each call; training and fitting have bars of their own."""
    task = f"encoding with {encoder.name}"
    advance = progress(task, total)

    def moved_on(what: str, steps: int) -> Advance:
        return progress(what, steps) if what.startswith(("training", "fitting")) else advance

    return advance, moved_on
