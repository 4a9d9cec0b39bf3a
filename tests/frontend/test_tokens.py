"""Tokens for programs."""

from django.test import Client
from django.urls import reverse

from tests.factories import ApiTokenFactory, UserFactory
from tests.frontend.pages import words
from workers.models import ApiToken, User


def test_a_token_is_shown_once_and_works(as_alice: Client) -> None:
    made = as_alice.post(reverse("account"), {"name": "notebook", "scopes": "read", "days": "30"})
    text = made.context["text"]
    assert text in words(made)
    assert "no-store" in made["Cache-Control"]
    assert text not in words(as_alice.get(reverse("account")))
    answer = Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {text}"})
    assert answer.status_code == 200


def test_a_token_needs_a_name(as_alice: Client) -> None:
    response = as_alice.post(reverse("account"), {"name": ""})
    assert response.status_code == 400
    assert "This field is required." in words(response)
    assert not ApiToken.objects.exists()


def test_a_revoked_token_is_refused(as_alice: Client, alice: User) -> None:
    token = ApiTokenFactory(user=alice)
    response = as_alice.post(reverse("revoke-token", args=[token.token_key]), follow=True)
    assert "The token was ended" in words(response)
    answer = Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {token.text}"})
    assert answer.status_code == 401


def test_all_tokens_are_ended_at_once(as_alice: Client, alice: User) -> None:
    token, other = ApiTokenFactory(user=alice), ApiTokenFactory()
    ApiTokenFactory(user=alice)
    response = as_alice.post(reverse("revoke-all-tokens"), follow=True)
    assert "All tokens were ended" in words(response)
    assert [*ApiToken.objects.values_list("pk", flat=True)] == [other.pk]
    answer = Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {token.text}"})
    assert answer.status_code == 401


def test_the_list_says_what_a_token_may_do_and_when_it_was_used(
    as_alice: Client, alice: User
) -> None:
    token = ApiTokenFactory(user=alice, scopes=["read"], last_used_at=None)
    assert "never" in words(as_alice.get(reverse("account")))
    Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {token.text}"})
    used = ApiToken.objects.get(pk=token.pk).last_used_at
    assert used is not None
    Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {token.text}"})
    assert ApiToken.objects.get(pk=token.pk).last_used_at == used
    assert "never" not in words(as_alice.get(reverse("account")))


def test_a_worker_is_offered_no_scope_of_curators(as_alice: Client) -> None:
    form = as_alice.get(reverse("account")).context["form"]
    assert [value for value, _ in form.fields["scopes"].choices] == ["read", "work"]
    made = {"name": "x", "scopes": ["curate"], "days": "30"}
    assert as_alice.post(reverse("account"), made).status_code == 400


def test_another_users_token_is_not_listed(as_alice: Client) -> None:
    ApiTokenFactory(user=UserFactory(), name="secret-tool")
    assert "secret-tool" not in words(as_alice.get(reverse("account")))
