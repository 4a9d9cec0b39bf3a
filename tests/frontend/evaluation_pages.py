"""Requests to the pages of evaluations, and what they answer in words."""

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from evaluation.models import Evaluation
from modeling.specs import SMOLLM2
from tests.frontend.pages import HTMX, words

TINY = "reference-set:tiny:test"


def chosen(**changes: Any) -> dict[str, Any]:
    """Return the fields of the form “Evaluate”, changed."""
    fields = {"questions": [TINY], "models": [SMOLLM2], "methods": ["majority:"], "seeds": "0"}
    return fields | {"transformations": [""], "dtype": "float32"} | changes


def post(client: Client, **changes: Any) -> HttpResponse:
    return client.post(reverse("new-evaluations"), chosen(**changes))  # type: ignore[return-value]


def cost(client: Client, **changes: Any) -> str:
    return words(client.get(reverse("new-evaluations"), chosen(**changes), headers=HTMX))


def page(client: Client, run: Evaluation, **query: str) -> str:
    return words(client.get(reverse("evaluation", args=[run.public_id]), query))


def comparison(client: Client, **query: str) -> HttpResponse:
    path = reverse("comparison", args=["reference-set", "tiny", "test"])
    return client.get(path, query)  # type: ignore[return-value]
