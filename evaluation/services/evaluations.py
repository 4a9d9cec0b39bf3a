"""Requests for evaluations of methods."""

from typing import Any

from django.conf import settings
from django.db import transaction

from corpora.core.bundle.layout import BLIND, jsonl
from corpora.core.transformations import TELL_ANSWERS
from corpora.models import ReferenceSet, Release, Snapshot
from corpora.services import refuse_unlabelled, refuse_unpermitted, usual_split
from evaluation.loading import NO_CORPUS, NO_SERVER, has_corpus
from evaluation.methods import METHODS
from evaluation.methods.baselines import LINEAR
from evaluation.methods.language_models import REMOTE
from evaluation.models import Evaluation, FineTuning
from evaluation.services.statements import refuse_without_head, statements_asked
from filtering.models import Encoding, FilterRun
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.start import start
from workers.models import User

SCORED_SPLITS = ("dev", BLIND)


@transaction.atomic
def evaluate(*, by: User | None, seed: int = 0, **asked: Any) -> Evaluation:
    """Request the answers of a method to questions with options, or to statements.

    *asked* is as in `scoring_asked`; where it names a knowledge release or reasons, as in
    `statements_asked`.

    Raises
    ------
    DomainError
        As these.
    ValidationError
        When the method, variant or transformation is unknown, the method needs a model or has
        none or answers something else, not exactly one set is named, what only a classifier has is
        given to another method, or the same evaluation is under way.
    """
    of = {name: asked.pop(name) for name in Evaluation.OF_STATEMENTS if name in asked}
    if of.get("knowledge_release") or of.get("reasons"):
        columns = statements_asked(**asked, **of, seed=seed)
    else:
        columns = scoring_asked(**asked) | of
    evaluation = Evaluation(**columns, seed=seed, created_by=by)
    start(evaluation)
    return evaluation


def scoring_asked(
    *,
    method: str,
    release: Release | None = None,
    reference_set: ReferenceSet | None = None,
    snapshot: Snapshot | None = None,
    split: str = "",
    transformation: str = "",
    variant: str = "",
    model: str = "",
    dtype: str = Evaluation.Dtypes.FLOAT32,
    fine_tuning: FineTuning | None = None,
    confirm_remote: bool = False,
) -> dict[str, Any]:
    """Return the columns of a request for scores on a split of a set, or on a snapshot.

    Parameters
    ----------
    variant
        Empty for the method's first one.
    split
        Empty for dev, for the only split of a reference set, and for a snapshot.
    transformation
        Empty for the one that the method requires, if any.
    fine_tuning
        The model under test, for the method ``fine_tuned``; *model* is then its encoder.
    confirm_remote
        Permits to send blind questions to the operator's server.

    Raises
    ------
    DomainError
        When the split is unknown or not labelled, the linear model has no encoding, the operator
        does not permit the model or has set no server, the model is known to lack the head for the
        method, blind questions would be sent to a server without confirmation, there is no corpus
        for a method that reads one, or the method needs the members of an ensemble or a file.
    """
    columns = {
        "release": release,
        "reference_set": reference_set,
        "snapshot": snapshot,
        "split": split or usual_split(reference_set, snapshot),
        "transformation": transformation or _required_transformation(method),
        "method": method,
        "variant": variant or first_variant(method),
        "model": fine_tuning.model if fine_tuning else model.strip(),
        "dtype": dtype,
        "fine_tuning": fine_tuning,
        "remote_confirmed": confirm_remote and method == REMOTE,
    }
    _refuse(Evaluation(**columns))
    encoding = _encoding_of(release) if release is not None and method == LINEAR else None
    return columns | {"encoding": encoding}


def _refuse(evaluation: Evaluation) -> None:
    """Refuse what cannot or must not be scored, each for its own reason."""
    if evaluation.fine_tuning is None:
        _refuse_incomplete(evaluation.method)
    else:
        _refuse_learned(evaluation)
    refuse_unscorable(evaluation)
    _refuse_without_corpus(evaluation)
    if evaluation.method == REMOTE:
        _refuse_unsendable(evaluation)
    else:
        refuse_unpermitted(evaluation.model)
        _refuse_unsuitable(evaluation)


def first_variant(method: str) -> str:
    known_method = METHODS.get(method)
    return next(iter(known_method.variants), "") if known_method else ""


