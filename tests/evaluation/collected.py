"""A campaign whose questions came to be in every way, for the tests of what releases say of it."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from collection.models import Campaign, Provenance, Question, Twin
from collection.services import create_campaign, update_campaign
from collection.services.joining.guidelines import publish_guideline
from tests.factories import (
    AssignmentFactory,
    ConsentFactory,
    LedgerEntryFactory,
    TwinFactory,
    UserFactory,
    VoteFactory,
)
from tests.validation.deciding import settled
from validation import services
from validation.models import Seat, Vote
from validation.services.review.adjudication import ask_one_more, decide_question
from validation.services.review.exclusions import exclude
from validation.services.verdicts.questions import revision_of
from workers.models import User

BEGINNING = datetime(2026, 1, 20, 12, tzinfo=UTC)


class Collecting:
    """A campaign and its people at work; each piece of work takes a known time."""

    def __init__(self) -> None:
        self.dana = UserFactory(curator=True)
        self.campaign = create_campaign(
            slug="winter", name="Winter", by=self.dana, dev_share=Decimal("0.3"),
            test_share=Decimal("0.2"), near_duplicate=Decimal(1),
        )  # fmt: skip
        Campaign.objects.update(status="open")
        self.writers, self.validators = UserFactory.create_batch(3), UserFactory.create_batch(9)
        self.now = BEGINNING
        self.guideline = publish_guideline(campaign=self.campaign, text="Write 15 to 30 words.")
        self.accepted = dict.fromkeys(self.writers, self.guideline)
        for validator in self.validators:
            self.accept(validator, "validate")

    def accept(self, worker: User, skill: str = "write") -> None:
        ConsentFactory(worker=worker, guideline=self.guideline, skill=skill, created_at=self.now)
        self.accepted[worker] = self.guideline

    def change(self, **settings: object) -> None:
        self.campaign = update_campaign(campaign=self.campaign, by=self.dana, **settings)

    def write(self, number: int, *, typed: bool = True, days: int = 0) -> tuple[Question, ...]:
        """Submit a twin; its questions are open for the votes that are due now."""
        author = self.writers[number % len(self.writers)]
        self.now += timedelta(days=days)
        sentences = [f"The cup {number} _ fell {end} so early." for end in ("down", "off")]
        twin = TwinFactory(
            campaign=self.campaign, author=author, sentences=sentences, created_at=self.now,
            assignment=AssignmentFactory(
                campaign=self.campaign, worker=author, status="submitted"
            ),
        )  # fmt: skip
        if typed:
            Provenance.objects.create(
                twin=twin, guideline=self.accepted[author], active_seconds=60 * (number % 4 + 1),
                typed_characters=100,
            )  # fmt: skip
        LedgerEntryFactory(
            worker=author, kind="twin", unit=str(twin.public_id), created_at=self.now,
            amount=self.campaign.reward_twin, budget=self.campaign.public_id,
        )  # fmt: skip
        services.open_seats(twin=twin)
        return tuple(twin.questions.order_by("number"))

    def vote(self, question: Question, *rights: bool) -> list[Vote]:
        """Cast votes, one validator after another, in the question's open seats."""
        return [self._vote(question, is_right) for is_right in rights]

    def _vote(self, question: Question, is_right: bool) -> Vote:
        seats = Seat.objects.filter(question=question, answered_at=None).numbered()
        taken = Seat.objects.filter(twin=question.twin, worker__isnull=False).values("worker")
        number = Vote.objects.count()
        free = [v for v in self.validators if v.pk not in {one["worker"] for one in taken}]
        seat, validator = seats.earliest("number"), free[number % len(free)]
        self.now += timedelta(minutes=10)
        claimed, local = self.now, self.now + timedelta(seconds=4 + number % 3)
        answered = local + timedelta(seconds=6 + number % 5)
        Seat.objects.filter(pk=seat.pk).update(
            worker=validator, claimed_at=claimed, leased_until=answered, local_at=local,
            local_option=(None, 1, 2)[number % 3], answered_at=answered,
            reward=self.campaign.reward_vote,
        )  # fmt: skip
        seat.refresh_from_db()
        vote = VoteFactory(
            seat=seat, worker=validator, question=question, wrong=not is_right,
            created_at=answered, local_option=seat.local_option if number % 6 == 1 else None,
        )  # fmt: skip
        settled(Question.objects.select_related("twin__campaign").get(pk=question.pk))
        return vote

    def decide(self, question: Question, *, valid: bool) -> None:
        decide_question(
            question_id=question.public_id, revision=revision_of(question), note="Seen.",
            by=self.dana, valid=valid, reasons=[] if valid else ["ambiguous"],
        )  # fmt: skip


