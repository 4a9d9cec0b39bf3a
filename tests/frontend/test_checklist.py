import pytest

from collection.core.rules import RULES, Thresholds
from collection.models import Campaign
from collection.services import TwinText, check_text
from frontend.writing.checklist import GROUPS, TITLES, checklist
from tests.factories import SENTENCES, twin_text


def listed(text: TwinText) -> dict[str, str]:
    report = check_text(campaign=Campaign(), text=text)
    return {item.code: item.state for item in checklist(report, text, Thresholds()).items}


def test_every_rule_has_one_place_in_the_list() -> None:
    placed = [code for codes in GROUPS.values() for code in codes]
    assert sorted(placed) == sorted(RULES)
    assert set(TITLES) == set(GROUPS)


def test_a_good_twin_is_all_done() -> None:
    assert set(listed(twin_text()).values()) == {"good"}


def test_what_is_still_empty_is_to_do_and_not_a_mistake() -> None:
    nothing = TwinText(sentences=("", ""), options=("", ""), answers=(0, 0), anchor="", domain="")
    assert set(listed(nothing).values()) == {"todo"}


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        ({"sentences": (SENTENCES[0], "The trophy broke the suitcase, so _ fell.")}, "length"),
        ({"sentences": (SENTENCES[0].replace("_", "it"), SENTENCES[1])}, "blank"),
        ({"options": ("trophy", "table")}, "options"),
        ({"sentences": (SENTENCES[0], SENTENCES[0])}, "overlap"),
        ({"anchor": "sweater"}, "anchor"),
    ],
)
def test_a_mistake_is_to_fix_on_its_own_line(broken: dict[str, object], code: str) -> None:
    assert listed(twin_text(**broken))[code] == "bad"


def test_a_warning_asks_to_look_again_and_leaves_the_twin_ready() -> None:
    text = twin_text(domain="social")
    report = check_text(campaign=Campaign(), text=text)
    found = checklist(report, text, Thresholds())
    assert {item.code: item.state for item in found.items}["domain"] == "warn"
    assert found.summary.startswith("Ready to submit · ")


def test_twins_in_another_order_are_to_look_at_again() -> None:
    turned = SENTENCES[0].replace("brown suitcase on the bed", "suitcase on the brown bed")
    assert listed(twin_text(sentences=(SENTENCES[0], turned)))["overlap"] == "warn"


def test_the_summary_counts_what_is_left() -> None:
    text = twin_text(sentences=(SENTENCES[0].replace("_", "it"), ""))
    report = check_text(campaign=Campaign(), text=text)
    assert checklist(report, text, Thresholds()).summary == "1 blocking check · 4 still to do"
