"""What became of a question: kept or removed, by which run and in which phase."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from collection.models import Campaign, Question
from corpora import services as corpora
from corpora.models import Selection
from corpora.selectors import load_questions
from filtering import selectors, services
from filtering.core.filter_results import FilterResults
from filtering.models import FilterRun, RunChoice
from filtering.selectors.questions import removed_questions
from tests.factories import (
    CampaignFactory,
    EncodingFactory,
    ReleaseFactory,
    TwinFactory,
    UserFactory,
)
from tests.filtering.stages import PUBLISHED, assert_done, leaking, published_twins, read
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.runs.keeping import delete_run
from winoplatform.runs.kinds import execute_here

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


def shown(campaign: Campaign, **changes: Any) -> FilterRun:
    """A filter run whose results the campaign shows."""
    run = filtered(campaign, **changes)
    services.choose_run(run=run, by=UserFactory(curator=True))
    return run


def questions_of(campaign: Campaign) -> list[Question]:
    return list(Question.objects.in_campaign(campaign).select_related("twin"))


@pytest.mark.long
def test_every_question_has_the_result_that_the_run_recorded(campaign: Campaign) -> None:
    run = shown(campaign)
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


@pytest.mark.long
def test_the_removed_questions_are_those_that_are_not_kept(
    campaign: Campaign, client: Client
) -> None:
    run = filtered(campaign)
    removed = removed_questions(run)
    everything = {question.public_id for question in questions_of(campaign)}
    assert {one.id for one in removed} == everything - set(read(run.selection.kept).split())
    assert len({one.id for one in removed}) == len(removed) > 0
    assert [one.phase for one in removed] == sorted(one.phase for one in removed)
    assert all(SETTINGS["tau"] <= one.score <= 1 for one in removed if one.score is not None)
    client.force_login(UserFactory(curator=True))
    page = client.get(reverse("removed-questions", args=[run.public_id])).content.decode()
    assert page.count('data-label="Score"') == min(50, len(removed))
    assert removed[0].id in page


@pytest.mark.long
def test_a_question_that_came_later_was_not_seen(campaign: Campaign) -> None:
    run = shown(campaign)
    later = TwinFactory(campaign=campaign).questions.get(number=1)
    assert selectors.filter_results([later]) == {
        later.pk: selectors.FilterResult(
            run=str(run.public_id), kept=False, phase=None, in_snapshot=False
        )
    }


@pytest.mark.long
def test_an_exploratory_run_changes_no_result_that_people_see(campaign: Campaign) -> None:
    filtered(campaign)
    assert selectors.filter_results(questions_of(campaign)) == {}
    assert selectors.funnel(campaign).kept is None


@pytest.mark.long
def test_a_chosen_run_counts_also_after_a_later_release(campaign: Campaign) -> None:
    chosen, other = shown(campaign), filtered(campaign, seed=1)
    ReleaseFactory(filter_run=other, finished=True)
    elsewhere = TwinFactory().questions.all()
    results = selectors.filter_results([*questions_of(campaign), *elsewhere])
    assert {result.run for result in results.values()} == {str(chosen.public_id)}
    assert len(results) == 50
    services.show_latest_release(campaign=campaign)
    assert selectors.chosen_run(campaign) == other


@pytest.mark.long
def test_a_later_choice_replaces_the_first_and_names_who_chose(campaign: Campaign) -> None:
    shown(campaign)
    erin, again = UserFactory(curator=True), filtered(campaign, seed=1)
    services.choose_run(run=again, by=erin)
    choice = RunChoice.objects.get()
    assert (choice.run, choice.chosen_by, choice.campaign) == (again, erin, campaign)


def test_only_a_finished_run_of_aflite_can_be_chosen(campaign: Campaign) -> None:
    run = shown(campaign)
    control, waiting = (
        services.start_filter_run(encoding=run.encoding, by=None, **asked)
        for asked in ({"method": "random", "reference": run}, SETTINGS | {"seed": 5})
    )
    for refused, code in ((control, "not_aflite"), (waiting, "run_not_done")):
        with pytest.raises(DomainError) as error:
            services.choose_run(run=refused, by=UserFactory(curator=True))
        assert error.value.code == code
    assert selectors.chosen_run(campaign) == run


@pytest.mark.long
def test_a_chosen_run_cannot_be_deleted(campaign: Campaign) -> None:
    run = shown(campaign)
    with pytest.raises(DomainError, match=r"depend on it: .* shows filter run"):
        delete_run(run)
    services.show_latest_release(campaign=campaign)
    delete_run(run)
    assert not FilterRun.objects.exists()
    assert not Selection.objects.exists()


@pytest.mark.long
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


@pytest.mark.long
def test_a_page_of_questions_is_one_query(campaign: Campaign) -> None:
    shown(campaign)
    questions = questions_of(campaign)
    selectors.filter_results(questions)
    for some in (questions[:1], questions):
        with CaptureQueriesContext(connection) as captured:
            selectors.filter_results(some)
        assert len(captured) == 1


@pytest.mark.long
def test_while_the_files_are_away_there_are_no_filter_results(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    shown(campaign)
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
