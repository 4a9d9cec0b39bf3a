"""What numbers of the campaign make a warning, and how it is worded."""

import re
from dataclasses import replace

import pytest

from collection.core.advice.campaign import (
    NEAR_DUPLICATE,
    Near,
    associated,
    association_findings,
    near_duplicate_findings,
    overuse_findings,
)
from collection.core.advice.cues import Cue

LARGE = Cue("place", "large", "", True)
LARGE_BOX = Cue("option", "large", "box", True)


def test_a_near_duplicate_is_quoted_to_its_own_author_and_to_curators() -> None:
    [finding] = near_duplicate_findings(Near("The cup broke.", 0.876, is_own=False))
    assert (finding.value, finding.example) == (0.876, "The cup broke.")
    assert "Another twin of this campaign" in finding.message
    assert "cup" not in str(finding.for_author())
    [own] = near_duplicate_findings(Near("The cup broke.", NEAR_DUPLICATE, is_own=True))
    assert "you wrote for this campaign is very similar: “The cup broke.”" in own.message


@pytest.mark.parametrize(
    "near", [None, Near("The cup broke.", NEAR_DUPLICATE - 0.001, is_own=False)]
)
def test_what_is_less_alike_is_no_near_duplicate(near: Near | None) -> None:
    assert not list(near_duplicate_findings(near))


@pytest.mark.parametrize(
    ("uses", "twins", "warns"),
    [(9, 20, False), (10, 20, True), (10, 999, True), (10, 1_000, False), (11, 1_000, True)],
)
def test_a_trigger_is_overused_beyond_the_limit_and_one_in_a_hundred(
    uses: int, twins: int, warns: bool
) -> None:
    findings = list(overuse_findings("large|small", uses=uses, limit=10, twins=twins))
    assert bool(findings) is warns
    if warns:
        assert findings[0].value == uses
        assert "“large” / “small”" in findings[0].message


def test_enough_bits_warn_and_count_for_curators_only() -> None:
    [(kind, found)] = associated([LARGE], {"large>+": 19, "large>-": 1}).items()
    assert kind == "place"
    assert found.bits == pytest.approx(3.3219, abs=1e-4)
    [finding] = association_findings({kind: found})
    assert (finding.code, finding.value) == ("pair_association", 3.32)
    assert finding.example == "large: 19 of 20"
    assert "“large”" in finding.message
    assert not re.search(r"\d", finding.message)


def test_the_option_has_its_own_words() -> None:
    [finding] = association_findings(associated([LARGE_BOX], {"large=box+": 9}))
    assert finding.code == "local_association"
    assert "“large” alone shows whether “box” is right" in finding.message


def test_the_message_is_the_same_whichever_option_is_right() -> None:
    for cue, name in ((LARGE, "large>"), (LARGE_BOX, "large=box")):
        turned = replace(cue, hit=False)
        [yes] = association_findings(associated([cue], {name + "+": 9}))
        [no] = association_findings(associated([turned], {name + "-": 9}))
        assert yes.for_author() == no.for_author()


def test_few_bits_do_not_warn() -> None:
    assert associated([LARGE], {"large>+": 10, "large>-": 5}) == {}
    assert associated([LARGE], {"large>-": 50}) == {}
