"""Cues and their PMI over a campaign, against a slow obvious version."""

import math
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from collection.core.advice.campaign import (
    NEAR_DUPLICATE,
    Near,
    associated,
    association_findings,
    near_duplicate_findings,
    overuse_findings,
)
from collection.core.advice.cues import LEAST_USES, Cue, association, cues, scoped
from collection.core.rules import TwinDraft
from collection.core.triggers import trigger_diff

TEXT = "The {} did not fit into the {} on the bed because the _ was too {}."


def twin(one: str, two: str, first: str, second: str, *, right: int = 1) -> TwinDraft:
    return TwinDraft(
        sentences=(TEXT.format(one, two, first), TEXT.format(one, two, second)),
        options=(one, two),
        answers=(right, 3 - right),
    )


def of(draft: TwinDraft) -> tuple[Cue, ...]:
    trigger = trigger_diff(*draft.sentences)
    return cues(draft.sentences, draft.options, draft.answers, trigger)


def names(draft: TwinDraft) -> set[str]:
    return {cue.name for cue in of(draft)}


def test_a_trigger_word_comes_with_a_place_and_with_either_option() -> None:
    assert names(twin("trophy", "red case", "large", "small")) == {
        "large>+", "large=trophy+", "large=case-", "small>-", "small=trophy-", "small=case+"
    }  # fmt: skip


def test_the_stored_order_of_options_and_sentences_does_not_matter() -> None:
    draft = twin("trophy", "case", "large", "small")
    swapped = TwinDraft(
        sentences=draft.sentences[::-1], options=draft.options[::-1], answers=(1, 2)
    )
    assert swapped.answers == (1, 2)  # "small" is first now, and the case is option 1
    assert of(swapped) == of(draft)


def test_names_have_no_option_cue_and_function_words_only_a_place() -> None:
    assert names(twin("Ann", "Bea", "large", "small")) == {"large>+", "small>-"}
    assert names(twin("trophy", "case", "much", "less")) == {"much>+", "less>-"}


def test_a_trigger_away_from_the_blank_has_only_a_place() -> None:
    text = "He {} the cup beside the bowl in the kitchen and so the _ was clean."
    draft = TwinDraft(
        sentences=(text.format("washed"), text.format("dirtied")),
        options=("cup", "bowl"),
        answers=(1, 2),
    )
    assert names(draft) == {"washed>+", "dirtied>-"}


@pytest.mark.parametrize("answers", [(0, 0), (1, 1), (0, 2)])
def test_answers_that_are_not_opposite_have_no_cues(answers: tuple[int, int]) -> None:
    draft = twin("trophy", "case", "large", "small")
    assert cues(draft.sentences, draft.options, answers, trigger_diff(*draft.sentences)) == ()


def test_a_rewritten_half_sentence_has_no_cues() -> None:
    assert names(twin("trophy", "case", "a b c d e f", "g h i j k l")) == set()


def test_a_stored_cue_names_its_campaign() -> None:
    assert scoped([Cue("place", "large", "", True)], 7) == ["7:large>+"]


CAMPAIGN = [
    *(twin("trophy", "case", "large", "small") for _ in range(6)),
    *(twin("ball", "box", "large", "tiny", right=2) for _ in range(2)),
    twin("lamp", "case", "bright", "small"),
]


def pmi_by_counting(own: TwinDraft, *, word: str, first: bool) -> float:
    """PMI(y; w) − PMI(not y; w), from the probabilities of the definition, add-one smoothed."""
    both, other = Fraction(1), Fraction(1)
    for each in CAMPAIGN:
        named_first = each.options[0]
        for sentence, answer in zip(each.sentences, each.answers, strict=True):
            if word in sentence.rstrip(".").split():
                is_first = each.options[answer - 1] == named_first
                both, other = both + (is_first == first), other + (is_first != first)
    with_word = both + other
    half = Fraction(1, 2)  # p(y): twins have either answer once
    return math.log2((both / with_word) / half) - math.log2((other / with_word) / half)


def test_the_bits_are_those_of_the_definition() -> None:
    own = twin("vase", "drawer", "large", "small")
    counts = Counter(name for each in CAMPAIGN for name in names(each))
    result = association(of(own), counts, kind="place")
    assert result is not None
    expected = pmi_by_counting(own, word="large", first=True) + pmi_by_counting(
        own, word="small", first=False
    )
    assert result.bits == pytest.approx(expected)
    assert (result.strongest.word, result.right, result.seen) == ("small", 7, 7)


def test_the_opposite_answers_have_the_opposite_bits() -> None:
    counts = Counter(name for each in CAMPAIGN for name in names(each))
    there = association(of(twin("vase", "drawer", "large", "small")), counts, kind="place")
    back = association(of(twin("vase", "drawer", "large", "small", right=2)), counts, kind="place")
    assert there is not None
    assert back is not None
    assert there.bits == -back.bits


def test_words_that_are_seldom_used_say_nothing() -> None:
    own = of(twin("trophy", "case", "large", "small"))
    assert association(own, {"large>+": LEAST_USES - 1}, kind="place") is None
    assert association(own, {"large>+": LEAST_USES}, kind="place") is not None
    assert association(own, {"large>+": LEAST_USES}, kind="option") is None


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
