"""What people's fresh votes say of the keys that an audit suspects."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.key_votes import Decision, KeyVotes, key_votes
from evaluation.models import AuditedKey, KeyPanel
from panels.models import Panel
from panels.selectors import Answered, panel_answers


@dataclass(frozen=True, slots=True)
class AskedKey:
    """A suspected key, or that of a question of its group, with the votes on it.

    ``answered`` and ``said`` are None before the question has all its votes. ``question`` is the
    id of the campaign's question, empty for one of a reference set.
    """

    key: AuditedKey
    question: str
    answered: Answered | None
    said: KeyVotes | None

    @property
    def decision(self) -> Decision | None:
        return self.said.decision if self.said else None

    @property
    def chance_wrong(self) -> float | None:
        """The probability of a wrong key by the votes alone."""
        if self.said is None or self.answered is None:
            return None
        return 1 - self.said.posterior[self.answered.answer - 1]


def asked_keys(row: KeyPanel) -> list[AskedKey]:
    """Return the suspects of a panel, the most probable first, each with its group behind it."""
    answered = {one.item.id: one for one in panel_answers(row.panel)}
    said = dict(zip(answered, votes_on_keys(list(answered.values())), strict=True))
    asked = dict(row.panel.items.values_list("source_id", "question__public_id"))
    keys = row.audit.keys.filter(source_id__in=asked)
    place = {key.group: -key.probability for key in keys if key.is_suspected}
    of_groups = [key for key in keys if key.group in place]
    of_groups.sort(key=lambda key: (place[key.group], key.group, not key.is_suspected, key.number))
    return [
        AskedKey(
            key, asked[key.source_id] or "", answered.get(key.source_id), said.get(key.source_id)
        )
        for key in of_groups
    ]


def votes_on_keys(items: Sequence[Answered]) -> list[KeyVotes]:
    """Return what the votes say of the keys of items that have all their votes."""
    return key_votes(
        [[option for option, _worker in one.votes] for one in items],
        [[worker for _option, worker in one.votes] for one in items],
        [one.answer for one in items],
        n_options=[len(one.item.options) for one in items],
    )


def key_panel_of(panel: Panel) -> KeyPanel | None:
    """Return what makes a panel one about suspected keys; None if it is none."""
    rows = KeyPanel.objects.filter(panel=panel)
    return rows.select_related("audit", "panel__campaign", "reference_set").first()
