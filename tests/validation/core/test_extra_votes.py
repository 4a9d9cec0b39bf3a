"""Agreement where contested questions get further votes: a crowd of known agreement."""

from collections.abc import Sequence
from dataclasses import fields
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.validation.core.test_validator_figures import MONDAY, votes_of
from validation.core.quality import quality
from validation.core.validator_figures import Flag
from validation.core.verdicts import Ballot, Policy, decide
from validation.core.votes import Votes, wants_another

RIGHT, N = 0.88, 3000
TRUTH = RIGHT**2 + (1 - RIGHT) ** 2  # how often two validators choose the same option


def asked(options: Sequence[int], *, votes: int, most: int) -> int:
    """How many of these votes a question gets that gets *votes*, and more where they differ."""
    for n in range(votes, most):
        ballots = [Ballot(option, False, None) for option in options[:n]]
        if not wants_another(ballots, answer=1, policy=Policy.MAJORITY, most=most):
            return n
    return most


def crowd(*, votes: int, most: int, extra_worker: int | None = None) -> Votes:
    """Every validator is right with the same chance; extra votes may all come from one of them."""
    rng = np.random.default_rng(11)
    options = np.where(rng.random((N, most)) < RIGHT, 1, 2)
    given = np.arange(most) < [[asked(row, votes=votes, most=most)] for row in options.tolist()]
    question, place = np.nonzero(given)
    worker = (question + place) % 20
    if extra_worker is not None:
        worker[place >= votes] = extra_worker
    order = rng.permutation(len(question))  # of rows: only the time tells which vote was first
    question, place, worker = question[order], place[order], worker[order]
    at = MONDAY + 60.0 * (question + N * place)
    return votes_of(
        len(question), question=question, twin=question // 2, worker=worker,
        option=options[question, place], due=np.full(len(question), votes),
        shown_at=at - 20, local_at=at - 9, at=at,
    )  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("votes", "most"), [(3, 3), (3, 5), (3, 9), (5, 7)])
def test_extra_votes_change_neither_kappa_nor_alpha_nor_raw_agreement(
    votes: int, most: int
) -> None:
    found = quality(crowd(votes=votes, most=most))[0].answer
    # Chance is one half, since either option may be numbered first.
    assert found.kappa.value == pytest.approx(2 * TRUTH - 1, abs=0.03)
    assert found.alpha.value == pytest.approx(2 * TRUTH - 1, abs=0.03)
    assert found.raw.value == pytest.approx(TRUTH, abs=0.015)
    assert (found.alpha.n, found.kappa.n, found.n_votes) == (N, N, votes * N)


@pytest.mark.long
def test_a_number_of_votes_that_is_raised_later_changes_no_agreement() -> None:
    before, after = crowd(votes=3, most=5), crowd(votes=5, most=5)
    both = Votes(*(
        np.concatenate([getattr(one, field.name) for one in (before, after)])
        for field in fields(Votes)
    ))  # fmt: skip
    both.question[len(before) :] += N
    both.twin[len(before) :] += N
    found = quality(both)[0].answer
    for value in (found.alpha, found.kappa):
        assert value.value == pytest.approx(2 * TRUTH - 1, abs=0.03)
    assert found.raw.value == pytest.approx(TRUTH, abs=0.015)
    assert (found.alpha.n, found.kappa.n, found.n_votes) == (2 * N, N, 8 * N)


@pytest.mark.long
def test_a_validator_who_gives_extra_votes_is_not_said_to_agree_less_often() -> None:
    _, people = quality(crowd(votes=3, most=9, extra_worker=99))
    assert (people.workers[-1], people.n_votes[-1] > 300) == (99, True)
    assert Flag.APART not in people.flags(gold_pass_share=0.5)[-1]


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
