"""On which questions of a set all validators agreed, by the votes that are published with it."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import F, Q

from corpora.core.bundle.layout import BLIND, OPENING, VOTES
from corpora.core.items import Item
from corpora.models import Release, Snapshot
from corpora.selectors.files import opened
from corpora.selectors.labelled import OfOneSet
from corpora.selectors.questions import states_before
from validation.models import Vote

LEAST_VOTES = 2
Votes = Mapping[str, Sequence[int]]  # the options chosen, by the question's id


def full_agreement(run: OfOneSet, items: Sequence[Item]) -> dict[str, bool]:
    """Return, by id, whether all validators of a question chose its answer.

    Parameters
    ----------
    run : OfOneSet
    items : sequence of Item
        Its questions, with answers.

    Returns
    -------
    dict of str to bool
        Without questions that have fewer than two votes that count: those of reference sets and of
        published sets that were imported. What validators said of ambiguity and of the local
        context does not matter here.
    """
    votes = _votes(run, items)
    return {
        item.id: set(votes[item.id]) == {item.answer}
        for item in items
        if len(votes.get(item.id, ())) >= LEAST_VOTES
    }


def _votes(run: OfOneSet, items: Sequence[Item]) -> Votes:
    if run.release is not None:
        return _published(run.release, is_blind=run.split == BLIND)
    if run.snapshot is not None:
        return _at_snapshot(run.snapshot, [item.id for item in items])
    return {}


def _published(release: Release, *, is_blind: bool) -> Votes:
    """Read the votes of a release's file; those of blind questions are in a restricted one."""
    votes: defaultdict[str, list[int]] = defaultdict(list)
    for line in _lines(release, OPENING if is_blind else VOTES):
        for vote in line["votes"] if is_blind else [line]:
            if not vote["excluded"]:
                votes[line["qID"]].append(vote["option"])
    return votes


def _lines(release: Release, name: str) -> Iterator[Mapping[str, Any]]:
    file = opened(release, name)
    if file is not None:
        with file as content:
            yield from map(json.loads, content)


def _at_snapshot(snapshot: Snapshot, ids: Sequence[str]) -> Votes:
    """Return the votes that counted when a snapshot was requested."""
    at = snapshot.created_at
    _, changed = states_before(ids, at=at)
    given = Vote.objects.filter(question__public_id__in=ids, is_gold=False, created_at__lte=at)
    rows = given.order_by("pk").values(
        "public_id",
        "option",
        of=F("question__public_id"),
        excluded=Q(excluded_at__isnull=False, excluded_at__lte=at),
    )
    votes: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        before = changed.get(str(row["public_id"]))
        was_excluded = row["excluded"] if before is None else bool(before.get("excluded_at"))
        if not was_excluded:
            votes[row["of"]].append(row["option"] if before is None else before["option"])
    return votes
