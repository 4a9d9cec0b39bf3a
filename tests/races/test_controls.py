"""Two curators press "Start all controls" at the same moment, or one presses it twice."""

import time
from functools import partial

from filtering import services
from filtering.models import FilterRun
from filtering.services import filter_runs as asking
from tests.factories import FilterRunFactory
from tests.races.threads import at_once

CURATORS = 4


def start_by_check_then_start(run: FilterRun) -> int:
    """The control: what one would write first."""
    known = set(run.controls.values_list("method", "pmi_score"))
    missing = [wanted for wanted in asking.ALL_CONTROLS if wanted not in known]
    time.sleep(0.05)
    for method, score in missing:
        services.start_filter_run(
            encoding=run.encoding, by=None, method=method, pmi_score=score, reference=run
        )
    return len(missing)


def test_of_many_who_start_all_controls_one_does_and_the_others_are_told() -> None:
    for _ in range(3):
        run = FilterRunFactory(finished=True)
        answers = at_once(*[partial(services.start_controls, run=run, by=None)] * CURATORS)
        (made,) = [answer for answer in answers if isinstance(answer, list)]
        refused = [answer.code for answer in answers if not isinstance(answer, list)]
        assert refused == ["controls_known"] * (CURATORS - 1)
        assert run.controls.count() == len(made) == len(asking.ALL_CONTROLS)


def test_check_then_start_runs_into_the_rule() -> None:
    run = FilterRunFactory(finished=True)
    answers = at_once(*[partial(start_by_check_then_start, run)] * CURATORS)
    assert any(isinstance(answer, Exception) for answer in answers)
