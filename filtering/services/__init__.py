"""Services of filtering for curators: tune, encode, filter, assess. Workers execute the runs."""

from filtering.services.encoding import encode, start_assessment, tune
from filtering.services.filter_runs import (
    choose_run,
    clone_filter_run,
    missing_controls,
    show_latest_release,
    start_controls,
    start_filter_run,
    start_seeds,
)
