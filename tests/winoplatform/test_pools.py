"""Pools: who gets a place, who waits, who is refused, and when a place is free again."""

import threading

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from frontend.middleware import Pools
from winoplatform.errors import DomainError
from winoplatform.processes import pools
from winoplatform.processes.pools import Pool


def test_who_finds_no_place_is_refused() -> None:
    pool = Pool(1)
    with pool.place():
        with pytest.raises(DomainError) as refused:
            pool.take()
        assert refused.value.status == 503
    pool.take()


def test_few_wait_for_a_place_and_only_for_a_while() -> None:
    pool = Pool(1, waiting=1, patience=0.05)
    pool.take()
    with pytest.raises(DomainError):
        pool.take()
    pool.patience = 20
    waiting = threading.Thread(target=pool.take)
    waiting.start()
    while pool._waiting._value:  # type: ignore[attr-defined]
        pass
    with pytest.raises(DomainError):  # at once
        pool.take()
    pool.give_back()
    waiting.join()


def request(size: int = 0) -> HttpRequest:
    return RequestFactory().post("/api/v1/x/", b"x" * size, "text/plain")


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> Pool:
    monkeypatch.setattr(pools, "DOWNLOADS", Pool(1))
    return pools.DOWNLOADS


def test_a_download_holds_its_place_until_it_is_sent(downloads: Pool) -> None:
    answering = Pools(lambda _: StreamingHttpResponse(iter([b"a"])))
    first = answering(request())
    refused = answering(request())
    assert (first.status_code, refused.status_code, refused["Retry-After"]) == (200, 503, "2")
    first.close()
    first.close()
    assert answering(request()).status_code == 200


def test_a_large_body_holds_its_place_until_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "LARGE_BODIES", Pool(1))
    inner: list[int] = []

    def view(_: HttpRequest) -> HttpResponse:
        inner.append(Pools(lambda _: HttpResponse())(request(pools.LARGE_BODY + 1)).status_code)
        inner.append(Pools(lambda _: HttpResponse())(request(pools.LARGE_BODY)).status_code)
        return HttpResponse()

    for _ in range(2):
        assert Pools(view)(request(pools.LARGE_BODY + 1)).status_code == 200
    assert inner == [503, 200, 503, 200]


def test_a_view_that_fails_keeps_no_place(downloads: Pool) -> None:
    def view(asked: HttpRequest) -> HttpResponse:
        pools.hold(asked, pools.DOWNLOADS)
        raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            Pools(view)(request())
