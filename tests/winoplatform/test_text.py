"""Text is taken in one form, whatever it came by."""

import io
import json
from types import SimpleNamespace

from django.http import QueryDict
from django.test import RequestFactory

from frontend.middleware import EnteredText
from winoplatform.api.parsing import JSONParser
from winoplatform.text import entered, entered_json

DECOMPOSED, COMPOSED = "Rene\u0301", "Ren\u00e9"


def test_a_line_break_is_one_character_and_a_letter_with_its_accent_another() -> None:
    assert entered("a\r\n" * 100) == "a\n" * 100
    assert entered("a\rb") == "a\nb"
    assert entered(DECOMPOSED) == COMPOSED
    assert entered("\ud800\x00") == "\ud800\x00"


def test_json_is_taken_in_at_any_depth_but_for_secrets() -> None:
    given = {"a": [{"b": "x\r\ny"}], "password": "p\r\n", "n": 1, "event_secret": DECOMPOSED}
    taken = {"a": [{"b": "x\ny"}], "password": "p\r\n", "n": 1, "event_secret": DECOMPOSED}
    assert entered_json(given) == taken
    body = json.dumps({"name": DECOMPOSED}).encode()
    assert JSONParser().parse(io.BytesIO(body)) == {"name": COMPOSED}


def test_every_form_is_taken_in_before_its_view_reads_it() -> None:
    request = RequestFactory().post(
        "/", {"text": "1\r\n2", "name": DECOMPOSED, "password": "a\r\n"}
    )
    middleware = EnteredText(lambda _: None)  # type: ignore[arg-type,return-value]
    middleware.process_view(request, SimpleNamespace(), (), {})
    assert isinstance(request.POST, QueryDict)
    assert request.POST.dict() == {"text": "1\n2", "name": COMPOSED, "password": "a\r\n"}


def test_a_view_that_checks_the_account_first_keeps_its_body_unread() -> None:
    request = RequestFactory().post("/", {"text": "1\r\n2"})
    middleware = EnteredText(lambda _: None)  # type: ignore[arg-type,return-value]
    middleware.process_view(request, SimpleNamespace(csrf_exempt=True), (), {})
    assert not hasattr(request, "_post")
