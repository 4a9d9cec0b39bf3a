"""Request the starter campaign when an installation starts."""

from django.core.exceptions import ValidationError
from django.db import transaction

from collection.models import Campaign
from corpora import services as corpora
from evaluation.models import StarterLoad
from evaluation.services import Pipeline, start_pipeline
from filtering import services as filtering
from filtering.models import FilterRun
from validation.starter import SLUG, planted_authors
from winoplatform.runs.keeping import annotate
from winoplatform.runs.models import RunStatus
from winoplatform.runs.start import resume, start
from workers.models import User


def ask() -> StarterLoad | None:
    """Request the load of the starter campaign if no other campaign exists; return its run.

    Repeating it creates nothing new, but resumes a load that has failed. A load that a curator
    cancelled stays cancelled.
    """
    load = StarterLoad.objects.first()
    if load is None:
        if Campaign.objects.exclude(slug=SLUG).exists():
            return None
        load = StarterLoad()
        try:
            start(load)
        except ValidationError:  # another process was first
            return StarterLoad.objects.get()
    elif load.status == RunStatus.FAILED:
        resume(load)
    return load


@transaction.atomic
def begin(campaign: Campaign, *, release_name: str) -> tuple[FilterRun | None, Pipeline]:
    """Queue a filter run without the writers who have a planted habit, then every stage with them.

    The first shows what the default filter does to questions without that bias.
    """
    clean = _filtered_without_habits(campaign)
    pipeline = start_pipeline(campaign=campaign, release_name=release_name, by=None)
    if clean is not None:
        annotate(pipeline.filter_run, caption="All writers")
    return clean, pipeline


def _filtered_without_habits(campaign: Campaign) -> FilterRun | None:
    names = planted_authors()
    writers = User.objects.filter(username__in=names, twins__campaign=campaign).distinct()
    if not writers:
        return None
    snapshot = corpora.take_snapshot(campaign=campaign, by=None, without_writers=writers)
    run = filtering.start_filter_run(encoding=filtering.encode(snapshot=snapshot, by=None), by=None)
    annotate(run, caption=f"Without {' and '.join(names)}")
    return run
