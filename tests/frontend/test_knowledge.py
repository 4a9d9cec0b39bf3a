"""Pages of knowledge: what each person sees, hostile input, and drafts that are only looked at."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from corpora import services as corpora
from evaluation.models import Evaluation
from frontend.knowledge import checking, releases
from frontend.knowledge.checking import majority_form
from frontend.knowledge.typed import FormValues
from knowledge import services
from knowledge.models import Formalisation
from tests.factories import (
    CampaignFactory,
    KnowledgeEvaluationFactory,
    KnowledgeReleaseFactory,
    LedgerEntryFactory,
    UserFactory,
)
from tests.frontend.pages import asks_twice
from tests.knowledge import annotating
from tests.knowledge.formalising import formalised, paying, qualified
from tests.panels.people import answer_all, claim, enrol
from workers.models import LedgerEntry, Qualification, User
from workers.services import void_entry

Browse = Callable[[User], Client]
FORM = {
    "thing_name": ["Trophy", "Suitcase"],
    "thing_words": ["the trophy", "the suitcase"],
    "thing_kind": ["object", "object"],
    "pronoun": "It",
    "clause": "too_large(It)",
    "outcome": "not Poss(fit_into(Trophy, Suitcase), S0)",
}
DAY = datetime(2026, 11, 24, 12, tzinfo=UTC)
LARGE = "too_large(x) -> not Poss(fit_into(x, y), s)"


def question(name: str = "paid", page: str = "knowledge-question", id: str = "t-1") -> str:
    return reverse(page, args=[name, id])


def test_a_worker_takes_a_question_before_saving_formulas_and_is_paid(
    db: None, browse: Browse
) -> None:
    worker = qualified(paying())
    client = browse(worker)
    assert client.post(question(), FORM).status_code == 409
    assert client.post(question(page="take-question")).status_code == 302
    # The set's own formula is not shown to workers before a question uses it.
    known = {"new_name": "mine", "new_text": LARGE.replace("y", "z")}
    assert client.post(question(), FORM | known).status_code == 302
    assert LedgerEntry.objects.get(worker=worker).amount == 2


def test_a_worker_sees_no_version_of_another(db: None, browse: Browse) -> None:
    of = paying()
    formalised(of, UserFactory(curator=True))
    page = browse(qualified(of)).get(question())
    assert page.context["newest"] is None
    assert "too_large(It)" not in page.content.decode()


def test_the_exercise_is_marked_by_the_prover_and_stores_no_formula(
    db: None, browse: Browse
) -> None:
    of = paying(exercise=["t-1"])
    client, address = browse(UserFactory()), question(page="knowledge-attempt")
    refuted = client.post(address, FORM)
    assert "The outcome need not come about." in refuted.content.decode()
    client.post(address, FORM | {"new_text": LARGE, "new_name": "mine"})
    assert client.get(reverse("knowledge-set", args=[of.name])).status_code == 200
    assert not Formalisation.objects.exists()


def test_the_exercise_is_checked_while_one_types_and_that_is_no_attempt(
    db: None, browse: Browse
) -> None:
    paying(exercise=["t-1"])
    worker = UserFactory()
    client, address = browse(worker), question(page="knowledge-attempt")
    assert f'hx-post="{address}"' in client.get(address).content.decode()
    typed = FORM | {"new_text": "too_large(x) -> (", "new_name": "mine"}
    answer = client.post(address, typed, headers={"HX-Request": "true"})
    assert answer.templates[0].name == "frontend/knowledge/checked.html"
    assert [field for field, found in answer.context["marks"].items() if found] == ["knowledge"]
    sound = client.post(address, FORM | {"new_text": LARGE}, headers={"HX-Request": "true"})
    assert sound.context["is_ready"]
    assert not Qualification.objects.filter(worker=worker).exists()


def test_checks_while_one_types_are_limited_for_each_user(
    db: None, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "CHECKS", 2)
    of = paying(exercise=["t-1"])
    exercise, expert = question(page="knowledge-attempt"), question(page="check-knowledge")
    for person, address in ((UserFactory(), exercise), (qualified(of), expert)):
        client = browse(person)
        sent = [client.post(address, FORM, headers={"HX-Request": "true"}) for _ in range(3)]
        assert [one.status_code for one in sent] == [200, 200, 429]
        # The form swaps parts only: what says no stands where the checks stood.
        assert '<div id="checked" hx-swap-oob="innerHTML">' in sent[-1].content.decode()
        assert "Not checked" in sent[-1].content.decode()
    assert client.get(question()).status_code == 200


@pytest.mark.long
def test_a_sets_pay_page_says_what_is_owed_to_whom(db: None, browse: Browse) -> None:
    validation = annotating.validation(2)
    other = annotating.validation(2, of=annotating.knowledge_set("other"))
    people = [UserFactory(), UserFactory()]
    for person in people:
        enrol(person, validation)
    assert answer_all(validation, people[:1]) == 4
    annotating.answer(claim(people[1], validation))
    annotating.answer(annotating.held_by(UserFactory(), other))
    of = validation.knowledge_set
    page = browse(UserFactory(curator=True)).get(reverse("knowledge-pay", args=[of.name]))
    (table,) = page.context["tables"]
    owed = {row.words: (row.total.count, row.total.sum) for row in table["rows"]}
    each = {str(one.public_id): LedgerEntry.objects.filter(worker=one).total() for one in people}
    assert owed == {
        str(people[0].public_id): (4, each[str(people[0].public_id)]),
        str(people[1].public_id): (1, each[str(people[1].public_id)]),
    }
    assert all(str(one.public_id) in page.content.decode() for one in people)
    assert table["totals"][-1].sum == sum(each.values()) > 0


@pytest.mark.long
def test_void_pay_is_shown_on_the_sets_pay_page_and_not_owed(db: None, browse: Browse) -> None:
    validation = annotating.validation(2)
    worker, curator = UserFactory(), UserFactory(curator=True)
    enrol(worker, validation)
    answer_all(validation, [worker])
    first, *others = validation.seats.filter(worker=worker)
    void_entry(
        worker=worker, kind="knowledge", unit=str(first.public_id), reason="Twice.", by=curator
    )
    page = browse(curator).get(reverse("knowledge-pay", args=[validation.knowledge_set.name]))
    (table,) = page.context["tables"]
    (row,) = table["rows"]
    assert (row.total.count, row.total.sum) == (3, sum(one.reward for one in others))
    assert table["totals"][-1] == row.total
    assert row.cells[-1].sum == first.reward


def test_a_sets_pay_page_names_each_campaign_that_paid(db: None, browse: Browse) -> None:
    validation = annotating.validation(2)
    of, other, present = validation.knowledge_set, CampaignFactory(), CampaignFactory()
    seat = annotating.answer(annotating.held_by(UserFactory(), validation))
    LedgerEntryFactory(
        kind="knowledge", unit=str(seat.public_id), budget=other.public_id, currency="CNY"
    )
    services.change_knowledge_set(knowledge_set=of, campaign=present)
    page = browse(UserFactory(curator=True)).get(reverse("knowledge-pay", args=[of.name]))
    links = [
        reverse("campaign-pay", args=[one.slug]) for one in (validation.campaign, other, present)
    ]
    text = page.content.decode()
    assert [f'href="{link}"' in text for link in links] == [True, True, False]


def test_a_formalised_question_is_owed_on_the_sets_pay_page(db: None, browse: Browse) -> None:
    of = paying()
    worker = qualified(of)
    client = browse(worker)
    client.post(question(page="take-question"))
    client.post(question(), FORM | {"new_name": "mine", "new_text": LARGE.replace("y", "z")})
    page = browse(UserFactory(curator=True)).get(reverse("knowledge-pay", args=[of.name]))
    (table,) = page.context["tables"]
    assert [(row.words, row.total.sum) for row in table["rows"]] == [(str(worker.public_id), 2)]


def test_a_curator_counts_the_majority_of_evaluations(
    db: None, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(releases, "knowledge_tables", lambda user, release: [])
    release = KnowledgeReleaseFactory(finished=True)
    made = [
        KnowledgeEvaluationFactory(finished=True, knowledge_release=release, model=f"pkg:m/{n}")
        for n in (1, 2)
    ]
    client = browse(UserFactory(curator=True))
    page, address = (
        reverse(name, args=[release.name]) for name in ("knowledge-release", "evaluate-knowledge")
    )
    asked: dict[str, object] = {"majority": "1", "variant": "vote"}
    assert "Count the majority" in client.get(page).content.decode()
    too_few = client.post(address, asked | {"members": [made[0].public_id]})
    assert too_few.status_code == 400
    assert "An ensemble has at least two different members." in too_few.content.decode()
    for _press in range(2):
        sent = client.post(
            address,
            asked | {"members": [one.public_id for one in made]},
        )
        assert sent.status_code == 302
    run = Evaluation.objects.get(method="ensemble")
    assert set(run.members.all()) == set(made)
    assert browse(UserFactory()).post(address, {"majority": "1"}).status_code == 403


def test_evaluations_by_one_method_and_model_are_told_apart(db: None) -> None:
    release = KnowledgeReleaseFactory(finished=True)
    trained = {"method": "classifier", "trained_on": "winowhy", "rates_of": "BERT (base)"}
    asked = [
        {"model": "pkg:m/1", "created_at": DAY},
        {"model": "pkg:m/2", "created_at": DAY},
        {"model": "pkg:m/2", "created_at": DAY + timedelta(seconds=1)},
        {"model": "pkg:m/1", **trained, "seeds": [1, 2], "created_at": DAY},
        {"model": "pkg:m/1", **trained, "seeds": [3], "is_frozen": False, "created_at": DAY},
    ]
    for one in asked:
        KnowledgeEvaluationFactory(finished=True, knowledge_release=release, **one)
    field = majority_form(release).fields["members"]
    assert [str(label) for _value, label in field.choices] == [
        "causal language model · pkg:m/1",
        "causal language model · pkg:m/2 · 24 Nov 2026, 12:00:00 UTC",
        "causal language model · pkg:m/2 · 24 Nov 2026, 12:00:01 UTC",
        "classifier trained on reasons · pkg:m/1 · linear layer trained · seeds 1, 2",
        "classifier trained on reasons · pkg:m/1 · whole model trained · seeds 3",
    ]


@pytest.mark.long
def test_a_retracted_release_says_why_to_everyone_who_sees_it(db: None, browse: Browse) -> None:
    release = KnowledgeReleaseFactory(finished=True)
    over = release.knowledge_set.reference_set
    assert over is not None
    corpora.change_reference_set(reference_set=over, is_public=True)
    page = reverse("knowledge-release", args=[release.name])
    address = reverse("retract-knowledge", args=[release.name])
    client = browse(UserFactory(curator=True))
    assert asks_twice(client.get(page), address)
    refused = client.post(address, {"reason": " "})
    assert (refused.status_code, 'name="reason"' in refused.content.decode()) == (400, True)
    KnowledgeEvaluationFactory(knowledge_release=release)
    while_open = client.post(address, {"reason": " "}).content.decode()
    assert f'hx-get="{page}"' in while_open  # and not the address that takes a form only
    assert "Test a model" in client.get(page, HTTP_HX_REQUEST="true").content.decode()
    assert client.post(address, {"reason": "half of it is wrong"})["Location"] == page
    assert address not in client.get(page).content.decode()
    assert "half of it is wrong" in browse(UserFactory()).get(page).content.decode()


def test_annotators_see_a_problem_and_nothing_of_its_label(db: None, browse: Browse) -> None:
    validation = annotating.validation(2)
    worker = UserFactory()
    held = annotating.held_by(worker, validation)
    page = browse(worker).get(reverse("answer-human", args=[validation.public_id]))
    text = page.content.decode()
    assert held.item.item.sentence.split(" _ ")[0] in text
    for secret in (held.item.source_id, "changed"):
        assert str(secret) not in text


def test_an_answer_sent_twice_is_stored_and_paid_once(db: None, browse: Browse) -> None:
    validation = annotating.validation(2)
    worker = UserFactory()
    held = annotating.held_by(worker, validation)
    address = reverse("cast-human-vote", args=[validation.public_id, held.public_id])
    client = browse(worker)
    for _ in range(2):
        client.post(address, {"option": "2:sense"})
    held.refresh_from_db()
    assert (held.option, held.fails) == (2, "sense")
    assert LedgerEntry.objects.filter(worker=worker).count() == 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("clause", "too_large(", "unreadable"),
        ("clause", "too_large(Trophy)", "clause_without_pronoun"),
        ("scene", "big(x)", "free_variable"),
        ("new_text", "big(Trophy)", "knowledge_names_option"),
        ("thing_name", ["<b>", "Suitcase"], "bad_name"),
        ("scene", "\n".join(["rain(S0)"] * 60), "too_many_formulas"),
        ("clause", "a(" * 900, "too_deep"),
    ],
)
def test_a_problem_stands_at_its_field_while_one_types(
    db: None, browse: Browse, field: str, value: str, code: str
) -> None:
    of = annotating.knowledge_set()
    client = browse(UserFactory(curator=True))
    page = client.post(question(of.name, "check-knowledge"), FORM | {field: value})
    assert page.status_code == 200
    text = page.content.decode()
    assert f">{code}</code>" in text
    assert "<b>" not in text
    assert not Formalisation.objects.exists()


def test_a_page_that_was_refused_keeps_what_was_typed(db: None, browse: Browse) -> None:
    of = annotating.knowledge_set()
    client = browse(UserFactory(curator=True))
    page = client.post(question(of.name), FORM | {"clause": "too_large(", "new_text": "big(x)"})
    text = page.content.decode()
    assert page.status_code == 400
    assert "too_large(</textarea>" in text
    assert "big(x)</textarea>" in text


def test_a_refused_form_has_as_many_rows_as_before() -> None:
    sent = QueryDict(mutable=True)
    sent.setlist("thing_name", ["Trophy", "Suitcase", "", "Ann", ""])
    sent.setlist("thing_words", ["the trophy", "the suitcase", "", "Ann", ""])
    sent.setlist("thing_kind", ["object", "object", "", "person", ""])
    first = FormValues.sent(sent).filled(2)
    again = replace(first, things=first.things).filled(2)
    assert [thing.name for thing in first.things] == ["Trophy", "Suitcase", "Ann", "", ""]
    assert first.things == again.things
