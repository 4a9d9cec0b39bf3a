"""Who is told what of audits, of votes on keys, and of two versions that not everybody sees."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Membership
from corpora.models import ReferenceSet, Release
from evaluation.models import KeyAudit, KeyPanel
from evaluation.services.key_panels import start_key_panel
from evaluation.services.key_revisions import revise_reference_set
from tests.access.outsiders import Role, outsider
from tests.api.calls import API, client_of
from tests.api.test_operations import with_scopes
from tests.corpora.sets import imported
from tests.corpora.test_release_provenance import validated
from tests.evaluation.done import audited_key, evaluated
from tests.evaluation.key_panels import against, answered_panel, audit_of, first_group
from tests.evaluation.test_key_panels import release_of
from tests.factories import CampaignFactory, EvaluationFactory, FineTuningFactory, UserFactory
from tests.factories.runs import AUDITED
from validation.models import Vote
from workers.models import User

Readers = dict[str, User | None]
EVERYBODY = {"stranger": 401, "worker": 200, "other": 200, "member": 200}
MEMBERS = {"stranger": 401, "worker": 404, "other": 404, "member": 200}
CURATORS = {"stranger": 401, "worker": 403, "other": 404, "member": 200}


@pytest.fixture
def readers(dana: User) -> Readers:
    """Dana is a member of all campaigns but the other curator's."""
    return {"stranger": None, "worker": UserFactory(), "other": outsider(), "member": dana}


def browser_of(user: User | None) -> Client:
    client = Client(raise_request_exception=False)
    if user is not None:
        client.force_login(user)
    return client


def statuses(readers: Readers, path: str, method: str = "get") -> dict[str, int]:
    return {
        who: getattr(client_of(user), method)(f"{API}{path}").status_code
        for who, user in readers.items()
    }


def pages(readers: Readers, path: str) -> dict[str, int]:
    """The statuses of a page; as the API, a stranger who has to sign in gets 401."""
    found = {who: browser_of(user).get(path).status_code for who, user in readers.items()}
    return {who: 401 if status == 302 else status for who, status in found.items()}


# -- two versions of a release ---------------------------------------------------------------------
@pytest.fixture
def versions(db: None) -> Campaign:
    """Two releases of a campaign, and an evaluation of each labelled split of the first."""
    campaign = validated(8, dev_share="0.5", test_share="0.25")
    Vote.objects.update(local_option=None)  # `validated` changes it after the verdicts
    first = release_of(campaign, "one", is_public=True)
    for split in ("dev", "test"):
        evaluated(None, "majority", reference_set=None, release=first, split=split)
    release_of(campaign, "two", is_public=True)
    return campaign


CASES = (
    # whether the first and the second release are public, the split, and who is told what
    (True, True, "dev", EVERYBODY),
    (True, False, "dev", MEMBERS),
    (False, True, "dev", MEMBERS),
    (False, False, "dev", MEMBERS),
    (True, True, "test", MEMBERS),
)


@pytest.mark.long
def test_scores_on_both_versions_are_for_readers_of_both(
    versions: Campaign, readers: Readers
) -> None:
    for first, second, split, told in CASES:
        Release.objects.filter(name="one").update(is_public=first)
        Release.objects.filter(name="two").update(is_public=second)
        case, place = f"{first} {second} {split}", ["release", "one", split]
        assert statuses(readers, f"comparisons/release/one/{split}/versions/") == told, case
        assert pages(readers, reverse("both-versions", args=place)) == told, case
        for who in ("worker", "other"):
            page = browser_of(readers[who]).get(reverse("comparison", args=place)).content
            assert (b"Scores on both versions" in page) == (told[who] == 200), case


# -- two versions of a reference set ---------------------------------------------------------------
@pytest.fixture
def revised(dana: User) -> KeyPanel:
    """A set of Dana's with a later version, and the panel that decided."""
    data = imported("tiny", is_public=True, by=dana)
    evaluated(data, "majority")
    audit = audit_of({"a-1"}, reference_set=data, created_by=dana)
    row = answered_panel(audit, against({"a-1"}), campaign=CampaignFactory(slug="kitchen"))
    revise_reference_set(row=row, name="tiny-2", by=dana, credit="Ada", agreed=True)
    return row


@pytest.mark.long
@pytest.mark.parametrize("hidden", ["tiny", "tiny-2"])
def test_a_version_that_is_not_seen_is_named_nowhere_on_the_other(
    revised: KeyPanel, readers: Readers, hidden: str
) -> None:
    ReferenceSet.objects.filter(name=hidden).update(is_public=False, title="hidden title")
    seen = "tiny-2" if hidden == "tiny" else "tiny"
    told = statuses(readers, "comparisons/reference-set/tiny/test/versions/")
    assert told == MEMBERS
    link = reverse("reference-set", args=[hidden]).encode()
    for who, user in readers.items():
        page = browser_of(user).get(reverse("reference-set", args=[seen])).content
        assert (b"hidden title" in page or link in page) == (who == "member")
        if hidden == "tiny-2":
            assert (b"Found by Ada" in page) == (who == "member")


