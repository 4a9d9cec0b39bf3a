"""Verdicts under another policy."""

from collections.abc import Iterator

import numpy as np

from collection.models import Campaign
from validation.core import what_if as core
from validation.core.verdicts import VERSION, Ballot, Policy
from validation.core.votes import Votes
from validation.models import Verdict
from validation.selectors.quality.columns import votes_of

ROWS_AT_ONCE = 5000


def what_if(campaign: Campaign, *, policy: str, version: int = VERSION) -> core.WhatIf:
    """Decide again every question of *campaign* that was decided by votes; nothing is stored.

    Curators' decisions stand under any policy and are left out. Ids are public ids of questions.
    """
    return core.what_if(_decided(campaign), policy=Policy(policy), version=version)


def _decided(campaign: Campaign) -> Iterator[core.Decided]:
    votes = votes_of(campaign).counted()
    votes = votes.where(np.argsort(votes.question, kind="stable"))
    ballots = _ballots(votes)
    keys, starts, sizes = np.unique(votes.question, return_index=True, return_counts=True)
    spans = zip(starts.tolist(), (starts + sizes).tolist(), strict=True)
    place = dict(zip(keys.tolist(), spans, strict=True))
    verdicts = Verdict.objects.filter(question__twin__campaign=campaign, decided_by=None)
    rows = verdicts.order_by("question").values_list(
        "question", "question__public_id", "question__answer", "valid", "reasons"
    )
    for key, name, answer, valid, reasons in rows.iterator(ROWS_AT_ONCE):
        start, end = place.get(key, (0, 0))
        yield core.Decided(name, answer, ballots[start:end], valid, reasons)


def _ballots(votes: Votes) -> list[Ballot]:
    """Return each vote's ballot; there are only twelve different ones."""
    kinds = {
        (option, ambiguous, local): Ballot(option, bool(ambiguous), local or None)
        for option in (1, 2)
        for ambiguous in (False, True)
        for local in (0, 1, 2)
    }
    columns = (votes.option.tolist(), votes.ambiguous.tolist(), votes.local.tolist())
    return [kinds[said] for said in zip(*columns, strict=True)]