def collected() -> Collecting:
    """Return a campaign with questions decided in every way, under settings that have changed."""
    here = Collecting()
    pairs = [here.write(number, days=number) for number in range(8)]
    for first, second in pairs:
        here.vote(first, True, True, True)
        here.vote(second, True, False, True)
    odd_one, silent = here.write(8)  # one question with three votes, its twin with none
    here.vote(odd_one, True, False, True)
    for question in (odd_one, silent):
        here.decide(question, valid=True)
    _change_settings(here)
    later = [here.write(number, typed=number != 12) for number in range(10, 16)]
    for first, second in later[:-1]:
        here.vote(first, True)
        here.vote(second, True)
    here.vote(later[-1][0], False)  # not valid, and its twin waits
    _go_on(here, pairs, later)
    for number in range(4):
        sentences = [f"The lid {number} _ was {end} in June." for end in ("open", "shut")]
        TwinFactory(campaign=here.campaign, published=True, sentences=sentences[: 1 + number % 2])
    _withdraw(here)
    _place(here)
    return here


def _place(here: Collecting) -> None:
    """Give each twin its split: every way is in train or dev, and two twins are blind."""
    for number, twin in enumerate(here.campaign.twins.order_by("pk")):
        split = "test" if number in (3, 12) else ("train", "dev")[number % 3 == 1]
        Twin.objects.filter(pk=twin.pk).update(source_split=split)


def _change_settings(here: Collecting) -> None:
    here.change(
        votes_per_question=1, verdict_policy="unanimous", min_words=10, max_words=25,
        min_overlap=Decimal("0.65"), reward_twin=Decimal("0.50"), reward_vote=Decimal("0.05"),
    )  # fmt: skip
    here.guideline = publish_guideline(campaign=here.campaign, text="Write 10 to 25 words.")
    here.guideline = publish_guideline(campaign=here.campaign, text="Nobody accepts this.")
    here.guideline = publish_guideline(campaign=here.campaign, text="Write well.")
    here.accept(here.writers[1])
    for validator in here.validators[:4]:
        here.accept(validator, "validate")


def _go_on(
    here: Collecting, pairs: list[tuple[Question, ...]], later: list[tuple[Question, ...]]
) -> None:
    """Exclude and replace a vote, ask for one more, and turn two verdicts."""
    (first, second), (other, _), (third, fourth) = pairs[0], pairs[1], later[0]
    exclude(vote_id=first.votes.earliest("pk").public_id, reason="Hasty.", by=here.dana)
    here.vote(first, True)
    ask_one_more(question_id=other.public_id, note="", revision=revision_of(other), by=here.dana)
    here.vote(other, True)
    here.decide(second, valid=False)
    here.decide(third, valid=True)
    assert fourth.verdict.valid


def _withdraw(here: Collecting) -> None:
    """A twin is withdrawn before any vote, and another one revised."""
    gone, old = here.write(20)[0].twin, here.write(21)[0].twin
    Twin.objects.filter(pk__in=[gone.pk, old.pk]).update(withdrawn_at=here.now)
    for one in here.write(22):
        Twin.objects.filter(pk=one.twin_id).update(revises=old)
        here.vote(one, True)