@pytest.mark.long
def test_a_set_that_is_not_theirs_is_revised_by_nobody(dana: User) -> None:
    data = imported("tiny", is_public=True, by=UserFactory(curator=True))
    audit = audit_of({"a-1"}, reference_set=data)  # by a command, so every curator sees it
    row = answered_panel(audit, against({"a-1"}), campaign=CampaignFactory())
    path = f"{API}human-evaluations/{row.panel.public_id}/keys/"
    client = client_of(dana)
    assert client.get(path).status_code == 200
    assert client.post(f"{path}revise/", {"name": "tiny-2"}).status_code == 404
    page = reverse("revise-keys", args=[row.panel.public_id])
    assert browser_of(dana).post(page, {"name": "tiny-2"}).status_code == 404
    assert not ReferenceSet.objects.filter(name="tiny-2").exists()


# -- audits ----------------------------------------------------------------------------------------
@pytest.mark.long
def test_an_audit_of_a_public_release_is_for_members(versions: Campaign, readers: Readers) -> None:
    release = Release.objects.get(name="one")
    for split in ("dev", "test"):
        audit = audit_of(
            {item.id for item in first_group(release, split)}, release=release, split=split
        )
        one = f"key-audits/{audit.public_id}/"
        assert statuses(readers, one) == CURATORS
        assert statuses(readers, f"{one}panels/") == CURATORS
        assert statuses(readers, f"{one}panels/cost/", "post") == CURATORS
        row = start_key_panel(audit=audit, by=None)
        assert statuses(readers, f"human-evaluations/{row.panel.public_id}/keys/") == CURATORS
        listed = client_of(readers["other"]).get(f"{API}key-audits/").json()["results"]
        assert listed == []


@pytest.mark.long
def test_an_audit_of_a_set_and_its_votes_are_its_authors_alone(
    revised: KeyPanel, readers: Readers
) -> None:
    """The other curator sees the set and is a member of the campaign whose people voted."""
    other = readers["other"]
    Membership.objects.create(user=other, campaign=revised.panel.campaign, role=Role.OWNER)
    panel = revised.panel.public_id
    for path in (f"key-audits/{revised.audit.public_id}/", f"human-evaluations/{panel}/keys/"):
        assert statuses(readers, path) == CURATORS
    page = browser_of(other).get(reverse("human-evaluation", args=[panel])).content
    assert b"were chosen because of an audit" in page
    assert reverse("key-votes", args=[panel]).encode() not in page


@pytest.mark.long
def test_who_is_no_member_any_more_is_told_of_no_votes(
    revised: KeyPanel, readers: Readers, dana: User
) -> None:
    Membership.objects.filter(user=dana).delete()
    path = f"human-evaluations/{revised.panel.public_id}/keys/"
    assert statuses(readers, path)["member"] == 404
    assert statuses(readers, f"key-audits/{revised.audit.public_id}/panels/")["member"] == 200
    listed = client_of(dana).get(f"{API}key-audits/{revised.audit.public_id}/panels/")
    assert listed.json() == []


@pytest.mark.long
def test_a_system_is_named_to_those_who_see_its_evaluation(dana: User) -> None:
    """Another member does not see the set that a model was fine-tuned on, nor the model."""
    release = validated_release()
    tuning = FineTuningFactory(
        finished=True,
        release=None,
        dev_release=None,
        reference_set=imported("secret-set", by=dana),
        dev_reference_set=imported("secret-dev", by=dana),
    )
    run = EvaluationFactory(
        release=release, split="dev", finished=True, method="fine_tuned", fine_tuning=tuning
    )
    system = AUDITED["systems"][0] | {"evaluation": str(run.public_id), "name": "secret system"}
    key = audited_key(run, result=AUDITED | {"systems": [system]}, created_by=dana)
    path = f"{API}key-audits/{key.run.public_id}/"
    other = UserFactory(curator=True)
    for user, is_told in ((dana, True), (other, False)):
        answers: list[Any] = [client_of(user).get(path), client_of(user).get(f"{API}key-audits/")]
        answers.append(browser_of(user).get(reverse("key-audit", args=[key.run.public_id])))
        for answer in answers:
            assert answer.status_code == 200
            assert (b"secret system" in answer.content) == is_told
            assert (str(run.public_id).encode() in answer.content) == is_told


def validated_release() -> Release:
    return release_of(validated(4, dev_share="0.5", test_share="0.25"), "one", is_public=True)


def test_a_token_that_may_read_no_labels_reads_no_suspicion(dana: User) -> None:
    audit: KeyAudit = audit_of({"a-1"}, reference_set=imported("tiny"))
    client = with_scopes(dana, "read")
    for path in ("key-audits/", f"key-audits/{audit.public_id}/"):
        assert client.get(f"{API}{path}").status_code == 403
