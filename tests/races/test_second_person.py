"""Two people who decide one proposal at once, with a control that loses its guard."""

import threading
from functools import partial
from typing import Any

import pytest

from corpora import services
from corpora.models import Release
from tests.factories import ProposalFactory, UserFactory
from tests.races.threads import at_once
from winoplatform.errors import DomainError
from workers import services as workers
from workers.models import AuditEvent, Proposal, User
from workers.services import proposals

ROUNDS = 5


def both_have_looked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two people pass all checks before either of them decides."""
    meet, refuse = threading.Barrier(2), proposals.refusal_to_decide

    def look(proposal: Proposal, by: User) -> DomainError | None:
        found = refuse(proposal, by)
        meet.wait(10)
        return found

    monkeypatch.setattr(proposals, "refusal_to_decide", look)


def at_one_moment(proposal: Proposal) -> list[Any]:
    """Confirm and decline a proposal at once."""
    confirm = partial(services.confirm, proposal=proposal, by=UserFactory(curator=True))
    declined = {"proposal": proposal, "outcome": Proposal.Outcome.DECLINED}
    return at_once(confirm, partial(workers.decide, by=UserFactory(curator=True), **declined))


def is_retracted(proposal: Proposal) -> bool:
    return Release.objects.get(public_id=proposal.release).retracted_at is not None


def test_of_a_confirmation_and_a_decline_at_once_one_takes_effect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both_have_looked(monkeypatch)
    for _ in range(ROUNDS):
        proposal = ProposalFactory()
        results = at_one_moment(proposal)
        [late] = [found for found in results if isinstance(found, DomainError)]
        assert late.code == "proposal_decided"
        proposal.refresh_from_db()
        assert is_retracted(proposal) == (proposal.outcome == Proposal.Outcome.CONFIRMED)


def test_two_who_confirm_at_once_do_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    both_have_looked(monkeypatch)
    proposal = ProposalFactory()
    people = [UserFactory(curator=True) for _ in range(2)]
    results = at_once(*[partial(services.confirm, proposal=proposal, by=by) for by in people])
    codes = [found.code for found in results if isinstance(found, DomainError)]
    assert codes == ["proposal_decided"], results
    assert AuditEvent.objects.filter(kind=AuditEvent.Kind.WITHDRAWN).count() == 1


def test_control_without_the_guard_what_is_declined_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both_have_looked(monkeypatch)
    monkeypatch.setattr(proposals, "_still_open", lambda row: Proposal.objects.filter(pk=row.pk))
    proposal = ProposalFactory()
    results = at_one_moment(proposal)
    assert not [found for found in results if isinstance(found, Exception)], results
    assert is_retracted(proposal)
    assert AuditEvent.objects.filter(kind="decided", facts__outcome="declined").exists()
