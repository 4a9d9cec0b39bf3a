"""Factories of people and of what they do: accounts, pay, campaigns, twins, votes."""

import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from collection.core.anchors import find_anchors
from collection.models import Article, Assignment, Campaign, Membership, Question, Twin
from collection.models.campaigns import OF_TWINS
from collection.services import TwinText
from collection.services.joining.guidelines import publish_guideline
from validation.models import Seat, Verdict, Vote
from workers.models import ApiToken, LedgerEntry, User

ARTICLE = (
    "How to Pack a Suitcase\n"
    "Lay every shirt on the bed and fold it twice. Put the heavy shoes at the bottom of the "
    "suitcase. A trophy or another fragile present belongs in the middle, wrapped in a sweater."
)
SENTENCES = (
    "The trophy did not fit into the brown suitcase on the bed because the _ was far too large.",
    "The trophy did not fit into the brown suitcase on the bed because the _ was far too small.",
)
OPTIONS = ("trophy", "suitcase")
LIMITS = ("min_words", "max_words", "min_overlap")


def twin_text(**changes: Any) -> TwinText:
    """A twin that breaks no rule, except where *changes* break one."""
    fields = {
        "sentences": SENTENCES,
        "options": OPTIONS,
        "answers": (1, 2),
        "anchor": "suitcase",
        "domain": "physical",
    }
    return TwinText(**(fields | changes))


class Factory(DjangoModelFactory):
    class Meta:
        abstract = True
        skip_postgeneration_save = True


class UserFactory(Factory):
    """A worker without a password; ``UserFactory(password="…")`` can sign in with one."""

    class Meta:
        model = User

    class Params:
        curator = factory.Trait(role=User.Role.CURATOR)
        admin = factory.Trait(role=User.Role.ADMIN, is_staff=True, is_superuser=True)

    username = factory.Sequence(lambda n: f"user{n}")
    password = factory.django.Password(None)

    @factory.post_generation
    def campaigns(self: User, create: bool, extracted: Any, **_: Any) -> None:
        if self.role == User.Role.CURATOR:
            for campaign in Campaign.objects.all():
                Membership.objects.create(campaign=campaign, user=self, role=Membership.Role.OWNER)


class ApiTokenFactory(Factory):
    """A token; its text is in the attribute ``text``."""

    class Meta:
        model = ApiToken

    user = factory.SubFactory(UserFactory)
    name = "script"
    scopes = ("read", "work", "curate", "pay")
    last_used_at = factory.LazyFunction(timezone.now)

    @classmethod
    def _create(cls, model_class: type[ApiToken], *args: Any, **fields: Any) -> ApiToken:
        token, text = model_class.objects.create(**fields)
        token.text = text
        return token


class CampaignFactory(Factory):
    class Meta:
        model = Campaign

    slug = factory.Sequence(lambda n: f"campaign-{n}")
    name = factory.Sequence(lambda n: f"Campaign {n}")
    status = Campaign.Status.OPEN
    # Twins of tests differ in a number alone, so all are near-duplicates.
    near_duplicate = Decimal("1.00")

    @factory.post_generation
    def members(self: Campaign, create: bool, extracted: Any, **_: Any) -> None:
        """Make every curator an owner, also later ones; tests of membership remove them."""
        for user in User.objects.filter(role=User.Role.CURATOR):
            Membership.objects.create(campaign=self, user=user, role=Membership.Role.OWNER)

    @factory.post_generation
    def guidelines(self: Campaign, create: bool, extracted: str | None, **_: Any) -> None:
        if extracted:
            publish_guideline(campaign=self, text=extracted)


class ArticleFactory(Factory):
    class Meta:
        model = Article

    campaign = factory.SubFactory(CampaignFactory)
    source_id = factory.Sequence(lambda n: f"article-{n}")
    title = "How to Pack a Suitcase"
    text = ARTICLE

    @factory.lazy_attribute
    def anchors(self) -> list[dict[str, Any]]:
        return [
            {
                "text": a.text,
                "sentence": a.sentence,
                "start": a.start,
                "end": a.end,
                "score": a.score,
            }
            for a in find_anchors(self.text)
        ]


class AssignmentFactory(Factory):
    """An article in a writer's hands for an hour; ``expired=True`` for one hour too long."""

    class Meta:
        model = Assignment

    class Params:
        expired = factory.Trait(
            leased_until=factory.LazyFunction(lambda: timezone.now() - timedelta(hours=1))
        )

    campaign = factory.SubFactory(CampaignFactory)
    article = factory.SubFactory(ArticleFactory, campaign=factory.SelfAttribute("..campaign"))
    worker = factory.SubFactory(UserFactory)
    leased_until = factory.LazyFunction(lambda: timezone.now() + timedelta(hours=1))


