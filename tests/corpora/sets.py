"""A small reference set."""

from typing import Any

from corpora import services
from corpora.models import ReferenceSet

LINES = [
    f'{{"qID": "{group}-{n}", "sentence": "The cup stood on the tray, so _ {verb}.",'
    f' "option1": "the cup", "option2": "the tray", "answer": "{n}"}}'
    for group in "abc"
    for n, verb in ((1, "fell"), (2, "bent"))
]


def imported(name: str = "tiny", **fields: Any) -> ReferenceSet:
    asked = {"format": "winogrande", "splits": {"test": LINES}, "by": None} | fields
    return services.import_reference_set(name=name, **asked)
