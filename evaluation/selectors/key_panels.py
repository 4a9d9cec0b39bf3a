"""What people's fresh votes say of the keys that an audit suspects."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.models import Release
from evaluation.core.key_votes import Act, Decision, KeyVotes, key_votes
from evaluation.models import AuditedKey, KeyPanel
from panels.selectors import Answered, panel_answers
from winoplatform.runs.models import RunStatus


@dataclass(frozen=True, slots=True)
class AskedKey:
    """A suspected key, or that of a question of its group, with the votes on it.

    Parameters
    ----------
    question : str
        The id of the campaign's question, empty for one of a reference set.
    answered, said
        None before the question has all its votes.
    act : Act or None
        What the revision did; None before it.
    refusal : str
        Why it did not do more.
    """

    key: AuditedKey
    question: str
    answered: Answered | None
    said: KeyVotes | None
    act: Act | None = None
    refusal: str = ""

    @property
    def decision(self) -> Decision | None:
        return self.said.decision if self.said else None

    @property
    def chance_wrong(self) -> float | None:
        """The probability of a wrong key by the votes alone; None before all votes."""
        if self.said is None or self.answered is None:
            return None
        return 1 - self.said.posterior[self.answered.answer - 1]


def asked_keys(row: KeyPanel) -> list[AskedKey]:
    """Return the suspects of a panel, the most probable first, each with its group behind it."""
    answered = {one.item.id: one for one in panel_answers(row.panel)}
    said = dict(zip(answered, votes_on_keys(list(answered.values())), strict=True))
    asked = dict(row.panel.items.values_list("source_id", "question__public_id"))
    keys = row.audit.keys.filter(source_id__in=asked).defer("answers")
    place = {key.group: -key.probability for key in keys if key.is_suspected}
    of_groups = [key for key in keys if key.group in place]
    of_groups.sort(key=lambda key: (place[key.group], key.group, not key.is_suspected, key.number))
    outcome = {one["id"]: one for one in row.outcome or ()}

    def with_votes(key: AuditedKey) -> AskedKey:
        id = key.source_id
        done = outcome.get(id, {"act": None, "refusal": ""})
        act = Act(done["act"]) if done["act"] else None
        return AskedKey(key, asked[id] or "", answered.get(id), said.get(id), act, done["refusal"])

    return [with_votes(key) for key in of_groups]


def votes_on_keys(items: Sequence[Answered]) -> list[KeyVotes]:
    """Return what the votes say of the keys of items that have all their votes."""
    return key_votes(
        [[option for option, _worker in one.votes] for one in items],
        [[worker for _option, worker in one.votes] for one in items],
        [one.answer for one in items],
        n_options=[len(one.item.options) for one in items],
    )


def release_with_keys(before: Release) -> Release | None:
    """Return the newest release after an audited one; a public one if that one is public.

    None if there is none that is not retracted.
    """
    after = Release.objects.filter(
        snapshot__campaign=before.campaign,
        status=RunStatus.DONE,
        ended_at__gt=before.ended_at,
        retracted_at=None,
    )
    after = after.public() if before.is_public else after
    return after.order_by("-ended_at", "-pk").first()
