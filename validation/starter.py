"""Loads the starter campaign: its articles and twins, and simulated people who do the work.

Everything goes through the services that people use, so pay, seats and verdicts are real; only the
judges' minds are simulated (``collection/starter/simulate.py``), with a seed.
"""

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from collection import services as collection
from collection.imports.articles import import_articles
from collection.models import Article, Campaign, ExerciseItem, Question, Twin
from collection.selectors.exercise import order_shown
from collection.services.access import standing
from collection.starter.simulate import Validator, judge
from validation import services
from validation.models import Seat
from winoplatform.errors import DomainError
from workers.models import Qualification, User
from workers.services import create_user

FILES = Path(__file__).resolve().parent.parent / "collection" / "starter"
SLUG = "starter"
SEED = 20
# Some twins stay unjudged, so that a newcomer who signs in as a judge finds work.
LEFT_FOR_PEOPLE = 6
Progress = Callable[[str], None]


def read_lines(name: str) -> list[dict[str, Any]]:
    """Read one of the starter's JSONL files."""
    return [json.loads(line) for line in (FILES / name).read_text().splitlines() if line.strip()]


def load(*, progress: Progress = lambda line: None) -> Campaign | None:
    """Load the starter campaign into an empty database; None where a campaign exists already.

    Stopped half-way, it goes on at the next call: every twin and vote is stored once. A starter
    that a curator has paused or closed is left as it is.
    """
    with _alone():
        campaign = Campaign.objects.filter(slug=SLUG).first()
        if campaign is None:
            if Campaign.objects.exists():
                return None
            campaign = _campaign()
        if campaign.status == Campaign.Status.OPEN:
            twins = read_lines("twins.jsonl")
            _write(campaign, twins, progress)
            _judge(campaign, {twin["key"]: twin for twin in twins}, progress)
        return campaign


@contextmanager
def _alone() -> Iterator[None]:
    """Let two first starts at once wait for each other."""
    name = "hashtext('starter campaign')"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_advisory_lock({name})")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_advisory_unlock({name})")


@transaction.atomic
def _campaign() -> Campaign:
    fields = json.loads((FILES / "campaign.json").read_text())
    campaign = collection.create_campaign(**fields, status=Campaign.Status.OPEN)
    import_articles(campaign=campaign, rows=read_lines("articles.jsonl"))
    items = json.loads((FILES / "exercise.json").read_text())
    collection.set_exercise(
        campaign=campaign,
        items=[collection.ItemText(**item | {"choices": tuple(item["choices"])}) for item in items],
    )
    return campaign


def _person(name: str) -> User:
    user = User.objects.filter(username=name).first()
    return user or create_user(username=name, password=None)


def client_key(key: str) -> uuid.UUID:
    """The client key of a starter twin: loading twice stores it once."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"starter:{key}")


def _write(campaign: Campaign, twins: list[dict[str, Any]], progress: Progress) -> None:
    authors = json.loads((FILES / "authors.json").read_text())
    people = [_person(author["name"]) for author in authors]
    for person in people:
        _join(person, campaign)
    articles = {article.source_id: article for article in campaign.articles.all()}
    stored = set(Twin.objects.filter(campaign=campaign).values_list("client_key", flat=True))
    for number, twin in enumerate(twins):
        if client_key(twin["key"]) in stored:
            continue
        author = people[_author(number, len(twins), [a["share"] for a in authors])]
        _submit(author, campaign, articles[twin["article"]], twin)
        if (number + 1) % 50 == 0:
            progress(f"{number + 1} of {len(twins)} twins written")


def _join(author: User, campaign: Campaign) -> None:
    """Let a simulated author do what a campaign asks of writers: all of them pass at once."""
    found = standing(author, campaign)
    if found.guideline is not None and found.accepted_at is None:
        collection.accept_guideline(
            worker=author, campaign=campaign, version=found.guideline.version
        )
    if found.n_items and found.qualification is None:
        items = ExerciseItem.objects.current(campaign, Qualification.Skill.WRITE)
        right = {
            str(item.public_id): order_shown(item, author).index(item.answer) + 1 for item in items
        }
        collection.submit_exercise(worker=author, campaign=campaign, number=1, answers=right)


def _author(number: int, total: int, shares: list[float]) -> int:
    """Deal the twins out by share: the author whose share covers this twin's place."""
    place = (number * 7 % total + 0.5) / total * sum(shares)
    for author, share in enumerate(shares):
        place -= share
        if place < 0:
            return author
    return len(shares) - 1


def _submit(author: User, campaign: Campaign, article: Article, twin: dict[str, Any]) -> None:
    assignment = collection.request_assignment(worker=author, campaign=campaign, article=article)
    collection.submit_twin(
        worker=author,
        assignment_id=assignment.public_id,
        text=collection.TwinText(
            sentences=(twin["sentence1"], twin["sentence2"]),
            options=(twin["option1"], twin["option2"]),
            answers=(twin["answer1"], twin["answer2"]),
            anchor=twin["anchor"],
            domain=twin["domain"],
        ),
        client_key=client_key(twin["key"]),
    )


def _judge(campaign: Campaign, twins: dict[str, dict[str, Any]], progress: Progress) -> None:
    validators = [Validator(**v) for v in json.loads((FILES / "validators.json").read_text())]
    people = {v.name: _person(v.name) for v in validators}
    by_client_key = {client_key(key): twin for key, twin in twins.items()}
    left = {client_key(key) for key in list(twins)[-LEFT_FOR_PEOPLE:]}
    for votes, (seat, validator) in enumerate(_claims(campaign, validators, people), 1):
        twin = seat.twin
        if twin.client_key in left or twin.client_key not in by_client_key:
            services.return_seat(worker=people[validator.name], seat_id=seat.public_id)
            return
        _vote(seat, people[validator.name], validator, by_client_key[twin.client_key])
        if votes % 300 == 0:
            progress(f"{votes} votes given")


def _claims(
    campaign: Campaign, validators: list[Validator], people: dict[str, User]
) -> Iterator[tuple[Seat, Validator]]:
    """Let the validators take turns until nobody finds a free seat."""
    active = list(validators)
    while active:
        for validator in tuple(active):
            try:
                yield (
                    services.claim_seat(worker=people[validator.name], campaign=campaign),
                    validator,
                )
            except DomainError as error:
                if error.code != "queue_empty":
                    raise
                active.remove(validator)


def _vote(seat: Seat, worker: User, validator: Validator, twin: dict[str, Any]) -> None:
    question: Question = seat.question
    judgement = judge(
        validator,
        question=f"{twin['key']}-{question.number}",
        flaw=twin["flaw"],
        answer=question.answer,
        seed=SEED,
    )
    shown = partial(services.as_shown, seat)
    services.answer_local(
        worker=worker,
        seat_id=seat.public_id,
        shown_option=judgement.local_option and shown(judgement.local_option),
    )
    services.cast_vote(
        worker=worker,
        seat_id=seat.public_id,
        shown_option=shown(judgement.option),
        ambiguous=judgement.ambiguous,
    )