def _required_transformation(method: str) -> str:
    known_method = METHODS.get(method)
    return known_method.transformation if known_method else ""


def _refuse_incomplete(method: str) -> None:
    known_method = METHODS.get(method)
    if known_method and not known_method.is_requested_by_name:
        raise DomainError(
            "method_incomplete",
            "Name the members of an ensemble (evaluations/ensembles/), send a file of predictions "
            "made elsewhere (evaluations/uploads/), and name the model fine-tuned here.",
        )


def _refuse_learned(evaluation: Evaluation) -> None:
    """Refuse to score a model on the questions it was trained on."""
    assert evaluation.fine_tuning is not None
    data = (evaluation.release, evaluation.reference_set)
    learned = any(
        (run.release, run.reference_set) == data and evaluation.split in run.train_splits
        for run in evaluation.fine_tuning.chain
    )
    if learned:
        raise DomainError(
            "questions_learned",
            f"The model was trained on {evaluation.split} of this set; score it on others.",
        )


def _refuse_without_corpus(evaluation: Evaluation) -> None:
    known_method = METHODS.get(evaluation.method)
    if known_method and known_method.reads == "corpus" and not has_corpus(evaluation.campaign):
        raise Conflict("no_corpus", NO_CORPUS)


def _refuse_unsendable(evaluation: Evaluation) -> None:
    """Refuse what cannot or must not be sent.

    That is: anything if there is no server, blind questions that nobody has confirmed to send, and
    always the answers of blind questions.
    """
    if not settings.REMOTE_MODEL_URL:
        raise DomainError("no_server", NO_SERVER)
    if evaluation.is_blind and not evaluation.remote_confirmed:
        raise DomainError(
            "blind_unconfirmed",
            "These questions are blind, and the server would receive each sentence with each "
            "option. Confirm that it may (confirm_remote), or evaluate a split that is published.",
        )
    if evaluation.is_blind and evaluation.transformation in TELL_ANSWERS:
        raise DomainError(
            "answers_blind",
            f"The transformation “{evaluation.transformation}” writes the right answers into the "
            "sentences, and these are blind: they are sent to no server.",
        )


def refuse_unscorable(evaluation: Evaluation) -> None:
    """Refuse a split that is not there or not labelled, and features that no encoding has."""
    if evaluation.method == LINEAR and evaluation.release is None:
        raise DomainError(
            "no_encoding", "The linear model reads the encoding of a release; name a release."
        )
    if evaluation.reference_set is not None:
        refuse_unlabelled(evaluation.reference_set, evaluation.split)
    elif evaluation.snapshot is not None:
        if evaluation.split != Evaluation.WHOLE:
            raise DomainError("split_unknown", "A snapshot is scored whole, as split “all”.")
    elif evaluation.split not in _scored_splits(evaluation.method):
        names = " or ".join(_scored_splits(evaluation.method))
        raise DomainError("split_unknown", f"A release is scored on its split {names}.")
    elif evaluation.release is not None:
        _refuse_empty(evaluation, evaluation.release)


def _refuse_empty(evaluation: Evaluation, release: Release) -> None:
    """Refuse a split that a finished release has no question in: the run could only fail."""
    if release.files.filter(name=jsonl(evaluation.split), rows=0).exists():
        raise Conflict("split_empty", evaluation.nothing_to_score)


def _scored_splits(method: str) -> tuple[str, ...]:
    """Return the splits of a release that a method may score: not one that it learns from."""
    known_method = METHODS.get(method)
    return ("train", *SCORED_SPLITS) if known_method and known_method.detects else SCORED_SPLITS


def _refuse_unsuitable(evaluation: Evaluation) -> None:
    """Refuse a model on this machine that is known to lack the head for the method."""
    method = METHODS.get(evaluation.method)
    if method is not None and method.use is not None and evaluation.model:
        refuse_without_head(evaluation.model, use=method.use, title=str(method.title))


def _encoding_of(release: Release) -> Encoding:
    """Return the encoding that a release was filtered with, else the snapshot's latest."""
    if release.selection is not None:
        return FilterRun.objects.get(selection=release.selection).encoding
    encodings = release.snapshot.encodings.exclude(status__in=Encoding.RESUMABLE)
    encoding = encodings.filter(tuning=None).order_by("-pk").first()
    if encoding is None:
        raise Conflict(
            "no_encoding", "The linear model reads an encoding; encode the snapshot first."
        )
    return encoding
