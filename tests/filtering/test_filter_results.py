"""What became of a question: kept or removed, by which run and in which phase."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from collection.models import Campaign, Question
from corpora import services as corpora
from corpora.selectors import load_questions
from filtering import selectors, services
from filtering.core.filter_results import FilterResults
from filtering.models import FilterRun
from tests.factories import CampaignFactory, EncodingFactory, ReleaseFactory, TwinFactory
from tests.filtering.stages import PUBLISHED, assert_done, leaking, published_twins, read
from winoplatform.artifacts import store
from winoplatform.runs.kinds import execute_here

pytestmark = pytest.mark.django_db
SETTINGS: dict[str, Any] = {"n": 5, "m": 20, "k": 4, "tau": 0.75, **PUBLISHED}


@pytest.fixture
def campaign() -> Campaign:
    campaign = CampaignFactory()
    published_twins(25, campaign=campaign)
    return campaign


def filtered(campaign: Campaign, **changes: Any) -> FilterRun:
    snapshot = corpora.take_snapshot(campaign=campaign, by=None)
    execute_here(snapshot)
    snapshot.refresh_from_db()
    questions = load_questions(snapshot)
    matrix = store.put_array(leaking(questions))
    encoding = EncodingFactory(finished=True, snapshot=snapshot, matrix=matrix, n_features=6)
    run = services.start_filter_run(encoding=encoding, by=None, **(SETTINGS | changes))
    execute_here(run)
    assert_done(run)
    return run


def questions_of(campaign: Campaign) -> list[Question]:
    return list(Question.objects.in_campaign(campaign).select_related("twin"))


def test_every_question_has_the_result_that_the_run_recorded(campaign: Campaign) -> None:
    run = filtered(campaign)
    kept = set(read(run.selection.kept).split())
    questions = questions_of(campaign)
    filter_results = selectors.filter_results(questions)
    phases = [filter_results[question.pk].phase for question in questions]
    assert {q.public_id for q in questions if filter_results[q.pk].kept} == kept
    assert [phases.count(step.number) for step in run.steps.all()] == [
        step.n_removed for step in run.steps.all()
    ]
    assert phases.count(None) == run.n_kept
    assert all(f.in_snapshot and f.run == str(run.public_id) for f in filter_results.values())


def test_a_question_that_came_later_was_not_seen(campaign: Campaign) -> None:
    run = filtered(campaign)
    later = TwinFactory(campaign=campaign).questions.get(number=1)
    assert selectors.filter_results([later]) == {
        later.pk: selectors.FilterResult(
            run=str(run.public_id), kept=False, phase=None, in_snapshot=False
        )
    }


def test_the_latest_finished_run_of_the_campaign_counts(campaign: Campaign) -> None:
    filtered(campaign)
    later = filtered(campaign, seed=1)
    services.start_filter_run(encoding=later.encoding, by=None, seed=2, m=20)
    elsewhere = TwinFactory().questions.all()
    filter_results = selectors.filter_results([*questions_of(campaign), *elsewhere])
    assert {result.run for result in filter_results.values()} == {str(later.public_id)}
    assert len(filter_results) == 50


def test_the_run_of_the_latest_release_that_stands_counts_whatever_is_tried_afterwards(
    campaign: Campaign,
) -> None:
    released, again = filtered(campaign), filtered(campaign, seed=1)
    ReleaseFactory(filter_run=released, finished=True)
    ReleaseFactory(filter_run=again, status="failed")
    filtered(campaign, tau=0.9)
    assert selectors.chosen_run(campaign) == released
    assert {f.run for f in selectors.filter_results(questions_of(campaign)).values()} == {
        str(released.public_id)
    }
    ReleaseFactory(filter_run=again, finished=True)
    assert selectors.chosen_run(campaign) == again


def test_a_page_of_questions_is_one_query(campaign: Campaign) -> None:
    filtered(campaign)
    questions = questions_of(campaign)
    selectors.filter_results(questions)
    for some in (questions[:1], questions):
        with CaptureQueriesContext(connection) as captured:
            selectors.filter_results(some)
        assert len(captured) == 1


def test_while_the_files_are_away_there_are_no_filter_results(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    filtered(campaign)
    questions = questions_of(campaign)

    def away(*_: object) -> None:
        raise FileNotFoundError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(store, "open_artifact", away)
        assert selectors.filter_results(questions) == {}
    assert "cannot be read" in caplog.text
    assert len(selectors.filter_results(questions)) == 50  # and that they were away is not kept


def test_no_questions_have_no_filter_results() -> None:
    assert selectors.filter_results([]) == {}
    assert FilterResults.of([], []).phase_of("a") is None
