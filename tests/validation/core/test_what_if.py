"""What if: which verdicts would turn, in which direction and by which part."""

from hypothesis import given
from hypothesis import strategies as st

from validation.core.verdicts import Ballot, Policy, decide
from validation.core.what_if import Decided, what_if

GOOD, WRONG = Ballot(1, False, None), Ballot(2, False, None)
DOUBTS, LOCAL = Ballot(1, True, None), Ballot(1, False, 1)

ballots = st.builds(
    Ballot,
    option=st.sampled_from([1, 2]),
    ambiguous=st.booleans(),
    local_option=st.sampled_from([None, 1, 2]),
)
votes = st.lists(ballots, max_size=5)


def decided(id: str, given_votes: list[Ballot], policy: Policy = Policy.MAJORITY) -> Decided:
    if not given_votes:
        return Decided(id, 1, [], valid=False)
    found = decide(given_votes, answer=1, policy=policy)
    return Decided(id, 1, given_votes, found.valid, [str(reason) for reason in found.reasons])


def test_a_stricter_policy_loses_what_was_split_and_says_by_which_part() -> None:
    questions = [
        decided("clear", [GOOD] * 3),
        decided("split", [GOOD, GOOD, WRONG]),
        decided("doubt", [GOOD, DOUBTS, GOOD]),
        decided("bad", [WRONG] * 3),
    ]
    report = what_if(questions, policy=Policy.UNANIMOUS)
    assert (report.n, report.valid_before, report.valid_after) == (4, 3, 1)
    assert [change.id for change in report.lost] == ["split", "doubt"]
    assert report.gained == ()
    assert report.by_reason() == {"ambiguous": (0, 1), "wrong_answer": (0, 1)}


def test_a_milder_policy_gains_and_names_what_had_failed() -> None:
    strict = decided("split", [GOOD, GOOD, WRONG], Policy.UNANIMOUS)
    report = what_if([strict], policy=Policy.MAJORITY)
    [change] = report.gained
    assert (change.id, change.becomes_valid, change.reasons) == ("split", True, ("wrong_answer",))
    assert report.by_reason() == {"wrong_answer": (1, 0)}


def test_what_a_version_cannot_decide_is_named() -> None:
    even = decided("even", [GOOD, GOOD, LOCAL, LOCAL])
    report = what_if([even, decided("none", [])], policy=Policy.MAJORITY, version=1)
    assert (report.n, report.undecidable) == (0, ("even", "none"))
    assert what_if([even], policy=Policy.MAJORITY).undecidable == ()


@given(st.lists(votes, max_size=12), st.sampled_from(Policy), st.sampled_from(Policy))
def test_it_is_what_deciding_each_question_twice_says(
    all_votes: list[list[Ballot]], old: Policy, new: Policy
) -> None:
    questions = [decided(str(number), given, old) for number, given in enumerate(all_votes)]
    report = what_if(iter(questions), policy=new)
    after = {q.id: decide(q.ballots, answer=1, policy=new).valid for q in questions if q.ballots}
    before = {q.id: q.valid for q in questions if q.ballots}
    assert [c.id for c in report.gained] == [q for q in after if after[q] and not before[q]]
    assert [c.id for c in report.lost] == [q for q in after if before[q] and not after[q]]
    assert report.n == len(after)
    assert report.valid_before == sum(before.values())
    assert report.valid_after == sum(after.values())
    assert report.n_changed == len(report.gained) + len(report.lost)


@given(st.lists(votes, max_size=12), st.sampled_from(Policy))
def test_the_policy_that_decided_changes_nothing(
    all_votes: list[list[Ballot]], policy: Policy
) -> None:
    questions = [decided(str(number), given, policy) for number, given in enumerate(all_votes)]
    assert what_if(questions, policy=policy).n_changed == 0
