"""Ask people about an audit's suspects, among other questions."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from django.db import transaction
from django.utils.translation import gettext as _

from collection.models import Campaign
from evaluation.core.key_votes import Forecast, forecast
from evaluation.models import KeyAudit, KeyPanel
from panels import services as panels
from panels.models import Panel
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus
from workers.models import User

FILLERS = 0.5
"""The usual share of groups that are drawn at random, so that nobody can expect a wrong key."""
MOST_FILLERS = 0.9
VOTES = 5


@dataclass(frozen=True, slots=True)
class KeyPanelPlan:
    """What people would be asked about suspects, what it costs and what it is expected to find.

    Groups count with all their questions; ``n_fillers`` of them are drawn at random.
    """

    panel: Panel
    groups: frozenset[str]
    n_suspects: int
    n_fillers: int
    n_items: int
    forecast: Forecast

    @property
    def n_votes(self) -> int:
        return self.n_items * self.panel.votes_per_item

    @property
    def cost(self) -> Decimal:
        return self.n_votes * self.panel.pay_of(0)

    @property
    def share_of_fillers(self) -> float:
        return self.n_fillers / len(self.groups)

    @property
    def cost_per_found(self) -> Decimal | None:
        """The expected cost of each key found wrong; None if none is expected."""
        n = self.forecast.n_found
        return self.cost / Decimal(n) if n else None


def plan_key_panel(
    *,
    audit: KeyAudit,
    by: User | None,
    campaign: Campaign | None = None,
    votes_per_item: int = VOTES,
    reward: Decimal | None = None,
    fillers: float = FILLERS,
    seed: int = 0,
) -> KeyPanelPlan:
    """Return a panel about an audit's suspects that is not stored.

    Parameters
    ----------
    campaign, votes_per_item, reward
        As in `panels.services.planned`.
    fillers : float in [0, 0.9]
        The share of groups without a suspect, drawn by *seed*.

    Raises
    ------
    DomainError
        ``not_done``, ``no_suspects``, ``fillers_out_of_range``, and those of
        `panels.services.planned` and `panels.services.items_and_questions`.
    """
    if audit.status != RunStatus.DONE:
        raise Conflict("not_done", _("The audit has not ended."))
    if not 0 <= fillers <= MOST_FILLERS:
        raise DomainError("fillers_out_of_range", _("At most nine in ten groups are drawn."))
    suspects = list(audit.keys.suspected())
    if not suspects:
        raise Conflict("no_suspects", _("The audit suspects no key."))
    suspected = {key.group for key in suspects}
    drawn = _random_groups(audit, suspected, fillers, seed)
    panel = panels.planned(
        by=by,
        release=audit.release,
        snapshot=audit.snapshot,
        reference_set=audit.reference_set,
        split=audit.split,
        campaign=campaign,
        votes_per_item=votes_per_item,
        reward=reward,
        seed=seed,
        is_chosen=True,
    )
    groups = frozenset(suspected | drawn)
    items, _questions = panels.items_and_questions(panel, groups)
    expected = forecast([key.probability for key in suspects], votes=votes_per_item)
    return KeyPanelPlan(panel, groups, len(suspects), len(drawn), len(items), expected)


def _random_groups(audit: KeyAudit, suspected: set[str], share: float, seed: int) -> set[str]:
    """Draw groups without a suspect, as many as make the share of all that are asked about."""
    others = sorted(set(audit.keys.values_list("group", flat=True)) - suspected)
    n = min(len(others), round(len(suspected) * share / (1 - share)))
    chosen = np.random.default_rng([seed, 2]).permutation(len(others))[:n]
    return {others[at] for at in chosen}


@transaction.atomic
def start_key_panel(**asked: Any) -> KeyPanel:
    """Ask people about an audit's suspects among other questions, and reserve their pay.

    The parameters and errors are those of `plan_key_panel`, with ``budget_exhausted``. The panel is
    a human evaluation like any other: nothing that people see tells suspects from the rest.
    """
    plan = plan_key_panel(**asked)
    panel = plan.panel
    started = panels.start_human_evaluation(
        groups=plan.groups,
        **{
            name: getattr(panel, name)
            for name in (
                "release", "snapshot", "reference_set", "split", "campaign", "votes_per_item",
                "reward", "seed",
            )
        },
        by=asked["by"],
    )  # fmt: skip
    return KeyPanel.objects.create(audit=asked["audit"], panel=started)
