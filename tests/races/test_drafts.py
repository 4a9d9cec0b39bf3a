"""Two tabs that save one draft at the same moment."""

import time
from functools import partial

import pytest
from django.db import models, transaction

from collection.models import Assignment, Draft
from collection.services import save_draft
from tests.factories import AssignmentFactory
from tests.races.threads import at_once
from winoplatform.errors import Conflict, DomainError

TABS = 6


def save(assignment: Assignment, tab: int, version: int) -> Draft:
    return save_draft(
        worker=assignment.worker,
        assignment_id=assignment.public_id,
        fields={"sentence1": f"tab {tab}"},
        version=version,
        evidence={"edits": 1},
    )


@pytest.mark.parametrize("version", [0, 1])
def test_one_tab_saves_and_the_others_are_told_what_it_saved(version: int) -> None:
    assignment = AssignmentFactory()
    if version:
        save(assignment, -1, 0)
    results = at_once(*[partial(save, assignment, tab, version) for tab in range(TABS)])
    [winner] = [result for result in results if isinstance(result, Draft)]
    refused = [result for result in results if isinstance(result, DomainError)]
    assert len(refused) == TABS - 1
    assert {error.code for error in refused} == {"draft_outdated"}
    assert all(error.details["fields"] == winner.fields for error in refused)
    stored = Draft.objects.get()
    assert (stored.fields, stored.version) == (winner.fields, version + 1)
    assert stored.evidence["edits"] == version + 1


def unguarded(assignment: Assignment, tab: int) -> Draft:
    """Check, then save, with no lock between: what the service must not do."""
    with transaction.atomic():
        draft = Draft.objects.get(assignment=assignment)
        if draft.version != 1:
            raise Conflict("draft_outdated", "It was changed elsewhere.")
        time.sleep(0.05)
        draft.fields, draft.version = {"sentence1": f"tab {tab}"}, models.F("version") + 1
        draft.save()
        return draft


def test_the_same_without_the_lock_loses_text() -> None:
    assignment = AssignmentFactory()
    save(assignment, -1, 0)
    results = at_once(*[partial(unguarded, assignment, tab) for tab in range(TABS)])
    winners = [result for result in results if isinstance(result, Draft)]
    assert len(winners) > 1
