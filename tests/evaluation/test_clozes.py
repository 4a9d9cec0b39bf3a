"""Options are inserted as a writer would write them."""

import pytest

from corpora.core.forms import clozes, require_rest
from corpora.core.items import Item

pytestmark = pytest.mark.rowless


@pytest.mark.parametrize(
    ("sentence", "option", "inserted"),
    [
        ("It fell as _ bent.", "The tray", "the tray"),
        ("It fell. _ bent.", "The tray", "The tray"),
        ("It fell. _ bent.", "the tray", "The tray"),
        ("It fell as _ bent.", "Ann", "Ann"),
        ("It fell as _ bent.", "Theo", "Theo"),
        ("It fell as _ bent.", "My sister Ann", "my sister Ann"),
    ],
)
def test_only_the_capital_of_a_determiner_depends_on_its_place(
    sentence: str, option: str, inserted: str
) -> None:
    [found] = clozes([Item(id="a", group="a", sentence=sentence, options=(option, "Bob"))])
    assert found.options == (inserted, "Bob")
    assert found.filled[0] == sentence.replace("_", inserted)


def test_a_pronoun_is_the_gap() -> None:
    item = Item(
        id="a",
        group="a",
        sentence="Ann left as she was ill.",
        options=("Ann", "Joan"),
        form="pronoun",
        span=(12, 15),
    )
    [found] = clozes([item])
    assert (found.before, found.after) == ("Ann left as ", " was ill.")


@pytest.mark.parametrize(
    ("relation", "filled"),
    [("cause", "The lamp fell because I ran."), ("effect", "The lamp fell so I ran.")],
)
def test_a_premise_is_continued_by_its_cause_or_effect(relation: str, filled: str) -> None:
    item = Item(
        id="a",
        group="a",
        sentence="The lamp fell.",
        options=("I ran.", "The cat jumped."),
        form="premise",
        relation=relation,
    )
    [found] = clozes([item])
    assert found.filled == [filled, filled.replace("I ran.", "the cat jumped.")]
    with pytest.raises(ValueError, match="whole sentences"):
        require_rest([item], [found])
