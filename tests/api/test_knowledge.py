"""Knowledge over HTTP: from an empty set to a validation, and every refusal in the one shape."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from corpora.services import change_reference_set
from knowledge.core.language import parse, show
from knowledge.models import Reason, Sweep
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import CampaignFactory, KnowledgeSetFactory, UserFactory
from tests.factories.knowledge import trophies
from tests.filtering.stages import carried
from tests.knowledge.formalising import paying, qualified

SETS = f"{API}knowledge-sets/"
LARGE = "forall x, y: too_large(x) -> not Poss(fit_into(x, y), s)"
TROPHY: dict[str, Any] = {
    "things": [
        {"name": "Trophy", "words": "the trophy", "kind": "object"},
        {"name": "Suitcase", "words": "the suitcase", "kind": "object"},
    ],
    "options": ["Trophy", "Suitcase"],
    "answer": "Trophy",
    "pronoun": "It",
    "scene": [],
    "clause": "too_large(It)",
    "outcome": "not Poss(fit_into(Trophy, Suitcase), S0)",
}
SMALL = "too_small(y) -> not Poss(fit_into(x, y), s)"
TWIN = TROPHY | {"answer": "Suitcase", "clause": "too_small(It)"}
WORDS = [
    {"name": "too_large", "positive": "{x is|are} too large", "negative": "{x fits|fit}"},
    {"name": "fit_into", "positive": "possible for {x} to fit into {y}"},
]


def made(dana: APIClient, *, question: str = "t-1", **changes: Any) -> dict[str, Any]:
    body = TROPHY | {"question": question, "formulas": ["large"]} | changes
    found: dict[str, Any] = ok(dana.post(f"{SETS}logic/formalisations/", body), 201)
    return found


@pytest.fixture
def logic(as_dana: APIClient) -> str:
    """The address of a set over the trophies, with a formula."""
    trophies()
    campaign = CampaignFactory(slug="winter")
    body = {"name": "logic", "reference_set": "trophies", "campaign": campaign.slug}
    assert ok(as_dana.post(SETS, body), 201)["title"] == "logic"
    shown = ok(as_dana.post(f"{SETS}logic/formulas/", {"name": "large", "text": LARGE}), 201)
    assert shown["shown"] == show(parse(LARGE), reach=True)
    return f"{SETS}logic/"


def test_a_question_is_formalised_proved_and_paired(as_dana: APIClient, logic: str) -> None:
    ok(as_dana.post(f"{logic}formulas/", {"name": "small", "text": SMALL}), 201)
    refuted = made(as_dana, formulas=[])
    proof = ok(as_dana.post(f"{API}formalisations/{refuted['id']}/prove/"))["proof"]
    assert (proof["verified"], proof["ways"]) == (False, [])
    assert {one["code"]: one["met"] for one in proof["obligations"]}["picks_answer"] is False
    assert any("too large" in fact for fact in proof["worlds"]["explains"])
    first, second = made(as_dana), made(as_dana, question="t-2", **TWIN, formulas=["small"])
    assert (first["number"], first["verified"], second["number"]) == (2, False, 1)
    proof = ok(as_dana.post(f"{API}formalisations/{first['id']}/prove/"))["proof"]
    assert proof["verified"]
    assert proof["cores"] == {"explains": ["large"]}
    assert all("(check-sat)" in claim["script"] for claim in proof["claims"])
    assert ok(as_dana.get(f"{API}formalisations/{first['id']}/"))["proof"] == proof
    pair = {"first": first["id"], "second": second["id"]}
    assert ok(as_dana.post(f"{logic}pairs/", pair))["resolved"] is True
    states = ok(as_dana.get(f"{logic}questions/"))["results"]
    assert [(row["id"], row["state"]) for row in states] == [
        ("t-1", "verified"),
        ("t-2", "refuted"),
    ]
    listed = ok(as_dana.get(f"{logic}formalisations/?newest=true&verified=true"))["results"]
    assert [row["id"] for row in listed] == [first["id"]]


def test_sentences_are_drafted_falsified_validated_and_answered(
    as_dana: APIClient, logic: str
) -> None:
    row = made(as_dana)
    for words in WORDS:
        ok(as_dana.post(f"{logic}lexicon/", words), 201)
    drafted = ok(as_dana.post(f"{API}formalisations/{row['id']}/draft/", {"formula": "large"}))
    asked = drafted | {"formalisation": row["id"], "formula": "large"}
    true = ok(as_dana.post(f"{logic}sentences/", asked), 201)
    assert true["forms"]["variable"].startswith("If object X is too large, then")
    offers = ok(as_dana.post(f"{API}sentences/{true['id']}/offers/"))
    assert offers[0]["pick"] == "other"
    false = {"kind": offers[0]["kind"], "text": offers[0]["text"]}
    one = f"{API}sentences/{true['id']}/"
    same = false | {"false_formula": LARGE}
    assert_error(as_dana.post(f"{one}false-version/", same), 409, "still_proved")
    false |= {"false_formula": offers[0]["formula"]}
    assert ok(as_dana.post(f"{one}false-version/", false), 201)["of"] == true["id"]
    begun = ok(as_dana.post(f"{logic}validation/", {"whole_set": "500.00"}), 201)
    assert begun["n_items"] == 2
    assert_error(as_dana.delete(one), 409, "sentences_frozen")
    bob = client_of(UserFactory())
    [shown] = ok(bob.get(f"{API}human-evaluations/open/"))["results"]
    ours = f"{API}human-evaluations/{shown['id']}/"
    assert_error(bob.post(f"{ours}claim/"), 409, "not_enrolled")
    assert ok(bob.post(f"{ours}enrol/"))["number"] == 1
    for paid in ("250.00", "250.00"):
        seat = ok(bob.post(f"{ours}claim/"))
        assert (seat["reward"], "more likely to refer to" in seat["item"]["sentence"]) == (
            paid,
            True,
        )
        answer = f"{API}human-seats/{seat['id']}/"
        ok(bob.post(f"{answer}beat/"))
        for _ in range(2):
            ok(bob.post(f"{answer}answer/", {"option": 1}))
        assert_error(bob.post(f"{answer}answer/", {"option": 2}), 409, "already_answered")
    assert_error(bob.post(f"{ours}claim/"), 404, "queue_empty")
    figures = ok(as_dana.get(f"{logic}validation/figures/"))
    assert (figures["n_answers"], figures["raw"]["value"]) == (2, 0.5)
    assert ok(as_dana.post(f"{ours}status/", {"status": "closed"}))["status"] == "closed"


def test_a_worker_passes_the_exercise_takes_a_question_and_is_paid(as_dana: APIClient) -> None:
    of, bob = paying(exercise=["t-2"]), client_of(UserFactory())
    ours = f"{SETS}{of.name}/"
    assert_error(bob.get(f"{ours}questions/"), 404, "not_found")
    assert ok(bob.get(f"{ours}exercise/"))["questions"][0]["solved"] is False
    tried = {"question": "t-2", **TWIN, "knowledge": {"mine": SMALL}}
    assert ok(bob.post(f"{ours}exercise/", tried))["status"] == "passed"
    assert ok(bob.get(f"{ours}exercise/"))["questions"][0]["solved"] is True
    body = TROPHY | {"question": "t-1", "formulas": []}
    assert_error(bob.post(f"{ours}formalisations/", body), 409, "question_not_taken")
    task = ok(bob.post(f"{ours}take/", {"question": "t-1"}))
    assert task["reward"] == "2.00"
    ok(bob.post(f"{ours}formulas/", {"name": "mine", "text": f"{LARGE} or Aa"}), 201)
    row = ok(bob.post(f"{ours}formalisations/", body | {"formulas": ["mine"]}), 201)
    assert ok(bob.post(f"{API}formalisations/{row['id']}/prove/"))["proof"]["verified"] is False
    ok(
        bob.post(f"{ours}formulas/", {"name": "better", "text": f"({LARGE}) and (Aa or not Aa)"}),
        201,
    )
    row = ok(bob.post(f"{ours}formalisations/", body | {"formulas": ["better"]}), 201)
    assert ok(bob.post(f"{API}formalisations/{row['id']}/prove/"))["proof"]["verified"] is True
    [entry] = ok(bob.get(f"{API}ledger/"))["results"]
    assert (entry["kind"], entry["amount"]) == ("formalisation", "2.00")
    [done] = ok(bob.get(f"{API}formalising-tasks/?verified=true"))["results"]
    assert done["id"] == task["id"]
    assert bob.post(f"{API}formalising-tasks/{task['id']}/return/").status_code == 204


BAD = [
    ({"formula": "Aa and"}, "unreadable", 1, 7),
    ({"formula": "big(x) and\nbig(x, y)"}, "two_arities", 2, 1),
    ({"formula": "Poss(x, s)"}, "wrong_sort", 1, 6),
    ({"formula": "A" * 2001}, "too_long", 1, 2001),
    ({"formula": "not " * 31 + "Aa"}, "too_deep", 1, 1),
    ({"formula": "big(x,y,z,u,v,w,x1,y1,z1,u1,v1,w1,x2)"}, "too_many_variables", 1, 1),
    ({"clause": "too_large(x)"}, "free_variable", 1, 11),
    ({"clause": "too_large(Trophy)"}, "clause_without_pronoun", 1, 1),
    ({"outcome": "too_large(It)"}, "pronoun_outside_clause", 1, 11),
    ({"outcome": "too_large(Box)"}, "unknown_thing", 1, 11),
    ({"scene": ["Aa"] * 40}, "too_many_formulas", 1, 1),
    ({"answer": "Lid"}, "bad_answer", 1, 1),
    ({"knowledge": {"k": "too_large(Trophy)"}}, "knowledge_names_option", 1, 11),
]


@pytest.mark.parametrize(("body", "code", "line", "column"), BAD, ids=[row[1] for row in BAD])
def test_what_is_wrong_is_said_with_its_place(
    body: dict[str, Any], code: str, line: int, column: int, as_dana: APIClient, logic: str
) -> None:
    asked = dict(body)
    if "formula" not in asked:
        known = asked.pop("knowledge", {})
        asked = {"formalisation": TROPHY | asked, "knowledge": known}
    found = ok(as_dana.post(f"{logic}check/", asked))["problems"]
    of_code = [problem for problem in found if problem["code"] == code]
    assert of_code, found
    assert of_code[0]["sentence"].endswith(".")
    assert of_code[0]["line"] == line
    assert of_code[0]["column"] >= 1
    if code not in ("too_long", "too_deep", "too_many_variables"):
        assert of_code[0]["column"] == column
    if "formula" in body:
        refused = as_dana.post(f"{logic}formulas/", {"name": "bad", "text": body["formula"]})
    else:
        sent = TROPHY | {name: value for name, value in body.items() if name != "knowledge"}
        refused = as_dana.post(f"{logic}formalisations/", sent | {"question": "t-1"})
    if not {"knowledge", "answer"} & set(body):
        details = assert_error(refused, 400, found[0]["code"])
        assert details["problems"][0] == found[0]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"formula": LARGE, "formalisation": TROPHY},
        {"formula": ["Aa"]},
        {"formula": "Aa\0"},
        {"formalisation": TROPHY | {"things": []}, "knowledge": []},
        {"formalisation": TROPHY | {"things": [TROPHY["things"][0]] * 101}},
        {"formalisation": TROPHY, "formulas": ["none"]},
        {"formalisation": {"things": "Trophy"}},
    ],
)
def test_a_malformed_check_is_refused(body: Any, as_dana: APIClient, logic: str) -> None:
    assert_error(as_dana.post(f"{logic}check/", body), 400, "invalid")


def test_a_check_shows_the_canonical_form(as_dana: APIClient, logic: str) -> None:
    asked = {"formalisation": TROPHY, "knowledge": {"k": "∀x (Bb(x)→¬Cc)"}, "formulas": ["large"]}
    found = ok(as_dana.post(f"{logic}check/", asked))
    assert found["problems"] == []
    assert found["shown"]["knowledge k"] == "forall x: (Bb(x) -> not Cc)"
    assert found["shown"]["clause"] == "too_large(It)"


def test_unknown_filters_are_refused_and_lists_have_pages(as_dana: APIClient, logic: str) -> None:
    for path in (
        SETS,
        *(f"{logic}{name}/" for name in ("questions", "formulas", "formalisations", "sentences")),
        f"{API}reasons/",
        f"{API}sweeps/",
        f"{API}formalising-tasks/",
    ):
        assert_error(as_dana.get(f"{path}?colour=red"), 400, "invalid")
        assert "results" in ok(as_dana.get(f"{path}?page_size=1"))
    page = ok(as_dana.get(f"{logic}questions/?page_size=1"))
    assert (page["count"], page["results"][0]["id"], page["previous"]) == (2, "t-1", None)
    page = ok(as_dana.get(page["next"]))
    assert (page["results"][0]["id"], page["next"]) == ("t-2", None)
    assert_error(as_dana.get(f"{logic}questions/?cursor=-1"), 400, "invalid")


def test_a_sweep_proves_everything_again(as_dana: APIClient, logic: str) -> None:
    assert_error(as_dana.post(f"{API}sweeps/", {"knowledge_set": "logic"}), 409, "nothing_to_prove")
    made(as_dana)
    run = ok(as_dana.post(f"{API}sweeps/", {"knowledge_set": "logic"}), 201)
    assert_error(as_dana.get(f"{API}sweeps/{run['id']}/report/"), 409, "run_not_done")
    carried(Sweep.objects.get())
    assert ok(as_dana.get(f"{API}sweeps/{run['id']}/"))["n_verified"] == 1
    lines = b"".join(as_dana.get(f"{API}sweeps/{run['id']}/report/").streaming_content)
    assert lines.count(b"\n") == 1


def reason(number: int, *, n_accepted: int = 5, **fields: Any) -> Reason:
    return Reason.objects.create(
        **{
            "collection": "why", "question": number, "number": 0, "group": f"g{number // 2}",
            "sentence": "It fits.", "pronoun": "It", "right": "a", "wrong": "b", "text": "So.",
            "source": "human", "n_accepted": n_accepted, "n_votes": 5,
        }
        | fields
    )  # fmt: skip


def test_reasons_are_filtered_by_what_they_are(as_dana: APIClient) -> None:
    for number in range(12):
        reason(number, n_accepted=number % 6, types=["spatial"] if number == 3 else [])
    reason(20, flags=["circular"], group="g10")

    def found(**filters: object) -> list[int]:
        rows = ok(as_dana.get(f"{API}reasons/", filters))["results"]
        return sorted(row["question"] for row in rows)

    assert found(validity="invalid") == [0, 1, 6, 7]
    assert found(validity="undecided") == [2, 3, 8, 9]
    assert found(validity="valid", question=4) == [4]
    assert found(type="spatial") == [3]
    assert found(flag="circular", collection="why") == [20]
    folds = [found(fold=fold) for fold in range(5)]
    assert sorted(one for fold in folds for one in fold) == [*range(12), 20]
    assert all((n in fold) == (n + 1 in fold) for fold in folds for n in range(0, 12, 2))
    for wrong in ({"fold": 5}, {"validity": "maybe"}, {"type": "none"}, {"question": -1}):
        assert_error(as_dana.get(f"{API}reasons/", wrong), 400, "invalid")


def test_workers_and_strangers_know_of_a_set_and_not_what_is_in_it(as_dana: APIClient) -> None:
    of = KnowledgeSetFactory(name="known")
    change_reference_set(reference_set=of.reference_set, is_public=True)
    worker, stranger = client_of(UserFactory()), client_of(None)
    assert ok(worker.get(f"{SETS}known/"))["name"] == "known"
    assert_error(stranger.get(f"{SETS}known/"), 404, "not_found")
    for path in ("questions", "formulas", "formalisations"):
        assert_error(worker.get(f"{SETS}known/{path}/"), 404, "not_found")
        assert_error(stranger.get(f"{SETS}known/{path}/"), 401, "not_authenticated")


def test_a_worker_sees_neither_another_workers_formalisation_nor_proof() -> None:
    of = paying()
    alice, bob = qualified(of), qualified(of)
    ours = f"{SETS}{of.name}/"
    ok(client_of(alice).post(f"{ours}take/", {"question": "t-1"}))
    body = TROPHY | {"question": "t-1", "formulas": []}
    row = ok(client_of(alice).post(f"{ours}formalisations/", body), 201)
    assert ok(client_of(bob).get(f"{ours}formalisations/"))["results"] == []
    for method, path in (("get", ""), ("post", "prove/")):
        answer = getattr(client_of(bob), method)(f"{API}formalisations/{row['id']}/{path}")
        assert_error(answer, 404, "not_found")
    [first, _] = ok(client_of(bob).get(f"{ours}questions/"))["results"]
    assert (first["state"], first["formalisation"]) == ("taken", None)
