"""A stranger who reads every address learns no blind label, and nothing of what is not public.

All blind answers are turned round where the platform keeps them; no answer to a stranger changes.
Files of a release are made once: that these tell no label is in ``tests/corpora``.
"""

import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path
from django.utils.http import urlencode

from collection.models import Twin
from corpora.core.bundle import layout
from corpora.models import Release, Snapshot
from corpora.services import add_erratum
from evaluation.models import Evaluation
from evaluation.selectors.difficulty import Difficulty
from frontend.releases import browsing, views
from tests.access.routes import ADMIN, every_route
from tests.access.samples import Samples, addresses, samples
from tests.blind import build
from tests.evaluation.boards import board_of
from tests.factories import (
    ArtifactFactory,
    EvaluationFactory,
    PublicationFactory,
    SubmissionFactory,
)
from tests.frontend.published import lines, published
from winoplatform.artifacts import store
from winoplatform.urls import urlpatterns

pytestmark = pytest.mark.long
RANDOM = re.compile(rb'(nonce=|csrfmiddlewaretoken" value=|name="client_key" value=)"[^"]*"')
CLOSED = (301, 302, 401, 403, 404, 405)
OF_MEMBERS = "first-try"
"""The campaign's release before the public one."""


@pytest.fixture
def release(db: None) -> Release:
    before = published(OF_MEMBERS, is_public=False)
    made = published(campaign=before.campaign)
    add_erratum(release=made, text="Two cups fell.", key=uuid4(), by=None)
    PublicationFactory(release=made, finished=True)
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
        "blind words": [row["sentence"] for row in lines(release, "test.jsonl")],
    }
    return {**known, **{name: [*known.get(name, ()), *values] for name, values in more.items()}}


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
            for asked in [address, *searches(address, known)]:
                if chosen(asked):
                    told[asked] = _public_content(stranger.get(asked))
    return told


def _public_content(answer: Any) -> bytes:
    """Return an answer without what is random, and an archive with the text of its files."""
    assert answer.status_code < 500, answer.request["PATH_INFO"]
    if answer.status_code in CLOSED:
        return b""
    content = b"".join(answer.streaming_content if answer.streaming else [answer.content])
    if answer["Content-Type"] == "application/zip":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return b"".join(map(archive.read, archive.namelist()))
    return RANDOM.sub(b"", content)


def searches(address: str, known: Samples) -> list[str]:
    """Return what is looked for among a release's rows: by split, and the words of blind ones."""
    if not address.endswith("/rows/"):
        return []
    asked = [{"split": split} for split in known["splits"]]
    asked += [{"split": split, "q": q} for split in known["splits"] for q in known["blind words"]]
    return [f"{address}?{urlencode(one)}" for one in asked]


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
    assert [address for address in told if OF_MEMBERS.encode() in before[address]] == []


def blind_answer(*_: Any) -> str:
    file = Release.objects.get(name="kitchen-1").files.get(name=layout.labels(layout.BLIND))
    with store.open_artifact(file.artifact) as content:
        return content.read()[:1].decode()


def leak(request: HttpRequest) -> HttpResponse:
    return HttpResponse(blind_answer())


def test_the_walk_finds_a_page_that_tells_one_blind_answer(release: Release) -> None:
    urlconf = ModuleType("urls_with_a_blind_leak")
    urlconf.urlpatterns = [path("leak/", leak), *urlpatterns]  # type: ignore[attr-defined]
    known = known_of(release)
    with override_settings(ROOT_URLCONF=urlconf):
        before = everything(known, "/leak/".__eq__)
        turn_round(release)
        after = everything(known, "/leak/".__eq__)
    assert [address for address in before if before[address] != after[address]] == ["/leak/"]


Leaking = Callable[[Any], Any]
LEAKS: dict[str, tuple[ModuleType, str, Leaking]] = {
    "": (views, "json_ld_element", lambda said: said + blind_answer()),
    "croissant.json": (views, "json_ld", lambda said: said | {"blind": blind_answer()}),
    "croissant-tasks.json": (views, "tasks_of_release", lambda said: said | {"a": blind_answer()}),
    "paper-kit.zip": (views, "kit_archive", lambda kit: with_file(kit, blind_answer())),
    "rows/?split=dev": (browsing, "title_of", lambda title: f"{title} {blind_answer()}"),
    "questions/{qid}/": (browsing, "difficulty_of", lambda of: with_system(of, blind_answer())),
}
"""By the end of an address, a function whose result is changed so that the address tells."""


def with_file(archive: bytes, text: str) -> bytes:
    changed = io.BytesIO(archive)
    with zipfile.ZipFile(changed, "a") as opened:
        opened.writestr("blind", text)
    return changed.getvalue()


def with_system(difficulty: Difficulty, answer: str) -> Difficulty:
    return replace(difficulty, systems=9, systems_right=int(answer))


def test_the_walk_finds_each_kind_of_page_that_tells_one_blind_answer(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, qid = known_of(release), lines(release, "dev.jsonl")[0]["qID"]
    for end, (module, name, leaking) in LEAKS.items():
        address = f"/releases/{release.name}/{end.format(qid=qid)}"
        real = getattr(module, name)
        with monkeypatch.context() as patch:
            patch.setattr(module, name, _changed(real, leaking))
            before = everything(known, address.__eq__)
            turn_round(release)
            after = everything(known, address.__eq__)
        assert before[address], address
        assert before[address] != after[address], address


def _changed(real: Callable[..., Any], leaking: Leaking) -> Callable[..., Any]:
    return lambda *args, **options: leaking(real(*args, **options))
