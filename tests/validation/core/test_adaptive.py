"""One more vote is asked exactly where the validators differ and some completion would turn it."""

from collections.abc import Sequence
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validation.core.verdicts import Ballot, Policy, decide
from validation.core.votes import wants_another

GOOD, WRONG = Ballot(1, False, None), Ballot(2, False, None)
LOCAL = Ballot(1, False, 1)
# All that a ballot can say, as far as a verdict with answer 1 reads it.
ALL = [Ballot(o, a, lo) for o, a, lo in product((1, 2), (False, True), (None, 1))]

ballots = st.lists(st.sampled_from(ALL), min_size=1, max_size=5)
policies = st.sampled_from(Policy)


def could_turn(votes: Sequence[Ballot], policy: Policy, most: int) -> bool:
    """Try every completion of every length."""
    now = decide(votes, answer=1, policy=policy).valid
    return any(
        decide([*votes, *more], answer=1, policy=policy).valid != now
        for rest in range(1, most - len(votes) + 1)
        for more in combinations_with_replacement(ALL, rest)
    )


def all_agree(votes: Sequence[Ballot]) -> bool:
    return len({(v.option == 1, v.ambiguous, v.local_option == 1) for v in votes}) == 1


@given(votes=ballots, policy=policies, rest=st.integers(0, 4))
def test_it_says_what_trying_all_completions_says(
    votes: list[Ballot], policy: Policy, rest: int
) -> None:
    most = len(votes) + rest
    expected = not all_agree(votes) and could_turn(votes, policy, most)
    assert wants_another(votes, answer=1, policy=policy, most=most) == expected


@given(votes=ballots, policy=policies, most=st.integers(1, 9), data=st.data())
def test_the_order_of_votes_and_the_numbering_of_options_do_not_matter(
    votes: list[Ballot], policy: Policy, most: int, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(votes))
    mirrored = [
        Ballot(3 - v.option, v.ambiguous, v.local_option and 3 - v.local_option) for v in shuffled
    ]
    wanted = wants_another(votes, answer=1, policy=policy, most=most)
    assert wants_another(mirrored, answer=2, policy=policy, most=most) == wanted


@given(votes=ballots, policy=policies, most=st.integers(1, 9))
def test_it_ends(votes: list[Ballot], policy: Policy, most: int) -> None:
    asked = list(votes)
    while wants_another(asked, answer=1, policy=policy, most=most):
        asked.append(WRONG if len(asked) % 2 else GOOD)
    assert len(asked) <= max(most, len(votes))


@pytest.mark.parametrize(
    ("votes", "policy", "most", "wanted"),
    [
        ([GOOD, GOOD, WRONG], Policy.MAJORITY, 5, True),
        ([GOOD, GOOD, WRONG], Policy.MAJORITY, 3, False),
        ([GOOD, GOOD, WRONG], Policy.MAJORITY, 4, True),  # a tie is no majority
        ([GOOD, GOOD, GOOD, WRONG], Policy.MAJORITY, 5, False),
        ([GOOD, WRONG, WRONG], Policy.MAJORITY, 4, False),
        ([GOOD, WRONG, WRONG], Policy.MAJORITY, 5, True),
        ([GOOD, GOOD, GOOD], Policy.MAJORITY, 9, False),
        ([GOOD, GOOD, LOCAL], Policy.MAJORITY, 5, True),
        ([GOOD, GOOD, WRONG], Policy.UNANIMOUS, 9, False),
        ([GOOD, LOCAL, LOCAL], Policy.UNANIMOUS, 4, True),
    ],
)
def test_by_hand(votes: list[Ballot], policy: Policy, most: int, wanted: bool) -> None:
    assert wants_another(votes, answer=1, policy=policy, most=most) is wanted


def test_no_vote_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one vote"):
        wants_another([], answer=1, policy=Policy.MAJORITY, most=3)
