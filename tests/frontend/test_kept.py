"""Nothing typed is lost: a form that could not be taken gives its text back."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.frontend.pages import HTMX, source, words
from tests.frontend.proofs import prove
from workers.models import User

TYPED = {"name": "notebook of mine", "comment": 'Two lines,\nwith <b>&amp; a "quote".', "n": "7"}
OURS = {"Origin": "http://testserver"}


@pytest.fixture
def strict(carol: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(carol)
    prove(client, carol)
    return client


def test_a_form_with_an_old_token_gives_its_text_back(strict: Client) -> None:
    """Before: "Go back, reload the page", and the reload deleted the text."""
    answer = strict.post("/account/?a=1", TYPED, headers=OURS)
    assert answer.status_code == 403
    page = source(answer)
    assert 'action="/account/?a=1"' in page
    assert "Two lines,\nwith &lt;b&gt;&amp;amp; a &quot;quote&quot;.</textarea>" in page
    assert '<input type="hidden" name="n" value="7">' in page
    assert "submit it again as carol" in words(answer)
    assert "no-store" in answer["Cache-Control"]


def test_what_is_given_back_can_be_sent_again(strict: Client) -> None:
    asked = {"name": "my notebook", "scopes": "read", "days": "30"}
    page = strict.post("/account/", asked, headers=OURS)
    sent = asked | {"csrfmiddlewaretoken": str(page.context["csrf_token"])}
    assert "my notebook" in words(strict.post("/account/", sent, headers=OURS))


@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_another_sites_form_is_not_offered_for_confirmation(
    headers: dict[str, str], strict: Client
) -> None:
    answer = strict.post("/account/", TYPED, headers=headers)
    assert answer.status_code == 403
    assert "notebook of mine" not in source(answer)
    assert "Submit again" not in words(answer)


def test_a_password_is_never_given_back(strict: Client) -> None:
    values = {"old_password": "very secret 1", "new_password1": "x", "username": "carol"}
    for client in (strict, Client(enforce_csrf_checks=True)):
        answer = client.post(reverse("account_login"), values, headers=OURS)
        assert answer.status_code == 403
        assert "very secret" not in source(answer)
        assert "Open the form again" in words(answer)


def test_a_part_of_a_page_keeps_its_text_and_gets_a_valid_token(strict: Client) -> None:
    answer = strict.post("/account/", TYPED, headers=OURS | HTMX)
    assert (answer.status_code, answer["HX-Reswap"], answer.content) == (403, "none", b"")
    assert "stale-page" in answer["HX-Trigger"]


@pytest.mark.parametrize("path", ["/account/", "/my-work/", "/"])
def test_a_form_of_a_session_that_has_ended_gives_its_text_back(path: str, db: None) -> None:
    answer = Client().post(path, TYPED)
    assert answer.status_code == 403
    assert "You are signed out. Sign in in another tab" in words(answer)
    assert "notebook of mine" in source(answer)


def test_a_button_without_text_asks_to_sign_in_as_before(db: None) -> None:
    assert Client().post("/account/").status_code == 302


def test_a_participant_is_sent_to_the_study_link_with_the_text_kept(db: None) -> None:
    client = Client()
    client.cookies["came_by_link"] = "1"
    answer = client.post("/account/", TYPED)
    assert "Open the study again on the platform you came from" in words(answer)
    assert "notebook of mine" in source(answer)


def test_back_after_a_submission_asks_the_server(as_carol: Client, campaign: object) -> None:
    page = as_carol.get(reverse("author", args=["kitchen"]))
    assert "no-store" in page["Cache-Control"]
