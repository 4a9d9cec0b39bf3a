"""A campaign's questions, and their votes as they were when a snapshot was requested."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from collection.core.people import Origin, origin_flag
from collection.models import Campaign, Question, Twin
from corpora.core.items import Item, TwinItem
from corpora.models import ReferenceSplit, Selection, Snapshot
from validation.models import VerdictEvent
from winoplatform.artifacts import store

Row = Mapping[str, Any]


def states_before(
    questions: Collection[str], *, at: datetime
) -> tuple[dict[str, Row | None], dict[str, Row]]:
    """Return the states at a time of what has changed since, in one query.

    Returns
    -------
    verdicts : dict of str to verdict
        By public id of the question; None where there was no verdict.
    votes : dict of str to vote
        By public id of the vote.
    """
    verdicts: dict[str, Row | None] = {}
    votes: dict[str, Row] = {}
    events = VerdictEvent.objects.filter(question__public_id__in=questions, created_at__gt=at)
    rows = events.order_by("pk").values_list("question__public_id", "action", "before")
    for question, action, before in rows:
        if action not in VerdictEvent.ABOUT_VOTES:
            verdicts.setdefault(question, before)
        elif before is not None:
            votes.setdefault(before["vote"], before)
    return verdicts, votes


# Questions found valid by validators here, or imported from a published, validated set.
VALID = Q(verdict__valid=True) | Q(twin__origin=Twin.Origin.PUBLISHED)
COUNTED = ("typed_characters", "pasted_characters", "largest_insert", "active_seconds")


def valid_questions(campaign: Campaign, *, at: datetime | None = None) -> QuerySet[Question]:
    """Return a campaign's valid questions: now, or those that were valid at a given time.

    A question validated here is valid from its verdict on, an imported one from its import. If a
    verdict has changed since *at*, the first event after *at* has its state at that time.
    """
    if at is None:
        return Question.objects.in_campaign(campaign).filter(VALID)
    stood = Q(twin__withdrawn_at=None) | Q(twin__withdrawn_at__gt=at)
    questions = Question.objects.filter(stood, twin__campaign=campaign)
    later = VerdictEvent.objects.filter(question=OuterRef("pk"), created_at__gt=at)
    turned = later.exclude(action__in=VerdictEvent.ABOUT_VOTES).order_by("pk")
    unturned = Q(~Exists(turned), verdict__valid=True, verdict__created_at__lte=at)
    was_valid = Q(pk__in=_valid_before(campaign, at))
    published = Q(twin__origin=Twin.Origin.PUBLISHED, created_at__lte=at)
    return questions.filter(unturned | was_valid | published)


def _valid_before(campaign: Campaign, at: datetime) -> "QuerySet[VerdictEvent, Any]":
    """Return questions whose verdict was revised after *at* and was valid before that."""
    later = VerdictEvent.objects.filter(question__twin__campaign=campaign, created_at__gt=at)
    first = later.exclude(action__in=VerdictEvent.ABOUT_VOTES).order_by("question_id", "pk")
    firsts = VerdictEvent.objects.filter(pk__in=first.distinct("question_id").values("pk"))
    return firsts.filter(before__valid=True).values("question")


def snapshot_questions(snapshot: Snapshot) -> QuerySet[Question]:
    """Return the questions that *snapshot* has, or will have unless it leaves out repeats."""
    questions = valid_questions(snapshot.campaign, at=snapshot.created_at)
    return questions.exclude(twin__author__in=snapshot.without_writers)


def snapshot_items(snapshot: Snapshot) -> Iterator[TwinItem]:
    """Yield the questions that were valid when *snapshot* was requested, sorted by (random) id.

    One query reads one state of the database, however long the reading takes.
    """
    rows = (
        snapshot_questions(snapshot)
        .order_by("public_id")
        .values_list(
            "public_id",
            "twin__public_id",
            "sentence",
            "twin__option1",
            "twin__option2",
            "answer",
            "twin__domain",
        )
    )
    for id, twin, sentence, option1, option2, answer, domain in rows.iterator(chunk_size=5000):
        yield TwinItem(
            id=id,
            group=str(twin),
            sentence=sentence,
            options=(option1, option2),
            answer=answer,
            metadata={"domain": domain},
        )


def load_questions(snapshot: Snapshot) -> list[TwinItem]:
    """Read a snapshot's questions; everything made from it uses this row order."""
    assert snapshot.questions is not None
    with store.open_artifact(snapshot.questions) as file:
        return [TwinItem.from_line(line.decode()) for line in file]


def question_groups(snapshot: Snapshot) -> dict[str, str]:
    """Return the group of each question of a snapshot by id, in the order of `load_questions`.

    In a quarter of the time, as nothing else of a line is read or checked.
    """
    assert snapshot.questions is not None
    with store.open_artifact(snapshot.questions) as file:
        lines = map(json.loads, file)
        return {line["id"]: line["group"] for line in lines}


def load_items(split: ReferenceSplit) -> list[Item]:
    """Read the items of a reference set's split, in the order of the published file."""
    with store.open_artifact(split.items) as file:
        return [Item.from_line(line.decode()) for line in file]


def kept_ids(selection: Selection) -> set[str]:
    assert selection.kept is not None
    with store.open_artifact(selection.kept) as file:
        return set(file.read().decode().split())


def origins(ids: Sequence[str]) -> dict[str, Origin]:
    """Return the origin flag of each question by public id, if its typing was counted."""
    by_id = {}
    for start in range(0, len(ids), 5000):
        batch = ids[start : start + 5000]
        rows = Question.objects.filter(public_id__in=batch, twin__provenance__isnull=False)
        counts = rows.values_list("public_id", *(f"twin__provenance__{name}" for name in COUNTED))
        for id, *numbers in counts:
            by_id[id] = origin_flag(**dict(zip(COUNTED, numbers, strict=True)))
    return by_id
