"""Reference sets in the browser: imported, listed, read, shown and deleted."""

import re
from dataclasses import replace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from corpora.core.items import Item
from corpora.core.readers import BY_NAME, READERS
from corpora.models import ReferenceSet
from evaluation.models import Evaluation
from frontend.reference_sets.forms import format_choices
from tests.corpora.core.small_sets import MASKS
from tests.corpora.sets import LINES, imported
from tests.corpora.test_reference_sets import shown_by
from tests.factories import EvaluationFactory
from tests.frontend.pages import HTMX, source, words
from winoplatform.http import bodies
from winoplatform.runs.models import RunStatus
from workers.models import User

BLIND = LINES[0].replace(', "answer": "1"', "")


def page(client: Client, name: str = "tiny", query: str = "", **headers: str) -> HttpResponse:
    response: Any = client.get(reverse("reference-set", args=[name]) + query, headers=headers)
    return response


def post(client: Client, page: str, **sent: str) -> HttpResponse:
    response: Any = client.post(reverse(page, args=["tiny"]), sent)
    return response


# -- the list --------------------------------------------------------------------------------------
def test_an_empty_list_says_why_and_what_to_do(as_dana: Client, as_carol: Client) -> None:
    imported()
    text = words(as_carol.get(reverse("reference-sets")))
    assert "curators have not made any reference set public" in text
    assert "Import a reference set" not in text
    ReferenceSet.objects.all().delete()
    text = words(as_dana.get(reverse("reference-sets")))
    assert "Import the files of a published benchmark, such as WSC273" in text


def test_a_set_is_listed_with_its_splits_and_evaluations(dana: User, as_dana: Client) -> None:
    made = imported(title="Tiny set", by=dana, splits={"dev": LINES[:1], "test": [*LINES, blind()]})
    EvaluationFactory(release=None, reference_set=made)
    text = words(as_dana.get(reverse("reference-sets")))
    assert "Tiny set tiny dev 1 item, 1 group, all labelled" in text
    assert "test 7 items, 4 groups, 6 labelled curators only 1 " in text
    assert dana.public_id in text


def blind() -> str:
    return BLIND.replace("a-1", "d-1")


def test_others_see_only_public_sets_and_no_evaluations(as_carol: Client) -> None:
    imported("hidden")
    EvaluationFactory(release=None, reference_set=imported(is_public=True), method="random")
    text = words(as_carol.get(reverse("reference-sets")))
    assert ("tiny" in text, "hidden" in text, "Evaluations" in text) == (True, False, False)
    assert page(as_carol, "hidden").status_code == 404
    text = words(page(as_carol))
    assert "The cup stood on the tray, so (blank) fell." in text
    assert [word for word in ("Evaluations", "random", "Delete", "Seen by") if word in text] == []


@pytest.mark.parametrize("query", ["GRAND", "wino", "crowd", "%"])
def test_the_search_finds_a_part_of_a_name_or_title(query: str, as_dana: Client) -> None:
    imported("winogrande", title="From the Crowd")
    text = words(as_dana.get(reverse("reference-sets"), {"q": query}))
    assert ("From the Crowd" in text) == (query != "%")
    assert ("No name or title contains this." in text) == (query == "%")


def test_further_pages_keep_the_search(as_dana: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frontend.reference_sets.views.SETS", 1)
    imported("wsc-1")
    imported("wsc-2")
    newest = source(as_dana.get(reverse("reference-sets"), {"q": "wsc"}))
    assert "wsc-1" not in newest
    [older] = re.findall(r'"(\?q=wsc&amp;sets=[^"]+)"', newest)
    assert "wsc-1" in words(as_dana.get(reverse("reference-sets") + older.replace("&amp;", "&")))


# -- one set ---------------------------------------------------------------------------------------
def test_the_items_of_a_split_are_shown_page_by_page(
    as_dana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.reference_sets.views.ITEMS", 4)
    imported(splits={"dev": LINES[:1], "test": LINES})
    assert "Items of dev 1–1 of 1" in words(page(as_dana))
    first, last = (page(as_dana, query=f"?split=test&page={n}") for n in (1, 2))
    assert "1–4 of 6" in words(first)
    assert "5–6 of 6" in words(last)
    assert "?split=test&amp;page=2#items-title" in source(first)
    assert ("c-2 · group c" in words(last), "Next" in words(last)) == (True, False)
    for odd in ("0", "3", "x", "-1", "²", "9" * 30):
        assert "1–4 of 6" in words(page(as_dana, query=f"?split=test&page={odd}"))
    assert page(as_dana, query="?split=none").status_code == 404


def test_the_answer_is_marked_and_a_split_without_labels_says_so(as_dana: Client) -> None:
    imported(splits={"test": LINES[1:2], "blind": [BLIND]})
    assert "the cup the tray (answer)" in words(page(as_dana))
    text = words(page(as_dana, query="?split=blind"))
    assert "The answers are not known." in text
    assert "(answer)" not in text


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({}, "<mark>it</mark> fell"),
        ({}, "What does “it” refer to?"),
        (
            {"form": "truth", "candidate": "the cup", "options": ("true", "false")},
            "Does “it” refer to “the cup”?",
        ),
        ({"form": "premise", "relation": "cause", "span": None}, "What was the cause?"),
    ],
)
def test_an_item_of_each_form_shows_what_it_asks(
    fields: dict[str, Any], shown: str, as_dana: Client
) -> None:
    values = {"form": "pronoun", "span": (28, 30), "options": ("the cup", "the tray")} | fields
    item = Item(
        id="a", group="a", sentence="The cup stood on a tray, so it fell.", answer=1, **values
    )
    imported(format="items", splits={"test": [item.to_line()]})
    assert shown in source(page(as_dana))


