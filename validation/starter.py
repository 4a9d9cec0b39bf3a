"""Loads the starter campaign: its articles and twins, and the work of simulated people.

All work goes through the same services as that of real users, so pay, seats and verdicts are real;
only the validators' answers are simulated (``collection/starter/simulate.py``), with a seed.
"""

import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from collection import services as collection
from collection.imports.articles import import_articles
from collection.models import Article, Campaign, ExerciseItem, Question, Twin
from collection.selectors.exercise import items_of_attempt, order_shown
from collection.services.campaigns.templates import set_starter_exercises, starter_fields
from collection.services.joining.access import eligibility
from collection.starter.simulate import SimulatedVote, Validator, validate, writing_seconds
from validation import services, starter_times
from validation.models import Seat
from validation.services.verdicts import growing
from winoplatform.db import locks
from winoplatform.errors import DomainError
from winoplatform.runs.pace import Progress
from workers.models import Qualification, User
from workers.services import create_user

FILES = Path(__file__).resolve().parent.parent / "collection" / "starter"
SLUG = "starter"
SEED = 20
# Some twins stay unvalidated, so that a new user who signs in as a validator finds work.
LEFT_FOR_PEOPLE = 6
TWIN = 7  # votes that are stored in the time of one twin, to estimate the progress
# From the campaign to the end of its work, which takes some hours with simulated times. Settled
# when it is created: the history of settings is append-only and begins with the campaign.
AGE = timedelta(days=1)
# Only for real users: gold questions are drawn without a seed.
GOLD_SHARE = Decimal("0.05")


def read_lines(name: str) -> list[dict[str, Any]]:
    """Read one of the starter's JSONL files."""
    return [json.loads(line) for line in (FILES / name).read_text().splitlines() if line.strip()]


def load(*, progress: Progress = lambda done, total, text: None) -> Campaign | None:
    """Load the starter campaign into an empty database; None if a campaign exists already.

    After an interruption the next call continues: every twin and vote is stored once. A starter
    campaign that a curator has paused or closed is left as it is. People may work in it while it
    loads; a question that one holds at the end waits for people. An exception from *progress*
    stops it.
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
            if not campaign.gold_share:
                _validate(campaign, {twin["key"]: twin for twin in twins}, progress)
                _take_time(campaign, {client_key(twin["key"]): twin for twin in twins})
                _begin_golds(campaign)
        return campaign


@contextmanager
def _alone() -> Iterator[None]:
    """Serialize concurrent loads."""
    with locks.held("starter campaign", wait=True), connection.cursor() as cursor:
        # Waiting for the disk would take a fifth of the time. Work lost in a crash of the server is
        # simulated again.
        cursor.execute("SET synchronous_commit = off")
        try:
            yield
        finally:
            cursor.execute("RESET synchronous_commit")


@transaction.atomic
def _campaign() -> Campaign:
    campaign = collection.create_campaign(
        people_origin=User.Origin.SIMULATED, created_at=timezone.now() - AGE, **starter_fields()
    )
    import_articles(campaign=campaign, rows=read_lines("articles.jsonl"))
    set_starter_exercises(campaign)
    return collection.change_status(campaign=campaign, status=Campaign.Status.OPEN)


def _person(name: str) -> User:
    user = User.objects.filter(username=name).first()
    return user or create_user(username=name, password=None, origin=User.Origin.SIMULATED)


def client_key(key: str) -> uuid.UUID:
    """Return the client key of a starter twin, so that loading twice stores it once."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"starter:{key}")


def _write(campaign: Campaign, twins: list[dict[str, Any]], progress: Progress) -> None:
    authors = read_authors()
    people = [_person(author["name"]) for author in authors]
    for person in people:
        _join(person, campaign, skill=Qualification.Skill.WRITE)
    articles = {article.source_id: article for article in campaign.articles.all()}
    stored = set(Twin.objects.filter(campaign=campaign).values_list("client_key", flat=True))
    total = TWIN * len(twins) + _votes_wanted(campaign, len(twins))
    for number, twin in enumerate(twins):
        if client_key(twin["key"]) in stored:
            continue
        author = _author(number, len(twins), authors, twin)
        _submit(people[author], campaign, articles[twin["article"]], twin)
        progress(TWIN * (number + 1), total, f"{number + 1} of {len(twins)} twins written")
    _note_splits(campaign, twins)


