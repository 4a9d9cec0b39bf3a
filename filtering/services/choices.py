"""Choose the filter run whose results a campaign shows."""

from django.db import transaction

from collection.models import Campaign
from filtering.models import FilterRun, RunChoice
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.runs.models import RunStatus
from workers.models import User


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
        raise DomainError("run_not_done", "Only a run that is done can be chosen.", status=409)


@transaction.atomic
def show_latest_release(*, campaign: Campaign) -> None:
    """Let a campaign show the run of its latest release again."""
    RunChoice.objects.filter(campaign=campaign).delete()
