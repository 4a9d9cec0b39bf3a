"""Services of filtering for curators: tune, encode, filter, assess. Workers execute the runs."""

from filtering.services.assessments import start_assessment
from filtering.services.choices import choose_run, show_latest_release
from filtering.services.encoding import encode, tune
from filtering.services.filter_runs import (
    missing_controls,
    start_controls,
    start_filter_run,
)
from filtering.services.variations import clone_filter_run, start_seeds