def _note_splits(campaign: Campaign, twins: list[dict[str, Any]]) -> None:
    """Note the split of twins whose answers are told elsewhere, before any is drawn."""
    splits = {client_key(twin["key"]): twin["split"] for twin in twins if "split" in twin}
    for twin in Twin.objects.filter(campaign=campaign, client_key__in=splits, source_split=""):
        assert twin.client_key is not None
        Twin.objects.filter(pk=twin.pk).update(source_split=splits[twin.client_key])


def _votes_wanted(campaign: Campaign, n_twins: int) -> int:
    return 2 * campaign.votes_per_question * (n_twins - LEFT_FOR_PEOPLE)


def _join(person: User, campaign: Campaign, *, skill: str) -> None:
    """Let a simulated person qualify for a campaign; all pass at the first attempt."""
    state = eligibility(person, campaign, skill=skill)
    if state.guideline is not None and state.accepted_at is None:
        collection.accept_guideline(
            worker=person, campaign=campaign, version=state.guideline.version, skill=skill
        )
    if state.n_training and not state.is_trained:
        answers = _right_answers(person, campaign, skill, ExerciseItem.Part.TRAINING)
        collection.train(worker=person, campaign=campaign, answers=answers, skill=skill)
    if state.n_items and not state.has_tried:
        answers = _right_answers(person, campaign, skill, ExerciseItem.Part.TEST)
        collection.submit_exercise(
            worker=person, campaign=campaign, number=1, answers=answers, skill=skill
        )


def _right_answers(person: User, campaign: Campaign, skill: str, part: str) -> dict[str, int]:
    if part == ExerciseItem.Part.TEST:
        items = items_of_attempt(campaign, skill)
    else:
        items = list(ExerciseItem.objects.current(campaign, skill, part))
    return {str(item.public_id): order_shown(item, person).index(item.answer) + 1 for item in items}


def _author(number: int, total: int, authors: list[dict[str, Any]], twin: Mapping[str, Any]) -> int:
    """Return the author of a twin: its own, or whose cumulative share covers its position."""
    if is_planted(twin):
        return [author["name"] for author in authors].index(twin["author"])
    shares = [author["share"] for author in authors]
    place = (number * 7 % total + 0.5) / total * sum(shares)
    for author, share in enumerate(shares):
        place -= share
        if place < 0:
            return author
    return len(shares) - 1


