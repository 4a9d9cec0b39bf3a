"""/api/schema/ and /api/docs/: the description that anyone may read."""

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from tests.api.description import SNAPSHOT

PATH = "/api/schema/"


def test_a_stranger_cannot_make_the_server_build_the_description(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built: list[int] = []
    build = SchemaGenerator.get_schema

    def counted(*args: object, **options: object) -> object:
        built.append(1)
        return build(*args, **options)

    monkeypatch.setattr(SchemaGenerator, "get_schema", counted)
    response = Client().get(PATH)
    assert (response.status_code, response.content) == (200, SNAPSHOT.read_bytes())
    assert response["Content-Type"].startswith("application/vnd.oai.openapi")
    assert sum(built) == 0


def test_the_description_is_not_sent_again_to_a_reader_who_has_it() -> None:
    first = Client().get(PATH)
    again = Client().get(PATH, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "max-age=" in first["Cache-Control"]


@pytest.mark.parametrize("query", ["?format=json", "?lang=de", "?version=9"])
def test_a_query_changes_nothing(query: str) -> None:
    assert Client().get(PATH + query)["ETag"] == Client().get(PATH)["ETag"]


def test_another_method_is_refused() -> None:
    assert Client().post(PATH).status_code == 405
