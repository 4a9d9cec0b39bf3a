"""Lists of questions and their facets against a slow, obvious count in Python."""

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from collection.models import Campaign, Question
from corpora.core.bundle.layout import INDEX
from corpora.models import Release
from evaluation.core.facets import agreement_of
from evaluation.selectors.question_list import FACETS, SORTS, QuestionList, QuestionQuery
from evaluation.selectors.questions import ON_REQUEST, count_values, facets_of
from filtering.models import FilterRun
from tests.factories import (
    ArtifactFactory,
    CampaignFactory,
    FilterRunFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from validation.models import Vote
from validation.selectors import question_state
from winoplatform.errors import DomainError
from workers.models import User

TWINS, TRIALS = 14, 40
WORDS = ("lamp", "river", "hammers", "because", "violin", "garden", "cold")
NONE: dict[str, list[str]] = {facet: [] for facet in FACETS}


def _campaign() -> Campaign:
    random = Random(7)
    made = CampaignFactory()
    people, writers = UserFactory.create_batch(7), UserFactory.create_batch(3)
    for number in range(TWINS):
        _twin(made, random, people, random.choice(writers), number)
    TwinFactory(campaign=made, published=True)
    TwinFactory()  # of another campaign
    return made


def _twin(made: Campaign, random: Random, people: list[User], writer: User, number: int) -> None:
    anchor = random.choice(["lamp", "chair", ""])
    twin = TwinFactory(
        campaign=made,
        author=writer,
        domain=random.choice(["social", "physical"]),
        anchor=anchor,
        anchor_key=anchor,
    )
    free = random.sample(people, len(people))  # a validator votes once on a twin
    for question in twin.questions.all():
        said = " ".join(random.sample(WORDS, 3))
        Question.objects.filter(pk=question.pk).update(
            sentence=f"The _ of {said}, number {number}."
        )
        voters = [free.pop() for _ in range(random.randint(0, 3))]
        for voter in voters:
            VoteFactory(question=question, worker=voter, wrong=random.random() < 0.4)
        if len(voters) > 1:
            codes = random.sample(["local", "ambiguous", "wrong_answer"], random.randint(0, 2))
            VerdictFactory(question=question, reasons=codes)


def _run(campaign: Campaign) -> FilterRun:
    ids = [each.public_id for each in Question.objects.in_campaign(campaign)][::2]
    kept = ArtifactFactory(content="\n".join(ids).encode())
    return FilterRunFactory(
        encoding__snapshot__campaign=campaign, finished=True, kept=kept, n_kept=len(ids)
    )


def _release(campaign: Campaign, run: FilterRun) -> Release:
    made = ReleaseFactory(filter_run=run, finished=True)
    ids = [each.public_id for each in Question.objects.in_campaign(campaign)][:9]
    lines = "".join(json.dumps({"question": id}) + "\n" for id in ids)
    ReleaseFileFactory(release=made, name=INDEX, artifact=ArtifactFactory(content=lines.encode()))
    return made


@pytest.fixture(scope="module")
def keys(kept: str) -> tuple[int, int, int]:
    campaign = _campaign()
    run = _run(campaign)
    return campaign.pk, run.pk, _release(campaign, run).pk


@pytest.fixture
def campaign(db: None, keys: tuple[int, int, int]) -> Campaign:
    return Campaign.objects.get(pk=keys[0])


@pytest.fixture
def run(db: None, keys: tuple[int, int, int]) -> FilterRun:
    return FilterRun.objects.get(pk=keys[1])


@pytest.fixture
def release(db: None, keys: tuple[int, int, int]) -> Release:
    return Release.objects.get(pk=keys[2])


def rows_of(campaign: Campaign, run: FilterRun, release: Release) -> dict[int, dict[str, Any]]:
    """The values of each question in every facet, read row by row."""
    questions = list(Question.objects.filter(twin__campaign=campaign).order_by("pk"))
    found = {}
    released = [each.public_id for each in Question.objects.in_campaign(campaign)][:9]
    kept = [each.public_id for each in Question.objects.in_campaign(campaign)][::2]
    for question in questions:
        votes = list(Vote.objects.counting().filter(question=question).select_related("worker"))
        right = sum(vote.option == question.answer for vote in votes)
        verdict = getattr(question, "verdict", None)
        found[question.pk] = {
            "sentence": question.sentence,
            "verdict": [question_state(question).value],
            "reason": verdict.reasons if verdict else [],
            "agreement": [agreement_of(right, len(votes))],
            "domain": [question.twin.domain],
            "run": [str(run.public_id)] if question.public_id in kept else [],
            "release": [release.name] if question.public_id in released else [],
            "writer": [question.twin.author.public_id] if question.twin.author else [],
            "validator": [vote.worker.public_id for vote in votes],
            "anchor": [question.twin.anchor_key] if question.twin.anchor_key else [],
        }
    return found


def choices(rows: dict[int, dict[str, Any]]) -> Iterator[dict[str, list[str]]]:
    """Random choices of a few facets, each of one or two values that exist."""
    random = Random(11)
    yield NONE
    values = {f: sorted({v for row in rows.values() for v in row[f]}) for f in FACETS}
    for _ in range(TRIALS):
        chosen = dict(NONE)
        for facet in random.sample(FACETS, random.randint(1, 3)):
            chosen[facet] = random.sample(values[facet], min(2, len(values[facet])))
        yield chosen


def matches(row: dict[str, Any], chosen: dict[str, list[str]], *, but: str = "") -> bool:
    return all(
        not values or facet == but or set(values) & set(row[facet])
        for facet, values in chosen.items()
    )


def counted(
    rows: dict[int, dict[str, Any]], chosen: dict[str, list[str]], facet: str
) -> dict[str, int]:
    found = [row[facet] for row in rows.values() if matches(row, chosen, but=facet)]
    return dict(Counter(value for values in found for value in set(values)))


@pytest.mark.long
def test_filters_and_facets_equal_a_count_row_by_row(
    campaign: Campaign, run: FilterRun, release: Release
) -> None:
    rows = rows_of(campaign, run, release)
    assert len({value for row in rows.values() for value in row["verdict"]}) >= 3
    sizes = set()
    for chosen in choices(rows):
        questions = QuestionList(QuestionQuery(**chosen), campaign)
        expected = {key for key, row in rows.items() if matches(row, chosen)}
        assert set(questions.facts().values_list("pk", flat=True)) == expected, chosen
        facets = facets_of(questions).counted
        assert facets.total == len(expected), chosen
        for facet in FACETS:
            asks = facet in ON_REQUEST
            found = count_values(questions, facet) if asks else facets.facets.get(facet, {})
            assert dict(found) == counted(rows, chosen, facet), (facet, chosen)
        sizes.add(len(expected))
    assert len(sizes) > 8


@pytest.mark.parametrize(
    ("q", "matching"),
    [
        ("hammer", lambda said: "hammers" in said),
        ("lamp river", lambda said: "lamp" in said and "river" in said),
        ("lamp or river", lambda said: "lamp" in said or "river" in said),
        ("lamp -river", lambda said: "lamp" in said and "river" not in said),
        ('"violin garden"', lambda said: "violin garden" in said),
        ("because", lambda said: False),  # a word without content
    ],
)
def test_words_are_found_in_every_inflection(q: str, matching: Any, campaign: Campaign) -> None:
    found = (
        QuestionList(QuestionQuery(q=q), campaign)
        .facts()
        .values_list("question__sentence", flat=True)
    )
    asked = Question.objects.filter(twin__campaign=campaign).values_list("sentence", flat=True)
    assert sorted(found) == sorted(said for said in asked if matching(said))


def test_an_id_is_found_as_a_word_and_by_itself(campaign: Campaign) -> None:
    question = Question.objects.filter(twin__campaign=campaign)[3]
    for asked in (QuestionQuery(q=question.public_id), QuestionQuery(id=[question.public_id])):
        assert [*QuestionList(asked, campaign).facts().values_list("pk", flat=True)] == [
            question.pk
        ]


def test_the_most_similar_question_is_itself_and_then_the_nearest(campaign: Campaign) -> None:
    twin = TwinFactory(campaign=campaign)
    sentences = (
        "The plumber repaired the leaking copper pipe under the sink because the _ was broken.",
        "The plumber repaired the leaking copper pipe under a sink because the _ was rusty.",
    )
    first, second = twin.questions.order_by("number")
    for question, sentence in zip((first, second), sentences, strict=True):
        Question.objects.filter(pk=question.pk).update(sentence=sentence)
    found = QuestionList(QuestionQuery(like=first.public_id), campaign).in_order("newest")
    assert [*found.values_list("pk", flat=True)] == [first.pk, second.pk]


@pytest.mark.parametrize("sort", SORTS)
def test_each_order_has_every_question_once(sort: str, campaign: Campaign) -> None:
    questions = QuestionList(QuestionQuery(), campaign)
    found = list(questions.in_order(sort).values_list("pk", flat=True))
    assert sorted(found) == sorted(questions.facts().values_list("pk", flat=True))
    shares = [
        facts.n_right / facts.n_votes
        for facts in questions.in_order("least_agreement")
        if facts.n_votes
    ]
    assert shares == sorted(shares)


def test_whole_twins_have_both_questions(campaign: Campaign) -> None:
    questions = QuestionList(QuestionQuery(q="violin"), campaign)
    twins = questions.facts().values("twin")
    found = questions.in_order("newest", whole_twins=True).values_list("pk", flat=True)
    assert set(found) == set(Question.objects.filter(twin__in=twins).values_list("pk", flat=True))
    assert len(found) > questions.facts().count()


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"domain": ["social"]},
        {"anchor": ["lamp", "chair"], "domain": ["physical"]},
        {"anchor": ["lamp"], "verdict": ["valid"]},
        {"reason": ["local"]},
        {"agreement": ["1/1", "2/3"]},
    ],
    ids=lambda asked: "+".join(asked) or "none",
)
def test_a_twin_is_whole_under_each_filter(asked: dict[str, Any], campaign: Campaign) -> None:
    """Filters that both questions of a twin match or none are not searched twice."""
    questions = QuestionList(QuestionQuery(**asked), campaign)
    twins = set(questions.facts().values_list("twin", flat=True))
    found = questions.in_order("newest", whole_twins=True).values_list("pk", flat=True)
    whole = Question.objects.filter(twin__in=twins).order_by("-pk").values_list("pk", flat=True)
    assert list(found) == list(whole) != []


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (QuestionQuery(run=["5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21"]), "unknown_run"),
        (QuestionQuery(release=["none"]), "unknown_release"),
        (QuestionQuery(like="0" * 16), "unknown_question"),
    ],
)
def test_a_filter_that_names_nothing_is_refused(
    asked: QuestionQuery, code: str, campaign: Campaign
) -> None:
    with pytest.raises(DomainError) as refused:
        QuestionList(asked, campaign)
    assert refused.value.code == code


def test_a_run_of_another_campaign_is_no_filter_here(campaign: Campaign, run: FilterRun) -> None:
    with pytest.raises(DomainError):
        QuestionList(QuestionQuery(run=[run.public_id]), CampaignFactory())


def test_a_release_without_its_file_keeps_no_list_from_being_shown(campaign: Campaign) -> None:
    made = ReleaseFactory(filter_run__encoding__snapshot__campaign=campaign, finished=True)
    found = facets_of(QuestionList(QuestionQuery(), campaign))
    assert found.counted.total == Question.objects.filter(twin__campaign=campaign).count()
    assert made.name in found.releases
