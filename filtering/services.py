"""Services of filtering for curators: tune, encode, filter, assess. Workers execute the runs."""

import logging
import time
from collections.abc import Sequence
from threading import BoundedSemaphore
from typing import Any

import numpy as np
from celery import current_app
from django.conf import settings
from django.db import transaction
from numpy.typing import NDArray

from collection.models import Campaign
from corpora.loading import EncoderRefused, permitted
from corpora.models import Selection, Snapshot
from filtering import selectors
from filtering.core.parameters import Preset
from filtering.core.parameters import settings as preset_settings
from filtering.models import (
    AFLITE_SETTINGS,
    CONTROL_SETTINGS,
    Assessment,
    Encoding,
    FilterRun,
    RunChoice,
    SentenceEncoding,
    Tuning,
)
from filtering.selectors.comparisons import siblings
from filtering.selectors.meaning import typed_vector
from training.core.tuning import sizes
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from winoplatform.processes import broker
from winoplatform.runs.dispatch import BROKER_AWAY
from winoplatform.runs.models import RunStatus
from winoplatform.runs.start import start
from workers.models import User

log = logging.getLogger(__name__)

# How long a page waits for the vector of a typed sentence, and how long a worker may still make it.
WAIT_SECONDS, LOOK_SECONDS, VOID_SECONDS = 6.0, 0.1, 60
WAITING_AT_ONCE = 2
_waiting = BoundedSemaphore(WAITING_AT_ONCE)  # of a process: others read pages meanwhile


def vector_of(*, encoding: SentenceEncoding, sentence: str) -> NDArray[np.float32]:
    """Return the vector (d,) of a typed sentence; a worker makes it, since it has the encoder.

    Raises
    ------
    DomainError
        ``sentence_waits``: no worker has made it within ``WAIT_SECONDS``, or too many wait.
    """
    vector = typed_vector(encoding, sentence)
    if vector is None and _waiting.acquire(blocking=False):
        try:
            vector = _awaited(encoding, sentence)
        finally:
            _waiting.release()
    if vector is None:
        raise DomainError(
            "sentence_waits",
            "A worker has to encode this sentence first, and none has had the time so far: they "
            "are busy with runs, or none is running. Ask again in a minute, or search for what is "
            "near to a question, which needs no worker.",
            status=503,
            details={"retry_after": VOID_SECONDS},
        )
    return vector


def _awaited(encoding: SentenceEncoding, sentence: str) -> NDArray[np.float32] | None:
    try:
        broker.client().ping()  # Celery would wait for a silent broker much longer
        current_app.send_task(
            "filtering.encode_typed",
            args=[encoding.pk, sentence],
            queue=encoding.queue,
            retry=False,
            expires=VOID_SECONDS,
        )
    except BROKER_AWAY:
        log.warning("a typed sentence: no broker took the message")
        return None
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        if (vector := typed_vector(encoding, sentence)) is not None:
            return vector
        time.sleep(LOOK_SECONDS)
    return None


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
        encoder=_check_encoder(encoder),
        pooling=pooling,
        features=features,
        dtype=dtype,
        created_by=by,
    )
    start(encoding)
    return encoding


@transaction.atomic
def encode_sentences(*, campaign: Campaign, by: User | None, encoder: str = "") -> SentenceEncoding:
    """Encode the sentences of all questions of a campaign, to find those of like meaning.

    Raises
    ------
    DomainError
        ``no_questions``; ``encoder_refused`` or ``encoder_unknown``.
    """
    if not campaign.twins.exists():
        raise Conflict("no_questions", "This campaign has no questions yet.")
    run = SentenceEncoding(campaign=campaign, encoder=_check_encoder(encoder), created_by=by)
    start(run)
    return run


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
        encoder=_check_encoder(encoder),
        n_train=n_train,
        n_validation=n_validation,
        created_by=by,
        **parameters,
    )
    start(tuning)
    return tuning


