"""Drafts: kept for their writer, counted once, never written over unseen."""

from typing import Any

import pytest

from collection.models import Assignment, Draft
from collection.services import save_draft
from tests.factories import AssignmentFactory
from winoplatform.errors import DomainError


@pytest.fixture
def assignment() -> Assignment:
    return AssignmentFactory()


def save(assignment: Assignment, version: int, text: Any = "text", **more: Any) -> Draft:
    return save_draft(
        worker=more.pop("worker", assignment.worker),
        assignment_id=assignment.public_id,
        fields=more.pop("fields", {"sentence1": text}),
        version=version,
        evidence=more,
    )


def test_each_save_is_one_version_more(assignment: Assignment) -> None:
    assert [save(assignment, n, f"text {n}").version for n in range(3)] == [1, 2, 3]
    assert Draft.objects.get().fields == {"sentence1": "text 2"}


def test_what_was_counted_adds_up_and_the_largest_stays(assignment: Assignment) -> None:
    save(assignment, 0, "a", typed_characters=3, largest_insert=3, edits=1, active_seconds=2)
    draft = save(assignment, 1, "b", typed_characters=4, pasted_characters=40, largest_insert=40)
    draft = save(assignment, 2, "c", largest_insert=1)
    assert draft.evidence == {
        "typed_characters": 7,
        "pasted_characters": 40,
        "largest_insert": 40,
        "edits": 1,
        "active_seconds": 2,
    }


def test_a_save_whose_answer_was_lost_is_repeated_and_counts_once(assignment: Assignment) -> None:
    first = save(assignment, 0, typed_characters=4)
    again = save(assignment, 0, typed_characters=4)
    assert (again.pk, again.version) == (first.pk, 1)
    assert again.evidence["typed_characters"] == 4


def test_a_page_that_lags_behind_a_submitted_twin_starts_a_new_draft(
    assignment: Assignment,
) -> None:
    assert save(assignment, 7, "revised").version == 1


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ("text", "draft_invalid"),
        ({"sentence1": 7}, "draft_invalid"),
        ({"sentence1": "x" * 10_001}, "draft_too_large"),
    ],
)
def test_what_is_no_draft_is_refused(assignment: Assignment, fields: Any, code: str) -> None:
    with pytest.raises(DomainError) as refused:
        save(assignment, 0, fields=fields)
    assert refused.value.code == code


def test_text_that_the_database_cannot_hold_is_kept_but_for_those_characters(
    assignment: Assignment,
) -> None:
    draft = save(assignment, 0, "a\x00b\ud800c", more="x")
    draft.refresh_from_db()
    assert draft.fields == {"sentence1": "a\ufffdb?c"}


@pytest.mark.parametrize("count", ["9", -3, True, 0.5, None, 10**30])
def test_a_count_that_is_none_harms_nothing(assignment: Assignment, count: Any) -> None:
    assert save(assignment, 0, edits=count).evidence["edits"] in (0, 1_000_000)
