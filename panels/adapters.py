"""What a kind of task for people brings: words for its page, and whom it does not ask.

An app that asks people about items of its own defines an adapter, registers it when the app is
ready, and starts panels with its name as their ``purpose``. Everything else is the panel's.
"""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from corpora.core.items import Item
from panels.models import Panel
from workers.models import LedgerEntry, User


class Adapter:
    """The words and rules of the panels with one purpose; this one is of human evaluations."""

    purpose: ClassVar[str] = ""
    pay_kind: ClassVar[Any] = LedgerEntry.Kind.EVALUATION
    """Kind of the entries in the ledger."""
    name: ClassVar[Any] = "%s"
    """What people are asked about, with a place for the panel's title."""
    offer: ClassVar[Any] = _("Answer questions")
    about: ClassVar[Any] = _(
        "How well do people do on these questions? Choose one answer for each."
    )
    purpose_of_answers: ClassVar[Any] = _(
        "These answers show how well people do on a set of questions."
    )
    asks: ClassVar[Any] = ""
    """The question of every item; empty where it depends on the item."""
    hint: ClassVar[Any] = _(
        "Choose the best answer, also if you are not sure. Answer alone, without looking anything "
        "up."
    )
    says_what_fails: ClassVar[bool] = False
    """Whether who answers the second of two options may say what fails."""
    guideline: ClassVar[str] = ""
    """Template of the guidelines, if there are any."""
    figures_page: ClassVar[str] = ""
    """Name of the page with further figures; its argument is the panel's title."""

    def parts(self, item: Item) -> list[tuple[Any, str]]:
        """Return the parts of an item to set apart, each with its name; empty to show it whole."""
        return []

    def refuse_who_knows(self, worker: User, panel: Panel) -> None:
        """Refuse a worker who knows the answers; raises DomainError."""


_adapters: dict[str, Adapter] = {"": Adapter()}


def register(adapter: Adapter) -> None:
    """Register the adapter of the panels with its purpose."""
    _adapters[adapter.purpose] = adapter


def adapter_of(panel: Panel) -> Adapter:
    """Return the adapter of a panel; LookupError if no app has registered one."""
    return _adapters[panel.purpose]


def with_adapters(panels: Iterable[Panel]) -> list[tuple[Panel, Adapter]]:
    """Return each panel beside its adapter, which has the words of its offer."""
    return [(panel, adapter_of(panel)) for panel in panels]
