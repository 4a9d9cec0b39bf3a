"""Before writing: the guidelines, the exercise, its explanations."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from collection import services
from collection.models import Campaign, Consent, ExerciseItem
from collection.selectors.exercise import order_shown
from tests.factories import ArticleFactory, ConsentFactory, GuidelineFactory, PauseFactory
from tests.frontend.pages import source, words
from workers.models import Attempt, LedgerEntry, Pause, User

ITEMS = [
    services.ItemText(f"Is it item {n}?", ("never", "always", "maybe"), 2, f"**Because** of {n}.")
    for n in range(2)
]


@pytest.fixture
def asking(campaign: Campaign) -> Campaign:
    """A campaign that asks for guidelines, a policy and an exercise of two items."""
    ArticleFactory(campaign=campaign)
    services.publish_guideline(
        campaign=campaign, text="Be kind.", aids_policy="No <b>machines</b>."
    )
    services.set_exercise(campaign=campaign, items=ITEMS)
    return campaign


def page(client: Client, query: str = "") -> HttpResponse:
    return client.get(reverse("join", args=["kitchen"]) + query)


def accept(client: Client, version: object = 1) -> HttpResponse:
    return client.post(reverse("accept-guidelines", args=["kitchen"]), {"version": version})


def fields(worker: User, campaign: Campaign, *, right: bool, number: int = 1) -> dict[str, str]:
    data = {"number": str(number)}
    for item in ExerciseItem.objects.current(campaign, "write"):
        choice = order_shown(item, worker).index(item.answer if right else 1) + 1
        data[f"item-{item.public_id}"] = str(choice)
    return data


def hand_in(client: Client, data: dict[str, str]) -> HttpResponse:
    return client.post(reverse("submit-exercise", args=["kitchen"]), data)


def test_the_whole_way_from_the_author_page_to_an_article(
    as_alice: Client, alice: User, asking: Campaign
) -> None:
    to_write = reverse("author", args=["kitchen"])
    assert as_alice.get(to_write)["Location"] == reverse("join", args=["kitchen"])
    first = page(as_alice)
    assert "Be kind." in words(first)
    assert "No &lt;b&gt;machines&lt;/b&gt;." in source(first)
    assert accept(as_alice).status_code == 302
    assert Consent.objects.get().worker == alice
    assert "$0.50, once, if you pass." in words(page(as_alice))
    hand_in(as_alice, fields(alice, asking, right=True))
    passed = words(page(as_alice))
    assert "You have passed: 2 of 2 answers were correct. $0.50 was added to your pay." in passed
    assert "Because of 0." in passed
    assert "Start writing" in passed
    assert as_alice.post(to_write).status_code == 302


def test_no_answer_is_in_the_page_before_an_attempt(as_alice: Client, asking: Campaign) -> None:
    accept(as_alice)
    shown = source(page(as_alice))
    assert "Because" not in shown
    assert not re.search(r"data-answer|is-answer|checked", shown)


def test_a_failed_attempt_is_explained_and_can_be_repeated_once(
    as_alice: Client, alice: User, asking: Campaign
) -> None:
    accept(as_alice)
    hand_in(as_alice, fields(alice, asking, right=False))
    explained = words(page(as_alice))
    assert "0 of 2 answers were correct; 2 are needed" in explained
    assert "This attempt is not paid: too few answers were correct." in explained
    assert "never · your answer" in explained
    assert "always · correct answer" in explained
    again = words(page(as_alice, "?again"))
    assert "Attempt 2 of 2." in again
    assert "$0.50, once, if you pass." in again
    assert "Because" not in again
    hand_in(as_alice, fields(alice, asking, right=False, number=2))
    assert "You did not pass the test of this campaign" in words(page(as_alice))
    assert not LedgerEntry.objects.exists()
    assert "Hand in" not in words(page(as_alice, "?again"))


def test_what_was_chosen_stays_when_an_answer_is_missing(
    as_alice: Client, alice: User, asking: Campaign
) -> None:
    accept(as_alice)
    data = fields(alice, asking, right=True)
    missing = list(data)[-1]
    del data[missing]
    response = hand_in(as_alice, data)
    assert response.status_code == 400
    assert words(response).count("Choose an answer.") == 1
    assert source(response).count(" checked") == 1
    assert not Attempt.objects.exists()


def test_a_double_click_is_one_attempt(as_alice: Client, alice: User, asking: Campaign) -> None:
    accept(as_alice)
    data = fields(alice, asking, right=False)
    assert hand_in(as_alice, data).status_code == hand_in(as_alice, data).status_code == 302
    assert Attempt.objects.count() == 1


def test_an_exercise_that_was_replaced_meanwhile_is_shown_again(
    as_alice: Client, alice: User, asking: Campaign
) -> None:
    accept(as_alice)
    data = fields(alice, asking, right=True)
    services.set_exercise(campaign=asking, items=ITEMS[:1])
    response = hand_in(as_alice, data)
    assert response.status_code == 409
    assert "The test has changed since you opened it" in words(response)
    assert "Submit test" in words(response)


@pytest.mark.parametrize("version", ["", "0", "-1", "9", "x", "9" * 30, "1\x00"])
def test_only_the_newest_version_is_accepted(
    version: str, as_alice: Client, asking: Campaign
) -> None:
    assert accept(as_alice, version).status_code == 409
    assert not Consent.objects.exists()


@pytest.mark.parametrize("number", ["", "x", "0", "7", "-1", "9" * 30])
def test_an_attempt_of_no_turn_is_refused(
    number: str, as_alice: Client, alice: User, asking: Campaign
) -> None:
    accept(as_alice)
    data = fields(alice, asking, right=True) | {"number": number}
    assert hand_in(as_alice, data).status_code in (400, 409)
    assert not Attempt.objects.exists()


def test_a_new_version_leads_back_to_the_guidelines(
    as_alice: Client, alice: User, asking: Campaign
) -> None:
    accept(as_alice)
    hand_in(as_alice, fields(alice, asking, right=True))
    services.publish_guideline(campaign=asking, text="Be kinder.")
    assert "I have read them and accept" in words(page(as_alice))
    accept(as_alice, 2)
    assert "Start writing" in words(page(as_alice))


def test_a_paused_worker_reads_why_here_and_at_home(
    as_alice: Client, alice: User, asking: Campaign
) -> None:
    PauseFactory(worker=alice, reason="Copied <twins>.")
    for text in (words(page(as_alice)), words(as_alice.get("/"))):
        assert "Copied <twins>." in text
    assert "accept" not in words(page(as_alice))
    for name in ("author", "validate"):
        refused = as_alice.post(reverse(name, args=["kitchen"]))
        assert refused.status_code == 403
        assert "Copied <twins>." in words(refused)
    Pause.objects.all().delete()
    assert "Copied" not in words(as_alice.get("/"))


def test_the_exercise_waits_while_the_campaign_is_paused(
    as_alice: Client, asking: Campaign
) -> None:
    accept(as_alice)
    Campaign.objects.update(status=Campaign.Status.PAUSED)
    text = words(page(as_alice))
    assert "This campaign is paused. You can take the test when it opens" in text
    assert "Hand in" not in text


def test_a_campaign_that_asks_for_nothing_lets_one_start(
    as_alice: Client, campaign: Campaign
) -> None:
    assert "You can start writing." in words(page(as_alice))


def test_a_new_version_of_the_guidelines_says_that_it_is_one(
    bob: User, as_bob: Client, campaign: Campaign
) -> None:
    first = GuidelineFactory(campaign=campaign, version=5)
    ConsentFactory(worker=bob, guideline=first)
    GuidelineFactory(campaign=campaign, version=6)
    page = words(as_bob.get(reverse("join", args=[campaign.slug])))
    assert "changed since you accepted version 5" in page


def test_a_validators_training_explains_each_answer_at_once_and_leads_to_the_test(
    as_alice: Client, alice: User, campaign: Campaign
) -> None:
    for part in ("training", "test"):
        services.set_exercise(campaign=campaign, items=ITEMS, skill="validate", part=part)
    to_join = reverse("join-validate", args=["kitchen"])
    first = as_alice.get(to_join)
    assert "Training 0 of 2" in words(first)
    assert "Because" not in source(first)
    answers: dict[str, str] = {"skill": "validate"}
    for number, item in enumerate(ExerciseItem.objects.current(campaign, "validate", "training")):
        wrong = str(order_shown(item, alice).index(1) + 1)
        answers[f"item-{item.public_id}"] = wrong
        explained = as_alice.post(reverse("train", args=["kitchen"]), answers)
        assert "Not correct." in words(explained)
        assert f"Because of {number}." in words(explained)
        assert f"Is it item {number}?" in words(explained)  # beside its correction
        assert "never · your answer" in words(explained)
        assert "Training 0 of 2" in words(as_alice.get(to_join, follow=True))
    for item in ExerciseItem.objects.current(campaign, "validate", "training"):
        assert "Once more" in words(explained)
        del answers[f"item-{item.public_id}"]  # the latest answer comes last
        right = str(order_shown(item, alice).index(item.answer) + 1)
        answers[f"item-{item.public_id}"] = right
        explained = as_alice.post(reverse("train", args=["kitchen"]), answers)
    assert "Go to the test" in words(explained)
    assert "Attempt 1 of 2." in words(as_alice.get(to_join))
    test = {"skill": "validate", "number": "1"}
    for item in ExerciseItem.objects.current(campaign, "validate"):
        test[f"item-{item.public_id}"] = str(order_shown(item, alice).index(item.answer) + 1)
    assert hand_in(as_alice, test)["Location"] == to_join
    assert "Start validating" in words(as_alice.get(to_join))
    assert "You can start writing." in words(page(as_alice))


@pytest.mark.parametrize("value", ["", "x", "0", "-1", "9", "9" * 30, "²"])
def test_an_answer_to_the_training_that_is_none_is_refused(
    value: str, as_alice: Client, campaign: Campaign
) -> None:
    [item] = services.set_exercise(
        campaign=campaign, items=ITEMS[:1], skill="validate", part="training"
    )
    answers = {"skill": "validate", f"item-{item.public_id}": value}
    response = as_alice.post(reverse("train", args=["kitchen"]), answers)
    assert response.status_code == 400
    assert "Training 0 of 1" in words(response)
    strange = as_alice.post(
        reverse("train", args=["kitchen"]), {"skill": "validate", "item-x": "1"}
    )
    assert strange.status_code == 409


def test_the_deal_stands_before_the_guidelines(as_bob: Client, campaign: Campaign) -> None:
    campaign.pay_terms = "The university, monthly."
    campaign.save()
    text = "Both.\n## For writers\nW.\n## For validators\nV."
    GuidelineFactory(campaign=campaign, text=text, contact="dana@example.org")
    shown = words(as_bob.get(reverse("join-validate", args=[campaign.slug])))
    assert "not measured yet" in shown
    assert shown.index("The university, monthly.") < shown.index("Both.")
    assert "dana@example.org" in shown
    assert "Asked by the people who run this site" in shown
    assert "when you got, opened and answered each question" in shown
    assert "typed and pasted" not in shown
    assert "may be published under a pseudonym" in shown
    assert shown.index("For validators V.") < shown.index("I have read them and accept")
    assert "I do not want to take part" in shown
    assert "For validators V." in shown
    assert "For writers" not in shown


def test_each_kind_of_work_has_its_own_consent(as_bob: Client, campaign: Campaign) -> None:
    GuidelineFactory(campaign=campaign, aids_policy="Only a dictionary.")
    to_validate = reverse("join-validate", args=[campaign.slug])
    assert "Only a dictionary." not in words(as_bob.get(to_validate))
    as_bob.post(
        reverse("accept-guidelines", args=[campaign.slug]), {"version": 1, "skill": "validate"}
    )
    assert "You can start validating." in words(as_bob.get(to_validate))
    to_write = words(as_bob.get(reverse("join", args=[campaign.slug])))
    assert "Only a dictionary." in to_write


def test_writers_read_what_is_recorded_and_what_happens_with_it(
    as_bob: Client, campaign: Campaign
) -> None:
    words_of = {"asked_by": "Ada Byron, University", "data_use": "It is deleted in May."}
    GuidelineFactory(campaign=campaign, **words_of)
    shown = words(as_bob.get(reverse("join", args=[campaign.slug])))
    assert "Asked by Ada Byron, University" in shown
    assert "typed and pasted characters" in shown
    assert "Data use It is deleted in May." in shown
    assert "at most 60 minutes an article" in shown
