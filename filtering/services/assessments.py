"""What curators can ask of the evidence."""

from django.db import transaction

from filtering.models import Assessment, FilterRun
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def start_assessment(*, filter_run: FilterRun, by: User | None, seed: int = 0) -> Assessment:
    """Measure what a filter run did to the biases, as soon as it is done.

    With one *seed* for all runs over an encoding their figures can be put side by side: folds and
    samples are the same.
    """
    assessment = Assessment(filter_run=filter_run, created_by=by, seed=seed)
    start(assessment)
    return assessment
