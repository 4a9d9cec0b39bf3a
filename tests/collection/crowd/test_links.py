"""What each platform's link says, and which links say nothing."""

import re
from dataclasses import replace
from decimal import Decimal
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.crowd import PROVIDERS, Arrival, Setup
from collection.crowd.mturk import external_question
from collection.crowd.signing import link_signature
from corpora import services as corpora
from tests.collection.crowd.links import (
    NOW,
    OURS,
    PID,
    SID,
    STUDY,
    generic_query,
    mturk_query,
    prolific_query,
    setup_query,
)
from tests.factories import CrowdSessionFactory, TwinFactory, VerdictFactory
from tests.filtering.stages import assert_done, read
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here

QUERIES = {"generic": generic_query, "prolific": prolific_query, "mturk": mturk_query}
NAMES = [*mturk_query(), "participant", "session", "signature", "PROLIFIC_PID"]
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


def arrival(provider: str, query: dict[str, str]) -> Arrival:
    return PROVIDERS[provider].arrival(STUDY, query, NOW)


def refusal(provider: str, query: dict[str, str]) -> str:
    with pytest.raises(DomainError) as refused:
        arrival(provider, query)
    return refused.value.code


def test_a_signed_link_names_its_participant_and_what_it_reports() -> None:
    query = generic_query(approvals="120", approval_rate="0.9849", return_to="https://p.example/x")
    assert arrival("generic", query) == Arrival(
        participant="p-1",
        session="s-1",
        approvals=120,
        approval_rate=Decimal("0.984"),
        return_to="https://p.example/x",
    )


