"""Actions on many questions over HTTP: prepared, confirmed, executed once."""

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign, Question
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import TwinFactory, UserFactory
from tests.validation.deciding import a_question
from validation.models import Verdict

PATH = f"{API}campaigns/winter/bulk-actions/"
WHY = {"note": "Both fit.", "reasons": ["ambiguous"]}


@pytest.fixture
def questions(campaign: Campaign) -> list[Question]:
    return [TwinFactory(campaign=campaign).questions.get(number=1) for _ in range(3)]


def prepare(client: APIClient, questions: list[Question], kind: str = "invalid") -> str:
    body = {"kind": kind, "questions": [each.public_id for each in questions]}
    made = ok(client.post(PATH, body), 201)
    assert (made["confirmed_at"], made["left"]) == (None, len(questions))
    return f"{API}bulk-actions/{made['id']}/"


def test_many_questions_are_decided_once(as_dana: APIClient, questions: list[Question]) -> None:
    at = prepare(as_dana, questions)
    assert not Verdict.objects.exists()
    done = ok(as_dana.post(f"{at}confirm/", WHY))
    assert (done["done"], done["refused"], done["left"]) == (3, 0, 0)
    again = ok(as_dana.post(f"{at}confirm/", WHY | {"note": "Another reason."}))
    assert (again["done"], again["note"]) == (3, "Both fit.")
    assert ok(as_dana.get(at)) == again
    decided = Verdict.objects.filter(question__in=questions)
    assert [verdict.reasons for verdict in decided] == [["ambiguous"]] * 3


def test_a_question_that_has_changed_is_refused_with_its_reason(
    as_dana: APIClient, questions: list[Question]
) -> None:
    at = prepare(as_dana, questions[:2])
    other = prepare(client_of(UserFactory(curator=True)), questions[:1])
    first = questions[0]
    body = {"revision": "", "valid": True, "note": "Clear.", "reasons": []}
    revision = ok(as_dana.get(f"{API}questions/{first.public_id}/case/"))["revision"]
    ok(as_dana.post(f"{API}questions/{first.public_id}/decide/", body | {"revision": revision}))
    done = ok(as_dana.post(f"{at}confirm/", WHY))
    assert (done["done"], done["refused"]) == (1, 1)
    [refused] = ok(as_dana.get(f"{at}refusals/"))["results"]
    assert refused["question"] == first.public_id
    assert refused["message"]
    for place in (other, f"{other}refusals/"):
        assert_error(as_dana.get(place), 404, "not_found")


def test_refusals_come_in_pages_with_their_number(
    as_dana: APIClient, questions: list[Question]
) -> None:
    at = prepare(as_dana, questions, kind="gold")  # without a verdict, none can be one
    done = ok(as_dana.post(f"{at}confirm/", {}))
    assert (done["refused"], "refusals" in done) == (3, False)
    first = ok(as_dana.get(f"{at}refusals/?page_size=2"))
    assert (first["count"], first["count_is_exact"]) == (3, True)
    rest = ok(as_dana.get(first["next"]))
    found = [each["question"] for page in (first, rest) for each in page["results"]]
    assert sorted(found) == sorted(each.public_id for each in questions)


def test_what_cannot_be_acted_on_is_refused(
    as_dana: APIClient, as_alice: APIClient, questions: list[Question]
) -> None:
    chosen = [questions[0].public_id]
    elsewhere = {"kind": "valid", "questions": [*chosen, a_question().public_id]}
    assert_error(as_dana.post(PATH, elsewhere), 404, "unknown_question")
    assert_error(as_dana.post(PATH, {"kind": "valid", "questions": []}), 400, "nothing_chosen")
    assert_error(as_dana.post(PATH, {"kind": "burn", "questions": chosen}), 400, "invalid")
    by_alice = as_alice.post(PATH, {"kind": "valid", "questions": chosen})
    assert_error(by_alice, 403, "permission_denied")
    at = prepare(as_dana, questions)
    assert_error(as_dana.post(f"{at}confirm/", {}), 400, "note_missing")
    assert_error(as_dana.post(f"{at}confirm/", {"note": "No."}), 400, "reasons_wrong")
    assert not Verdict.objects.exists()
