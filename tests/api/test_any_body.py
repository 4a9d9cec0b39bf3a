"""Whatever is sent, no endpoint answers with a server error (Hypothesis)."""

import json
import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from collection.models import Assignment
from tests.api.calls import API, client_of
from tests.factories import (
    OPTIONS,
    SENTENCES,
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    EncodingFactory,
    FilterRunFactory,
    FormalisationFactory,
    KnowledgeSetFactory,
    PayoutFactory,
    PhaseFactory,
    ReleaseFactory,
    SeatFactory,
    SnapshotFactory,
    StudyFactory,
    TuningFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
)
from workers.models import User

NASTY = [
    None, True, 0, 1, 2, -1, 2**31, 2**63, 10**400, 0.5, 1e308, -0.0, "", " ", "x", "\x00",
    "\ud800", "nan", "inf", "1e999", "winter", "open", "difference", "linear", "majority",
    "physical", "x" * 6000, "١", [], {}, [None, None], [1, 2], list(OPTIONS), list(SENTENCES),
    ["\x00", "\udfff"], [[], {}], str(uuid.uuid4()), {"a": 1},
]  # fmt: skip
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=20)
)
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
ENDPOINTS = {
    "tokens/": ("username", "password", "name"),
    "campaigns/": ("slug", "name", "guidelines", "min_words", "min_overlap", "reward_twin",
                   "currency", "votes_per_question", "verdict_policy", "vote_minutes",
                   "blocking", "twins_per_day_max", "exercise_attempts", "min_approval_rate",
                   "paste_policy"),
    "campaigns/winter/status/": ("status",),
    "campaigns/winter/check/": ("sentences", "options", "answers", "anchor", "domain"),
    "assignments/{assignment}/advise/": ("sentences", "options", "answers", "anchor", "domain"),
    "campaigns/winter/articles/": ("articles",),
    "campaigns/winter/assignments/": (),
    "campaigns/winter/guidelines/": ("text", "aids_policy"),
    "campaigns/winter/guidelines/accept/": ("version",),
    "campaigns/winter/exercise/attempts/": ("number", "answers"),
    "workers/{worker}/pause/": ("reason",),
    "workers/{worker}/resume/": (),
    "campaigns/winter/approve/": ("worker", "until"),
    "campaigns/winter/bonuses/": ("client_key", "worker", "amount", "reason"),
    "campaigns/winter/adjustments/": ("client_key", "worker", "amount", "reason"),
    "campaigns/winter/void/": ("worker", "kind", "unit", "reason"),
    "campaigns/winter/second-approvals/": ("kind", "unit"),
    "campaigns/winter/payouts/": ("client_key", "provider"),
    "payouts/{payout}/second-approval/": (),
    "payouts/{payout}/paid/": (),
    "payouts/{payout}/cancel/": (),
    "campaigns/winter/seats/": (),
    "campaigns/winter/pipeline/": ("release_name",),
    "assignments/{assignment}/twin/": ("client_key", "sentences", "options", "answers", "anchor",
                                       "domain"),
    "assignments/{assignment}/renew/": (),
    "assignments/{assignment}/return/": ("reason", "comment"),
    "assignments/{assignment}/another/": ("reason", "comment"),
    "twins/{twin}/withdraw/": (),
    "twins/{twin}/revise/": ("client_key", "sentences", "options", "answers", "anchor", "domain"),
    "seats/{seat}/local/": ("option",),
    "seats/{seat}/vote/": ("option", "ambiguous", "comment"),
    "studies/": ("campaign", "provider", "name", "skill", "units", "return_url", "secret",
                 "event_secret", "completion_code", "screen_out_code", "failure_code"),
    "studies/{study}/close/": (),
    "studies/{study}/links/": ("participants", "hours", "approvals", "approval_rate", "return_to"),
    "studies/{study}/events/": ("session", "event", "participant"),
    "snapshots/": ("campaign",),
    "tunings/": ("snapshot", "encoder", "pooling", "n_train", "n_validation", "epochs",
                 "batch_size", "learning_rate", "seed"),
    "sentence-encodings/": ("campaign", "encoder"),
    "encodings/": ("snapshot", "encoder", "pooling", "features", "tuning"),
    "filter-runs/": ("encoding", "n", "m", "k", "tau", "C", "tol", "seed", "partition", "removal",
                     "method", "pmi_score", "reference", "size"),
    "assessments/": ("filter_run", "seed"),
    "releases/": ("snapshot", "selection", "name"),
    "evaluations/": ("release", "reference_set", "model", "split", "seed"),
    "evaluations/ensembles/": ("members", "variant"),
    "evaluations/uploads/": ("release", "reference_set", "system_name", "file"),
    "reference-sets/": ("name", "title", "format", "is_public", "splits"),
    "knowledge-sets/": ("name", "title", "release", "reference_set", "campaign", "exercise",
                        "formalisation_reward"),
    "knowledge-sets/logic/check/": ("formula", "formalisation", "knowledge", "formulas"),
    "knowledge-sets/logic/formulas/": ("name", "text"),
    "knowledge-sets/logic/formalisations/": ("question", "things", "options", "answer", "pronoun",
                                             "scene", "clause", "outcome", "formulas"),
    "knowledge-sets/logic/lexicon/": ("name", "positive", "negative"),
    "knowledge-sets/logic/sentences/": ("formalisation", "formula", "text", "mentions"),
    "knowledge-sets/logic/validation/": ("campaign", "whole_set", "reward", "annotators", "needed"),
    "knowledge-sets/logic/pairs/": ("first", "second"),
    "sweeps/": ("knowledge_set",),
    "knowledge-releases/": ("knowledge_set", "name", "title", "authors", "licence"),
}  # fmt: skip


