"""What numbers of the campaign make a warning, and how it is worded."""

import pytest

from collection.core.advice.campaign import (
    NEAR_DUPLICATE,
    Near,
    association_findings,
    near_duplicate_findings,
    overuse_findings,
    telling,
)
from collection.core.advice.cues import Cue

LARGE = Cue("place", "large", "", True)
LARGE_BOX = Cue("option", "large", "box", True)


def test_a_near_duplicate_is_quoted_with_its_likeness() -> None:
    [finding] = near_duplicate_findings(Near("The cup broke.", 0.876))
    assert (finding.value, finding.example) == (0.876, "The cup broke.")
    assert "of this campaign" in finding.message
    assert "87% alike" in finding.message
    [own] = near_duplicate_findings(Near("The cup broke.", NEAR_DUPLICATE, True))
    assert "you wrote for this campaign" in own.message


@pytest.mark.parametrize("near", [None, Near("The cup broke.", NEAR_DUPLICATE - 0.001)])
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


def test_enough_bits_warn_with_counts_and_example() -> None:
    [(kind, found)] = telling([LARGE], {"large>+": 19, "large>-": 1}).items()
    assert kind == "place"
    assert found.bits == pytest.approx(3.3219, abs=1e-4)
    [finding] = association_findings({kind: found}, {"large>+": "The trophy …"})
    assert (finding.code, finding.value) == ("pair_association", 3.32)
    assert finding.example == "The trophy …"
    assert "19 of 20" in finding.message


def test_the_option_has_its_own_words() -> None:
    [finding] = association_findings(telling([LARGE_BOX], {"large=box+": 9}), {})
    assert finding.code == "local_association"
    assert finding.example == "large: 9 of 9"
    assert "beside “large”, “box” is the answer in 9 of 9" in finding.message


def test_few_bits_do_not_warn() -> None:
    assert telling([LARGE], {"large>+": 10, "large>-": 5}) == {}
    assert telling([LARGE], {"large>-": 50}) == {}
