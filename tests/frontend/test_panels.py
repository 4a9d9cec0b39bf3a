"""The pages of human evaluations: for the people who answer, and for curators."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from collection.models import Campaign
from corpora.core.items import Item
from panels import services
from panels.models import Panel, PanelSeat
from tests.corpora.sets import imported
from tests.evaluation.done import evaluated
from tests.evaluation.sets import small_set
from tests.factories import CrowdSessionFactory, PanelSeatFactory, UserFactory
from tests.frontend.pages import HTMX, source, words
from tests.panels import toy
from tests.panels.people import answer_all, claim, enrol, of_a_set, of_twins, vote
from validation.models import Appeal
from workers.models import User


@pytest.fixture
def evaluation(campaign: Campaign) -> Panel:
    return of_a_set(campaign=campaign)


def to(name: str, evaluation: Panel, *more: Any) -> str:
    return reverse(name, args=[evaluation.public_id, *more])


# -- people who answer -----------------------------------------------------------------------------
@pytest.mark.long
def test_a_validator_is_led_from_home_through_a_question_to_its_pay(
    as_bob: Client, bob: User, evaluation: Panel
) -> None:
    here = to("answer-human", evaluation)
    assert here in as_bob.get("/").content.decode()
    assert "Get a question" in words(as_bob.get(here))
    assert as_bob.post(here)["Location"] == here
    page = as_bob.get(here)
    seat = PanelSeat.objects.get(worker=bob)
    item = seat.item.item
    assert item.options[seat.order[0] - 1] in words(page)
    cast = to("cast-human-vote", evaluation, seat.public_id)
    assert as_bob.post(cast, {"option": "1"})["Location"] == here
    seat.refresh_from_db()
    assert seat.option == seat.order[0]
    assert "$0.03" in words(as_bob.get(reverse("my-pay")))


def test_the_next_question_comes_with_the_acknowledgement(
    as_bob: Client, bob: User, evaluation: Panel
) -> None:
    seat = claim(bob, evaluation)
    cast = to("cast-human-vote", evaluation, seat.public_id)
    answers = [as_bob.post(cast, {"option": "2"}, headers=HTMX) for _ in range(2)]  # two tabs
    for answer in answers:
        assert answer.status_code == 200
        assert "Your answer is recorded." in words(answer)
    other = as_bob.post(cast, {"option": "1"}, headers=HTMX)
    assert other.status_code == 409
    assert "already answered this differently" in words(other)


def test_undo_shows_the_last_answer_and_changing_it_leads_on(as_bob: Client, bob: User) -> None:
    panel = of_a_set()
    seat = claim(bob, panel)
    cast = reverse("cast-human-vote", args=[panel.public_id, seat.public_id])
    undo = reverse("amend-human-vote", args=[panel.public_id, seat.public_id])
    next_one = as_bob.post(cast, {"option": "1", "report": "no_sentence"}, headers=HTMX)
    assert undo in source(next_one)
    assert "1 answered, of at most 3" in words(next_one)
    last = as_bob.get(undo, headers=HTMX)
    assert "Change your last answer" in words(last)
    assert "your answer" in words(last)
    assert 'value="no_sentence" form="vote" checked' in source(last)
    after = as_bob.post(undo, {"option": "2"}, headers=HTMX)
    assert "Your answer is changed." in words(after)
    assert undo not in source(after)
    seat.refresh_from_db()
    assert (seat.option, seat.report, seat.first_option) == (seat.order[1], "", seat.order[0])


def test_curators_see_what_was_reported_and_by_whom(as_dana: Client, bob: User) -> None:
    panel = of_a_set()
    seat = claim(bob, panel)
    services.cast_vote(worker=bob, seat_id=seat.public_id, shown_option=1, report="offensive")
    shown = words(as_dana.get(reverse("human-evaluation", args=[panel.public_id])))
    assert "Reported questions" in shown
    assert f"it is offensive · {bob.public_id}" in shown


def test_parts_of_an_item_are_set_apart(as_bob: Client, bob: User) -> None:
    panel = toy.enrolled(1)
    enrol(bob, panel)
    claim(bob, panel)
    page = as_bob.get(reverse("answer-human", args=[panel.public_id]))
    assert "<dt>The joke</dt>" in source(page)
    assert "0 of 2 answered" in words(page)


def test_a_question_that_was_lost_says_so_and_nothing_is_stored(
    as_bob: Client, bob: User, evaluation: Panel
) -> None:
    seat = claim(bob, evaluation)
    PanelSeat.objects.filter(pk=seat.pk).update(leased_until=seat.claimed_at)
    cast = to("cast-human-vote", evaluation, seat.public_id)
    Panel.objects.update(status="paused")
    lost = as_bob.post(cast, {"option": "1"}, headers=HTMX)
    assert lost.status_code == 410
    assert "its time ran out" in words(lost)
    Panel.objects.update(status="open")
    claim(UserFactory(), evaluation)
    gone = as_bob.post(cast, {"option": "1"}, headers=HTMX)
    assert gone.status_code == 404
    assert "Next question" in words(gone)
    assert not PanelSeat.objects.filter(answered_at__isnull=False).exists()


def test_a_missing_or_unknown_option_shows_the_question_again(
    as_bob: Client, bob: User, evaluation: Panel
) -> None:
    seat = claim(bob, evaluation)
    cast = to("cast-human-vote", evaluation, seat.public_id)
    for given in ({}, {"option": "x"}, {"option": "3"}):
        answer = as_bob.post(cast, given, headers=HTMX)
        assert answer.status_code == 400
        assert "What fills the blank?" in words(answer)


def test_a_heartbeat_extends_the_lease_and_stopping_leads_home(
    as_bob: Client, bob: User, evaluation: Panel
) -> None:
    seat = claim(bob, evaluation)
    beat = as_bob.post(to("beat-human", evaluation, seat.public_id), headers=HTMX)
    assert (beat.status_code, "yours until" in words(beat)) == (200, True)
    stop = as_bob.post(to("return-human", evaluation, seat.public_id))
    assert stop["Location"] == "/"
    assert PanelSeat.objects.get(pk=seat.pk).worker is None


@pytest.mark.long
def test_when_all_is_answered_home_offers_nothing_and_the_page_says_why(
    as_bob: Client, bob: User, evaluation: Panel
) -> None:
    answer_all(evaluation, [bob])
    here = to("answer-human", evaluation)
    assert here not in as_bob.get("/").content.decode()
    assert "for other people" in words(as_bob.get(here))
    assert "for other people" in words(as_bob.post(here, headers=HTMX))
    answer_all(evaluation, UserFactory.create_batch(5))
    assert "Every question has its votes." in words(as_bob.post(here, headers=HTMX))


def test_a_participant_finds_the_evaluation_on_the_page_of_the_session(
    evaluation: Panel, browse: Callable[[User], Client]
) -> None:
    session = CrowdSessionFactory(study__campaign=evaluation.campaign, study__skill="validate")
    page = browse(session.participant.worker).get(
        reverse("crowd-session", args=[session.public_id])
    )
    assert to("answer-human", evaluation) in page.content.decode()


ITEMS = (
    (Item(
        id="a", group="a", sentence="Ann told Joan that she won.", span=(19, 22), form="pronoun",
        options=("Ann", "Joan"), answer=1,
    ), "What does the marked word refer to?"),
    (Item(
        id="a", group="a", sentence="Ann told Joan that she won.", span=(19, 22), form="truth",
        options=("true", "false"), candidate="Ann", answer=1,
    ), "True or false: the marked word refers to “Ann”."),
    (Item(
        id="a", group="a", sentence="The man fell.", form="premise", relation="effect",
        options=("It hurt.", "It rained."), answer=1,
    ), "Which was the effect?"),
)  # fmt: skip


@pytest.mark.parametrize(("item", "question"), ITEMS)
def test_each_form_of_an_item_has_its_question(
    item: Item, question: str, as_bob: Client, bob: User, campaign: Campaign
) -> None:
    data = imported("forms", format="items", splits={"test": [item.to_line()]})
    evaluation = of_a_set(data=data, campaign=campaign)
    claim(bob, evaluation)
    page = as_bob.get(to("answer-human", evaluation))
    assert question in words(page)
    assert ("<mark>she</mark>" in page.content.decode()) == (item.span is not None)
    assert all(option in words(page) for option in item.options)


# -- curators --------------------------------------------------------------------------------------
def asked(**changes: Any) -> dict[str, Any]:
    return {
        "questions": "reference_set:tiny:test", "campaign": "kitchen", "votes_per_item": "3",
        "reward": "0.05", "n_groups": "2", "seed": "1",
    } | changes  # fmt: skip


def test_a_curator_sees_the_cost_before_anything_starts(
    as_dana: Client, campaign: Campaign
) -> None:
    imported()
    here = reverse("new-human-evaluation")
    assert "reference set tiny/test, 6 questions" in words(as_dana.get(here))
    plan = words(as_dana.post(here, asked()))
    assert "4 questions in 2 groups, 12 votes at $0.05" in plan
    assert "$0.60" in plan
    assert not Panel.objects.exists()
    started = as_dana.post(here, asked(start="1"))
    made = Panel.objects.get()
    assert started["Location"] == to("human-evaluation", made)
    assert (made.seats.count(), str(made.reward), made.created_by.username) == (12, "0.05", "dana")


def test_what_is_refused_is_said_on_the_form(as_dana: Client, campaign: Campaign) -> None:
    imported()
    here = reverse("new-human-evaluation")
    refused = as_dana.post(here, asked(campaign=""))
    assert (refused.status_code, "Name the campaign" in words(refused)) == (400, True)
    Campaign.objects.update(budget_cap="0.10")
    refused = as_dana.post(here, asked(start="1"))
    assert (refused.status_code, Panel.objects.exists()) == (409, False)
    assert as_dana.post(here, asked(votes_per_item="4")).status_code == 400


@pytest.mark.long
def test_results_show_accuracy_by_domain_and_where_people_disagree_with_the_label(
    as_dana: Client,
) -> None:
    evaluation = of_twins(2)
    assert "Figures appear here" in words(as_dana.get(to("human-evaluation", evaluation)))
    answer_all(evaluation, UserFactory.create_batch(6), choose=lambda seat: 1)
    page = words(as_dana.get(to("human-evaluation", evaluation)))
    assert "12 of 12 (100.0%), by 6 people" in page
    assert "50.0%" in page
    assert "physical" in page
    assert "2 questions: another option has at least as many votes" in page
    assert "12 / 12" in words(as_dana.get(reverse("human-evaluations")))


def test_a_curator_pauses_reopens_and_closes(as_dana: Client, evaluation: Panel) -> None:
    change = to("human-evaluation-status", evaluation)
    for status in ("paused", "open", "closed"):
        assert as_dana.post(change, {"status": status}).status_code == 302
        evaluation.refresh_from_db()
        assert evaluation.status == status
    refused = as_dana.post(change, {"status": "open"})
    assert (refused.status_code, "cannot be opened again" in words(refused)) == (409, True)


def test_the_votes_are_a_file_with_pseudonyms(as_dana: Client, bob: User) -> None:
    evaluation = of_twins(1)
    seat = vote(claim(bob, evaluation), 2)
    file = as_dana.get(to("human-votes-file", evaluation))
    lines = b"".join(file).decode().splitlines()  # type: ignore[arg-type]
    row = dict(zip(lines[0].split(","), lines[1].split(","), strict=True))
    assert (row["worker"], row["domain"], row["shown"]) == (bob.public_id, "physical", "2")
    assert row["option"] == str(seat.option)
    assert row["correct"] == str(seat.option == seat.item.item.answer).lower()
    assert "bob" not in "".join(lines).replace(bob.public_id, "")


@pytest.mark.long
def test_the_list_asks_the_database_the_same_number_of_questions_for_any_length(
    as_dana: Client, campaign: Campaign
) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert as_dana.get(reverse("human-evaluations")).status_code == 200
        return len(captured)

    PanelSeatFactory()
    few = count()
    for _ in range(30):
        PanelSeatFactory(worker=UserFactory(), option=1)
    assert few == count() <= 15
    page = words(as_dana.get(reverse("human-evaluations")))
    assert "Older" in page
    services.change_panel_status(panel=Panel.objects.first(), status="closed")


@pytest.mark.long
def test_a_curator_excludes_a_vote_and_all_of_a_person(
    as_dana: Client, as_bob: Client, bob: User
) -> None:
    evaluation = of_a_set(n_groups=2)
    answer_all(evaluation, [bob])
    person = reverse("human-evaluation-person", args=[evaluation.public_id, bob.public_id])
    assert person in as_dana.get(to("human-evaluation", evaluation)).content.decode()
    seat = PanelSeat.objects.filter(worker=bob).first()
    assert seat is not None
    out = to("exclude-human-vote", evaluation, seat.public_id)
    assert as_dana.post(out, {"reason": "Hasty."})["Location"] == person
    assert "excluded: paid, not used Hasty." in words(as_dana.get(person))
    assert "1 more is paid and not used" in words(as_dana.get(to("human-evaluation", evaluation)))
    as_dana.post(to("restore-human-vote", evaluation, seat.public_id), {"reason": "Honest."})
    assert "excluded: paid" not in words(as_dana.get(person))
    as_dana.post(out, {"reason": ""})
    assert "Enter a reason" in words(as_dana.get(person))
    assert as_dana.post(person, {"reason": " "}).status_code == 400
    as_dana.post(person, {"reason": "A program."})
    assert PanelSeat.objects.filter(worker=bob, excluded_at__isnull=False).count() == 2
    assert "2 votes were excluded." in words(as_dana.get(person))


def test_the_worker_appeals_and_the_curator_upholds(
    as_dana: Client, as_bob: Client, bob: User, dana: User
) -> None:
    evaluation = of_a_set(n_groups=1)
    answer_all(evaluation, [bob])
    seat = PanelSeat.objects.get(worker=bob)
    services.exclude_vote(vote_id=seat.public_id, reason="Hasty.", by=dana)
    mine = as_bob.get(reverse("my-appeals"))
    make = reverse("make-appeal", args=["vote", seat.public_id])
    assert "Your excluded answers in human evaluations" in words(mine)
    assert make in mine.content.decode()
    assert as_bob.post(make, {"text": "I read it."}).status_code == 302
    assert make not in as_bob.get(reverse("my-appeals")).content.decode()
    page = as_dana.get(reverse("appeals")).content.decode()
    assert reverse("human-evaluation-person", args=[evaluation.public_id, bob.public_id]) in page
    answer = reverse("answer-appeal", args=[Appeal.objects.get().public_id])
    as_dana.post(answer, {"answer": "You did.", "upheld": "yes"})
    seat.refresh_from_db()
    assert seat.excluded_at is None


def test_a_paused_campaign_says_so_and_offers_nothing(as_bob: Client, evaluation: Panel) -> None:
    Campaign.objects.update(status="paused")
    here = to("answer-human", evaluation)
    assert here not in as_bob.get("/").content.decode()
    for answer in (as_bob.get(here), as_bob.post(here, headers=HTMX)):
        assert "is paused and has no work at the moment" in words(answer)


@pytest.mark.long
def test_a_comparison_says_which_questions_people_and_systems_share(as_dana: Client) -> None:
    data = small_set()
    evaluated(data)
    answer_all(of_a_set(data=data, n_groups=1), UserFactory.create_batch(6))
    here = reverse("comparison", args=["reference-set", "small", "test"])
    page = words(as_dana.get(here))
    assert "Every figure here is of the 2 questions of 6 that have all their votes" in page
    assert "People, majority of 3 (people not stated) 100.0%" in page
    file = reverse("comparison-file", args=["reference-set", "small", "test", "csv"])
    assert "2 of 6 questions" in as_dana.get(file).content.decode()
