"""Comparisons that another process has computed: read from the shared cache, after the check."""

from typing import Any

import pytest
from django.test import Client

from corpora.core.bundle.codec import from_json
from evaluation.core.side_by_side import SideBySide
from evaluation.selectors import (
    answers,
    compared,
    comparisons,
    evaluations_of,
    find_comparable,
    questions,
)
from tests.evaluation.done import evaluated
from tests.evaluation.sets import small_set
from winoplatform.processes import broker, shared_cache
from workers.models import User


def forget() -> None:
    """Forget what this process has computed, as another process does not know it."""
    for one in (comparisons._figures, comparisons._subsets, answers._questions_of):
        one.cache_clear()


def comparison(user: User) -> Any:
    data, _ = find_comparable(user, "reference-set", "small", "test")
    return compared(list(evaluations_of(user, data)))


@pytest.fixture
def first(dana: User, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a process computes that no other one has preceded."""
    monkeypatch.setattr(questions, "code_sha256", lambda *folders: f"of this test {dana.pk}")
    data = small_set()
    for seed in (0, 1):
        evaluated(data, "random", seed=seed)
    evaluated(data)
    forget()
    return comparison(dana)


def test_another_process_reads_what_the_first_has_computed(
    first: Any, dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget()
    monkeypatch.setattr(comparisons, "side_by_side", None)
    monkeypatch.setattr(comparisons, "scored_items", None)
    again = comparison(dana)
    assert (again.about, again.subsets) == (first.about, first.subsets)


@pytest.mark.long
def test_other_code_computes_again(first: Any, dana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    monkeypatch.setattr(questions, "code_sha256", lambda *folders: "of later code")
    monkeypatch.setattr(comparisons, "side_by_side", None)
    with pytest.raises(TypeError):
        comparison(dana)


@pytest.mark.long
def test_a_former_curator_gets_nothing_from_the_cache(first: Any, dana: User) -> None:
    client = Client()
    client.force_login(dana)
    url = "/api/v1/comparisons/reference-set/small/test/"
    before = client.get(url).status_code
    User.objects.filter(pk=dana.pk).update(role=User.Role.WORKER)
    assert (before, client.get(url).status_code) == (200, 404)


@pytest.mark.long
def test_without_redis_each_process_computes(
    first: Any, dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget()

    def away() -> Any:
        raise shared_cache.AWAY[0]("away")

    monkeypatch.setattr(broker, "client", away)
    assert comparison(dana).about == first.about


def test_what_is_stored_names_no_question_and_ends(first: Any) -> None:
    client = broker.client()
    names = list(client.scan_iter(match=broker.key("cache:*")))
    assert names
    assert all(0 < client.ttl(name) <= shared_cache.SECONDS for name in names)
    assert from_json(SideBySide, questions.as_json(first.about).decode()) == first.about


def test_a_result_of_another_shape_is_computed_again(first: Any, dana: User) -> None:
    forget()
    for name in broker.client().scan_iter(match=broker.key("cache:*")):
        broker.client().delete(name)
    shared_cache.put("some", b"[]")
    assert shared_cache.get("some") == b"[]"
    assert questions.shared(SideBySide, "wrong", lambda: first.about) == first.about


def test_what_is_too_large_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_cache, "LARGEST", 10)
    shared_cache.put("large", bytes(range(200)))
    assert shared_cache.get("large") is None


@pytest.mark.long
def test_another_margin_is_computed_apart_and_a_wrong_one_refused(first: Any, dana: User) -> None:
    client = Client()
    client.force_login(dana)
    url = "/api/v1/comparisons/reference-set/small/test/"
    rows = client.get(url).json()["rows"]
    tested = client.get(url, {"margin": "0.1"}).json()["rows"]
    assert ({row["margin"] for row in rows}, {row["margin"] for row in tested}) == ({0.03}, {0.1})
    [found] = [row["equivalence_p"] for row in rows if row["finding"]]
    [wider] = [row["equivalence_p"] for row in tested if row["finding"]]
    assert wider < found
    assert client.get(url, {"margin": "0.3"}).status_code == 400
