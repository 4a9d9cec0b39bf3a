"""What goes wrong is said in the look of the rest."""

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from psycopg.errors import DeadlockDetected, SerializationFailure

from frontend.home import views as home
from frontend.http import refusal_of
from tests.factories import ReleaseFactory
from tests.frontend.pages import source, words
from winoplatform.errors import DomainError


def test_an_address_that_leads_nowhere_says_so(db: None) -> None:
    response = Client().get("/no/such/page/")
    assert response.status_code == 404
    assert "There is no page at this address." in words(response)
    assert "tried" not in words(response)


@pytest.mark.parametrize(
    "path",
    [
        *("/account/tokens/%00/revoke/", "/releases/spring/files/%00"),
        *("/campaigns/%00/", "/runs/%00/x/cancel/"),
    ],
)
def test_an_odd_address_is_not_found_and_never_a_fault(path: str, as_dana: Client) -> None:
    ReleaseFactory(name="spring")
    assert as_dana.get(path).status_code == 404
    assert as_dana.post(path).status_code in (404, 405)


def test_an_address_that_takes_forms_only_says_so(as_dana: Client) -> None:
    response = as_dana.get(reverse("change-status", args=["kitchen"]))
    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert "only takes what a form sends" in response.content.decode()


def test_a_body_that_is_too_large_is_refused(as_carol: Client) -> None:
    response = as_carol.post("/account/", {"name": "x" * 6_000_000})
    assert response.status_code == 413
    assert "larger than the server accepts" in words(response)


def test_a_reader_of_another_language_gets_one_language(db: None) -> None:
    response = Client().get("/sign-in/", headers={"Accept-Language": "de"})
    assert '<html lang="en">' in source(response)
    assert response["Content-Language"] == "en"


def test_a_page_for_curators_says_so_to_others(as_carol: Client) -> None:
    response = as_carol.get(reverse("campaign", args=["kitchen"]))
    assert response.status_code == 403
    assert "This page is for curators." in words(response)


@pytest.mark.parametrize("cause", [DeadlockDetected(), SerializationFailure()])
@pytest.mark.parametrize("is_part", [True, False])
def test_what_the_database_breaks_off_for_others_asks_to_try_again(
    cause: Exception, is_part: bool, as_carol: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OperationalError("broken off") from cause

    monkeypatch.setattr(home.work, "open_work", fail)
    response = as_carol.get("/", headers={"HX-Request": "true"} if is_part else {})
    assert response.status_code == 503
    assert "Another request changed the same thing at the same moment." in words(response)


def test_a_fault_of_ours_shows_a_page_that_needs_no_database(
    as_carol: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_max_num_queries: Callable[[int], object],
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(home.work, "open_work", fail)
    as_carol.raise_request_exception = False
    with django_assert_max_num_queries(2):
        response = as_carol.get("/")
    assert response.status_code == 500
    assert "Server error" in words(response)
    assert "broken on purpose" not in words(response)


@pytest.mark.parametrize(
    ("error", "said", "status"),
    [
        (DomainError("gone", "It has gone.", status=410), "It has gone.", 410),
        (ValidationError("It is taken."), "It is taken.", 400),
        (
            ValidationError({"name": ["Too long."], "seed": ["Too small."]}),
            "Too long. Too small.",
            400,
        ),
    ],
)
def test_what_a_service_raises_is_put_into_words(
    error: DomainError | ValidationError, said: str, status: int
) -> None:
    refusal = refusal_of(error)
    assert (refusal.message, refusal.status) == (said, status)
