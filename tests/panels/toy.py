"""A new task for people: which of some lines are jokes? All that it needs is here."""

from collections.abc import Sequence
from typing import Any

from corpora.core.items import FIXED_OPTIONS, Item
from panels.adapters import Adapter, register
from panels.models import Panel
from panels.services import AskedItem, start_panel
from tests.factories import CampaignFactory
from winoplatform.errors import Conflict
from workers.models import User


class JokesAdapter(Adapter):
    purpose = "jokes"
    name = "jokes of %s"
    offer = "Judge jokes"
    about = "Some lines are jokes."
    asks = "Is this a joke?"
    hint = "You need not laugh."
    says_what_fails = True

    def parts(self, item: Item) -> list[tuple[Any, str]]:
        return [("The joke", item.sentence)]

    def refuse_who_knows(self, worker: User, panel: Panel) -> None:
        if worker == panel.created_by:
            raise Conflict("knows_jokes", "You wrote the jokes, so others judge.")


register(JokesAdapter())


def statement(id: str, text: str, *, is_true: bool) -> Item:
    return Item(
        id=id,
        group=text.casefold().rstrip("!"),
        sentence=text,
        options=FIXED_OPTIONS["statement"],
        answer=1 if is_true else 2,
        form="statement",
    )


def ask(lines: Sequence[tuple[str, bool]], **fields: Any) -> Panel:
    """Ask people about lines that are jokes or not; two with the same words are a pair."""
    asked = [
        AskedItem(
            statement(f"line-{number}", text, is_true=is_joke),
            author=fields.get("author"),
            other_author=fields.get("other_author"),
        )
        for number, (text, is_joke) in enumerate(lines, 1)
    ]
    fields = {name: value for name, value in fields.items() if "author" not in name}
    if "campaign" not in fields:
        fields["campaign"] = CampaignFactory()
    return start_panel(Panel(purpose="jokes", title="the year", **fields), asked)


def enrolled(n_pairs: int = 2, **fields: Any) -> Panel:
    """Ask two people about each of some pairs, which pay 5.00 in all."""
    lines = [(f"Line {n}{end}", not end) for n in range(n_pairs) for end in ("", "!")]
    if "reward" not in fields:
        fields.setdefault("whole_set", "5.00")
    fields = {"votes_per_item": 2, "needed": 2} | fields
    return ask(lines, mode=Panel.Mode.ENROLMENTS, **fields)
