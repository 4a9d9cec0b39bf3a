"""Human evaluations and validations of knowledge sets of before are panels after an upgrade."""

import uuid
from typing import Any

import pytest
from django.utils import timezone

from panels.models import Enrolment, Panel, PanelVoteEvent
from tests.old_databases import OldDatabase, latest, migrate

BEFORE = [("evaluation", "0003_one_evaluation"), ("knowledge", "0002_people")]
LINE = '{"answer":1,"form":"blank","group":"g","id":"a","options":["x","y"],"sentence":"_ fell."}'


def answered(worker: Any) -> dict[str, Any]:
    now = timezone.now()
    return {
        "public_id": uuid.uuid4(), "worker": worker, "claimed_at": now, "leased_until": now,
        "answered_at": now, "reward": "0.05", "number": 1,
    }  # fmt: skip


def an_evaluation(table: Any, shared: dict[str, Any], worker: Any) -> Any:
    """Return the excluded vote of an evaluation of a reference set."""
    of = table("evaluation", "HumanEvaluation").create(split="test", reward="0.05", **shared)
    item = of.items.create(number=1, source_id="a", line=LINE)
    seat = of.seats.create(
        item=item, group_key="k", order=[2, 1], option=2, excluded_at=timezone.now(),
        excluded_by=worker, exclusion_reason="Too quick.", **answered(worker),
    )  # fmt: skip
    table("evaluation", "HumanVoteEvent").create(seat=seat, action="excluded", by=worker)
    table("evaluation", "ShownItem").create(worker=worker, item=item, group_key="k")
    return seat


def a_validation(table: Any, shared: dict[str, Any], worker: Any) -> Any:
    """Return the answer about a sentence of a set with one sentence."""
    asked = table("knowledge", "KnowledgeSet").create(
        name="s", title="S", reference_set=shared["reference_set"]
    )
    formalisation = table("knowledge", "Formalisation").create(
        knowledge_set=asked, question="q", number=1, content={}, fingerprint="0" * 64
    )
    sentence = asked.sentences.create(formalisation=formalisation, text="T.", problem="Why T.")
    of = table("knowledge", "SetValidation").create(
        knowledge_set=asked, campaign=shared["campaign"], whole_set="1.00", n_problems=1
    )
    now = timezone.now()
    of.enrolments.create(number=1, worker=worker, enrolled_at=now)
    return of.seats.create(sentence=sentence, yes=False, fails="both", **answered(worker))


@pytest.mark.long
def test_votes_keep_their_ids_items_exclusions_and_enrolments(old_database: OldDatabase) -> None:
    with old_database(BEFORE) as models:

        def table(app: str, name: str) -> Any:
            return models.get_model(app, name).objects

        worker = table("workers", "User").create(username="bob", public_id="w-1")
        shared = {
            "campaign": table("collection", "Campaign").create(slug="old", name="Old"),
            "reference_set": table("corpora", "ReferenceSet").create(name="r", title="R"),
        }
        vote = an_evaluation(table, shared, worker)
        answer = a_validation(table, shared, worker)
        migrate(latest())
        queue, enrolments = Panel.objects.order_by("mode").reverse()
        one, other = queue.seats.get(), enrolments.seats.get()
        assert (one.public_id, one.option, one.item.line) == (vote.public_id, 2, LINE)
        assert PanelVoteEvent.objects.get(seat=one).action == "excluded"
        assert (other.public_id, other.option, other.fails) == (answer.public_id, 2, "both")
        item = other.item.item
        assert (item.sentence, item.answer, item.form) == ("Why T.", 1, "statement")
        assert other.item.line == item.to_line()
        assert Enrolment.objects.get(panel=enrolments).worker_id == worker.pk
        assert enrolments.knowledge_set.name == "s"
