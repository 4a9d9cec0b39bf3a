"""Audits of keys in the browser: started beside a comparison, and read."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from collection.models import Membership
from evaluation.models import AuditedKey, Evaluation, KeyAudit
from tests.corpora.sets import imported
from tests.evaluation.done import audited_key, evaluated
from tests.factories import EvaluationFactory, KeyAuditFactory, ReleaseFactory
from tests.factories.runs import AUDITED
from tests.frontend.pages import words
from workers.models import AuditEvent, User

SET = ["reference-set", "tiny", "test"]


@pytest.fixture
def run(db: None) -> Evaluation:
    return evaluated(imported(is_public=True))


def opened(client: Client, name: str, *args: object) -> HttpResponse:
    response: Any = client.get(reverse(name, args=args))
    return response


@pytest.mark.long
def test_an_audit_begins_with_its_verdict_and_lists_the_suspects(
    as_dana: Client, run: Evaluation
) -> None:
    key = audited_key(run)
    text = words(opened(as_dana, "key-audit", key.run.public_id))
    _before, verdict, after = text.partition("2 of 2 keys are suspected.")
    assert verdict
    assert "people must decide" in after
    assert "These 12 systems, which are worth 12.0 independent ones, would have found" in after
    assert after.count("key suspected") == 6
    assert "97.0%" in after


@pytest.mark.long
def test_nothing_is_suspected_is_said_with_the_power(as_dana: Client, run: Evaluation) -> None:
    key = audited_key(run, result=AUDITED | {"n_suspected": 0, "n_questions": 6})
    AuditedKey.objects.update(finding="nothing", probability=0.01)
    text = words(opened(as_dana, "key-audit", key.run.public_id))
    assert "No key of 6 questions is suspected; these 12 systems" in text
    assert "would have found about 90% of wrong keys." in text


@pytest.mark.long
def test_too_weak_systems_cannot_tell(as_dana: Client, run: Evaluation) -> None:
    needed = [{"low": 0.52, "high": 0.7, "n_systems": 50}]
    key = audited_key(run, result=AUDITED | {"can_tell": False, "power": 0.2, "needed": needed})
    AuditedKey.objects.update(finding="nothing")
    text = words(opened(as_dana, "key-audit", key.run.public_id))
    assert "Cannot tell: these 12 systems" in text
    assert "enough are 50 independent systems with accuracies spread evenly from 52% to 70%" in text
    page = words(opened(as_dana, "audited-key", key.run.public_id, 1))
    assert "These systems are not enough to tell whether this key is wrong." in page


def test_a_question_has_its_curve_and_systems_that_one_may_see(
    as_dana: Client, run: Evaluation
) -> None:
    systems = [AUDITED["systems"][0] | {"evaluation": str(run.public_id), "name": "the seen"}]
    key = audited_key(run, result=AUDITED | {"systems": systems + AUDITED["systems"][1:]})
    text = words(opened(as_dana, "audited-key", key.run.public_id, 1))
    assert "This key is suspected; people must decide." in text
    assert "The key is wrong with a probability of 97.0%, by all evidence together." in text
    assert "the seen" in text
    assert text.count("a system that you may not see") == 11
    assert opened(as_dana, "audited-key", key.run.public_id, 99).status_code == 404
    assert AuditEvent.objects.filter(kind=AuditEvent.Kind.LABELS).exists()


def test_the_page_says_beforehand_how_many_systems_it_takes_and_links_the_form(
    as_dana: Client, run: Evaluation
) -> None:
    page = opened(as_dana, "key-audits", *SET)
    text = words(page)
    assert "5 systems are the least." in text
    assert "usually takes 10 to 20 systems of clearly different accuracy, up to 90%" in text
    href = page.context["evaluate_href"]
    assert f'href="{href}"' in page.content.decode()
    assert as_dana.get(href).context["form"]["questions"].value() == [":".join(SET)]


@pytest.mark.long
def test_few_systems_start_nothing_and_the_page_says_why(as_dana: Client, run: Evaluation) -> None:
    assert "by at least 5 systems; these questions have 1" in words(
        opened(as_dana, "key-audits", *SET)
    )
    sent: Any = as_dana.post(reverse("key-audits", args=SET), {"seed": "0"})
    assert (sent.status_code, KeyAudit.objects.count()) == (400, 0)
    for seed in range(4):
        evaluated(run.reference_set, "random", seed=seed)
    sent = as_dana.post(reverse("key-audits", args=SET), {"seed": "0"})
    assert sent["Location"] == reverse("key-audit", args=[KeyAudit.objects.get().public_id])
    assert KeyAudit.objects.get().evaluations.count() == 5


def test_audits_of_blind_questions_are_for_members_alone(as_dana: Client, dana: User) -> None:
    release = ReleaseFactory(finished=True, is_public=True)
    EvaluationFactory(release=release, split="test", finished=True)
    audit = KeyAuditFactory(release=release, split="test")
    assert opened(as_dana, "key-audit", audit.public_id).status_code == 200
    Membership.objects.filter(user=dana).delete()
    assert opened(as_dana, "key-audit", audit.public_id).status_code == 404
    assert opened(as_dana, "key-audits", "release", release.name, "test").status_code == 404


@pytest.mark.long
def test_an_own_audit_of_a_set_is_not_another_curators(as_dana: Client, run: Evaluation) -> None:
    key = audited_key(run, created_by=run.created_by)
    assert opened(as_dana, "key-audit", key.run.public_id).status_code == 200
    other: Any = User.objects.create(username="eve", role=User.Role.CURATOR)
    KeyAudit.objects.update(created_by=other)
    assert opened(as_dana, "key-audit", key.run.public_id).status_code == 404
