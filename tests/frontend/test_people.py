"""Workers as curators see them, and who the people are on every page with figures about them."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Provenance, Twin
from collection.services import update_campaign
from corpora import services as corpora
from corpora.selectors import snapshot_people
from frontend.templatetags.people import people_behind
from panels.models import Panel
from panels.selectors import offered_to
from tests.corpora.test_people_of_releases import campaign_of, person, reimported, released
from tests.evaluation.test_starter_load import few  # noqa: F401  (a fixture)
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    AttemptFactory,
    CampaignFactory,
    ConsentFactory,
    ExerciseItemFactory,
    FilterRunFactory,
    PauseFactory,
    QualificationFactory,
    StudyFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
)
from tests.filtering.evidence_made import assessed
from tests.frontend.pages import source, words
from tests.panels.people import answer_all, of_a_set
from validation import starter
from validation.services import claim_seat
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from workers.models import Pause, User


def detail(client: Client, worker: User) -> str:
    return words(client.get(reverse("person", args=[worker.public_id])))


def test_workers_are_listed_by_pseudonym_with_their_counts(
    as_dana: Client, dana: User, alice: User
) -> None:
    twin = TwinFactory(author=alice)
    VerdictFactory(question=twin.questions.get(number=1))
    Provenance.objects.create(twin=twin, typed_characters=75, pasted_characters=25)
    page = as_dana.get(reverse("people"))
    assert f"{alice.public_id} active 1 100.0% n = 1 0 25.0%" in words(page)
    assert "alice" not in source(page)
    assert dana.public_id not in source(page)


@pytest.mark.long
def test_the_list_continues_and_is_searched(as_dana: Client, alice: User) -> None:
    for worker in (alice, *UserFactory.create_batch(31)):
        ConsentFactory(worker=worker)
    UserFactory()  # who works in no campaign, so that no curator knows of them
    first = as_dana.get(reverse("people"))
    assert alice.public_id not in source(first)
    older = as_dana.get(reverse("people"), {"people": first.context["page"].older})
    assert alice.public_id in source(older)
    assert alice.public_id in source(as_dana.get(reverse("people"), {"q": alice.public_id[:6]}))
    for query in ("w-nobody", "%", "\x00x", "x" * 500):
        assert "No pseudonym starts with this, and no label of yours has it." in words(
            as_dana.get(reverse("people"), {"q": query})
        )


def test_a_twin_shows_how_its_text_came_to_be(
    as_dana: Client, alice: User, campaign: Campaign
) -> None:
    twin = TwinFactory(author=alice, campaign=campaign)
    TwinFactory(author=alice, campaign=campaign)
    Provenance.objects.create(
        twin=twin, typed_characters=3, pasted_characters=180, largest_insert=90, active_seconds=8
    )
    text = detail(as_dana, alice)
    assert "mostly pasted" in text
    assert "3 characters typed · 180 pasted · 90 at once at most" in text
    assert "Typing was not measured" in text


def test_exercises_and_earlier_pauses_are_on_record(
    as_dana: Client, alice: User, campaign: Campaign
) -> None:
    passed = QualificationFactory(worker=alice, campaign=campaign, passed=True)
    AttemptFactory(qualification=passed, number=1, n_right=3, n_items=5)
    AttemptFactory(qualification=passed, number=2, n_right=4, n_items=5)
    PauseFactory(worker=alice, reason="Long ago.", ended_at=timezone.now())
    text = detail(as_dana, alice)
    assert "Kitchen passed – 2 4" in text
    assert "Long ago." in text
    assert "Pause worker" in text


def test_a_curator_pauses_with_a_reason_and_resumes(
    as_dana: Client, dana: User, alice: User
) -> None:
    ConsentFactory(worker=alice)
    pause = reverse("pause-worker", args=[alice.public_id])
    resume = reverse("resume-worker", args=[alice.public_id])
    assert as_dana.post(pause, {"reason": "Twins were <copied>."}).status_code == 302
    assert Pause.objects.get().by == dana
    assert "Twins were <copied>." in detail(as_dana, alice)
    again = as_dana.post(pause, {"reason": "Again."})
    assert again.status_code == 409
    assert "already paused" in words(again)
    assert as_dana.post(resume).status_code == 302
    refused = as_dana.post(resume)
    assert refused.status_code == 409
    assert "is not paused" in words(refused)


@pytest.mark.long
@pytest.mark.parametrize("reason", ["", "  ", "x" * 501, "a\x00b"])
def test_a_pause_without_a_readable_reason_is_not_made(
    reason: str, as_dana: Client, alice: User
) -> None:
    ConsentFactory(worker=alice)
    response = as_dana.post(reverse("pause-worker", args=[alice.public_id]), {"reason": reason})
    assert response.status_code == 400
    assert not Pause.objects.exists()


def test_curators_are_not_among_the_people(as_dana: Client, dana: User) -> None:
    assert as_dana.get(reverse("person", args=[dana.public_id])).status_code == 404
    response = as_dana.post(reverse("pause-worker", args=[dana.public_id]), {"reason": "x"})
    assert response.status_code == 404


Browse = Callable[[User], Client]
MARK, SAID = "simulated people", "The people who did this work are simulated"
OF_THE_CAMPAIGN = (
    "campaign", "progress", "quality", "campaign-pay", "pay-check", "data",
    "review-queue", "golds", "studies", "pipeline", "campaign-setup", "campaign-settings",
)  # fmt: skip
WITH_A_SENTENCE = ("progress", "quality", "campaign-pay")
SIMULATED = {"people_origin": "simulated"}


def told(client: Client, name: str, *args: object) -> str:
    response = client.get(reverse(name, args=args))
    assert response.status_code == 200, name
    return words(response)


@pytest.mark.long
@pytest.mark.usefixtures("few")
def test_the_starters_pages_and_files_say_that_its_people_are_simulated(as_dana: Client) -> None:
    campaign = starter.load()
    assert campaign is not None
    somebody = Client()
    for name in OF_THE_CAMPAIGN:
        text = told(as_dana, name, campaign.slug)
        assert MARK in text, name
        assert (SAID in text) == (name in WITH_A_SENTENCE), name
    release = released(campaign, "starter-1", is_public=True)
    run = FilterRunFactory(encoding__snapshot=release.snapshot)
    assessed(run)
    writer = Twin.objects.filter(campaign=campaign).earliest("pk").author
    assert writer is not None
    preview = corpora.preview_release(snapshot=release.snapshot, by=None)
    execute_here(preview)
    for name, args, has_sentence in (
        ("release", [release.name], True),
        ("release-preview", [preview.public_id], True),
        ("new-release", [release.snapshot.public_id], False),
        ("leaderboard", [release.name], False),
        ("evidence", [run.public_id], True),
        ("filter-run", [run.public_id], False),
        ("person", [writer.public_id], False),
        ("worker-pay", [campaign.slug, writer.public_id], False),
        ("people", [], False),
        ("home", [], False),
    ):
        text = told(as_dana, name, *args)
        assert MARK in text, name
        assert (SAID in text) == has_sentence, name
    text = told(somebody, "release", release.name)
    assert MARK in text
    assert SAID in text
    assert "(demonstration)" in text


@pytest.mark.long
@pytest.mark.parametrize(
    ("stated", "study", "mark"),
    [
        ({}, None, ""),
        ({"people_origin": "invited"}, None, "invited people"),
        ({}, "prolific", "crowd workers (Prolific)"),
        ({"people_platform": "Toloka"}, "generic", "crowd workers (Toloka)"),
    ],
)
def test_before_anybody_has_worked_a_campaign_says_whom_it_is_made_for(
    as_dana: Client, stated: dict[str, str], study: str | None, mark: str
) -> None:
    campaign = CampaignFactory(**stated)
    if study:
        StudyFactory(campaign=campaign, provider=study)
    text = told(as_dana, "campaign", campaign.slug)
    assert mark in text
    assert "people not stated" not in text


def test_a_mixed_campaign_says_all_its_people(as_dana: Client) -> None:
    campaign = campaign_of((None, person("crowd", "Prolific")), (person(), person("simulated")))
    text = told(as_dana, "quality", campaign.slug)
    for mark in ("simulated people", "crowd workers (Prolific)", "imported work", "not stated"):
        assert mark in text
    assert "a part of this work are simulated" in text


@pytest.mark.long
def test_people_of_a_human_evaluation_are_marked_where_it_is_compared(
    dana: User, browse: Browse, campaign: Campaign
) -> None:
    made = of_a_set(campaign=campaign)
    assert MARK not in told(browse(dana), "human-evaluation", made.public_id)
    answer_all(made, [person("simulated") for _ in range(9)])
    text = told(browse(dana), "human-evaluation", made.public_id)
    assert (MARK in text, SAID in text) == (True, True)


def test_a_set_of_simulated_texts_is_marked(as_dana: Client) -> None:
    assert MARK in told(as_dana, "reference-set", reimported().name)


def offers(client: Client) -> str:
    return words(client.get("/"))


@pytest.mark.long
def test_real_workers_are_offered_a_simulated_campaign_only_while_there_is_no_other(
    as_bob: Client,
) -> None:
    CampaignFactory(name="Starter", **SIMULATED)
    assert "Starter A demonstration" in offers(as_bob)
    other = CampaignFactory(name="Kitchen")
    assert ("Starter" in offers(as_bob), "Kitchen" in offers(as_bob)) == (False, True)
    assert [row["slug"] for row in as_bob.get("/api/v1/campaigns/").json()["results"]] == [
        other.slug
    ]
    Campaign.objects.filter(pk=other.pk).update(status=Campaign.Status.PAUSED)
    assert "Starter" in offers(as_bob)


@pytest.mark.parametrize("part", ["article", "question"])
def test_work_begun_in_a_simulated_campaign_can_be_finished(
    bob: User, as_bob: Client, part: str
) -> None:
    simulated = CampaignFactory(slug="starter", name="Starter", **SIMULATED)
    CampaignFactory(slug="kitchen", name="Kitchen")
    assert campaigns_on_start_page(as_bob) == {"kitchen"}
    if part == "article":
        article = ArticleFactory(campaign=simulated)
        AssignmentFactory(campaign=simulated, article=article, worker=bob)
    else:
        TwinFactory(campaign=simulated, seats=3)
        claim_seat(worker=bob, campaign=simulated)
    assert "Starter" in offers(as_bob)
    assert campaigns_on_start_page(as_bob) == {"kitchen", "starter"}


def campaigns_on_start_page(client: Client) -> set[str]:
    return {row["slug"] for row in client.get("/api/v1/campaigns/").json()["results"]}


def test_evaluations_of_a_simulated_campaign_are_offered_last(bob: User) -> None:
    simulated = CampaignFactory(**SIMULATED)
    made: Panel = of_a_set(campaign=simulated)
    assert list(offered_to(bob, now=clock.now())) == [made]
    CampaignFactory()
    assert list(offered_to(bob, now=clock.now())) == []


def test_simulated_people_cannot_be_called_otherwise_once_they_have_worked(as_dana: Client) -> None:
    campaign = CampaignFactory(**SIMULATED)
    update_campaign(campaign=campaign, people_origin="crowd")
    worked = campaign_of((person(),), **SIMULATED)
    with pytest.raises(DomainError, match="people of this campaign are simulated"):
        update_campaign(campaign=worked, people_origin="invited")
    address = reverse("campaign-settings", args=[worked.slug])
    response = as_dana.post(address, {"people_origin": "", "initial-people_origin": "simulated"})
    assert response.status_code == 400
    assert "Create another campaign for other people" in words(response)


def test_a_training_without_a_test_is_not_said_to_lack_attempts(as_dana: Client) -> None:
    campaign, worker = CampaignFactory(), UserFactory()
    ExerciseItemFactory(campaign=campaign, skill="validate", part="training")
    QualificationFactory(
        worker=worker, scope=campaign.public_id, skill="validate", status="started",
        trained_at=clock.now(), decided_at=None,
    )  # fmt: skip
    text = told(as_dana, "person", worker.public_id)
    assert f"{campaign.name} training done, no test" in text


def test_a_filter_run_has_the_people_of_its_snapshot_and_not_those_who_came_later() -> None:
    run = FilterRunFactory(finished=True)
    assert people_behind(run) == snapshot_people(run.encoding.snapshot)
