"""Every refusal has the one error shape, and nothing that is sent makes a server error."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from psycopg.errors import DeadlockDetected, IoError, SerializationFailure
from rest_framework.test import APIClient

from collection.models import Campaign
from tests.api.calls import API, assert_error, ok
from tests.factories import CampaignFactory
from winoplatform.api import description as described
from winoplatform.api import pagination
from winoplatform.api.errors import handle


def test_a_body_that_is_no_json_is_refused(as_dana: APIClient) -> None:
    for body in ("{", "", "nope", "\ufffe", '{"a": 1,}', "[" * 100_000, "9" * 5000):
        response = as_dana.generic(
            "POST", f"{API}campaigns/", body, content_type="application/json"
        )
        assert response.status_code == 400
        assert_error(response, 400, response.json()["error"]["code"])


def test_bytes_that_are_no_text_are_refused(as_dana: APIClient) -> None:
    response = as_dana.generic(
        "POST", f"{API}campaigns/", b'{"name": "\xff"}', content_type="application/json"
    )
    assert_error(response, 400, "parse_error")


@pytest.mark.parametrize("charset", ["bz2", "hex", "no-such", "utf-7", "idna", "undefined"])
def test_a_strange_charset_is_no_server_error(as_dana: APIClient, charset: str) -> None:
    kind = f"application/json; charset={charset}"
    response = as_dana.generic("POST", f"{API}campaigns/", b"{}", content_type=kind)
    assert response.status_code == 400


def test_another_kind_of_body_is_refused(as_dana: APIClient) -> None:
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data", "text/xml", "x"):
        response = as_dana.generic("POST", f"{API}campaigns/", "a=1", content_type=kind)
        assert_error(response, 415, "unsupported_media_type")


def test_another_method_is_refused(as_dana: APIClient) -> None:
    assert_error(as_dana.delete(f"{API}campaigns/"), 405, "method_not_allowed")


def test_an_address_that_is_none_is_not_found(as_dana: APIClient, db: None) -> None:
    for path in ("nothing/", "campaigns", "campaigns/%00/", "seats/1/vote/", "../secret", "%ff/"):
        assert_error(as_dana.get(f"{API}{path}"), 404, "not_found")
        assert_error(APIClient().post(f"{API}{path}"), 404, "not_found")


def test_a_stranger_is_told_how_to_sign_in(db: None) -> None:
    response = APIClient().get(f"{API}me/")
    assert_error(response, 401, "not_authenticated")
    assert response["WWW-Authenticate"] == "Token"


def test_two_equal_requests_at_once_end_in_one_conflict(db: None) -> None:
    CampaignFactory(slug="winter")
    try:
        with transaction.atomic():
            Campaign.objects.create(slug="winter", name="The same, a moment later")
    except Exception as error:
        response = handle(error, {})
    assert response is not None
    assert response.status_code == 409
    assert response.data["error"]["code"] == "conflict"
    assert connection.is_usable()


def test_a_fault_of_our_own_is_not_dressed_up_as_a_refusal() -> None:
    assert handle(RuntimeError("broken"), {}) is None


def test_a_page_size_that_is_none_is_refused(as_dana: APIClient) -> None:
    for size in ("0", "-1", "x", "501", "9" * 30, "%00", ""):
        details = assert_error(as_dana.get(f"{API}campaigns/?page_size={size}"), 400, "invalid")
        assert list(details["fields"]) == ["page_size"]
    assert ok(as_dana.get(f"{API}campaigns/?page_size=500"))["results"] == []


def test_an_unknown_parameter_of_a_list_is_refused(as_dana: APIClient) -> None:
    details = assert_error(as_dana.get(f"{API}campaigns/?stauts=open&x=1"), 400, "invalid")
    assert list(details["fields"]) == ["stauts", "x"]


def test_a_list_says_how_many_and_where_it_stopped_counting(
    as_dana: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    CampaignFactory.create_batch(3)
    page = ok(as_dana.get(f"{API}campaigns/?page_size=2"))
    assert (page["count"], page["count_is_exact"], len(page["results"])) == (3, True, 2)
    monkeypatch.setattr(pagination, "COUNTED", 2)
    page = ok(as_dana.get(f"{API}campaigns/?page_size=1"))
    assert (page["count"], page["count_is_exact"]) == (2, False)


@pytest.mark.parametrize("cause", [DeadlockDetected(), SerializationFailure()])
def test_what_the_database_breaks_off_for_others_may_be_sent_again(cause: Exception) -> None:
    error = OperationalError("deadlock detected")
    error.__cause__ = cause
    response = handle(error, {})
    assert (response.status_code, response["Retry-After"]) == (503, "1")
    assert response.data["error"]["code"] == "busy_try_again"


def test_another_failure_of_the_database_surfaces() -> None:
    error = OperationalError("could not read block 7")
    error.__cause__ = IoError()
    assert handle(error, {}) is None


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("me", "There is nothing at this address, but with a slash at its end."),
        ("nowhere", "There is nothing at this address."),
        ("nowhere/", "There is nothing at this address."),
    ],
)
def test_an_unknown_address_blames_the_slash_only_where_it_is_missing(path: str, said: str) -> None:
    assert APIClient().get(f"{API}{path}").json()["error"]["message"] == said


PATH = "/api/schema/"


def test_strangers_cannot_make_the_server_build_the_description_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built: list[int] = []

    def slow(*args: object, **options: object) -> dict[str, str]:
        built.append(1)
        time.sleep(0.05)  # so that all threads are there
        return {"openapi": "3.0.3"}

    monkeypatch.setattr(SchemaGenerator, "get_schema", slow)
    monkeypatch.setattr(described, "_stored", [])
    with ThreadPoolExecutor(4) as threads:
        responses = list(threads.map(lambda _: Client().get(PATH), range(4)))
    assert {(each.status_code, each.content) for each in responses} == {
        (200, b'{"openapi": "3.0.3"}')
    }
    assert responses[0]["Content-Type"].startswith("application/vnd.oai.openapi+json")
    assert len(built) == 1


def test_the_description_is_not_sent_again_to_a_reader_who_has_it() -> None:
    first = Client().get(PATH)
    again = Client().get(PATH, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "max-age=" in first["Cache-Control"]


@pytest.mark.parametrize("query", ["?format=json", "?lang=de", "?version=9"])
def test_a_query_changes_nothing(query: str) -> None:
    assert Client().get(PATH + query)["ETag"] == Client().get(PATH)["ETag"]


def test_the_description_takes_no_other_method() -> None:
    assert Client().post(PATH).status_code == 405
