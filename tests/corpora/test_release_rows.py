"""A release's version, preview, retraction and reports, by service and over REST."""

import io
from typing import Any

import pytest
from rest_framework.test import APIClient

from corpora import services
from corpora.models import Release, ReleasePreview
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import FilterRunFactory, ReleaseFactory, SnapshotFactory, UserFactory
from tests.filtering.stages import carried, contents, filtered, frozen, release_of, rows
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here

QUESTIONS = frozen(pairs=40, unpaired=8)


@pytest.fixture
def dana() -> APIClient:
    return client_of(UserFactory(curator=True))


def manifest(release: Release) -> dict[str, Any]:
    return rows(contents(release)["manifest.json"].replace("\n", ""))[0]


def test_a_preview_has_the_figures_of_the_release_and_decides_nothing(dana: APIClient) -> None:
    run = filtered(QUESTIONS, QUESTIONS[:60], dev_share="0.2", test_share="0.2")
    body = {"selection": str(run.public_id), "min_pairs": 50}
    made = dana.post(f"{API}release-previews/", body).json()
    execute_here(ReleasePreview.objects.get())
    facts = ok(dana.get(f"{API}release-previews/{made['id']}/"))["facts"]
    release = carried(release_of(run, "one"))
    about = manifest(release)
    for same in ("left_out", "collection", "agreement", "snapshot", "selection", "changes"):
        assert facts[same] == about[same], same
    for name, split in about["splits"].items():
        same = {"questions", "pairs", "unpaired", "domains"}
        assert {key: facts["splits"][name][key] for key in same} == {
            key: split[key] for key in same
        }
    assert facts["splits"]["test"] == about["splits"]["test"]
    assert (facts["version"], about["version"]) == ("1.0.0", "1.0.0")
    assert any("complete pairs, fewer than 50" in text for text in facts["warnings"])


def test_training_sizes_are_nested_complete_pairs() -> None:
    release = carried(release_of(filtered(QUESTIONS, dev_share="0.1", test_share="0.1"), "one"))
    files, splits = contents(release), manifest(release)["splits"]
    assert (splits["train_l"]["pairs"], splits["train_m"]["pairs"]) == (8, 2)
    assert splits["train_l"]["unpaired"] == 0
    assert "train_s.jsonl" not in files
    sets = [{row["qID"] for row in rows(files[f"train_{n}.jsonl"])} for n in ("m", "l", "xl")]
    assert sets[0] < sets[1] < sets[2]


@pytest.mark.long
def test_the_first_version_is_one_and_the_same_again_raises_the_last_number() -> None:
    run = filtered(QUESTIONS)
    first, second = (carried(release_of(run, name)) for name in ("one", "two"))
    assert (first.version, second.version) == ("1.0.0", "1.0.1")
    assert (first.previous, second.previous) == (None, first)
    nothing = {"added": 0, "removed": 0, "changed": 0}
    assert manifest(second)["changes"] == {
        "since": "1.0.0", "splits": {"train": nothing, "dev": nothing, "test": nothing}
    }  # fmt: skip
    (earlier,) = manifest(second)["earlier"]
    assert (earlier["name"], earlier["version"], earlier["changes"]) == ("1.0.0", "1.0.0", None)


@pytest.mark.long
def test_a_higher_version_than_the_rule_asks_for_is_kept() -> None:
    run = filtered(QUESTIONS)
    carried(release_of(run, "one"))
    snapshot = run.encoding.snapshot
    chosen = services.build_release(snapshot=snapshot, name="two", version="7.0.0", by=None)
    assert carried(chosen).version == "7.0.0"


def test_a_version_that_is_not_above_the_last_one_is_refused_at_once() -> None:
    run = filtered(QUESTIONS)
    carried(release_of(run, "one"))
    with pytest.raises(DomainError, match="is not above"):
        services.build_release(snapshot=run.encoding.snapshot, name="two", version="1.0.0", by=None)


