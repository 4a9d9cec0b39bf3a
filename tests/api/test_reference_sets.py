"""Reference sets over HTTP, by role."""

import pytest
from rest_framework.test import APIClient

from evaluation.models import Evaluation
from tests.api.calls import API, assert_error, ok
from tests.corpora.core.small_sets import SMALL
from tests.corpora.sets import LINES, imported
from tests.filtering.stages import carried


def test_curators_import_show_and_delete_over_http(as_dana: APIClient, as_alice: APIClient) -> None:
    body = {"name": "tiny", "format": "winogrande", "splits": {"test": "\n".join(LINES)}}
    assert_error(as_alice.post(f"{API}reference-sets/", body), 403, "permission_denied")
    made = ok(as_dana.post(f"{API}reference-sets/", body), 201)
    assert (made["title"], made["is_public"], made["splits"][0]["n_items"]) == ("tiny", False, 6)
    one = f"{API}reference-sets/tiny/"
    assert ok(as_alice.get(f"{API}reference-sets/"))["results"] == []
    for address in (one, f"{one}splits/test/"):
        assert_error(as_alice.get(address), 404, "not_found")
    assert_error(as_alice.patch(one, {"is_public": True}), 403, "permission_denied")
    ok(as_dana.patch(one, {"is_public": True}))
    assert ok(as_alice.get(one))["name"] == "tiny"
    lines = b"".join(as_alice.get(f"{one}splits/test/").streaming_content).decode()
    assert len(lines.splitlines()) == 6
    assert_error(as_alice.delete(one), 403, "permission_denied")
    assert as_dana.delete(one).status_code == 204
    assert_error(as_dana.get(one), 404, "not_found")


def test_a_set_that_was_scored_stays(as_dana: APIClient) -> None:
    imported()
    asked = {"reference_set": "tiny", "method": "random", "split": "test"}
    run = ok(as_dana.post(f"{API}evaluations/", asked), 201)
    assert (run["release"], run["reference_set"]) == (None, "tiny")
    carried(Evaluation.objects.get())
    error = as_dana.delete(f"{API}reference-sets/tiny/")
    assert_error(error, 409, "reference_set_in_use")
    [listed] = ok(as_dana.get(f"{API}evaluations/?reference_set=tiny"))["results"]
    assert listed["metrics"]["accuracy"]["n"] == 6


@pytest.mark.parametrize(
    "body", [{"method": "random"}, {"method": "random", "reference_set": "no"}]
)
def test_an_evaluation_names_one_set(as_dana: APIClient, body: dict[str, str]) -> None:
    assert_error(as_dana.post(f"{API}evaluations/", body), 400, "invalid")


def test_what_is_handed_out_can_be_imported_again(as_dana: APIClient) -> None:
    """A separator of lines that JSON keeps within a text is none of lines here."""
    odd = LINES[0].replace("stood on", "stood\u2028 \u0085 on")
    ok(as_dana.post(f"{API}reference-sets/", _asked("one", "winogrande", odd)), 201)
    [lines] = as_dana.get(f"{API}reference-sets/one/splits/test/").streaming_content
    made = ok(as_dana.post(f"{API}reference-sets/", _asked("two", "items", lines.decode())), 201)
    [again] = as_dana.get(f"{API}reference-sets/two/splits/test/").streaming_content
    assert (again, made["splits"][0]["n_items"]) == (lines, 1)


def test_further_files_and_columns_come_over_http(as_dana: APIClient) -> None:
    splits = {
        "test" if part == "lines" else f"test/{part}": "".join(lines)
        for part, lines in SMALL["wsc273"].items()
    }
    asked = {"name": "wsc", "format": "wsc273", "splits": splits}
    made = ok(as_dana.post(f"{API}reference-sets/", asked), 201)
    assert (made["title"], made["licence"]) == ("Winograd Schema Challenge (273)", "CC BY 4.0")
    [lines] = as_dana.get(f"{API}reference-sets/wsc/splits/test/").streaming_content
    assert b'"metadata":{"associative":true,"switchable":true}' in lines
    table = {
        "name": "mine",
        "format": "table",
        "columns": {"sentence": "text"},
        "splits": {"test": 'text,options\n"The\nnew _ fell.",cup|tray\n'},
    }
    ok(as_dana.post(f"{API}reference-sets/", table), 201)
    [lines] = as_dana.get(f"{API}reference-sets/mine/splits/test/").streaming_content
    assert b'"sentence":"The\\nnew _ fell."' in lines
    wrong = table | {"name": "other", "columns": {"sentence": "title"}}
    error = as_dana.post(f"{API}reference-sets/", wrong)
    assert_error(error, 400, "items_unreadable")


def _asked(name: str, kind: str, lines: str) -> dict[str, object]:
    return {"name": name, "format": kind, "splits": {"test": lines}}


@pytest.mark.long
@pytest.mark.parametrize("kind", ["items", "winogrande", "wsc273", "pdp"])
@pytest.mark.parametrize(
    "lines",
    [
        '{"qID": ["a"], "sentence": 5, "option1": 1, "option2": {}, "answer": Infinity}',
        '{"id": null, "group": ["x"], "sentence": "a _", "options": "ab", "answer": true}',
        '{"id": "a", "group": "a", "sentence": "a _", "options": ["a", "b"], "answer": 1e999}',
        '{"qID": "a-1", "sentence": "a _", "option1": "a", "option2": "b", "answer": 1e999}',
        "[[[[",
        "\u2028",
        "[MASK]\n[MASK]\n,\n",
    ],
)
def test_no_line_breaks_the_import(as_dana: APIClient, kind: str, lines: str) -> None:
    answer = as_dana.post(f"{API}reference-sets/", _asked("odd", kind, lines))
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] in ("items_unreadable", "split_empty")