class TwinFactory(Factory):
    """Two questions; ``TwinFactory(seats=3)`` opens that many seats for each of them.

    ``published=True`` is one imported from a data set: no author, validated elsewhere.
    """

    class Meta:
        model = Twin

    class Params:
        published = factory.Trait(
            author=None,
            client_key=None,
            origin=Twin.Origin.PUBLISHED,
            source_id=factory.Sequence(lambda n: f"source-{n}"),
            **dict.fromkeys(LIMITS),
            votes_per_question=0,
            verdict_policy="",
        )

    campaign = factory.SubFactory(CampaignFactory)
    author = factory.SubFactory(UserFactory)
    client_key = factory.LazyFunction(uuid.uuid4)
    domain = Twin.Domain.PHYSICAL
    anchor = "suitcase"
    option1, option2 = OPTIONS
    trigger = factory.LazyFunction(lambda: {"first": "large.", "second": "small."})
    min_words, max_words, min_overlap, votes_per_question, verdict_policy = (
        factory.SelfAttribute(f"campaign.{name}") for name in OF_TWINS
    )

    @factory.post_generation
    def sentences(self: Twin, create: bool, extracted: Any, **_: Any) -> None:
        for number, sentence in enumerate(extracted or SENTENCES, start=1):
            QuestionFactory(twin=self, number=number, sentence=sentence)

    @factory.post_generation
    def seats(self: Twin, create: bool, extracted: int | None, **_: Any) -> None:
        for question in self.questions.all():
            for number in range(1, (extracted or 0) + 1):
                SeatFactory(question=question, number=number)


class QuestionFactory(Factory):
    """One question; alone it makes an unpaired question (a twin whose other half is missing)."""

    class Meta:
        model = Question

    twin = factory.SubFactory(TwinFactory, sentences=[])
    number = 1
    sentence = factory.LazyAttribute(lambda question: SENTENCES[question.number - 1])
    answer = factory.SelfAttribute("number")


class SeatFactory(Factory):
    """A free seat; ``SeatFactory(worker=bob)`` is leased to Bob, who has answered nothing yet."""

    class Meta:
        model = Seat

    class Params:
        opened = factory.Trait(local_at=factory.LazyFunction(timezone.now))
        expired = factory.Trait(
            leased_until=factory.LazyFunction(lambda: timezone.now() - timedelta(minutes=1))
        )

    question = factory.LazyFunction(lambda: TwinFactory().questions.get(number=1))
    number = factory.Sequence(lambda n: n % 30_000 + 1)
    campaign = factory.SelfAttribute("question.twin.campaign")
    twin = factory.SelfAttribute("question.twin")
    author = factory.SelfAttribute("question.twin.author")
    # As `places.place_of`, but the first sentence always comes first.
    place = factory.LazyAttribute(lambda seat: 2 * seat.question.twin_id + seat.question.number - 1)
    leased_until = factory.LazyAttribute(
        lambda seat: timezone.now() + timedelta(minutes=10) if seat.worker else None
    )
    reward = factory.LazyAttribute(lambda seat: seat.campaign.reward_vote if seat.worker else None)
    worker = None


class VoteFactory(Factory):
    """A vote for the author's answer, in a seat of its own; ``wrong=True`` for the other one."""

    class Meta:
        model = Vote

    class Params:
        question = factory.LazyFunction(lambda: TwinFactory().questions.get(number=1))
        wrong = False

    worker = factory.SubFactory(UserFactory)
    seat = factory.SubFactory(
        SeatFactory,
        question=factory.SelfAttribute("..question"),
        worker=factory.SelfAttribute("..worker"),
        opened=True,
        answered_at=factory.LazyFunction(timezone.now),
    )
    option = factory.LazyAttribute(
        lambda vote: 3 - vote.question.answer if vote.wrong else vote.question.answer
    )
    ambiguous = False

    @classmethod
    def _create(cls, model_class: type[Vote], *args: Any, **fields: Any) -> Vote:
        return model_class.objects.create(question=fields["seat"].question, **fields)


class VerdictFactory(Factory):
    """A question found valid; ``VerdictFactory(reasons=["ambiguous"])`` is not."""

    class Meta:
        model = Verdict

    question = factory.LazyFunction(lambda: TwinFactory().questions.get(number=1))
    policy = Campaign.Policy.MAJORITY
    version = 1
    reasons = factory.LazyFunction(list)
    valid = factory.LazyAttribute(lambda verdict: not verdict.reasons)
    counts = factory.LazyFunction(lambda: {"votes": 3, "correct": 3, "unambiguous": 3, "local": 0})


class LedgerEntryFactory(Factory):
    class Meta:
        model = LedgerEntry

    worker = factory.SubFactory(UserFactory)
    kind = LedgerEntry.Kind.VOTE
    unit = factory.LazyFunction(lambda: str(uuid.uuid4()))
    amount = Decimal("0.03")
    currency = "USD"
    budget = factory.LazyFunction(uuid.uuid4)
