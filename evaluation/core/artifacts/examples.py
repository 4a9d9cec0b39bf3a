"""An item as each detector sees it, as evidence of what a leak means."""

from collections.abc import Sequence
from typing import Any

from corpora.core.items import Item
from evaluation.core.artifacts.detection import OPTION_POSITION, TEXTS


def examples_of(items: Sequence[Item]) -> dict[str, Any]:
    """Return an item as each detector sees it.

    Parameters
    ----------
    items : sequence of Item

    Returns
    -------
    dict of str to dict
        By detector a ``sentence`` and ``options``, without the answer. All are of the first item
        that every detector of texts sees; if there is none, each is of the first that it sees.
        Detectors that see no item are absent.
    """
    seen = {
        name: {item.id: item for item in transform(items).items}
        for name, transform in TEXTS.items()
    }
    shared = next((item.id for item in items if all(item.id in of for of in seen.values())), None)
    examples = {
        name: _example(of[shared] if shared is not None else next(iter(of.values())))
        for name, of in seen.items()
        if of
    }
    if "full_sentence" in examples:
        options = examples["full_sentence"]["options"]
        examples[OPTION_POSITION] = {"sentence": "", "options": options}
    return examples


def _example(item: Item) -> dict[str, Any]:
    return {"sentence": item.sentence, "options": list(item.options)}
