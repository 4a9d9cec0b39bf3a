"""What the pages' tests post and read."""

import html
import re
import uuid
from typing import Any

from django.http import HttpResponse

from tests.factories import OPTIONS, SENTENCES

HTMX = {"HX-Request": "true"}


def typed(**changes: Any) -> dict[str, str]:
    """The fields of a twin that breaks no rule, except where *changes* break one."""
    fields = {
        "client_key": str(uuid.uuid4()),
        "anchor": "suitcase",
        "domain": "physical",
        "option1": OPTIONS[0],
        "option2": OPTIONS[1],
        "sentence1": SENTENCES[0],
        "sentence2": SENTENCES[1],
        "answer1": "1",
    }
    return fields | changes


def words(response: HttpResponse) -> str:
    """The text of a page as it is read: no tags, single spaces."""
    text = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", response.content.decode(), flags=re.S)
    return " ".join(html.unescape(text).split())


def source(response: HttpResponse) -> str:
    """The markup of a page, with each tag on one line."""
    return re.sub(r"<[a-z][^<>]*>", one_line, response.content.decode())


def one_line(tag: re.Match[str]) -> str:
    return " ".join(tag[0].split()).replace(" >", ">")


def asks_twice(response: HttpResponse, address: str) -> bool:
    """Whether the form that posts to *address* asks again before it is sent."""
    return bool(re.search(rf'<form [^>]*action="{address}"[^>]* data-confirm="', source(response)))
