"""Requests for ensembles of evaluations."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from evaluation.methods import METHODS
from evaluation.methods.ensemble import ENSEMBLE, MEAN
from evaluation.models import Evaluation
from evaluation.services.evaluations import first_variant
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus
from winoplatform.runs.start import start
from workers.models import User

SET = ("release", "reference_set", "snapshot", "knowledge_release", "reasons", "split",
       "transformation", "seeds")  # fmt: skip


@transaction.atomic
def combine(*, members: Sequence[Evaluation], by: User | None, variant: str = "") -> Evaluation:
    """Request an ensemble of evaluations of the same items, or of statements by one method.

    If these have such an ensemble that has not failed and is not cancelled, it is returned. One
    that failed can be resumed later, beside the one that was requested again.

    Raises
    ------
    DomainError
        When there are fewer than two members, one is not done or has scored something else, one is
        of statements and is an ensemble itself or differs in its method or seeds, or for the mean
        log-probability, a member's scores are no log-probabilities.
    """
    distinct = {member.pk: member for member in sorted(members, key=lambda run: run.pk)}
    if len(distinct) < 2:
        raise DomainError("members_too_few", "An ensemble has at least two different members.")
    first, variant = next(iter(distinct.values())), variant or first_variant(ENSEMBLE)
    for member in distinct.values():
        _refuse_member(member, first, variant)
    _lock(first)
    same = _ensemble_of(first, {*distinct}, variant)
    if same is not None:
        return same
    columns = {name: getattr(first, name) for name in SET}
    evaluation = Evaluation(**columns, method=ENSEMBLE, variant=variant, created_by=by)
    start(evaluation)
    evaluation.members.set(distinct)
    return evaluation


def _refuse_member(member: Evaluation, first: Evaluation, variant: str) -> None:
    if member.status != RunStatus.DONE:
        raise Conflict("member_not_done", f"The {member} is not done.")
    if member.is_of_statements or first.is_of_statements:
        _refuse_other_statements(member, first)
    elif member.data_sha256 != first.data_sha256:
        raise DomainError(
            "members_differ", f"The {member} has scored other questions than the {first}."
        )
    method = METHODS.get(member.method)
    if variant == MEAN and (method is None or member.variant not in method.log_probabilities):
        raise DomainError(
            "scores_unsuitable",
            f"The scores of the {member} ({member.system}) are no log-probabilities; combine them "
            "by majority vote.",
        )


def _refuse_other_statements(member: Evaluation, first: Evaluation) -> None:
    if member.method == ENSEMBLE:
        raise DomainError("member_unsuitable", f"The {member} of statements is an ensemble itself.")
    if _comparison_key(member) != _comparison_key(first):
        raise DomainError(
            "members_differ",
            "The members of an ensemble have the same method, statements and seeds.",
        )


def _comparison_key(run: Evaluation) -> tuple[Any, ...]:
    statements = (getattr(run, name) for name in ("knowledge_release_id", "reasons", "seeds"))
    return run.baseline, run.data_sha256, *statements


def _lock(first: Evaluation) -> None:
    """Let equal requests wait for each other, so that the second finds the first one's ensemble."""
    Evaluation.objects.select_for_update(of=("self",), no_key=True).get(pk=first.pk)


def _ensemble_of(first: Evaluation, members: set[int], variant: str) -> Evaluation | None:
    """Return the ensemble of exactly these members; None if it failed or there is none."""
    rows = first.ensembles.filter(variant=variant, cancel_requested=False)
    rows = rows.exclude(status__in=Evaluation.RESUMABLE).prefetch_related("members")
    return next((run for run in rows if {row.pk for row in run.members.all()} == members), None)
