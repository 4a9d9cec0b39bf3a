"""Optional questions about people: no other user can read an answer or infer one from counts."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from collection import services
from collection.core.background import STANDARD, QuestionText, is_due, published
from collection.models import BackgroundAnswer, BackgroundQuestion, Campaign
from collection.selectors.background import background_of, own_answers
from tests.factories import (
    BackgroundQuestionFactory,
    CampaignFactory,
    ConsentFactory,
    GuidelineFactory,
    UserFactory,
)
from tests.refusals import refused
from workers.models import User

Joined = tuple[int, ...]
"""What each person tells in the order of joining: an option, or -1 for nothing."""


@pytest.fixture
def campaign() -> Campaign:
    campaign = CampaignFactory()
    GuidelineFactory(campaign=campaign)
    return campaign


@pytest.fixture
def question(campaign: Campaign) -> BackgroundQuestion:
    question: BackgroundQuestion = BackgroundQuestionFactory(campaign=campaign)
    return question


def joined(campaign: Campaign) -> User:
    worker: User = UserFactory()
    ConsentFactory(worker=worker, guideline=campaign.guideline)
    return worker


def tell(worker: User, question: BackgroundQuestion, *options: int) -> None:
    services.answer_background(
        worker=worker,
        campaign=question.campaign,
        answers={str(question.public_id): options},
    )


def lines(campaign: Campaign) -> list[Any]:
    return [(row["lines"], row["rest"]) for row in background_of(campaign)]


# -- what an outsider learns who sees all counts and knows when each person joined


def in_groups(told: Joined, *, least: int) -> list[Any]:
    """Return what is to be seen after each person: an edition as soon as there may be one."""
    seen, total, group = [], (0, (0, 0)), []
    for option in told:
        group += [option] if option >= 0 else []
        if is_due(len(group), least=least):
            counts = [group.count(0), group.count(1)]
            more = published(counts, people=len(group), least=least)
            sums = tuple(a + b for a, b in zip(total[1], more, strict=True))
            total, group = (total[0] + len(group), sums), []
        seen.append(total)
    return seen


def exact(told: Joined, *, least: int) -> list[Any]:
    """Return the counts as they are after each person, those below the least group left out."""
    counts = [[told[:n].count(0), told[:n].count(1)] for n in range(1, len(told) + 1)]
    return [tuple(count if count >= least else 0 for count in row) for row in counts]


def rounded(told: Joined, *, least: int) -> list[Any]:
    """Return rounded counts after each person."""
    return [tuple(n // least * least for n in row) for row in exact(told, least=1)]


def rounded_sums(told: Joined, *, least: int) -> list[Any]:
    """Return the rounded counts of all, whenever a group is complete: not of each group."""
    times = [sum(option >= 0 for option in told[:n]) for n in range(1, len(told) + 1)]
    sums = [rounded(told[:n], least=least)[-1] for n in range(1, len(told) + 1)]
    seen, newest = [], None
    for before, n_told, counts in zip([0, *times], times, sums, strict=False):
        newest = counts if n_told > before and n_told % (2 * least) == 0 else newest
        seen.append(newest)
    return seen


def n_revealed(show: Callable[..., list[Any]], *, n_people: int, least: int) -> int:
    """Count, over all people of all histories, whose answer follows from all counts seen."""
    worlds: defaultdict[Any, list[Joined]] = defaultdict(list)
    for told in product((-1, 0, 1), repeat=n_people):
        worlds[tuple(show(told, least=least))].append(told)
    return sum(
        len(same)
        for same in worlds.values()
        for person in zip(*same, strict=True)
        if _tells(person)
    )


def _tells(person: Iterable[int]) -> bool:
    [*options] = set(person)
    return len(options) == 1 and options[0] >= 0


@pytest.mark.parametrize(("n_people", "least"), [(9, 2), (9, 3)])
def test_no_answer_follows_from_all_that_is_published(n_people: int, least: int) -> None:
    assert n_revealed(in_groups, n_people=n_people, least=least) == 0


@pytest.mark.long
@pytest.mark.parametrize("show", [exact, rounded, rounded_sums])
def test_control_other_ways_to_publish_tell_answers(show: Callable[..., list[Any]]) -> None:
    assert n_revealed(show, n_people=9, least=2) > 0


@pytest.mark.parametrize("many", [True, False])
def test_any_one_of_a_group_could_have_told_otherwise(many: bool) -> None:
    """Of all answers of six people to three options, none is the only one for its counts."""
    choices: list[tuple[int, ...]] = [(), (0,), (1,), (2,), *([(0, 1), (0, 1, 2)] if many else [])]
    told_of: defaultdict[Any, set[Any]] = defaultdict(set)
    for told in combinations_with_replacement(choices, 6):
        counts = [sum(option in each for each in told) for option in range(3)]
        told_of[published(counts, people=6, least=3, many=many)].add(frozenset(told))
    # People of a group are exchangeable: each may have told whatever some one of them may have.
    for sets in told_of.values():
        for option in range(3):
            has = {option in each for one in sets for each in one}
            assert has != {True}, "everybody has told it"


# -- the same on the platform


def test_counts_change_for_groups_of_people_alone(
    campaign: Campaign, question: BackgroundQuestion
) -> None:
    people = [joined(campaign) for _ in range(20)]
    for worker in people[:9]:
        tell(worker, question, 1)
        services.publish_background(campaign=campaign)
    assert lines(campaign) == []
    tell(people[9], question, 2)
    services.publish_background(campaign=campaign)
    assert lines(campaign) == [([["left", 5]], 5)]
    for place, worker in enumerate(people[10:]):
        assert lines(campaign) == [([["left", 5]], 5)]
        tell(worker, question, 2 if place % 2 else 1)
        services.publish_background(campaign=campaign)
    assert lines(campaign) == [([["left", 5], ["right", 5]], 10)]


def test_who_withdraws_takes_the_answers_along_and_no_count_falls(
    campaign: Campaign, question: BackgroundQuestion
) -> None:
    people = [joined(campaign) for _ in range(12)]
    for worker in people[:10]:
        tell(worker, question, 1)
    services.publish_background(campaign=campaign)
    services.withdraw_consent(worker=people[0], campaign=campaign)
    assert not BackgroundAnswer.objects.filter(worker=people[0]).exists()
    assert lines(campaign) == [([["left", 5]], 5)]


def test_one_person_who_answers_again_and_again_is_counted_once(
    campaign: Campaign, question: BackgroundQuestion
) -> None:
    mallory, victim = joined(campaign), joined(campaign)
    for _ in range(12):
        tell(mallory, question, 1)
        services.delete_background(worker=mallory, campaign=campaign)
        services.publish_background(campaign=campaign)
    tell(mallory, question, 1)
    tell(victim, question, 2)
    services.publish_background(campaign=campaign)
    assert lines(campaign) == []
    for worker in [joined(campaign) for _ in range(8)]:
        tell(worker, question, 2)
    services.publish_background(campaign=campaign)
    tell(mallory, question, 2)
    for worker in [joined(campaign) for _ in range(9)]:
        tell(worker, question, 1)
    services.publish_background(campaign=campaign)
    assert lines(campaign) == [([["right", 5]], 5)]  # nine are too few


def test_only_who_has_accepted_tells_and_a_wrong_option_is_refused(
    campaign: Campaign, question: BackgroundQuestion
) -> None:
    with refused("guideline_not_accepted"):
        tell(UserFactory(), question, 1)
    alice = joined(campaign)
    for options in ((0,), (3,), (1, 2)):
        with refused("option_unknown"):
            tell(alice, question, *options)
    tell(alice, question, 2)
    tell(alice, question)
    assert own_answers(alice, campaign)[0].chosen == ()


def test_questions_that_stay_keep_their_answers_and_others_lose_them(campaign: Campaign) -> None:
    own = QuestionText("Which hand?", ("left", "right"), many=True)
    rows = services.set_background(campaign=campaign, codes=["age", "gender"], own=[own])
    assert [row.code for row in rows] == ["age", "gender", ""]
    alice = joined(campaign)
    for_all = {str(row.public_id): [1] for row in rows}
    services.answer_background(worker=alice, campaign=campaign, answers=for_all)
    services.set_background(campaign=campaign, codes=["gender"], own=[own])
    assert [each.question.text for each in own_answers(alice, campaign)] == [
        STANDARD["gender"].text, "Which hand?",
    ]  # fmt: skip
    assert BackgroundAnswer.objects.count() == 2
    for wrong in (
        QuestionText("", ("a", "b")),
        QuestionText("A?", ("a",)),
        QuestionText("A?", ("a", "a")),
    ):
        with pytest.raises(ValidationError):
            services.set_background(campaign=campaign, codes=[], own=[wrong])