@pytest.fixture(scope="module")
def world_kept(kept: str) -> dict[str, Any]:
    """A curator who holds an assignment and a seat, and one of everything to refer to."""
    user = UserFactory(curator=True)
    campaign = ArticleFactory(campaign=CampaignFactory(slug="winter", name="Winter")).campaign
    for question in TwinFactory(campaign=campaign, seats=1).questions.all():
        VerdictFactory(question=question)
    seat = SeatFactory(worker=user, opened=True, question__twin__campaign=campaign)
    assignment: Assignment = AssignmentFactory(worker=user, campaign=campaign)
    done = AssignmentFactory(worker=user, campaign=campaign, status="submitted")
    twin = TwinFactory(author=user, campaign=campaign, assignment=done)
    PhaseFactory(run=FilterRunFactory(finished=True, encoding__snapshot__campaign=campaign))
    FormalisationFactory(knowledge_set=KnowledgeSetFactory(name="logic", campaign=campaign))
    made = (SnapshotFactory, TuningFactory, EncodingFactory, FilterRunFactory, ReleaseFactory)
    runs = [factory() for factory in made]
    return {
        "user": user.pk,
        "seat": seat.public_id,
        "assignment": assignment.public_id,
        "study": StudyFactory(campaign=campaign).public_id,
        "worker": UserFactory().public_id,
        "payout": PayoutFactory(budget=campaign.public_id).public_id,
        "twin": twin.public_id,
        "ids": [str(row.public_id) for row in (*runs, assignment, done)],
    }


@pytest.fixture
def world(world_kept: dict[str, Any], db: None) -> dict[str, Any]:
    return {**world_kept, "client": client_of(User.objects.get(pk=world_kept["user"]))}


def send(client: APIClient, method: str, path: str, body: Any) -> None:
    response = client.generic(
        method, f"{API}{path}", json.dumps(body), content_type="application/json"
    )
    assert response.status_code < 500, (path, body)
    if response.status_code >= 400:
        assert set(response.json()) == {"error"}


def bodies(fields: tuple[str, ...], ids: list[str]) -> st.SearchStrategy[Any]:
    values = st.sampled_from([*NASTY, *ids]) | ANY_JSON
    shaped = st.fixed_dictionaries({}, optional=dict.fromkeys(fields, values))
    return shaped | ANY_JSON


WHOLE = {
    "campaigns/winter/exercise/items/": ("items", ("prompt", "choices", "answer", "explanation")),
    "campaigns/winter/attributes/": ("attributes", ("name", "domain", "pairs")),
}


@pytest.mark.hypothesis
@pytest.mark.parametrize("path", WHOLE)
def test_any_list_that_is_set_as_a_whole_is_taken_or_refused(
    path: str, world: dict[str, Any]
) -> None:
    name, fields = WHOLE[path]

    @settings(
        max_examples=settings.default.max_examples // 4,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(rows=st.lists(bodies(fields, []), max_size=3) | ANY_JSON)
    def send_any(rows: Any) -> None:
        send(world["client"], "PUT", path, {name: rows})

    send_any()


@pytest.mark.hypothesis
@pytest.mark.parametrize("path", ENDPOINTS)
def test_any_body_is_answered_or_refused(path: str, world: dict[str, Any]) -> None:
    fields, address = ENDPOINTS[path], path.format(**world)

    @settings(
        max_examples=settings.default.max_examples // 4,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(body=bodies(fields, world["ids"]))
    def send_any(body: Any) -> None:
        send(world["client"], "POST", address, body)

    send_any()


@pytest.mark.long  # the same values go into the same fields of new ones above
@pytest.mark.parametrize("value", NASTY, ids=[f"{n}" for n in range(len(NASTY))])
def test_no_field_of_a_campaign_takes_just_anything(value: Any, world: dict[str, Any]) -> None:
    for field in ENDPOINTS["campaigns/"]:
        send(world["client"], "PATCH", "campaigns/winter/", {field: value})


@pytest.mark.long  # the same values go into the same fields of new ones above
@pytest.mark.parametrize("value", NASTY, ids=[f"{n}" for n in range(len(NASTY))])
def test_no_field_of_a_study_takes_just_anything(value: Any, world: dict[str, Any]) -> None:
    for field in ENDPOINTS["studies/"]:
        send(world["client"], "PATCH", f"studies/{world['study']}/", {field: value})
