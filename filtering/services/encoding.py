"""Request encodings and their assessments."""

from django.conf import settings
from django.db import transaction

from corpora.loading import EncoderRefused, permitted
from corpora.models import Snapshot
from filtering.models import Assessment, Encoding, FilterRun, Tuning
from training.core.tuning import sizes
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def encode(
    *,
    snapshot: Snapshot,
    by: User | None,
    encoder: str = "",
    pooling: str = "",
    features: str = Encoding.Features.DIFFERENCE,
    dtype: str = Encoding.Dtypes.FLOAT32,
    tuning: Tuning | None = None,
) -> Encoding:
    """Encode the questions of a snapshot; an empty *encoder* means the installation's own.

    With a *tuning*, its encoder and pooling are used, and the questions it used are left out.
    """
    if tuning is not None:
        _refuse_other_than(tuning, snapshot=snapshot, encoder=encoder, pooling=pooling)
        encoder, pooling = tuning.encoder, tuning.pooling
    encoding = Encoding(
        snapshot=snapshot,
        tuning=tuning,
        encoder=_known(encoder),
        pooling=pooling,
        features=features,
        dtype=dtype,
        created_by=by,
    )
    start(encoding)
    return encoding


@transaction.atomic
def tune(
    *,
    snapshot: Snapshot,
    by: User | None,
    encoder: str = "",
    n_train: int | None = None,
    n_validation: int | None = None,
    **parameters: object,
) -> Tuning:
    """Fine-tune an encoder on some of a snapshot's questions; *parameters* are a ``Tuning``'s."""
    if snapshot.n_questions is not None:  # else the runner checks, once it is known
        try:
            sizes(snapshot.n_questions, n_train=n_train, n_validation=n_validation)
        except ValueError as error:
            raise Conflict("snapshot_too_small", str(error)) from error
    tuning = Tuning(
        snapshot=snapshot,
        encoder=_known(encoder),
        n_train=n_train,
        n_validation=n_validation,
        created_by=by,
        **parameters,
    )
    start(tuning)
    return tuning


def _known(encoder: str) -> str:
    spec = encoder or str(settings.ENCODER)
    try:
        permitted(spec)
    except EncoderRefused as error:
        raise DomainError("encoder_refused", str(error)) from error
    except ValueError as error:
        raise DomainError("encoder_unknown", f"This encoder cannot be used: {error}") from error
    return spec


def _refuse_other_than(tuning: Tuning, *, snapshot: Snapshot, encoder: str, pooling: str) -> None:
    if tuning.snapshot_id != snapshot.pk:
        raise DomainError(
            "tuning_of_other_snapshot",
            "This tuning belongs to another snapshot; encode that snapshot, or tune on this one.",
        )
    for asked, own in ((encoder, tuning.encoder), (pooling, tuning.pooling)):
        if asked not in ("", own):
            raise DomainError(
                "tuning_has_its_encoder",
                f"The tuning has its own encoder and pooling, so {asked!r} cannot be used; "
                "leave both out.",
            )


@transaction.atomic
def start_assessment(*, filter_run: FilterRun, by: User | None, seed: int = 0) -> Assessment:
    """Measure the effects of a filter run on the biases, as soon as it is done.

    Use the same *seed* for all runs over an encoding to compare their figures: folds and samples
    are then the same.
    """
    assessment = Assessment(filter_run=filter_run, created_by=by, seed=seed)
    start(assessment)
    return assessment
