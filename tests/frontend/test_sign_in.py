"""Signing in and out."""

import pytest
from django.test import Client

from tests.factories import UserFactory
from tests.frontend.pages import words


@pytest.fixture
def person(db: None) -> None:
    UserFactory(username="erin", password="long-enough-7")


def test_a_password_opens_the_page_one_wanted(person: None) -> None:
    fields = {"login": "erin", "password": "long-enough-7", "next": "/my-work/"}
    assert Client().post("/sign-in/", fields)["Location"] == "/my-work/"


def test_a_wrong_password_is_said_without_saying_which_part_is_wrong(person: None) -> None:
    wrong = Client().post("/sign-in/", {"login": "erin", "password": "x"})
    nobody = Client().post("/sign-in/", {"login": "nobody", "password": "x"})
    said = "Please enter a correct username and password."
    assert said in words(wrong)
    assert said in words(nobody)


def test_signing_in_leads_to_no_other_host(person: None) -> None:
    fields = {"login": "erin", "password": "long-enough-7", "next": "https://evil.example/"}
    assert Client().post("/sign-in/", fields)["Location"] == "/"


def test_signing_out_needs_a_post_and_ends_the_session(person: None) -> None:
    client = Client()
    client.post("/sign-in/", {"login": "erin", "password": "long-enough-7"})
    assert client.get("/sign-out/").status_code == 405
    client.post("/sign-out/")
    assert client.get("/").status_code == 302


def test_a_form_without_its_token_is_refused_in_our_own_words(person: None) -> None:
    response = Client(enforce_csrf_checks=True).post("/sign-in/", {"login": "erin"})
    assert response.status_code == 403
    assert "Please submit again" in words(response)
