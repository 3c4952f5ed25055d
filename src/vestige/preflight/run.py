"""Run every check of the preflight, in the order of the report."""

from collections.abc import Iterator, Sequence

import vestige
from vestige.case.inputs import Inputs
from vestige.case.settings import Settings
from vestige.case.vector_sample import VectorSample
from vestige.encoders.cached import unwrap_cache
from vestige.encoders.endpoint.encoder import refuse_unconfirmed_sending
from vestige.encoders.load import list_public_encoders
from vestige.errors import InputError
from vestige.memory import release_memory
from vestige.preflight.duplicates import check_duplicates
from vestige.preflight.encoder_identification import check_named_encoder, check_unknown_encoder
from vestige.preflight.form import check_form
from vestige.preflight.invalid_vectors import check_invalid
from vestige.preflight.lengths import check_lengths
from vestige.preflight.plaintext import check_plaintext
from vestige.preflight.reproduction import check_reproduction
from vestige.preflight.result import SCHEMA, Check, Preflight
from vestige.preflight.spot_check import SpotCheck
from vestige.preflight.variation import check_columns, check_spread
from vestige.preflight.whole import WholePass, check_whole
from vestige.types import Encoder, Progress, silent

CHECKS = (check_plaintext, check_form, check_invalid, check_lengths, check_duplicates, check_columns, check_spread)
"""The checks that need no encoder."""


def run_preflight(inputs: Inputs, settings: Settings, *, send: bool, progress: Progress) -> Preflight | None:
    """Check the vectors of an audit or a sweep; None if there are no stored vectors.

    An error raises `InputError`, since every figure about these vectors would be wrong.
    """
    if inputs.sample is None:
        return None
    encoder = unwrap_cache(inputs.encoder)
    preflight = check_vectors(inputs.sample, encoder, seed=settings.seed, send=send, progress=progress)
    release_memory()
    for check in preflight.checks:
        if check.level == "error":
            raise InputError(
                f"{preflight.source}: {check.sentence} Run `vestige check` to see the results of all checks."
            )
    return preflight


def list_spot_check_texts(inputs: Inputs) -> list[str]:
    """The texts that the preflight will encode, for an estimate of what would be sent to another machine."""
    spot_check = None if inputs.sample is None else SpotCheck.from_sample(inputs.sample)
    return [] if spot_check is None else spot_check.texts


def check_vectors(
    sample: VectorSample,
    encoder: Encoder | None = None,
    *,
    library: Sequence[str] | None = None,
    seed: int = 0,
    send: bool = False,
    whole: WholePass | None = None,
    progress: Progress = silent,
) -> Preflight:
    """Check a sample of stored vectors, with the encoder that made them if it is known.

    With `whole`, a pass over all rows that drew the sample, the checks that need no encoder cover all rows.

    `library` names the encoders to compare with if `encoder` is None or did not make the vectors. The default is every
    installed encoder that needs no argument. Without `send`, no text goes to an encoder on another machine.
    """
    known = list_public_encoders() if library is None else library
    advance = progress("checking", len(CHECKS) + 1)
    checks: list[Check] = []
    if whole is not None:
        checks += check_whole(whole)
        advance(len(CHECKS))
    for check in CHECKS if whole is None else ():
        checks += check(sample)
        advance(1)
    release_memory()  # An encoder is loaded next, on top of what the other checks freed.
    checks += _check_encoder(sample, encoder, known, seed=seed, send=send, progress=progress)
    advance(1)
    return Preflight(
        schema=SCHEMA,
        version=vestige.__version__,
        source=sample.source,
        rows=sample.rows,
        exact=sample.exact,
        sampled=len(sample.vectors) if whole is None else whole.statistics.rows,
        dimension=sample.dimension,
        form=sample.form,
        columns=_columns_by_role(sample),
        guessed=sample.guessed,
        encoder=None if encoder is None else encoder.name,
        checks=tuple(checks),
    )


def _check_encoder(
    sample: VectorSample,
    encoder: Encoder | None,
    library: Sequence[str],
    *,
    seed: int,
    send: bool,
    progress: Progress,
) -> Iterator[Check]:
    spot_check = SpotCheck.from_sample(sample)
    if encoder is None:
        yield from check_unknown_encoder(sample, spot_check, library, seed, progress)
        return
    if not send:
        refuse_unconfirmed_sending(encoder, [spot_check.texts if spot_check else []])
    if spot_check is not None:
        yield from check_reproduction(sample, spot_check, encoder, library, progress)
        return
    yield from check_named_encoder(sample, encoder, library, seed, progress)


def _columns_by_role(sample: VectorSample) -> dict[str, list[str]]:
    columns = sample.columns
    single = {"vectors": columns.vectors, "ids": columns.ids, "texts": columns.texts}
    return {role: [name] for role, name in single.items() if name} | {"attributes": list(columns.attributes or ())}
