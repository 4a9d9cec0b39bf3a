"""Advice before pay is spent: what the campaign's other twins say of a new one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from collection import services
from collection.core.examples import GOOD
from collection.core.findings import OF_TEXTS, Finding, Level
from collection.models import Campaign
from collection.models.campaigns import BLOCKABLE
from collection.selectors.advice import nearest_twin
from tests.collection.stored_twins import stored
from tests.factories import SENTENCES, CampaignFactory, TwinFactory, UserFactory, twin_text
from workers.models import User

OTHER = (
    "After the long winter Paula moved the {} beside the {} into the sunny greenhouse, but the _ "
    "was still too {}."
)
MOST_QUERIES = 12


def other(first: str, second: str, *, one: str = "fern", two: str = "cactus") -> tuple[str, str]:
    return OTHER.format(one, two, first), OTHER.format(one, two, second)


def advice(campaign: Campaign, **changes: object) -> dict[str, Finding]:
    leave_out, author = changes.pop("leave_out", None), changes.pop("author", None)
    author = author or UserFactory()
    findings = services.advise(
        campaign=campaign, text=twin_text(**changes), author=author, leave_out=leave_out
    )
    return {finding.code: finding for finding in findings}


def test_the_first_twin_of_a_campaign_gets_no_advice() -> None:
    assert advice(CampaignFactory()) == {}


def test_a_near_duplicate_is_shown_with_its_likeness(campaign: Campaign) -> None:
    stored(campaign, tuple(text.replace("brown", "leather") for text in SENTENCES))
    found = advice(campaign)["near_duplicate"]
    assert "leather suitcase" in found.example
    assert found.value is not None
    assert 0.6 <= found.value < 1


def test_twins_the_other_way_round_are_near_duplicates(campaign: Campaign) -> None:
    stored(campaign, SENTENCES[::-1])
    assert "near_duplicate" in advice(campaign)


def test_a_near_duplicate_of_ones_own_is_called_so() -> None:
    twin = stored(CampaignFactory(), SENTENCES)
    mine = advice(twin.campaign, author=twin.author)["near_duplicate"].message
    assert "you wrote" in mine
    assert SENTENCES[0] in mine
    theirs = advice(twin.campaign, author=UserFactory())["near_duplicate"].message
    assert theirs == "Another twin of this campaign is very similar; write about something else."


def test_other_campaigns_withdrawn_twins_and_the_twin_revised_do_not_count() -> None:
    campaign = CampaignFactory(trigger_uses_max=1)
    stored(CampaignFactory(), SENTENCES)
    stored(campaign, SENTENCES, withdrawn_at=timezone.now())
    revised = stored(campaign, SENTENCES)
    assert advice(campaign, leave_out=revised) == {}
    assert set(advice(campaign)) == {"near_duplicate", "trigger_overused"}


def test_what_is_about_something_else_is_no_near_duplicate(campaign: Campaign) -> None:
    stored(campaign, other("large", "small"))
    asked = {"campaign": campaign, "sentences": SENTENCES, "author": UserFactory()}
    assert nearest_twin(**asked) is None


def test_near_duplicates_do_not_tell_which_sentence_of_a_twin_is_its_first() -> None:
    """Before: only the first sentence was compared, so it alone was found to be the same."""
    campaign = CampaignFactory()
    stored(campaign, SENTENCES)
    for sentence in SENTENCES:
        asked = (sentence, "Something else altogether was written about the _ here.")
        for sentences in (asked, asked[::-1]):
            near = nearest_twin(campaign=campaign, sentences=sentences, author=UserFactory())
            assert near is not None
            assert near.similarity == 1


def test_a_trigger_is_overused_from_the_campaigns_limit_on() -> None:
    campaign = CampaignFactory(trigger_uses_max=3)
    for number in range(3):
        assert "trigger_overused" not in advice(campaign)
        stored(campaign, other("large", "small", one=f"fern{number}"))
    found = advice(campaign)["trigger_overused"]
    assert found.value == 3
    assert "“large” / “small”" in found.message


@pytest.mark.long
def test_a_large_campaign_allows_one_in_a_hundred() -> None:
    campaign = CampaignFactory(trigger_uses_max=1)
    stored(campaign, other("large", "small"))
    TwinFactory.create_batch(98, campaign=campaign)
    assert "trigger_overused" in advice(campaign)
    TwinFactory(campaign=campaign)
    assert "trigger_overused" not in advice(campaign)


def test_an_option_that_goes_with_the_trigger_by_the_writers_own_habit_is_shown() -> None:
    campaign, alice = CampaignFactory(), UserFactory()
    for number in range(6):
        stored(
            campaign,
            other("large", "small", one=f"fern{number}", two="suitcase"),
            options=(f"fern{number}", "suitcase"),
            author=alice,
        )
    assert "“suitcase”" in advice(campaign, author=alice)["local_association"].message
    assert "local_association" not in advice(campaign)


def test_a_trigger_word_that_tells_the_place_is_shown(campaign: Campaign, alice: User) -> None:
    for number in range(6):
        stored(
            campaign,
            other("large", "small", one=f"fern{number}"),
            options=(f"fern{number}", "cactus"),
            author=alice,
        )
    assert set(advice(campaign, author=alice)) == {"pair_association"}
    assert advice(campaign, author=alice, answers=(2, 1)) == {}


def test_negation_and_polarity_need_no_other_twins(campaign: Campaign) -> None:
    negated = (SENTENCES[0], SENTENCES[0].replace("was", "was not"))
    assert advice(campaign, sentences=negated)["trigger_negation"].example == "not"
    loved = "Mona loved the trophy but hated the ugly suitcase, and she found the _ really {} too."
    felt = (loved.format("wonderful"), loved.format("horrible"))
    assert set(advice(campaign, sentences=felt)) == {"polarity_association"}


@pytest.mark.parametrize(
    "changes",
    [
        {"sentences": ("", "")},
        {"sentences": (SENTENCES[0] + "\0", SENTENCES[1])},
        {"sentences": (SENTENCES[0] + "\ud800", SENTENCES[1])},
        {"sentences": (SENTENCES[0], SENTENCES[0])},
        {"sentences": ("word " * 2_000, SENTENCES[1])},
        {"options": ("trophy\0", "suitcase")},
        {"options": ("", "suitcase")},
    ],
)
def test_text_that_cannot_be_looked_up_gets_no_advice(changes: dict[str, object]) -> None:
    campaign = CampaignFactory()
    stored(campaign, SENTENCES)
    assert advice(campaign, **changes) == {}


def test_a_campaign_may_let_advice_refuse() -> None:
    campaign = CampaignFactory(blocking=["near_duplicate"], trigger_uses_max=1)
    stored(campaign, SENTENCES)
    levels = {code: finding.level for code, finding in advice(campaign).items()}
    assert levels == {"near_duplicate": Level.ERROR, "trigger_overused": Level.WARNING}


def test_a_campaign_may_let_a_rules_warning_refuse() -> None:
    text = twin_text(options=("trophy", "suitcases"))
    campaign = CampaignFactory(blocking=["object_number_differs"])
    report = services.check_text(campaign=campaign, text=text)
    assert "object_number_differs" in {finding.code for finding in report.errors}


def test_advice_asks_the_database_a_fixed_number_of_questions() -> None:
    campaign = CampaignFactory(trigger_uses_max=1)
    counts = []
    for size in (6, 30):
        for number in range(size):
            name = f"fern{size}x{number}"
            stored(campaign, other("large", "small", one=name), options=(name, "cactus"))
        stored(campaign, SENTENCES)
        with CaptureQueriesContext(connection) as captured:
            advice(campaign)
        counts.append(len(captured))
    assert counts[0] == counts[1] <= MOST_QUERIES


def test_the_guidelines_the_test_and_the_examples_are_no_twins_of_ones_own() -> None:
    campaign = CampaignFactory()
    services.publish_guideline(campaign=campaign, text=f"For example:\n\n> {SENTENCES[0]}\n")
    found = advice(campaign)["own_text"]
    assert (found.level, found.sentence) == (Level.WARNING, 2)
    sentences = GOOD.sentences
    example = advice(
        CampaignFactory(), sentences=sentences, options=GOOD.options, anchor=GOOD.anchor
    )
    assert "own_text" in example


def test_advice_on_the_text_never_blocks() -> None:
    assert not OF_TEXTS & BLOCKABLE