@pytest.mark.long
def test_a_version_below_the_rule_is_refused_at_once_and_nothing_runs(dana: APIClient) -> None:
    run = filtered(QUESTIONS)
    carried(release_of(run, "one"))
    snapshot = run.encoding.snapshot
    body = {"snapshot": str(snapshot.public_id), "name": "two", "version": "1.0.1"}
    unknown = dana.post(f"{API}releases/", body)
    assert_error(unknown, 409, "version_too_low")
    assert "a preview since the last release" in unknown.json()["error"]["message"]
    for selection, lowest in ((None, "1.1.0"), (run.selection, "1.0.1")):
        preview = services.preview_release(snapshot=snapshot, selection=selection, by=None)
        assert carried(preview).facts["version"] == lowest
    refused = dana.post(f"{API}releases/", body)  # unfiltered
    assert_error(refused, 409, "version_too_low")
    assert "too much has changed. Choose 1.1.0 or higher" in refused.json()["error"]["message"]
    assert Release.objects.count() == 1
    same = body | {"selection": str(run.selection.public_id)}
    assert dana.post(f"{API}releases/", same).status_code in (201, 202)


@pytest.mark.parametrize("version", ["1.0", "v1.0.0", "1.0.0-rc1", "01.0.0"])
def test_what_is_no_version_is_refused(dana: APIClient, version: str) -> None:
    body = {
        "snapshot": str(SnapshotFactory(finished=True).public_id), "name": "x", "version": version
    }  # fmt: skip
    assert_error(dana.post(f"{API}releases/", body), 400, "invalid")


def test_a_retraction_stays_visible_and_the_files_stay_as_they_were(dana: APIClient) -> None:
    release = carried(release_of(filtered(QUESTIONS), "one"))
    Release.objects.update(is_public=True)
    before = contents(release)
    url = f"{API}releases/{release.public_id}/"
    assert_error(dana.post(f"{url}retract/", {"reason": " "}), 400, "invalid")
    told = dana.post(f"{url}retract/", {"reason": "Dev is swapped."}).json()
    assert (told["is_retracted"], told["retraction_reason"]) == (True, "Dev is swapped.")
    assert_error(dana.post(f"{url}retract/", {"reason": "Again."}), 409, "not_retractable")
    (listed,) = ok(client_of(UserFactory()).get(f"{API}releases/"))["results"]
    assert listed["retraction_reason"] == "Dev is swapped."
    assert contents(release) == before


@pytest.mark.long
@pytest.mark.parametrize("is_public", [True, False])
def test_a_later_release_tells_no_reason_that_was_given_to_members(is_public: bool) -> None:
    snapshot = filtered(QUESTIONS).encoding.snapshot
    one = carried(
        services.build_release(snapshot=snapshot, name="one", by=None, is_public=is_public)
    )
    services.retract_release(release=one, reason="Dev is swapped.", by=None)
    two = carried(services.build_release(snapshot=snapshot, name="two", by=None, is_public=True))
    texts = [contents(two)[name] for name in ("CHANGELOG.md", "manifest.json")]
    assert [("Dev is swapped." in text) for text in texts] == [is_public, is_public]
    assert ("Its members are told why." in texts[0]) is not is_public


@pytest.mark.long
@pytest.mark.parametrize("is_public", [True, False])
def test_a_later_release_does_not_name_one_that_is_for_members(is_public: bool) -> None:
    snapshot = filtered(QUESTIONS).encoding.snapshot
    asked: dict[str, Any] = {"snapshot": snapshot, "by": None}
    carried(services.build_release(name="first-try", is_public=is_public, **asked))
    two = carried(services.build_release(name="two", is_public=True, **asked))
    naming = {name for name, text in contents(two).items() if "first-try" in text}
    assert naming == ({"CHANGELOG.md", "manifest.json", "leaks.json"} if is_public else set())
    assert ("A release for members alone." in contents(two)["CHANGELOG.md"]) is not is_public
    told = APIClient().get(f"{API}releases/{two.public_id}/").json()
    assert told["previous"] == ("first-try" if is_public else None)


