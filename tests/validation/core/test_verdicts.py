"""The verdict over votes: tables by hand, and what holds for any votes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validation.core.verdicts import (
    REASONS,
    VERSION,
    Ballot,
    Policy,
    Reason,
    closeness,
    decide,
)

GOOD = Ballot(option=1, ambiguous=False, local_option=None)
WRONG = Ballot(option=2, ambiguous=False, local_option=None)
DOUBTS = Ballot(option=1, ambiguous=True, local_option=None)
LOCAL = Ballot(option=1, ambiguous=False, local_option=1)
LOCAL_WRONG = Ballot(option=1, ambiguous=False, local_option=2)

MAJORITY_TABLE = [
    ([GOOD, GOOD, GOOD], []),
    ([GOOD, GOOD, WRONG], []),
    ([GOOD, WRONG, WRONG], ["wrong_answer"]),
    ([GOOD, GOOD, DOUBTS], []),
    ([GOOD, DOUBTS, DOUBTS], ["ambiguous"]),
    ([GOOD, GOOD, LOCAL], []),
    ([GOOD, LOCAL, LOCAL], ["local"]),
    ([GOOD, LOCAL, LOCAL_WRONG], []),
    ([LOCAL_WRONG] * 3, []),
    ([Ballot(2, True, 1)] * 3, ["wrong_answer", "ambiguous", "local"]),
    ([GOOD] * 3 + [WRONG] * 2, []),
    ([GOOD] * 2 + [WRONG] * 3, ["wrong_answer"]),
    ([GOOD], []),
]
UNANIMOUS_TABLE = [
    ([GOOD, GOOD, GOOD], []),
    ([GOOD, GOOD, WRONG], ["wrong_answer"]),
    ([GOOD, GOOD, DOUBTS], ["ambiguous"]),
    ([GOOD, GOOD, LOCAL], []),
    ([GOOD, LOCAL, LOCAL], ["local"]),
]

ballots = st.builds(
    Ballot,
    option=st.sampled_from([1, 2]),
    ambiguous=st.booleans(),
    local_option=st.sampled_from([None, 1, 2]),
)
votes = st.sampled_from([1, 3, 5]).flatmap(lambda n: st.lists(ballots, min_size=n, max_size=n))
answers = st.sampled_from([1, 2])
policies = st.sampled_from(Policy)


@pytest.mark.parametrize(("given_votes", "reasons"), MAJORITY_TABLE)
def test_a_majority_decides_each_part(given_votes: list[Ballot], reasons: list[str]) -> None:
    decision = decide(given_votes, answer=1, policy=Policy.MAJORITY)
    assert decision.valid is not bool(reasons)
    assert list(decision.reasons) == reasons


@pytest.mark.parametrize(("given_votes", "reasons"), UNANIMOUS_TABLE)
def test_unanimity_asks_every_validator_but_for_the_local_context(
    given_votes: list[Ballot], reasons: list[str]
) -> None:
    decision = decide(given_votes, answer=1, policy=Policy.UNANIMOUS)
    assert list(decision.reasons) == reasons


def test_the_counts_say_what_was_counted() -> None:
    decision = decide([GOOD, WRONG, LOCAL], answer=1, policy=Policy.MAJORITY)
    assert decision.counts == {"votes": 3, "correct": 2, "unambiguous": 3, "local": 1}
    assert (decision.policy, decision.version) == (Policy.MAJORITY, VERSION)


def test_every_reason_has_a_sentence() -> None:
    assert set(REASONS) == set(Reason)
    assert all(sentence.endswith(".") for sentence in REASONS.values())


@given(votes=votes, answer=answers, policy=policies, data=st.data())
def test_the_order_of_votes_does_not_matter(
    votes: list[Ballot], answer: int, policy: Policy, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(votes))
    assert decide(shuffled, answer=answer, policy=policy) == decide(
        votes, answer=answer, policy=policy
    )


@given(votes=votes, answer=answers, policy=policies)
def test_numbering_the_options_the_other_way_round_changes_nothing(
    votes: list[Ballot], answer: int, policy: Policy
) -> None:
    mirrored = [
        Ballot(3 - v.option, v.ambiguous, v.local_option and 3 - v.local_option) for v in votes
    ]
    assert decide(mirrored, answer=3 - answer, policy=policy) == decide(
        votes, answer=answer, policy=policy
    )


@given(votes=votes, answer=answers)
def test_what_is_valid_unanimously_is_valid_by_majority(votes: list[Ballot], answer: int) -> None:
    if decide(votes, answer=answer, policy=Policy.UNANIMOUS).valid:
        assert decide(votes, answer=answer, policy=Policy.MAJORITY).valid


@given(votes=votes, answer=answers, policy=policies, data=st.data())
def test_a_better_vote_never_makes_a_question_worse(
    votes: list[Ballot], answer: int, policy: Policy, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(votes) - 1))
    better = [*votes[:place], Ballot(answer, False, None), *votes[place + 1 :]]
    before = set(decide(votes, answer=answer, policy=policy).reasons)
    assert set(decide(better, answer=answer, policy=policy).reasons) <= before


EVEN_TABLE = [
    ([GOOD, GOOD, GOOD, WRONG], Policy.MAJORITY, []),
    ([GOOD, GOOD, WRONG, WRONG], Policy.MAJORITY, ["wrong_answer"]),
    ([GOOD, GOOD, DOUBTS, DOUBTS], Policy.MAJORITY, ["ambiguous"]),
    ([GOOD, GOOD, LOCAL, LOCAL], Policy.MAJORITY, []),
    ([GOOD, LOCAL, LOCAL, LOCAL], Policy.MAJORITY, ["local"]),
    ([GOOD, WRONG], Policy.MAJORITY, ["wrong_answer"]),
    ([GOOD, GOOD], Policy.UNANIMOUS, []),
    ([GOOD, GOOD, GOOD, WRONG], Policy.UNANIMOUS, ["wrong_answer"]),
]


@pytest.mark.parametrize(("given_votes", "policy", "reasons"), EVEN_TABLE)
def test_a_tie_is_no_majority(
    given_votes: list[Ballot], policy: Policy, reasons: list[str]
) -> None:
    assert list(decide(given_votes, answer=1, policy=policy).reasons) == reasons


@given(votes=votes, answer=answers, policy=policies)
def test_for_odd_numbers_both_versions_say_the_same(
    votes: list[Ballot], answer: int, policy: Policy
) -> None:
    old, new = (decide(votes, answer=answer, policy=policy, version=v) for v in (1, 2))
    assert (old.valid, old.reasons, old.counts) == (new.valid, new.reasons, new.counts)
    assert (old.version, new.version) == (1, 2)


def test_no_vote_is_no_verdict() -> None:
    with pytest.raises(ValueError, match="ballots: a verdict needs at least one vote"):
        decide([], answer=1, policy=Policy.MAJORITY)


def test_version_1_refuses_even_numbers_and_others_are_unknown() -> None:
    with pytest.raises(ValueError, match="version 1 needs an odd number of votes; got 2"):
        decide([GOOD] * 2, answer=1, policy=Policy.MAJORITY, version=1)
    with pytest.raises(ValueError, match="version: must be 1 or 2; got 3"):
        decide([GOOD], answer=1, policy=Policy.MAJORITY, version=3)


@pytest.mark.parametrize(
    ("given_votes", "share"),
    [([GOOD] * 3, 0), ([GOOD, GOOD, WRONG], 1 / 3), ([GOOD, DOUBTS], 0.5), ([LOCAL] * 3, 0)],
)
def test_closeness_is_the_smaller_sides_share(given_votes: list[Ballot], share: float) -> None:
    counts = decide(given_votes, answer=1, policy=Policy.MAJORITY).counts
    assert closeness(counts) == pytest.approx(share)


@pytest.mark.parametrize("answer", [0, 3])
def test_an_answer_that_is_neither_1_nor_2_is_refused(answer: int) -> None:
    with pytest.raises(ValueError, match=f"answer: must be 1 or 2; got {answer}"):
        decide([GOOD], answer=answer, policy=Policy.MAJORITY)


@pytest.mark.parametrize("ballot", [Ballot(3, False, None), Ballot(1, False, 0)])
def test_an_option_that_is_neither_1_nor_2_is_refused(ballot: Ballot) -> None:
    with pytest.raises(ValueError, match="ballots: an option is 1 or 2"):
        decide([ballot], answer=1, policy=Policy.MAJORITY)
