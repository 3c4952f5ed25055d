"""All checks, in the order they are told."""

from collections.abc import Iterator, Sequence

import vestige
from vestige.case.specimen import Specimen
from vestige.encoders.endpoint.consent import refuse_unasked_sending
from vestige.encoders.load import ready_made
from vestige.preflight.broken import check_broken
from vestige.preflight.columns import check_columns
from vestige.preflight.duplicates import check_duplicates
from vestige.preflight.form import check_form
from vestige.preflight.lengths import check_lengths
from vestige.preflight.maker import check_maker, check_named
from vestige.preflight.plaintext import check_plaintext
from vestige.preflight.probing import Probing
from vestige.preflight.reproduction import check_reproduction
from vestige.preflight.result import SCHEMA, Check, Preflight
from vestige.preflight.spread import check_spread
from vestige.types import Encoder, Progress, silent

CHECKS = (check_plaintext, check_form, check_broken, check_lengths, check_duplicates, check_columns, check_spread)


def preflight(
    specimen: Specimen,
    encoder: Encoder | None = None,
    *,
    library: Sequence[str] | None = None,
    seed: int = 0,
    send: bool = False,
    progress: Progress = silent,
) -> Preflight:
    """What can be told of vectors before any attack is run.

    `library` names encoders to compare with where `encoder` did not make the vectors or is not named; those that are
    installed and need no argument unless said otherwise. Without leave to `send`, an encoder on another machine is
    asked nothing.
    """
    known = ready_made() if library is None else library
    advance = progress("checking", len(CHECKS) + 1)
    checks: list[Check] = []
    for check in CHECKS:
        checks += check(specimen)
        advance(1)
    checks += _of_encoder(specimen, encoder, known, seed=seed, send=send, progress=progress)
    advance(1)
    roles = {"vectors": specimen.columns.vectors, "ids": specimen.columns.ids, "texts": specimen.columns.texts}
    columns = {role: [name] for role, name in roles.items() if name} | {
        "attributes": list(specimen.columns.attributes or ())
    }
    return Preflight(
        schema=SCHEMA,
        version=vestige.__version__,
        source=specimen.source,
        rows=specimen.rows,
        exact=specimen.exact,
        sampled=len(specimen.vectors),
        dimension=specimen.dimension,
        form=specimen.form,
        columns=columns,
        guessed=specimen.guessed,
        encoder=None if encoder is None else encoder.name,
        checks=tuple(checks),
    )


def _of_encoder(
    specimen: Specimen,
    encoder: Encoder | None,
    library: Sequence[str],
    *,
    seed: int,
    send: bool,
    progress: Progress,
) -> Iterator[Check]:
    probing = Probing.of(specimen)
    if encoder is None:
        yield from check_maker(specimen, probing, library, seed, progress)
        return
    if not send:
        refuse_unasked_sending(encoder, [probing.texts if probing else []])
    if probing is not None:
        yield from check_reproduction(specimen, probing, encoder, library)
        return
    yield from check_named(specimen, encoder, library, seed, progress)
