"""Text and files from outside: a longest length, one form, and the places that take files."""

import ast
import importlib
import io
import json
import pkgutil
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.test import RequestFactory
from rest_framework import serializers

from collection.imports.uploads import MOST_BYTES
from frontend.middleware import EnteredText
from tabular.writing import csv_lines
from tests.access.routes import every_route
from tests.data_dir import ROOT
from winoplatform.api.parsing import JSONParser
from winoplatform.exporting.spreadsheets import saved_as
from winoplatform.http.bodies import UPLOADED_BYTES
from winoplatform.http.responses import BYTE_ORDER_MARK, ByteOrderMark
from winoplatform.text import entered, entered_json
from workers.services.invitations import MOST_CHARACTERS

NOT_TEXT = (
    forms.ChoiceField,
    forms.ModelChoiceField,
    forms.UUIDField,
    serializers.ChoiceField,
)
# Named elsewhere: docs/rules.md lists what bounds each.
OTHERWISE: dict[str, str] = {
    "frontend.account.views.AddPasskeyForm.credential": "JSON; the body of a request is bounded",
    **{
        f"frontend.account.views.{field}": "`BoundedPasswords` bounds it when the form is made"
        for field in (
            "SignInForm.password", "ReauthenticateForm.password", "ChangePasswordForm.oldpassword",
            "ChangePasswordForm.password1", "ChangePasswordForm.password2",
            "SetPasswordForm.password1", "SetPasswordForm.password2", "NewPasswordForm.password1",
            "NewPasswordForm.password2",
        )
    },
}  # fmt: skip


def classes(base: type) -> Iterator[type]:
    """Yield the platform's own subclasses of *base*, of every module of its apps."""
    ours = [c for c in apps.get_app_configs() if Path(c.path).parent == settings.BASE_DIR]
    for config in ours:
        for found in pkgutil.walk_packages(config.module.__path__, f"{config.name}."):
            if ".migrations" not in found.name and ".stand_alone" not in found.name:
                importlib.import_module(found.name)
    names = {config.name for config in ours}
    for one in _below(base):
        if one.__module__.partition(".")[0] in names:
            yield one


def _below(base: type) -> Iterator[type]:
    for one in base.__subclasses__():
        yield one
        yield from _below(one)


def unbounded(field: Any) -> bool:
    """Return whether a field takes text of any length."""
    if isinstance(field, serializers.ListField | serializers.DictField):
        return unbounded(field.child)
    if isinstance(field, serializers.JSONField):
        return True
    is_text = isinstance(field, forms.CharField | serializers.CharField)
    return is_text and not isinstance(field, NOT_TEXT) and field.max_length is None


def form_fields() -> Iterator[tuple[str, Any]]:
    for form in classes(forms.BaseForm):
        for name, field in form.base_fields.items():
            yield f"{form.__module__}.{form.__qualname__}.{name}", field


def taken() -> Iterator[type]:
    """Yield the serializers of what the API takes: bodies, and parameters in the address."""
    for route in every_route():
        view = getattr(route.answers, "view_class", None)
        for said in (getattr(view, "takes", None), getattr(view, "query", None)):
            several = said.values() if isinstance(said, dict) else said
            for one in several if isinstance(several, Iterable) else [several]:
                if isinstance(one, type):
                    yield one


def serializer_fields() -> Iterator[tuple[str, Any]]:
    for kind in set(taken()):
        yield from _inner(f"{kind.__module__}.{kind.__qualname__}", kind())


def _inner(name: str, field: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(field, serializers.Serializer):
        for inner, one in field.fields.items():
            if not one.read_only:
                yield from _inner(f"{name}.{inner}", one)
    elif isinstance(field, serializers.ListSerializer | serializers.ListField):
        yield from _inner(name, field.child)
    else:
        yield name, field


def without_maximum(fields: Iterator[tuple[str, Any]]) -> list[str]:
    return sorted({name for name, field in fields if unbounded(field)} - OTHERWISE.keys())


def test_every_text_of_a_form_has_a_maximum() -> None:
    assert without_maximum(form_fields()) == []


def test_every_text_of_the_api_has_a_maximum() -> None:
    assert without_maximum(serializer_fields()) == []


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


UPLOADS = (ROOT / "docs/architecture.md").read_text().split("### Uploads")[1]
LIMITS = {
    "frontend/setup/articles.py": f"{MOST_BYTES >> 20} MB",
    "frontend/invitations/lists.py": f"{MOST_CHARACTERS >> 10} kB",
}


def listed() -> dict[str, tuple[str, str]]:
    """Who may send files to each place, and how much."""
    rows = re.findall(r"^\| `([\w/.]+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \|", UPLOADS, re.M)
    return {place: (who, most) for place, who, most in rows}


def taking_files() -> dict[str, bool]:
    """Whether only curators may, for each module that lets a request send files."""
    apps = [folder.parent for folder in ROOT.glob("*/apps.py")]
    sources = {path: path.read_text() for app in apps for path in app.rglob("*.py")}
    return {
        str(path.relative_to(ROOT)): "curator" in _guard(source).lower()
        for path, source in sources.items()
        if re.search(r"(?<!def )accept_files\(", source)
    }


def _guard(source: str) -> str:
    """The decorators of the view, or what it inherits from."""
    (view,) = (
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and "accept_files(" in ast.unparse(node)
    )
    guards = [*view.decorator_list, *(view.bases if isinstance(view, ast.ClassDef) else [])]
    return " ".join(map(ast.unparse, guards))


def test_the_document_lists_every_place_that_takes_files() -> None:
    assert len(listed()) == len(re.findall(r"^\| `", UPLOADS, re.M)) > 0
    assert listed().keys() == taking_files().keys()


def test_the_document_says_who_may_send_them_and_how_much() -> None:
    for place, only_curators in taking_files().items():
        who, most = listed()[place]
        assert (who == "curators") == only_curators, place
        assert most == LIMITS.get(place, f"{UPLOADED_BYTES >> 20} MB"), place


def answered(address: str, response: HttpResponse | StreamingHttpResponse) -> bytes:
    def view(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
        assert "bom" not in request.GET
        return response

    found = ByteOrderMark(view)(RequestFactory().get(address))
    return b"".join(found)  # type: ignore[arg-type]


def test_a_csv_file_begins_with_a_byte_order_mark_only_if_asked() -> None:
    for address, begin in (("/x?bom=1&q=é", BYTE_ORDER_MARK), ("/x?q=1", b"")):
        assert (
            answered(address, saved_as("x.csv", csv_lines(["é"], []))) == begin + "é\r\n".encode()
        )


def test_the_length_of_a_marked_file_is_its_own() -> None:
    response = HttpResponse(b"a\n", content_type="text/csv", headers={"ETag": "x"})
    response["Content-Length"] = "2"
    assert answered("/x?bom=1", response) == BYTE_ORDER_MARK + b"a\n"
    assert (response["Content-Length"], response.has_header("ETag")) == ("5", False)


@pytest.mark.parametrize(("kind", "status"), [("application/json", 200), ("text/csv", 206)])
def test_other_answers_stay_as_they_are(kind: str, status: int) -> None:
    response = HttpResponse(b"[]", content_type=kind, status=status)
    assert answered("/x?bom=1", response) == b"[]"
