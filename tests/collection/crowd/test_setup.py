"""What curators paste into a platform, and what it must never hold."""

from dataclasses import replace
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from collection.crowd import PROVIDERS, Setup
from collection.crowd.mturk import external_question
from tests.collection.crowd.links import OURS, STUDY


def setup(provider: str) -> Setup:
    return PROVIDERS[provider].setup(
        STUDY, origin=OURS, min_approvals=100, min_approval_rate=Decimal("0.951")
    )


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_setup_holds_no_secret(provider: str) -> None:
    text = str(setup(provider))
    assert STUDY.secret not in text
    assert STUDY.event_secret not in text


def test_prolific_fills_its_ids_into_the_link() -> None:
    assert "&PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}" in setup("prolific").link


@pytest.mark.parametrize(
    ("provider", "values"),
    [
        ("prolific", ["95.1% to 100%", "at least 100"]),
        ("mturk", ["GreaterThanOrEqualTo 96", "GreaterThanOrEqualTo 100"]),
        ("generic", ["at least 100", "at least 0.951"]),
    ],
)
def test_the_history_that_a_campaign_asks_for_is_spelled_out(
    provider: str, values: list[str]
) -> None:
    assert [row.value for row in setup(provider).requirements] == values


def test_a_return_address_is_filled_and_nothing_in_it_runs() -> None:
    ending = PROVIDERS["generic"].ending(STUDY, session="a&b={code}", code="C/1", return_to="")
    assert ending.url == "https://panel.example/done?cc=C%2F1&s=a%26b%3D%7Bcode%7D"


def test_prolific_ends_at_its_own_address() -> None:
    study = replace(STUDY, return_url="")
    ending = PROVIDERS["prolific"].ending(study, session="s", code="C1", return_to="")
    assert ending.url == "https://app.prolific.com/submissions/complete?cc=C1"


def test_the_external_question_is_xml_that_names_the_link() -> None:
    root = ElementTree.fromstring(external_question(setup("mturk").link + "&x=1"))
    assert root[0].text == setup("mturk").link + "&x=1"