def test_what_is_not_finished_cannot_be_retracted() -> None:
    with pytest.raises(DomainError, match="Only a finished release"):
        services.retract_release(release=ReleaseFactory(), reason="Wrong.", by=None)


def test_a_report_is_attached_beside_the_files(dana: APIClient) -> None:
    release = carried(release_of(filtered(QUESTIONS), "one"))
    Release.objects.update(is_public=True)
    url = f"{API}releases/{release.public_id}/"
    name, body = "winogrande-4.csv", {"release": str(release.public_id), "ending": "csv"}
    told = dana.post(f"{API}paper-tables/winogrande-4/attach/", body).json()
    carol = client_of(UserFactory())
    assert ok(carol.get(f"{url}reports/")) == [told]
    sent = carol.get(f"{url}reports/{name}")
    assert b"50.4" in b"".join(sent.streaming_content)  # published, XS on test
    assert (told["name"], sent["ETag"]) == (name, f'"{told["sha256"]}"')
    hash_before = release.content_hash
    release.refresh_from_db()
    assert release.content_hash == hash_before
    assert_error(dana.post(f"{API}paper-tables/winogrande-4/attach/", body), 400, "invalid")
    assert_error(dana.post(f"{API}paper-tables/winogrande-9/attach/", body), 404, "not_found")


@pytest.mark.long
def test_nobody_attaches_a_text_of_their_own(dana: APIClient) -> None:
    """It could hold ids, labels or exact scores of the blind test, and everyone may read it."""
    release = carried(release_of(filtered(QUESTIONS), "one"))
    url = f"{API}releases/{release.public_id}/reports/"
    body = {"name": "models.json", "text": contents(release)["test-labels.lst"]}
    assert_error(dana.post(url, body), 405, "method_not_allowed")
    own = {"release": str(release.public_id), "ending": "csv", "text": body["text"]}
    dana.post(f"{API}paper-tables/winogrande-4/attach/", own)
    (report,) = release.reports.all()
    with store.open_artifact(report.artifact) as file:
        assert body["text"].encode() not in file.read()


def test_a_report_cannot_have_the_name_of_a_file() -> None:
    release = carried(release_of(filtered(QUESTIONS), "one"))
    with pytest.raises(DomainError, match="has a file with this name"):
        services.attach_report(
            release=release, name="manifest.json", file=io.BytesIO(b"x"), by=None
        )


@pytest.mark.long
def test_a_public_release_is_read_without_an_account_and_no_other_is() -> None:
    run = filtered(QUESTIONS)
    carried(release_of(run, "hidden"))
    snapshot = run.encoding.snapshot
    shown = carried(
        services.build_release(snapshot=snapshot, name="shown", is_public=True, by=None)
    )
    anyone = client_of(None)
    (listed,) = ok(anyone.get(f"{API}releases/"))["results"]
    assert listed["name"] == "shown"
    assert ok(anyone.get(f"{API}releases/by-name/shown/")) == listed
    url = f"{API}releases/{shown.public_id}/files/"
    names = {file["name"] for file in ok(anyone.get(url))}
    assert "train_xl.jsonl" in names
    assert not names & {"test-labels.lst", "index.jsonl", "opening.jsonl"}
    votes = anyone.get(f"{url}provenance/votes.jsonl")
    assert votes.status_code == 200
    assert 'filename="votes.jsonl"' in votes["Content-Disposition"]
    for secret in ("test-labels.lst", "index.jsonl", "opening.jsonl"):
        assert_error(anyone.get(f"{url}{secret}"), 404, "not_found")
    assert_error(anyone.get(f"{API}releases/by-name/hidden/"), 404, "not_found")
    assert anyone.post(f"{API}releases/", {"name": "mine"}).status_code == 401


def test_the_facts_of_a_run_of_another_snapshot_are_refused() -> None:
    with pytest.raises(DomainError, match="belongs to another snapshot"):
        services.preview_release(
            snapshot=SnapshotFactory(finished=True),
            selection=FilterRunFactory(finished=True).selection,
            by=None,
        )
