"""Reference sets imported in the browser."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from corpora.core.readers import BY_NAME, READERS
from corpora.models import ReferenceSet
from frontend.reference_sets.forms import format_choices
from tests.corpora.core.small_sets import MASKS
from tests.corpora.sets import LINES, imported
from tests.frontend.pages import source, words
from winoplatform.http import bodies
from workers.models import User


def page(client: Client) -> HttpResponse:
    response: Any = client.get(reverse("reference-set", args=["tiny"]))
    return response


def file(content: str | bytes = "\n".join(LINES)) -> SimpleUploadedFile:
    return SimpleUploadedFile("file.jsonl", content if type(content) is bytes else content.encode())


def send(client: Client, **fields: Any) -> HttpResponse:
    """Send the form of the import; a field that is None is left out."""
    asked = {"name": "tiny", "format": "winogrande", "split1": "test", "file1": file()} | fields
    sent = {name: value for name, value in asked.items() if value is not None}
    response: Any = client.post(reverse("new-reference-set"), sent)
    return response


def errors(response: HttpResponse) -> dict[str, list[str]]:
    assert (response.status_code, ReferenceSet.objects.exists()) == (400, False)
    return dict(response.context["form"].errors)  # type: ignore[attr-defined]


def test_files_are_imported_as_splits(dana: User, as_dana: Client) -> None:
    marked = b"\xef\xbb\xbf" + LINES[1].encode()  # as some editors save it
    response = send(as_dana, licence="CC BY", split3="dev", file3=file(marked))
    made = ReferenceSet.objects.get()
    assert response["Location"] == reverse("reference-set", args=["tiny"])
    assert (made.title, made.licence, made.created_by, made.is_public) == (
        *("tiny", "CC BY", dana, False),
    )
    assert list(made.splits.values_list("name", "n_items")) == [("test", 6), ("dev", 1)]


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"name": "a b"}, "name", "Use letters a to z"),
        ({"name": None}, "name", "This field is required."),
        ({"format": "odd"}, "format", "Select a valid choice."),
        ({"file1": None}, "file1", "Choose at least one file."),
        ({"file1": None, "split1": None}, "file1", "Choose at least one file."),
        ({"file1": file("")}, "file1", "The submitted file is empty."),
        ({"split1": None}, "split1", "Name the split that this file has, such as test."),
        ({"split1": "../x"}, "split1", "Use letters a to z"),
        ({"split2": "dev"}, "file2", "Choose the file of this split, or leave its name empty."),
        (
            {"split2": "test", "file2": file()},
            "split2",
            "Another row has this name: each file needs its own.",
        ),
        ({"split2": "dev", "file2": file("{}")}, "file2", "Split “dev”: line 1: not a question"),
        ({"split2": "dev", "file2": file("\n\n")}, "file2", "Split “dev” has no items."),
        ({"file1": file(LINES[0] + "\n" + LINES[0])}, "file1", "has the id “a-1” 2 times"),
        ({"file1": file(b"caf\xe9\n")}, "file1", "is not UTF-8 text"),
        ({"title": "x" * 201}, "title", "at most 200 characters"),
    ],
)
def test_an_error_is_shown_at_its_field_and_what_was_typed_is_kept(
    fields: dict[str, Any], field: str, said: str, as_dana: Client
) -> None:
    for one in fields.values():
        if isinstance(one, SimpleUploadedFile):
            one.seek(0)
    response = send(as_dana, licence="CC BY 4.0", source="A paper.", **fields)
    found = errors(response)
    assert list(found) == [field]
    assert said in found[field][0]
    assert f'id="id_{field}_error"' in source(response)
    text = source(response)
    assert ('value="CC BY 4.0"' in text, "A paper." in text) == (True, True)
    assert "choose the files again: a browser does not keep them" in words(response)


TABLE = "text,a,b,key\nThe _ broke.,cup,jar,B\n"
COLUMNS = "sentence = text\noptions=a,b\n\nanswer=key"


def test_a_table_is_imported_by_its_columns(as_dana: Client) -> None:
    asked = {"format": "table", "file1": file(TABLE), "columns": COLUMNS}
    assert send(as_dana, **asked).status_code == 302
    assert "cup jar (answer)" in words(page(as_dana))


@pytest.mark.parametrize("columns", ["text", "sentence=", "odd=text", "=text"])
def test_a_line_that_names_no_column_is_said_at_the_columns(columns: str, as_dana: Client) -> None:
    found = errors(send(as_dana, format="table", file1=file(TABLE), columns=columns))
    assert "Write one field and its column in each line" in found["columns"][0]


def test_columns_of_a_format_that_has_its_own_are_said_at_the_columns(as_dana: Client) -> None:
    assert list(errors(send(as_dana, columns=COLUMNS))) == ["columns"]


def test_a_further_file_that_the_format_does_not_have_is_refused(as_dana: Client) -> None:
    found = errors(send(as_dana, split2="test/associative", file2=file()))
    assert "is no file of this format" in found["__all__"][0]


def test_a_file_is_read_in_the_encoding_of_its_format(
    as_dana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    latin = replace(BY_NAME["pdp"], encoding="iso-8859-1")
    monkeypatch.setitem(BY_NAME, "pdp", latin)
    accented = "".join(MASKS).replace("the cup", "the caf\xe9").encode("iso-8859-1")
    assert send(as_dana, file1=file(accented), format="pdp").status_code == 302
    assert "the caf\xe9 (answer)" in words(page(as_dana))


def test_a_name_that_is_taken_is_said_at_the_name(as_dana: Client) -> None:
    imported()
    response = send(as_dana)
    assert "already exists" in response.context["form"].errors["name"][0]  # type: ignore[attr-defined]
    assert ReferenceSet.objects.count() == 1


def test_files_that_are_too_large_together_are_refused_and_the_fields_kept(
    as_dana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(file().read())
    monkeypatch.setattr(bodies, "UPLOADED_BYTES", 2 * size - 1)
    response = send(as_dana, title="Tiny set", split2="dev", file2=file())
    assert list(errors(response)) == ["file2"]
    assert "The files have more than 4 MB together." in words(response)
    assert 'value="Tiny set"' in source(response)
    monkeypatch.setattr(bodies, "UPLOADED_BYTES", 2 * size)
    assert send(as_dana, split2="dev", file2=file()).status_code == 302


def test_a_file_is_not_read_before_it_is_known_who_sends_it(
    dana: User, as_carol: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    monkeypatch.setattr(
        "django.core.files.uploadhandler.TemporaryUploadedFile",
        lambda name, *_: written.append(name),
    )
    assert send(as_carol).status_code == 403
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(dana)
    monkeypatch.undo()
    assert (send(forged).status_code, written) == (403, [])
    assert not ReferenceSet.objects.exists()


def test_the_form_offers_every_format_there_is(
    as_dana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(READERS, "new", READERS["items"])
    assert dict(format_choices())["new"] == "new"
    text = source(as_dana.get(reverse("new-reference-set")))
    assert all(f'<option value="{name}">' in text for name in READERS)
    assert 'enctype="multipart/form-data"' in text
