"""What holds for advice on any text at all."""

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from collection.core.advice.campaign import associated, association_findings
from collection.core.advice.cues import Cue, association, cues
from collection.core.advice.polarity import negation_findings, negations_apart, polarity_findings
from collection.core.findings import ADVICE, WARNINGS, Finding, Level
from collection.core.rules import TwinDraft, check_twin
from collection.core.triggers import trigger_diff
from tests.breakers import mirrored
from tests.properties.test_rules import drafts, near_good

AWKWARD = (
    "\ud800_\udfff",  # halves of a character
    "e\u0301_\u0300\u0300",  # combining marks
    "\u202e_ \u05d0\u05d1\u05d2 \u0627\u0644",  # right to left
    "\u200b_\u200d\ufeff",  # nothing to see
    "İſ_ẞ \x00",  # letters that change their length
    "_ not never n't 😀" * 3,
    "_" + "word " * 2_000,
)
feelings = st.sampled_from(["loved", "hated", "but", "lamp", "shelf", "_", "not", "never", "good"])
felt = st.lists(feelings, max_size=14).map(" ".join)
emotional = st.builds(
    TwinDraft,
    sentences=st.tuples(felt, felt),
    options=st.just(("lamp", "shelf")),
    answers=st.sampled_from([(1, 2), (2, 1), (1, 1), (0, 2)]),
)
# So few that Hypothesis tries them all.
moods, ends = st.sampled_from(["loved", "hated"]), st.sampled_from(["wonderful", "horrible"])
told = st.builds("Mona {} the lamp but {} the shelf, for the _ was {}.".format, moods, moods, ends)
opposed = st.builds(
    TwinDraft,
    sentences=st.tuples(told, told),
    options=st.just(("lamp", "shelf")),
    answers=st.sampled_from([(1, 2), (2, 1)]),
)
texts = drafts | near_good() | emotional


def own_cues(draft: TwinDraft) -> tuple[Cue, ...]:
    return cues(draft.sentences, draft.options, draft.answers, trigger_diff(*draft.sentences))


def advice(draft: TwinDraft, counts: Mapping[str, int]) -> list[Finding]:
    """Everything but what needs a database."""
    return [
        *negation_findings(trigger_diff(*draft.sentences)),
        *association_findings(associated(own_cues(draft), counts)),
        *polarity_findings(draft.sentences, draft.options, draft.answers),
    ]


def some_counts(draft: TwinDraft) -> dict[str, int]:
    """Counts that depend on the names alone, as a campaign's would."""
    names = (name for cue in own_cues(draft) for name in (cue.name, cue.opposite))
    return {name: sum(map(ord, name)) % 23 for name in names}


@given(texts)
def test_any_text_gets_well_formed_advice(draft: TwinDraft) -> None:
    for finding in advice(draft, some_counts(draft)):
        assert finding.code in ADVICE
        assert finding.level is Level.WARNING
        assert finding.message[0].isupper()
        assert finding.message.endswith(".")
        assert finding.value is not None
        assert finding.value > 0
        assert finding.example


def test_awkward_text_is_advised_on_and_checked_without_a_crash() -> None:
    for first in AWKWARD:
        for second in AWKWARD:
            draft = TwinDraft(sentences=(first, second), options=(first, second), answers=(1, 2))
            assert advice(draft, some_counts(draft)) is not None
            assert not check_twin(draft).accepted


@given(texts)
def test_the_same_text_gets_the_same_advice(draft: TwinDraft) -> None:
    counts = some_counts(draft)
    assert advice(draft, counts) == advice(replace(draft), counts)


@given(texts)
def test_it_does_not_matter_which_twin_comes_first(draft: TwinDraft) -> None:
    counts = some_counts(draft)
    assert advice(draft, counts) == advice(mirrored(draft), counts)


@given(opposed)
def test_it_does_not_matter_which_of_two_emotional_twins_comes_first(draft: TwinDraft) -> None:
    assert advice(draft, {}) == advice(mirrored(draft), {})


@given(texts)
def test_it_does_not_matter_which_option_is_number_one(draft: TwinDraft) -> None:
    one, two = draft.answers
    turned = replace(
        draft,
        options=draft.options[::-1],
        answers=(3 - one if one in (1, 2) else one, 3 - two if two in (1, 2) else two),
    )
    assert own_cues(draft) == own_cues(turned)


@given(texts)
def test_no_counts_give_no_association(draft: TwinDraft) -> None:
    assert association(own_cues(draft), {}, kind="place") is None
    assert associated(own_cues(draft), {}) == {}


side = st.lists(st.sampled_from(["not", "never", "fit", "fits", "did", "n't", "can't"]), max_size=4)


@given(side, side)
@example(["fits"], ["does", "not", "fit"])
def test_negations_are_counted_alike_from_both_sides(a: list[str], b: list[str]) -> None:
    assert negations_apart(a, b) == negations_apart(b, a) >= 0
    assert negations_apart(a, a) == 0


@given(texts)
def test_blocking_changes_levels_and_nothing_else(draft: TwinDraft) -> None:
    plain, strict = check_twin(draft), check_twin(draft, blocking=WARNINGS)
    assert [item.code for item in plain.findings] == [item.code for item in strict.findings]
    assert strict.warnings == ()
    assert [replace(item, level=Level.ERROR) for item in plain.findings] == list(strict.findings)