def test_texts_of_a_file_are_never_markup(as_dana: Client) -> None:
    evil = LINES[0].replace("the cup", "<b>x</b>").replace("The cup", "<i>y</i>")
    imported(title="<u>z</u>", source="<s>s</s>", splits={"test": [evil]})
    text = source(page(as_dana)) + source(as_dana.get(reverse("reference-sets")))
    assert [tag for tag in ("<b>", "<i>", "<u>", "<s>") if tag in text] == []


def test_a_set_is_shown_to_all_and_hidden_again(as_dana: Client, as_carol: Client) -> None:
    imported()
    for seen_by, status in (("all", 200), ("curators", 404), ("me", 404)):
        assert post(as_dana, "change-reference-set", seen_by=seen_by).status_code == 302
        assert page(as_carol).status_code == status
    assert post(as_dana, "change-reference-set", seen_by="odd").status_code == 400


def test_a_set_that_would_reveal_a_secret_answer_stays_hidden_and_says_why(as_dana: Client) -> None:
    shown_by("test")
    imported()
    response = post(as_dana, "change-reference-set", seen_by="all")
    assert response.status_code == 409
    assert "It would show the answers of 1 twins" in words(response)
    assert not ReferenceSet.objects.get().is_public


def test_a_set_is_deleted_unless_an_evaluation_refers_to_it(as_dana: Client) -> None:
    made = imported()
    assert "Delete permanently" in words(page(as_dana))
    run = EvaluationFactory(release=None, reference_set=made)
    response = post(as_dana, "delete-reference-set")
    assert (response.status_code, "it can be hidden instead" in words(response)) == (409, True)
    assert "so it cannot be deleted" in words(page(as_dana))
    assert "Delete permanently" not in words(page(as_dana))
    run.delete()
    assert post(as_dana, "delete-reference-set")["Location"] == reverse("reference-sets")
    assert not ReferenceSet.objects.exists()


# -- its evaluations -------------------------------------------------------------------------------
def test_its_evaluations_are_listed_as_on_their_own_page(as_dana: Client) -> None:
    made = imported()
    run = EvaluationFactory(release=None, reference_set=made, split="test", method="random")
    EvaluationFactory(
        release=None, reference_set=imported("other"), split="test", method="majority"
    )
    text = words(page(as_dana))
    assert "random answers tiny · test · seed 0" in text
    assert "most frequent answer" not in text
    assert 'hx-trigger="every 2s"' in source(page(as_dana))
    assert reverse("evaluation", args=[run.public_id]) in source(page(as_dana))
    done = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 6}
    Evaluation.objects.update(status=RunStatus.FAILED, failure="The disk is full.", metrics=None)
    part = page(as_dana, **HTMX)
    assert "<html" not in source(part)
    assert "hx-trigger" not in source(part)
    assert "The disk is full." in words(part)
    assert reverse("resume-run", args=["evaluation", run.public_id]) in source(part)
    EvaluationFactory(
        release=None, reference_set=made, split="test", finished=True,
        metrics={"accuracy": done, "group_score": done | {"n": 3}},
    )  # fmt: skip
    assert "50.0% (40.0% – 60.0%, n = 6) 50.0% (40.0% – 60.0%, n = 3)" in words(page(as_dana))


def test_a_set_leads_to_the_start_page_with_its_labelled_split_chosen(as_dana: Client) -> None:
    imported(splits={"dev": LINES[:1], "test": LINES, "blind": [BLIND]})
    address = reverse("new-evaluations") + "?questions=reference-set:tiny:test"
    assert address in source(page(as_dana))
    assert 'value="reference-set:tiny:test" checked' in source(as_dana.get(address))


def test_a_set_without_labels_says_that_it_cannot_be_evaluated(as_dana: Client) -> None:
    imported(splits={"test": [BLIND]})
    text = page(as_dana)
    assert "Evaluations need a split whose answers are all known" in words(text)
    assert reverse("new-evaluations") not in source(text)


def test_an_open_evaluation_leads_from_the_start_page_to_its_page(as_dana: Client) -> None:
    run = EvaluationFactory(release=None, reference_set=imported())
    link = reverse("evaluation", args=[run.public_id])
    assert link in source(as_dana.get("/"))


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
