"""Audits of keys, over evaluations of known ability."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from numpy.typing import NDArray

from collection.models import Membership
from corpora.core.items import Item
from corpora.models import ReferenceSet
from evaluation import services
from evaluation.models import AuditedKey, Evaluation, KeyAudit
from evaluation.runner import key_audits
from evaluation.selectors.key_audits import auditable, n_auditable, votes_on
from tests.evaluation.core.test_key_audit import answered_pairs
from tests.evaluation.done import evaluated
from tests.evaluation.sets import small_set
from tests.factories import (
    KeyAuditFactory,
    PanelFactory,
    PanelItemFactory,
    PanelSeatFactory,
    ReleaseFactory,
    UserFactory,
)
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus
from workers.models import User

PAIRS = 30
ROW = re.compile(r"[01]\.\d+\s+q\d")


def items() -> list[Item]:
    return [
        Item(
            id=f"q{n}",
            group=f"g{n // 2}",
            sentence=f"_ is large {n} .",
            options=("ann", "joan"),
            answer=1 + n % 2,
        )
        for n in range(2 * PAIRS)
    ]


def scored(tmp_path: Path, right: NDArray[np.int64]) -> ReferenceSet:
    """Return a set of pairs with the predictions of systems, each of whom hits these keys."""
    data = small_set(items())
    for number, row in enumerate(right):
        file = tmp_path / f"{number}.jsonl"
        options = [item.answer if hit else 3 - item.answer  # type: ignore[operator]
                   for item, hit in zip(items(), row, strict=True)]  # fmt: skip
        lines = (
            json.dumps({"qID": f"q{n}", "prediction": option}) for n, option in enumerate(options)
        )
        file.write_text("\n".join(lines))
        call_command(
            "score_predictions", "small", str(file), split="test", store=f"system {number}"
        )
    return data


def printed() -> str:
    out = io.StringIO()
    call_command("run", "key-audit", "--reference-set", "small", "--split", "test", stdout=out)
    return out.getvalue()


def test_it_lists_the_planted_keys(tmp_path: Path) -> None:
    right, _, planted = answered_pairs(12, PAIRS, 0, wrong=3, alike=0.3, spread=3.0)
    scored(tmp_path, right)
    text = printed()
    assert "60 questions · 12 evaluations, worth" in text
    audit = KeyAudit.objects.get()
    keys = list(audit.keys.suspected())
    assert {key.source_id for key in keys[:3]} == {f"q{n}" for n in planted}
    assert len(keys) <= 4  # of such a list a tenth is expected to be right
    assert keys
    assert f"{len(keys)} of 60 key" in text
    assert "people must decide" in text
    listed = {line.split()[1] for line in text.splitlines() if ROW.match(line)}
    assert listed == {key.source_id for key in keys}
    assert audit.keys.count() == 60
    assert not audit.keys.filter(twin_evidence=None).exists()
    again = services.audit_keys(reference_set=audit.reference_set, by=None, seed=0)
    execute_here(again)
    same = ("source_id", "probability", "twin_evidence", "finding", "discrimination")
    assert list(again.keys.values_list(*same)) == list(audit.keys.values_list(*same))


@pytest.mark.long
def test_it_says_when_systems_cannot_tell(tmp_path: Path) -> None:
    scored(tmp_path, np.random.default_rng(0).integers(0, 2, size=(6, 2 * PAIRS)))
    text = printed()
    assert "Cannot tell: these 6 systems" in text
    assert "suspected" not in text
    assert not AuditedKey.objects.suspected().exists()


@pytest.mark.long
def test_a_set_without_enough_systems_is_refused(tmp_path: Path) -> None:
    scored(tmp_path, np.ones((4, 2 * PAIRS), dtype=np.int64))
    with pytest.raises(CommandError, match="at least 5 systems; these questions have 4"):
        printed()


def test_the_number_of_evaluations_is_that_which_an_audit_uses(dana: User) -> None:
    data = small_set(items())
    for method, seed in (("random", 0), ("random", 0), ("random", 1), ("majority", 0)):
        evaluated(data, method, seed=seed)
    run = KeyAudit(reference_set=data, split="test")
    assert n_auditable(run, dana) == len(auditable(run, dana)) == 3


@pytest.mark.long
def test_an_audit_whose_evaluations_are_gone_says_so(tmp_path: Path) -> None:
    data = scored(tmp_path, np.ones((5, 2 * PAIRS), dtype=np.int64))
    audit = services.audit_keys(reference_set=data, by=None)
    Evaluation.objects.all().delete()
    execute_here(audit)
    audit.refresh_from_db()
    assert audit.failure == "Evaluations that this audit needs were deleted; start a new one."


@pytest.mark.long
def test_an_attempt_that_lost_its_lease_leaves_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = scored(tmp_path, np.ones((5, 2 * PAIRS), dtype=np.int64))
    audit = services.audit_keys(reference_set=data, by=None)

    def stolen(*args: object) -> list[AuditedKey]:
        KeyAudit.objects.update(attempt=2)
        return []

    monkeypatch.setattr(key_audits, "_rows", stolen)
    execute_here(audit)
    audit.refresh_from_db()
    assert (audit.status, audit.result) == (RunStatus.RUNNING, None)
    assert not audit.keys.exists()


def test_only_members_audit_the_questions_of_a_campaign(dana: User) -> None:
    release = ReleaseFactory(finished=True, is_public=True)
    Membership.objects.filter(user=dana).delete()
    with pytest.raises(DomainError, match="audited by its members"):
        services.audit_keys(release=release, split="test", by=dana)
    with pytest.raises(DomainError, match="these can be audited: dev and test"):
        services.audit_keys(release=release, split="train", by=None)


def test_votes_of_panels_count_for_whoever_may_see_them(dana: User) -> None:
    data = small_set(items())
    panel = PanelFactory(reference_set=data)
    for n, option in ((0, 2), (1, 2)):
        item = PanelItemFactory(panel=panel, source_id=f"q{n}", line=items()[n].to_line())
        for _ in range(3):
            PanelSeatFactory(item=item, worker=UserFactory(), option=option)
    audit = KeyAuditFactory(release=None, reference_set=data, split="test", created_by=dana)
    votes = votes_on(audit, items())
    assert (votes["q0"].n, votes["q0"].n_for_key) == (3, 0)
    assert (votes["q1"].n, votes["q1"].n_for_key) == (3, 3)
    assert votes["q0"].posterior < 0.2 < 0.8 < votes["q1"].posterior
    Membership.objects.filter(user=dana).delete()
    assert votes_on(audit, items()) == {}