@pytest.mark.parametrize(
    "change",
    [
        {"participant": "p-2"}, {"session": "s-2"}, {"expires": str(NOW + 61)},
        {"approvals": "5000"}, {"return_to": "https://evil.example/"}, {"signature": "0" * 64},
        {"signature": ""}, {"signature": "é"}, {"utm_source": "x"},
    ],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_whatever_is_changed_or_added_breaks_the_signature(change: dict[str, str]) -> None:
    assert refusal("generic", generic_query(approvals="120") | change) == "signature_wrong"


def test_a_link_signed_for_one_study_opens_no_other() -> None:
    other = replace(STUDY, id="0b6dd8b1-6b06-4f3c-8b70-2f4a2c54c002")
    with pytest.raises(DomainError) as refused:
        PROVIDERS["generic"].arrival(other, generic_query(), NOW)
    assert refused.value.code == "signature_wrong"


def test_a_link_ends_at_its_time() -> None:
    assert arrival("generic", generic_query(expires=str(NOW)))
    assert refusal("generic", generic_query(expires=str(NOW - 1))) == "link_expired"
    assert refusal("generic", generic_query(expires="soon")) == "link_incomplete"


@pytest.mark.parametrize(
    "fields",
    [
        {"participant": ""}, {"participant": "x" * 121}, {"session": "a\x00b"},
        {"approvals": "-1"}, {"approvals": "many"}, {"approval_rate": "1.01"},
        {"approval_rate": "NaN"}, {"approval_rate": "٠"}, {"return_to": "javascript:alert(1)"},
        {"return_to": "http://p.example/"}, {"return_to": "https://u:p@p.example/"},
        {"return_to": "https://p.example\\@evil.example"}, {"return_to": "https://[x"},
        {"return_to": "https://p.example/" + "x" * 500},
    ],
    ids=lambda fields: str(fields)[:40],
)  # fmt: skip
def test_a_signed_link_that_says_nonsense_is_refused(fields: dict[str, str]) -> None:
    assert refusal("generic", generic_query(**fields)) == "link_incomplete"


def test_prolifics_ids_come_in_with_the_studys_key() -> None:
    assert arrival("prolific", prolific_query()) == Arrival(participant=PID, session=SID)


@pytest.mark.parametrize("provider", ["prolific", "mturk"])
@pytest.mark.parametrize("key", ["", "x", "é" * 32, None])
def test_without_the_studys_key_nobody_arrives(provider: str, key: str | None) -> None:
    query = QUERIES[provider]()
    if key is None:
        query.pop("key")
    else:
        query["key"] = key
    assert refusal(provider, query) == "signature_wrong"


@pytest.mark.parametrize("pid", ["", "{{%PROLIFIC_PID%}}", "x" * 24, "5f3a9c", PID + "0"])
def test_an_id_that_prolific_never_gave_is_refused(pid: str) -> None:
    assert refusal("prolific", prolific_query(PROLIFIC_PID=pid)) == "link_incomplete"


def test_approvals_in_an_unsigned_link_count_for_nothing() -> None:
    found = arrival("prolific", prolific_query(approvals="5000", return_to="https://evil.example"))
    assert (found.approvals, found.return_to) == (None, "")


def test_a_workers_id_is_one_however_it_is_typed() -> None:
    assert arrival("mturk", mturk_query(workerId="a1b2c3d4e5")).participant == "A1B2C3D4E5"
    assert arrival("prolific", prolific_query(PROLIFIC_PID=PID.upper())).participant == PID
    for odd in ("Ａ1B2C3D4E5", "A1B2C3\u200b", "A1B2 C3", "A1B2C3\n1"):
        assert refusal("mturk", mturk_query(workerId=odd)) == "link_incomplete"


def test_mturk_shows_a_preview_until_the_hit_is_accepted() -> None:
    previewed = mturk_query(assignmentId="ASSIGNMENT_ID_NOT_AVAILABLE")
    del previewed["workerId"]
    assert arrival("mturk", previewed) == Arrival(is_preview=True)
    assert arrival("mturk", setup_query("mturk")).is_preview
    assert not arrival("mturk", mturk_query()).is_preview


@pytest.mark.parametrize(
    "place",
    ["https://www.mturk.com", "https://workersandbox.mturk.com", "https://mturksandbox.com"],
)
def test_work_is_handed_to_mturk(place: str) -> None:
    found = arrival("mturk", mturk_query(turkSubmitTo=place))
    ending = PROVIDERS["mturk"].ending(
        STUDY, session=found.session, code="C", return_to=found.return_to
    )
    assert ending.form_action == f"{place}/mturk/externalSubmit"
    assert dict(ending.form_fields) == {"assignmentId": found.session, "code": "C"}


@pytest.mark.parametrize(
    "place",
    [
        "", "https://evil.example", "http://www.mturk.com", "https://mturk.com.evil.example",
        "https://evilmturk.com", "https://www.mturk.com@evil.example", "javascript:alert(1)",
        "//www.mturk.com", "https://evil.example/www.mturk.com", "https://www.mturk.com/path",
        "https://www.mturk.com\\.evil.example", "https://[::1", "http://127.0.0.1:8100",
    ],
)  # fmt: skip
def test_work_is_handed_to_nobody_else(place: str) -> None:
    assert refusal("mturk", mturk_query(turkSubmitTo=place)) == "submit_place_wrong"


def test_a_sandbox_takes_work_only_where_it_is_set() -> None:
    study, place = replace(STUDY, sandbox="http://127.0.0.1:8100"), "http://127.0.0.1:8100"
    found = PROVIDERS["mturk"].arrival(study, mturk_query(turkSubmitTo=place), NOW)
    assert found.return_to == place
    with pytest.raises(DomainError):
        PROVIDERS["mturk"].arrival(study, mturk_query(turkSubmitTo="http://127.0.0.1:81"), NOW)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_provider_has_a_preview_by_the_studys_key(provider: str) -> None:
    key = setup_query("mturk")["key"]
    assert arrival(provider, {"key": key, "preview": "1"}).is_preview
    assert refusal(provider, {"preview": "1"}) == "signature_wrong"


@given(
    query=st.dictionaries(st.sampled_from([*mturk_query(), "participant", "signature"]), ANY_TEXT)
)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_any_query_is_refused_in_a_sentence(provider: str, query: dict[str, str]) -> None:
    with pytest.raises(DomainError) as refused:
        arrival(provider, query)
    assert re.match(r"[A-Z].*\.$", refused.value.message, re.S)


def test_the_signature_is_the_one_that_the_docs_describe() -> None:
    """As a script of another language would make it."""
    assert link_signature("s" * 32, "study", {"session": "a b", "expires": "9"}) == (
        "61585779c0e6e394347f67f9514e123ef33ea8166980cc7d836f34037e4e57f2"
    )


def setup(provider: str) -> Setup:
    return PROVIDERS[provider].setup(
        STUDY, origin=OURS, min_approvals=100, min_approval_rate=Decimal("0.951")
    )


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_setup_holds_no_secret(provider: str) -> None:
    text = str(setup(provider))
    assert STUDY.secret not in text
    assert STUDY.event_secret not in text


def test_prolific_fills_its_ids_into_the_link() -> None:
    assert "&PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}" in setup("prolific").link


@pytest.mark.parametrize(
    ("provider", "values"),
    [
        ("prolific", ["95.1% to 100%", "at least 100"]),
        ("mturk", ["GreaterThanOrEqualTo 96", "GreaterThanOrEqualTo 100"]),
        ("generic", ["at least 100", "at least 0.951"]),
    ],
)
def test_the_history_that_a_campaign_asks_for_is_spelled_out(
    provider: str, values: list[str]
) -> None:
    assert [row.value for row in setup(provider).requirements] == values


def test_a_return_address_is_filled_and_nothing_in_it_runs() -> None:
    ending = PROVIDERS["generic"].ending(STUDY, session="a&b={code}", code="C/1", return_to="")
    assert ending.url == "https://panel.example/done?cc=C%2F1&s=a%26b%3D%7Bcode%7D"


def test_prolific_ends_at_its_own_address() -> None:
    study = replace(STUDY, return_url="")
    ending = PROVIDERS["prolific"].ending(study, session="s", code="C1", return_to="")
    assert ending.url == "https://app.prolific.com/submissions/complete?cc=C1"


def test_the_external_question_is_xml_that_names_the_link() -> None:
    root = ElementTree.fromstring(external_question(setup("mturk").link + "&x=1"))
    assert root[0].text == setup("mturk").link + "&x=1"


def test_no_id_of_a_platform_is_frozen() -> None:
    session = CrowdSessionFactory(
        participant__external_id="secret-person", external_id="secret-session"
    )
    campaign, author = session.study.campaign, session.participant.worker
    questions = list(TwinFactory(campaign=campaign, author=author).questions.all())
    for question in questions:
        VerdictFactory(question=question)
    taken = corpora.take_snapshot(campaign=campaign, by=None)
    execute_here(taken)
    assert_done(taken)
    text = read(taken.questions)
    assert all(question.public_id in text for question in questions)
    theirs = ("secret-person", "secret-session", author.username, author.public_id)
    assert not [secret for secret in (*theirs, session.study.name) if secret in text]