def _submit(author: User, campaign: Campaign, article: Article, twin: dict[str, Any]) -> None:
    assignment = collection.request_assignment(worker=author, campaign=campaign, article=article)
    services.submit_twin(
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


def _validate(campaign: Campaign, twins: dict[str, dict[str, Any]], progress: Progress) -> None:
    validators = [Validator(**v) for v in read_validators()]
    people = {v.name: _person(v.name) for v in validators}
    for person in people.values():
        _join(person, campaign, skill=Qualification.Skill.VALIDATE)
    by_client_key = {client_key(key): twin for key, twin in twins.items()}
    ours = _twins_to_validate(campaign, by_client_key)
    wanted, written = _votes_wanted(campaign, len(twins)), TWIN * len(twins)
    before = Seat.objects.in_campaign(campaign).filter(answered_at__isnull=False).count()
    claims = _claims(campaign, validators, people, ours)
    for votes, (seat, validator) in enumerate(claims, before + 1):
        key = seat.twin.client_key
        assert key is not None, "a simulated validator was given an imported twin"
        _vote(seat, people[validator.name], validator, by_client_key[key])
        progress(written + votes, written + wanted, f"{votes:,} of {wanted:,} votes given")


def _twins_to_validate(
    campaign: Campaign, starters: Mapping[uuid.UUID, dict[str, Any]]
) -> set[int]:
    """Return the starter's twins, without those that are last in the validators' queue.

    Formalised twins are all validated, since a release must have them.
    """
    seats = Seat.objects.in_campaign(campaign).filter(number=1, twin__client_key__in=starters)
    rows = seats.order_by("place").values_list("twin", "twin__client_key")
    twins = {twin: starters[key] for twin, key in rows if key is not None}
    others = [twin for twin, about in twins.items() if not is_formalised(about)]
    return twins.keys() - set(others[-LEFT_FOR_PEOPLE:])


def _take_time(campaign: Campaign, twins: dict[uuid.UUID, dict[str, Any]]) -> None:
    """Give the simulated work realistic durations."""
    validators = {v["name"]: Validator(**v) for v in read_validators()}

    def validating(seat: Seat) -> float:
        assert seat.twin.client_key is not None
        assert seat.worker is not None
        twin = twins[seat.twin.client_key]
        return _simulated_vote(seat.question, validators[seat.worker.username], twin).seconds

    def writing(twin: Twin) -> int:
        stored = twins.get(twin.client_key) if twin.client_key else None
        return writing_seconds(stored["key"], seed=SEED) if stored else 0

    starter_times.take_time(
        campaign,
        writers=[_person(author["name"]) for author in read_authors()],
        validators=[_person(name) for name in validators],
        writing=writing,
        validating=validating,
    )


def read_authors() -> list[dict[str, Any]]:
    authors: list[dict[str, Any]] = json.loads((FILES / "authors.json").read_text())
    return authors


def planted_authors() -> list[str]:
    """Return the names of the authors whose habit gives answers away."""
    return [author["name"] for author in read_authors() if "habit" in author]


def read_validators() -> list[dict[str, Any]]:
    validators: list[dict[str, Any]] = json.loads((FILES / "validators.json").read_text())
    return validators


def _claims(
    campaign: Campaign, validators: list[Validator], people: dict[str, User], ours: set[int]
) -> Iterator[tuple[Seat, Validator]]:
    """Let the validators take turns until none finds a free seat of the twins *ours*."""
    active = list(validators)
    while active:
        for validator in tuple(active):
            seat = _claim(people[validator.name], campaign, ours)
            if seat is None:
                active.remove(validator)
            else:
                yield seat, validator


def _claim(worker: User, campaign: Campaign, ours: set[int]) -> Seat | None:
    """Claim a seat of one of *ours*, passing over all others: people may have written those."""
    while True:
        try:
            seat = services.claim_seat(worker=worker, campaign=campaign)
        except DomainError as error:
            if error.code != "queue_empty":
                raise
            return None
        if seat.twin_id in ours:
            return seat
        services.return_seat(worker=worker, seat_id=seat.public_id)


def _vote(seat: Seat, worker: User, validator: Validator, twin: dict[str, Any]) -> None:
    vote = _simulated_vote(seat.question, validator, twin)
    shown_option = partial(services.as_shown, seat)
    services.answer_local(
        worker=worker,
        seat_id=seat.public_id,
        shown_option=vote.local_option and shown_option(vote.local_option),
    )
    services.cast_vote(
        worker=worker,
        seat_id=seat.public_id,
        shown_option=shown_option(vote.option),
        ambiguous=vote.ambiguous,
    )


@transaction.atomic
def _begin_golds(campaign: Campaign) -> None:
    """Enable gold questions, grown from those on which all simulated validators agree."""
    collection.update_campaign(campaign=campaign, gold_share=GOLD_SHARE)
    campaign.refresh_from_db()
    now = timezone.now()
    valid = Question.objects.filter(twin__campaign=campaign, verdict__valid=True).order_by("pk")
    for question in valid.prefetch_related("votes"):
        growing.after_verdict(
            question=question, campaign=campaign, votes=list(question.votes.all()), now=now
        )


def is_planted(twin: Mapping[str, Any]) -> bool:
    """Return whether a twin is by an author with a habit that gives answers away."""
    return "author" in twin


def is_formalised(twin: Mapping[str, Any]) -> bool:
    """Return whether a twin has formulas in the starter's knowledge."""
    return "split" in twin


def _faultless(validator: Validator) -> Validator:
    """Return a validator without mistakes, for formalised twins.

    The validator of a question is random in each installation, and a mistake would take a
    question out of the starter's knowledge.
    """
    return replace(validator, skill=1.0, local_guess=0.0, careless=0.0)


def _simulated_vote(
    question: Question, validator: Validator, twin: dict[str, Any]
) -> SimulatedVote:
    return validate(
        _faultless(validator) if is_formalised(twin) else validator,
        question=f"{twin['key']}-{question.number}",
        flaw=twin["flaw"],
        answer=question.answer,
        seed=SEED,
    )
