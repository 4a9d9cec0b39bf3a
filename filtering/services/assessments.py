"""Services for assessments."""

from django.db import transaction

from filtering.models import Assessment, FilterRun
from winoplatform.runs.start import start
from workers.models import User


@transaction.atomic
def start_assessment(*, filter_run: FilterRun, by: User | None, seed: int = 0) -> Assessment:
    """Measure the effects of a filter run on the biases, as soon as it is done.

    Use the same *seed* for all runs over an encoding to compare their figures: folds and samples
    are then the same.
    """
    assessment = Assessment(filter_run=filter_run, created_by=by, seed=seed)
    start(assessment)
    return assessment
