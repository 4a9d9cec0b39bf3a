"""A stranger who reads every address learns no blind label, and nothing of what is not public.

All blind answers are turned round where the platform keeps them; no answer to a stranger changes.
Files of a release are made once: that these tell no label is in ``tests/corpora``.
"""

import json
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path

from collection.models import Twin
from corpora.core.bundle import layout
from corpora.models import Release, Snapshot
from evaluation.models import Evaluation
from tests.access.routes import ADMIN, every_route
from tests.access.samples import Samples, addresses, samples
from tests.blind import build
from tests.evaluation.boards import board_of
from tests.factories import ArtifactFactory, EvaluationFactory, SubmissionFactory
from tests.frontend.published import lines, published
from winoplatform.artifacts import store
from winoplatform.urls import urlpatterns

pytestmark = pytest.mark.long
RANDOM = re.compile(rb'(nonce=|csrfmiddlewaretoken" value=|name="client_key" value=)"[^"]*"')
CLOSED = (301, 302, 401, 403, 404, 405)


@pytest.fixture
def release(db: None) -> Release:
    made = published()
    board_of(made)
    SubmissionFactory(release=made)
    for split in ("dev", "test"):
        rows = lines(made, f"{split}.jsonl")
        told = [json.dumps({"qID": row["qID"], "prediction": 1}) for row in rows]
        EvaluationFactory(
            release=made, split=split, finished=True, method="causal", variant="partial", model="m",
            predictions=ArtifactFactory(content="\n".join(told).encode()),
        )  # fmt: skip
    return made


def known_of(release: Release) -> Samples:
    """Return values for every address, with all that the public files name."""
    known = samples(build())
    qids = [
        row["qID"]
        for stem in ("train_xl", "dev", "test")
        for row in lines(release, f"{stem}.jsonl")
    ]
    more = {
        "releases": [release.name, str(release.public_id)],
        "by-name": [release.name],
        "files": [file.name for file in release.files.all()],
        "questions": qids,
        "splits": ["train_xl", "dev", "test"],
    }
    return {**known, **{name: [*known[name], *values] for name, values in more.items()}}


def everything(
    known: Samples, chosen: Callable[[str], bool] = lambda address: True
) -> dict[str, bytes]:
    """Return what a stranger is answered, by address; those that are closed to strangers empty."""
    stranger = Client(raise_request_exception=False)
    told = {}
    for route in every_route():
        if route.path.startswith((ADMIN, "api/docs/")):
            continue
        for address, _values in addresses(route, known):
            if chosen(address):
                answer = stranger.get(address)
                assert answer.status_code < 500, address
                parts = answer.streaming_content if answer.streaming else [answer.content]
                is_closed = answer.status_code in CLOSED
                told[address] = b"" if is_closed else RANDOM.sub(b"", b"".join(parts))
    return told


def turn_round(release: Release) -> list[str]:
    """Turn round each blind answer where the platform keeps it; return the ids of the rows."""
    index = lines(release, layout.INDEX)
    blind = {row["question"]: row["qID"] for row in index if row["split"] == layout.BLIND}
    _rewrite(release, layout.INDEX, lambda row: row["split"] == layout.BLIND)
    _rewrite(release, layout.OPENING, lambda row: True)
    file = release.files.get(name=layout.labels(layout.BLIND))
    with store.open_artifact(file.artifact) as content:
        turned = content.read().translate(bytes.maketrans(b"12", b"21"))
    release.files.filter(pk=file.pk).update(artifact=store.put_bytes(turned))
    assert release.snapshot.questions is not None
    with store.open_artifact(release.snapshot.questions) as content:
        rows = [json.loads(line) for line in content]
    turned = _lines(rows, lambda row: row["id"] in blind)
    Snapshot.objects.filter(pk=release.snapshot_id).update(questions=store.put_bytes(turned))
    # Two questions of a twin have opposite answers: with its options, both are turned, and votes.
    twins = Twin.objects.filter(questions__public_id__in=blind)
    assert twins.update(option1=F("option2"), option2=F("option1")) == len(blind) == 2
    metrics = {"accuracy": {"value": 0.1, "low": 0.0, "high": 0.2, "n": 2}}
    assert Evaluation.objects.filter(release=release, split="test").update(metrics=metrics)
    return [*blind.values()]


def _rewrite(release: Release, name: str, is_blind: Callable[[Any], bool]) -> None:
    turned = _lines(lines(release, name), is_blind)
    release.files.filter(name=name).update(artifact=store.put_bytes(turned))


def _lines(rows: list[dict[str, Any]], is_blind: Callable[[Any], bool]) -> bytes:
    for row in rows:
        if is_blind(row):
            row["answer"] = type(row["answer"])(3 - int(row["answer"]))
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def test_turned_blind_answers_change_nothing_that_a_stranger_is_told(release: Release) -> None:
    known = known_of(release)
    before = everything(known)
    told = {address for address, content in before.items() if content}
    assert f"/releases/{release.name}/leaderboard/" in told
    qids = turn_round(release)
    after = everything(known, told.__contains__)
    assert [address for address in told if before[address] != after[address]] == []
    # On no page, only in the files that publish them without an answer.
    naming = {address for address in told for qid in qids if qid.encode() in before[address]}
    files = ("test.jsonl", "test.parquet", "commitments.jsonl", ".zip", "/splits/test")
    assert [address for address in naming if not address.endswith(files)] == []
    assert not [address for address in told if "-labels.lst" in address and "test" in address]


def leak(request: HttpRequest) -> HttpResponse:
    file = Release.objects.get(name="kitchen-1").files.get(name=layout.labels(layout.BLIND))
    with store.open_artifact(file.artifact) as content:
        return HttpResponse(content.read()[:1])


def test_the_walk_finds_a_page_that_tells_one_blind_answer(release: Release) -> None:
    urlconf = ModuleType("urls_with_a_blind_leak")
    urlconf.urlpatterns = [path("leak/", leak), *urlpatterns]  # type: ignore[attr-defined]
    known = known_of(release)
    with override_settings(ROOT_URLCONF=urlconf):
        before = everything(known, "/leak/".__eq__)
        turn_round(release)
        after = everything(known, "/leak/".__eq__)
    assert [address for address in before if before[address] != after[address]] == ["/leak/"]
