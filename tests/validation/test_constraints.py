"""What the database itself refuses, whatever the code above it does."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.factories import (
    CampaignFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from tests.refusals import again
from validation.models import (
    Appeal,
    BulkAction,
    BulkItem,
    GoldQuestion,
    PassedSeat,
    PublishedSentence,
    QualityNotice,
    QualityReport,
    QuestionComment,
    SavedView,
    TwinReturn,
    ValidatorFigures,
    VisitorReport,
    Vote,
)


@contextmanager
def refused(constraint: str) -> Iterator[None]:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        yield


def both_twins_in_one_hand() -> None:
    twin, bob = TwinFactory(), UserFactory()
    for question in twin.questions.all():
        SeatFactory(question=question, worker=bob)


def author_as_validator() -> None:
    twin = TwinFactory()
    SeatFactory(question=twin.questions.get(number=1), worker=twin.author)


def vote_twice() -> None:
    vote = VoteFactory()
    other = SeatFactory(question=vote.question, worker=None)
    Vote.objects.create(
        seat=other, question=vote.question, worker=vote.worker, option=1, ambiguous=False
    )


def passed_twice() -> None:
    seat, bob = SeatFactory(), UserFactory()
    for _ in range(2):
        PassedSeat.objects.create(seat=seat, twin=seat.twin, worker=bob, blocked=True)


def gold() -> GoldQuestion:
    question = TwinFactory().questions.get(number=1)
    return GoldQuestion.objects.create(
        campaign=question.twin.campaign, question=question, origin="chosen"
    )


def more_right_than_answered() -> None:
    QualityNotice.objects.create(
        worker=UserFactory(), campaign=CampaignFactory(), kind="warning", n_right=2, n_answers=1
    )


def appeal(**fields: object) -> Appeal:
    words = {"worker": UserFactory(), "subject": "pause", "unit": "1", "text": "Why?", **fields}
    return Appeal.objects.create(**words)


def a_reason_without_retirement() -> None:
    GoldQuestion.objects.filter(pk=gold().pk).update(retired_for="curator")


def noted_twice() -> None:
    for _ in range(2):
        PublishedSentence.objects.create(key="0" * 32, is_answered=True)


def a_validators_figures_twice() -> None:
    report = QualityReport.objects.create(
        campaign=CampaignFactory(), figures={}, n_votes=0, seconds=0
    )
    worker = UserFactory()
    numbers = {
        field.name: 0 for field in ValidatorFigures._meta.fields if field.name.startswith("n_")
    }
    for _ in range(2):
        ValidatorFigures.objects.create(report=report, worker=worker, **numbers)


def returned_silently() -> None:
    TwinReturn.objects.create(twin=TwinFactory(), by=UserFactory(curator=True), note="")


def bulk(**fields: object) -> BulkAction:
    return BulkAction.objects.create(
        **{
            "campaign": CampaignFactory(),
            "kind": "valid",
            "by": UserFactory(curator=True),
            **fields,
        }
    )


def item(**fields: object) -> BulkItem:
    question = TwinFactory().questions.get(number=1)
    known = {"number": 1, "question": question, "revision": "0.0.0", **fields}
    return BulkItem.objects.create(**{"action": fields.get("action") or bulk(), **known})


def view(**fields: Any) -> SavedView:
    by = fields.pop("by", None) or UserFactory(curator=True)
    known = {
        "campaign": fields.pop("campaign", None) or CampaignFactory(),
        "name": "Mine",
        "by": by,
    }
    return SavedView.objects.create(**(known | fields))


def a_view_twice() -> None:
    view(campaign=view().campaign)


def comment(**fields: Any) -> QuestionComment:
    question = TwinFactory().questions.get(number=1)
    return QuestionComment.objects.create(question=question, by=UserFactory(curator=True), **fields)


REFUSED: list[tuple[str, Callable[[], object]]] = [
    (
        "visitorreport_kind_is_known",
        lambda: VisitorReport.objects.create(
            question=TwinFactory().questions.earliest("pk"), kind="praise"
        ),
    ),
    ("seat_is_numbered", lambda: again(SeatFactory, "question", number=1)),
    ("passedseat_is_noted_once", passed_twice),
    ("seat_worker_sits_once", both_twins_in_one_hand),
    ("seat_author_does_not_validate", author_as_validator),
    ("seat_taken_has_lease", lambda: SeatFactory(worker=UserFactory(), leased_until=None)),
    ("seat_taken_has_lease", lambda: SeatFactory(answered_at=timezone.now())),
    ("seat_begun_has_a_worker", lambda: SeatFactory(local_at=timezone.now())),
    ("vote_is_cast_once", vote_twice),
    ("vote_option_is_1_or_2", lambda: VoteFactory(option=3)),
    ("vote_option_is_1_or_2", lambda: VoteFactory(local_option=0)),
    ("seat_counts_or_is_gold", lambda: SeatFactory(gold=gold(), number=1, worker=UserFactory())),
    ("seat_counts_or_is_gold", lambda: SeatFactory(number=None)),
    ("seat_counts_or_is_gold", lambda: SeatFactory(gold=gold(), number=None)),
    ("vote_is_excluded_for_a_reason", lambda: VoteFactory(excluded_at=timezone.now())),
    ("vote_is_excluded_for_a_reason", lambda: VoteFactory(exclusion_reason="x")),
    ("qualitynotice_counts_within_answers", more_right_than_answered),
    ("goldquestion_is_retired_for_a_reason", a_reason_without_retirement),
    ("publishedsentence_is_noted_once", noted_twice),
    ("appeal_is_made_once", lambda: appeal(worker=appeal().worker)),
    ("appeal_is_decided_with_an_answer", lambda: appeal(status="upheld")),
    ("appeal_is_decided_with_an_answer", lambda: appeal(answer="So be it.")),
    ("appeal_says_why", lambda: appeal(text="")),
    ("validatorfigures_are_one_line_a_validator", a_validators_figures_twice),
    ("twinreturn_says_why", returned_silently),
    ("bulkaction_kind_is_known", lambda: bulk(kind="burn")),
    ("bulkaction_undone_was_confirmed", lambda: bulk(undone_at=timezone.now())),
    ("savedview_has_a_name_of_its_own", a_view_twice),
    ("savedview_is_named", lambda: view(name="")),
    ("questioncomment_says_something", lambda: comment(text="")),
    ("bulkitem_is_numbered_once", lambda: item(action=item().action)),
    (
        "bulkitem_is_acted_on_once",
        lambda: (one := item()) and item(action=one.action, question=one.question, number=2),
    ),
    ("bulkitem_refused_says_why", lambda: item(outcome="refused")),
    ("bulkitem_refused_says_why", lambda: item(outcome="done", message="Why?")),
    ("bulkitem_refused_says_why", lambda: item(outcome="stays")),
    ("verdict_says_why_not", lambda: VerdictFactory(valid=False)),
    ("verdict_says_why_not", lambda: VerdictFactory(valid=True, reasons=["local"])),
]


@pytest.mark.long
@pytest.mark.parametrize(("constraint", "break_it"), REFUSED)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with refused(f"validation_{constraint}"):
        break_it()


def test_every_constraint_of_validation_is_tried() -> None:
    models = apps.get_app_config("validation").get_models()
    named = {constraint.name for model in models for constraint in model._meta.constraints}
    assert named == {f"validation_{constraint}" for constraint, _ in REFUSED}


def test_a_seat_has_one_vote() -> None:
    vote = VoteFactory()
    with refused("validation_vote_seat_id_key"):
        VoteFactory(seat=vote.seat, worker=UserFactory())


def test_a_question_has_one_verdict() -> None:
    verdict = VerdictFactory()
    with refused("validation_verdict_question_id_key"):
        VerdictFactory(question=verdict.question)