def _check_encoder(encoder: str) -> str:
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
    for name, own in ((encoder, tuning.encoder), (pooling, tuning.pooling)):
        if name not in ("", own):
            raise DomainError(
                "tuning_has_its_encoder",
                f"The tuning has its own encoder and pooling, so {name!r} cannot be used; "
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


# AFLite settings that a control uses.
CONTROL_USES = ("seed", "removal")
ALL_CONTROLS = (
    (FilterRun.Method.RANDOM.value, ""),
    *((FilterRun.Method.PMI.value, score) for score in FilterRun.PmiScore.values),
)


@transaction.atomic
def start_filter_run(
    *, encoding: Encoding, by: User | None, preset: Preset = "neutral", **parameters: Any
) -> FilterRun:
    """Start AFLite or a control over an encoding, and the run's assessment.

    *parameters* are fields of ``FilterRun``; for those left out the preset's values are used, for
    the number of questions that the encoding has, or is expected to have before it is done. A
    control inherits the seed and the removal policy of its reference. AFLite's other settings do
    not apply to it and keep their defaults, so that equal controls are recognised as equal.
    """
    if parameters.get("method", FilterRun.Method.AFLITE) != FilterRun.Method.AFLITE:
        parameters = _control_settings(encoding, parameters)
    else:
        parameters = preset_settings(preset, selectors.questions_in(encoding)) | parameters
    selection = Selection.objects.create(
        snapshot=encoding.snapshot, made_by=str(FilterRun._meta.verbose_name)
    )
    run = FilterRun(
        encoding=encoding,
        selection=selection,
        public_id=selection.public_id,
        created_by=by,
        **parameters,
    )
    start(run)
    start_assessment(filter_run=run, by=by)
    return run


def _control_settings(encoding: Encoding, parameters: dict[str, Any]) -> dict[str, Any]:
    reference: FilterRun | None = parameters.get("reference")
    if reference is not None:
        _refuse_reference(reference, encoding)
        inherited = {name: getattr(reference, name) for name in CONTROL_USES}
        parameters = inherited | parameters
    size, n = parameters.get("size"), encoding.n_questions
    if size is not None and n is not None and size > n:
        raise DomainError(
            "size_too_large",
            f"A baseline cannot keep {size:,} questions: the encoding has {n:,}.",
        )
    used = (*CONTROL_SETTINGS, *CONTROL_USES)
    return {name: value for name, value in parameters.items() if name in used}


def _refuse_reference(reference: FilterRun, encoding: Encoding) -> None:
    if reference.encoding_id != encoding.pk:
        raise DomainError(
            "reference_elsewhere",
            "The reference is a run over another encoding. A baseline needs the same encoding.",
        )
    if reference.method != FilterRun.Method.AFLITE:
        raise DomainError(
            "reference_is_control", "The reference is a baseline. Choose an AFLite run."
        )


def missing_controls(run: FilterRun) -> list[tuple[str, str]]:
    """Return the missing controls of an AFLite run, as (method, score).

    A control that failed or was cancelled counts as missing.
    """
    if run.method != FilterRun.Method.AFLITE or run.status in FilterRun.RESUMABLE:
        return []
    there = run.controls.exclude(status__in=FilterRun.RESUMABLE)
    existing = set(there.values_list("method", "pmi_score"))
    return [wanted for wanted in ALL_CONTROLS if wanted not in existing]


@transaction.atomic
def start_controls(*, run: FilterRun, by: User | None) -> list[FilterRun]:
    """Start the missing controls of a run: random reduction and PMI by each score.

    A control that failed or was cancelled is started again. The run is locked, so concurrent
    requests do not start a control twice.
    """
    FilterRun.objects.select_for_update().get(pk=run.pk)
    _refuse_reference(run, run.encoding)
    if run.status in FilterRun.RESUMABLE:
        raise Conflict(
            "run_without_result", f"This run {run.ending}, so it has no size for baselines."
        )
    missing = missing_controls(run)
    if not missing:
        raise Conflict("controls_known", "This run already has all its baselines.")
    return [
        start_filter_run(
            encoding=run.encoding, by=by, method=method, pmi_score=score, reference=run
        )
        for method, score in missing
    ]


@transaction.atomic
def choose_run(*, run: FilterRun, by: User) -> RunChoice:
    """Let the campaign of a run show its results, instead of the run chosen before.

    Raises
    ------
    DomainError
        ``not_aflite`` for a control, or ``run_not_done``.
    """
    run = FilterRun.objects.select_for_update(of=("self",)).get(pk=run.pk)
    _refuse(run)
    choice, _made = RunChoice.objects.update_or_create(
        campaign=run.encoding.snapshot.campaign,
        defaults={"run": run, "chosen_by": by, "chosen_at": clock.now()},
    )
    return choice


def _refuse(run: FilterRun) -> None:
    if run.method != FilterRun.Method.AFLITE:
        raise DomainError("not_aflite", "A control cannot be chosen; choose a run of AFLite.")
    if run.status != RunStatus.DONE:
        raise Conflict("run_not_done", "Only a run that is done can be chosen.")


@transaction.atomic
def show_latest_release(*, campaign: Campaign) -> None:
    """Let a campaign show the run of its latest release again."""
    RunChoice.objects.filter(campaign=campaign).delete()


SEEDS_AT_ONCE = 20


@transaction.atomic
def clone_filter_run(*, run: FilterRun, by: User | None, **changes: Any) -> FilterRun:
    """Start another run with the settings of *run*, except *changes* (fields of ``FilterRun``)."""
    names = ("encoding", *AFLITE_SETTINGS, *CONTROL_SETTINGS)
    same = {name: getattr(run, name) for name in names}
    return start_filter_run(by=by, **same | changes)


@transaction.atomic
def start_seeds(*, run: FilterRun, seeds: Sequence[int], by: User | None) -> list[FilterRun]:
    """Start *run* again with other seeds: all of them, or none."""
    wanted = sorted(set(seeds))
    if not 1 <= len(wanted) <= SEEDS_AT_ONCE:
        raise DomainError("seeds_number", f"Name from 1 to {SEEDS_AT_ONCE} seeds at a time.")
    taken = siblings(run).exclude(status__in=FilterRun.RESUMABLE).filter(seed__in=wanted)
    if known := sorted(set(taken.values_list("seed", flat=True))):
        raise Conflict(
            "seed_taken",
            f"There is already a run with these settings and seed {known[0]}, which gives the same "
            "result. Choose other seeds.",
            details={"seeds": known},
        )
    return [clone_filter_run(run=run, by=by, seed=seed) for seed in wanted]
