"""Requests for evaluations on knowledge."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from corpora.services import refuse_unpermitted
from evaluation.models import KnowledgeEvaluation, Scoring
from evaluation.services.evaluations import refuse_without_head
from knowledge.core.published import SEEDS
from knowledge.models import KnowledgeRelease, Reason
from modeling.specs import ModelSpec
from modeling.uses import family_of, uses_of
from winoplatform.errors import DomainError
from winoplatform.runs.models import RunStatus
from winoplatform.runs.start import start
from workers.models import User

Method = KnowledgeEvaluation.Method
WINOWHY = "winowhy"
LARGE = 800  # dimensions; BERT and GPT-2 have 768 in the base size


@transaction.atomic
def evaluate_knowledge(
    *,
    by: User | None,
    method: str,
    model: str,
    release: KnowledgeRelease | None = None,
    reasons: str = "",
    dtype: str = Scoring.Dtypes.FLOAT32,
    trained_on: str = "",
    seeds: Sequence[int] = (),
    is_frozen: bool = True,
    rates_of: str = "",
) -> KnowledgeEvaluation:
    """Request a model's answers to the statements of a release, or of imported reasons.

    A classifier learns from the collection *trained_on* ("winowhy" if empty; of reasons, from the
    other folds of these) with the paper's five *seeds* unless others are given, at the learning
    rates of *rates_of*, a model of Table 6; if empty, of the one most like *model*.

    Raises
    ------
    DomainError
        When the model is unknown, not permitted or known to lack the head for the method, or there
        are no such reasons.
    ValidationError
        When the method is unknown, not exactly one set is named, what only a classifier has is
        given to another method, or the same evaluation is under way.
    """
    refuse_unpermitted(model.strip())
    run = KnowledgeEvaluation(
        release=release,
        reasons=reasons,
        method=method,
        model=model.strip(),
        dtype=dtype,
        is_frozen=is_frozen,
        created_by=by,
        **_training(method, model.strip(), reasons, trained_on, seeds, rates_of),
    )
    for collection in filter(None, {run.reasons, run.trained_on}):
        _refuse_unknown(collection)
    if method in KnowledgeEvaluation.BASELINES and method != Method.CLASSIFIER:
        refuse_without_head(run.model, use=method, title=str(run.get_method_display()))
    start(run)
    return run


def _training(
    method: str,
    model: str,
    reasons: str,
    trained_on: str,
    seeds: Sequence[int],
    rates_of: str,
) -> dict[str, Any]:
    """Return what a classifier has; for another method what was asked, to be refused."""
    if method != Method.CLASSIFIER:
        return {"trained_on": trained_on, "seeds": list(seeds), "rates_of": rates_of}
    return {
        "trained_on": trained_on or reasons or WINOWHY,
        "seeds": list(seeds) or list(SEEDS),
        "rates_of": rates_of or usual_rates(model),
    }


def usual_rates(model: str) -> str:
    """Return the model of Table 6 that is most like a model, by family and size.

    A causal language model counts as GPT-2, an encoder of another family as BERT, and more than
    800 dimensions as large. A model that is not on this machine counts as BERT (base).
    """
    spec = ModelSpec.parse(model)
    family, width = family_of(spec)
    name = "RoBERTa" if "roberta" in family else "BERT"
    if "causal" in (uses_of(spec) or ()):
        name = "GPT-2"
    return f"{name} ({'large' if width > LARGE else 'base'})"


def _refuse_unknown(collection: str) -> None:
    if not Reason.objects.decided().filter(collection=collection).exists():
        raise DomainError(
            "reasons_unknown",
            f"There are no reasons named “{collection}”. Import them with import_winowhy.",
        )


@transaction.atomic
def count_majority(
    *, by: User | None, members: Sequence[KnowledgeEvaluation]
) -> KnowledgeEvaluation:
    """Request the majority of evaluations by one method that have scored the same statements.

    If these have a majority that has not failed and is not cancelled, it is returned. One that
    failed can be resumed later, beside the one that was requested again.

    Raises
    ------
    DomainError
        When there are fewer than two, one is not done or is a majority itself, or they differ in
        the method, the statements or the seeds.
    """
    distinct = {one.pk: one for one in sorted(members, key=lambda one: one.pk)}
    if len(distinct) < 2:
        raise DomainError("too_few_members", "A majority needs two evaluations or more.")
    first = next(iter(distinct.values()))
    for one in distinct.values():
        _refuse_member(one, first)
    _lock(first)
    same = _majority_of(first, {*distinct})
    if same is not None:
        return same
    run = KnowledgeEvaluation(
        release=first.release,
        reasons=first.reasons,
        method=Method.MAJORITY,
        seeds=first.seeds,
        created_by=by,
    )
    start(run)
    run.members.set(distinct.values())
    return run


def _refuse_member(one: KnowledgeEvaluation, first: KnowledgeEvaluation) -> None:
    if one.status != RunStatus.DONE or one.method == Method.MAJORITY:
        raise DomainError("member_unsuitable", f"{one} is not done, or is a majority itself.")
    if _counted(one) != _counted(first):
        raise DomainError(
            "members_differ",
            "The members of a majority have the same method, statements and seeds.",
        )


def _lock(first: KnowledgeEvaluation) -> None:
    """Let equal requests wait for each other, so that the second finds the first one's majority."""
    KnowledgeEvaluation.objects.select_for_update(of=("self",), no_key=True).get(pk=first.pk)


def _majority_of(first: KnowledgeEvaluation, members: set[int]) -> KnowledgeEvaluation | None:
    """Return the majority of exactly these members; None if it failed or there is none."""
    rows = first.majorities.exclude(status__in=KnowledgeEvaluation.RESUMABLE)
    rows = rows.filter(cancel_requested=False)
    found = (one for one in rows.prefetch_related("members") if _keys(one) == members)
    return next(found, None)


def _keys(majority: KnowledgeEvaluation) -> set[int]:
    return {one.pk for one in majority.members.all()}


def _counted(run: KnowledgeEvaluation) -> tuple[Any, ...]:
    return run.baseline, run.release_id, run.reasons, run.data_sha256, run.seeds
