"""The campaign of a day: its questions, the people who come to it, and an encoding to filter."""

import time
from dataclasses import dataclass
from typing import Any

from benchmarks.crowd_rows import OF_WRITING, make_seats, with_index, without_indexes_of_writing
from benchmarks.synthetic_questions import fill_with_sentences
from benchmarks.validated_questions import SEATS, VALIDATORS, VERDICTS, VOTES

SLUG = "day"
VALIDATED = 0.1  # of the questions have their votes when the day begins
GOLDS, ARTICLES = 200, 100
ENCODED, FEATURES = 40_000, 128
ENTRIES = """
INSERT INTO workers_ledgerentry (worker_id, kind, unit, amount, currency, budget, note, created_at)
SELECT v.worker_id, 'vote', v.public_id, s.reward, c.currency, c.public_id, '', v.created_at
FROM validation_vote v JOIN validation_seat s ON s.id = v.seat_id
    JOIN collection_campaign c ON c.id = s.campaign_id
WHERE c.id = %(campaign)s
"""
# The questions at the head of the queue, with the option that is right.
RIGHT = """
SELECT q.sentence, CASE q.answer WHEN 1 THEN t.option1 ELSE t.option2 END
FROM validation_seat s JOIN collection_question q ON q.id = s.question_id
    JOIN collection_twin t ON t.id = q.twin_id
WHERE s.campaign_id = %s AND s.number = 1 AND s.answered_at IS NULL ORDER BY s.place LIMIT %s
"""


@dataclass(frozen=True)
class World:
    """What there is when the day begins."""

    campaign: Any
    right: dict[str, str]
    """The right option by sentence, for the questions that are asked today."""
    validators: list[str]
    """Logins of `benchmarks.day_people.People`, as all below."""
    newcomers: list[str]
    curators: list[str]
    worker: str
    """The public id of somebody who has written and validated."""
    contested: str
    encoding: str


def make_world(*, questions: int, answers: int, validators: int, newcomers: int) -> World:
    """Make everything by SQL, and say how long it took."""
    from tests.factories import CampaignFactory, UserFactory

    begun = time.perf_counter()

    def say(what: str) -> None:
        print(f"{time.perf_counter() - begun:6.0f} s  {what}", flush=True)

    without_indexes_of_writing()
    curators = [UserFactory(curator=True), UserFactory(curator=True)]
    campaign = CampaignFactory(
        slug=SLUG,
        name="A day",
        guidelines="Write *well*.",
        budget_cap=1_000_000,
        gold_share="0.05",
        gold_pass_share="0",
        extra_votes_max=2,
    )
    fill_with_sentences(campaign, questions)
    say(f"{questions:,} questions")
    _validate(campaign, int(VALIDATED * questions))
    say("votes, verdicts and pay of a tenth of them")
    make_seats(campaign, first=_first_twin(campaign) + int(VALIDATED * questions) // 2)
    say("free seats")
    for name in OF_WRITING:
        with_index(name)
    say("indexes")
    _work_out(campaign)
    say("golds and the quality report")
    encoding = _encoded(campaign)
    say("an encoding")
    people = _hired(campaign, validators=validators, newcomers=newcomers)
    say(f"{len(people[0]) + len(people[1]):,} accounts")
    _vacuum()
    say("vacuum and statistics")
    return World(
        campaign=campaign,
        right=_right(campaign, answers),
        validators=people[0],
        newcomers=people[1],
        curators=[login(curator) for curator in curators],
        worker=_somebody(campaign),
        contested=_contested(campaign),
        encoding=encoding,
    )


def _first_twin(campaign: Any) -> int:
    from collection.models import Twin

    first: int = Twin.objects.filter(campaign=campaign).order_by("pk").values_list("pk")[0][0]
    return first


def _validate(campaign: Any, questions: int) -> None:
    from django.db import connection

    from tests.races.crowd import make_users

    people = make_users("validated-", VALIDATORS)
    facts = {
        "campaign": campaign.pk,
        "first": min(person.pk for person in people),
        "validators": VALIDATORS,
        "end": _first_twin(campaign) + questions // 2,
    }
    with connection.cursor() as cursor:
        for statement in (SEATS, VOTES, VERDICTS, ENTRIES):
            cursor.execute(statement, facts)


def _work_out(campaign: Any) -> None:
    from collection.models import Question
    from tests.factories import ArticleFactory
    from validation.models import GoldQuestion
    from validation.runner import work_out

    valid = Question.objects.filter(twin__campaign=campaign, verdict__valid=True)
    GoldQuestion.objects.bulk_create(
        GoldQuestion(campaign=campaign, question=each, origin="grown")
        for each in valid.filter(twin__withdrawn_at=None)[:GOLDS]
    )
    ArticleFactory.create_batch(ARTICLES, campaign=campaign)
    work_out(campaign)


def _encoded(campaign: Any) -> str:
    """Encode some valid questions with random features, a few of which tell the answer."""
    from itertools import islice

    from corpora.selectors import snapshot_items
    from tests.factories import ArtifactFactory, EncodingFactory, SnapshotFactory
    from tests.filtering.stages import leaking
    from winoplatform.artifacts import store

    snapshot = SnapshotFactory(campaign=campaign, finished=True)
    items = list(islice(snapshot_items(snapshot), ENCODED))
    lines = "".join(f"{item.to_line()}\n" for item in items).encode()
    snapshot.questions = ArtifactFactory(content=lines)
    snapshot.n_questions = len(items)
    snapshot.n_pairs = len(items) - len({item.group for item in items})
    snapshot.save()
    matrix = store.put_array(leaking(items, d=FEATURES))
    encoding = EncodingFactory(finished=True, snapshot=snapshot, matrix=matrix, n_features=FEATURES)
    return str(encoding.public_id)


def _hired(campaign: Any, *, validators: int, newcomers: int) -> tuple[list[str], list[str]]:
    """Make validators who have accepted the guidelines, and accounts of people who have not."""
    from collection.models import Consent
    from tests.races.crowd import make_users

    old, new = make_users("validator-", validators), make_users("newcomer-", newcomers)
    Consent.objects.bulk_create(
        Consent(worker=person, guideline=campaign.guideline, skill="validate") for person in old
    )
    return [login(person) for person in old], [login(person) for person in new]


def login(user: Any) -> str:
    """Sign *user* in; return the session's key and a token of the API."""
    from django.test import Client

    from workers.services import create_token, scopes_of

    client = Client()
    client.force_login(user)
    token = create_token(user=user, name="day", scopes=scopes_of(user))[1]
    return f"{client.cookies['sessionid'].value} {token}"


def _vacuum() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # as autovacuum would have by then
        cursor.execute("CHECKPOINT")


def _right(campaign: Any, answers: int) -> dict[str, str]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(RIGHT, [campaign.pk, answers])
        return dict(cursor.fetchall())


def _somebody(campaign: Any) -> str:
    from collection.models import Twin

    twin = Twin.objects.filter(campaign=campaign).select_related("author").first()
    assert twin is not None
    assert twin.author is not None
    return str(twin.author.public_id)


def _contested(campaign: Any) -> str:
    from collection.models import Question

    invalid = Question.objects.filter(twin__campaign=campaign, verdict__valid=False)
    return str(invalid.values_list("public_id", flat=True)[0])
