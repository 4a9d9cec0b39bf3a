"""/api/schema/ and /api/docs/: the description that anyone may read."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from winoplatform.api import description as described

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


def test_another_method_is_refused() -> None:
    assert Client().post(PATH).status_code == 405
