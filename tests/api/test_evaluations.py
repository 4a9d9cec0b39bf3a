"""Evaluations of language models over HTTP."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from rest_framework.test import APIClient

from evaluation.models import Evaluation
from tests.api.calls import API, assert_error, ok
from tests.evaluation.knowledge_sets import POSITIONS, problems, release_of
from tests.evaluation.sets import small_set, tiny_model
from tests.factories import (
    EvaluationFactory,
    KnowledgeEvaluationFactory,
    SnapshotFactory,
    UserFactory,
)
from tests.filtering.stages import carried
from winoplatform.http.bodies import UPLOADED_BYTES

URL = f"{API}evaluations/"


@pytest.mark.long
def test_a_language_model_is_scored_and_says_what_its_figures_depend_on(
    as_dana: APIClient, tmp_path: Path, settings: Any
) -> None:
    small_set()
    model = tiny_model(tmp_path, settings)
    body = {"reference_set": "small", "method": "causal", "model": model, "dtype": "bfloat16"}
    made = ok(as_dana.post(URL, body), 201)
    assert (made["variant"], made["split"], made["weights_sha256"]) == ("partial", "test", "")
    assert_error(as_dana.post(URL, body), 400, "invalid")
    carried(Evaluation.objects.get())
    done = ok(as_dana.get(f"{URL}{made['id']}/"))
    assert (done["model"], done["dtype"], done["dropped"]) == (model, "bfloat16", {})
    assert all(len(done[name]) == 64 for name in ("weights_sha256", "config_sha256", "data_sha256"))
    assert done["code_version"]
    assert done["metrics"]["accuracy"]["n"] == 6


def test_a_snapshot_is_scored_without_a_split(as_dana: APIClient) -> None:
    snapshot = SnapshotFactory(finished=True)
    body = {"snapshot": str(snapshot.public_id), "method": "random"}
    made = ok(as_dana.post(URL, body), 201)
    assert (made["snapshot"], made["split"], made["release"]) == (body["snapshot"], "all", None)
    [listed] = ok(as_dana.get(f"{URL}?snapshot={snapshot.public_id}"))["results"]
    assert listed["id"] == made["id"]


@pytest.mark.parametrize(
    "changes",
    [{"method": "oracle"}, {"dtype": "int8"}, {"variant": "odd"}, {"transformation": "odd"},
     {"model": "pkg:"}, {"snapshot": "5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21"}],
)  # fmt: skip
def test_a_request_that_nothing_can_meet_is_refused(
    as_dana: APIClient, changes: dict[str, str]
) -> None:
    small_set()
    body = {"reference_set": "small", "method": "random"} | changes
    assert as_dana.post(URL, body).status_code == 400
    assert not Evaluation.objects.exists()


@pytest.mark.long
def test_evaluations_are_filtered_by_what_was_asked(as_dana: APIClient) -> None:
    run = EvaluationFactory(method="causal", model="a/b", variant="full", transformation="cut")
    EvaluationFactory(release=run.release)
    for query in ("method=causal", "model=a/b", "variant=full", "transformation=cut"):
        [listed] = ok(as_dana.get(f"{URL}?{query}"))["results"]
        assert listed["id"] == str(run.public_id)


ANSWERS = "".join(f'{{"qID": "{n}-{a}", "prediction": {a}}}\n' for n in range(3) for a in (1, 2))


def upload(client: APIClient, content: str | bytes = ANSWERS, **changes: Any) -> Any:
    data = content.encode() if isinstance(content, str) else content
    body = {"reference_set": "small", "system_name": "GPT"} | changes
    body["file"] = SimpleUploadedFile("answers.jsonl", data)
    sent = encode_multipart(BOUNDARY, body)
    return client.generic("POST", f"{URL}uploads/", sent, content_type=MULTIPART_CONTENT)


def test_predictions_made_elsewhere_are_sent_as_a_file(as_dana: APIClient) -> None:
    small_set()
    made = ok(upload(as_dana), 201)
    assert (made["method"], made["system_name"], made["split"]) == ("predictions", "GPT", "test")
    assert made["report"]["n_understood"] == 6
    carried(Evaluation.objects.get())
    done = ok(as_dana.get(f"{URL}{made['id']}/"))
    assert done["metrics"]["accuracy"]["value"] == 1


@pytest.mark.parametrize(
    ("content", "changes", "status", "code"),
    [
        ("no", {}, 400, "predictions_unreadable"),
        ("\ud83d".encode("utf-16", "surrogatepass"), {}, 400, "predictions_unreadable"),
        (ANSWERS, {"system_name": "x" * 101}, 400, "invalid"),
        (ANSWERS, {"format": "xml"}, 400, "invalid"),
        (ANSWERS, {"split": "dev"}, 400, "split_unknown"),
        (ANSWERS, {"snapshot": "5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21"}, 400, "invalid"),
        (b" " * (UPLOADED_BYTES + 1), {}, 413, "too_large"),
        ("", {}, 400, "invalid"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(
    as_dana: APIClient, content: str | bytes, changes: dict[str, str], status: int, code: str
) -> None:
    small_set()
    assert_error(upload(as_dana, content, **changes), status, code)
    assert not Evaluation.objects.exists()


def test_only_curators_send_files(as_bob: APIClient) -> None:
    small_set()
    assert_error(upload(as_bob), 403, "permission_denied")
    assert_error(upload(APIClient()), 401, "not_authenticated")


def test_a_body_that_is_no_form_is_refused(as_dana: APIClient) -> None:
    assert_error(as_dana.post(f"{URL}uploads/", {}), 415, "unsupported_media_type")


def test_evaluations_are_combined(as_dana: APIClient) -> None:
    small_set()
    for name in ("first", "second"):
        upload(as_dana, system_name=name)
    ids = [str(carried(run).public_id) for run in Evaluation.objects.all()]
    made = ok(as_dana.post(f"{URL}ensembles/", {"members": ids}), 201)
    assert (made["variant"], sorted(made["members"])) == ("vote", sorted(ids))
    bad = {"members": [ids[0], ids[0]]}
    assert_error(as_dana.post(f"{URL}ensembles/", bad), 400, "members_too_few")
    bad = {"members": ids, "variant": "mean_log_probability"}
    assert_error(as_dana.post(f"{URL}ensembles/", bad), 400, "scores_unsuitable")


def test_a_model_on_a_server_needs_one(as_dana: APIClient) -> None:
    small_set()
    body = {"reference_set": "small", "method": "remote", "model": "m"}
    assert_error(as_dana.post(URL, body), 400, "no_server")


@pytest.mark.long
def test_a_head_at_chance_level_is_told(
    as_dana: APIClient, tmp_path: Path, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    small_set()
    model = tiny_model(tmp_path, settings)
    call_command("evaluate", "small", method="causal", model=model)
    assert "\nWarning: The language-model head is at chance level" in capsys.readouterr().out
    [listed] = ok(as_dana.get(URL))["results"]
    assert listed["warning"].startswith("The language-model head is at chance level")
    assert listed["head_check"]["at_chance"] is True


@pytest.mark.long
def test_statements_are_asked_about_in_the_same_place_as_questions(
    as_dana: APIClient, tmp_path: Path, settings: Any
) -> None:
    release = release_of(problems(2))
    model = tiny_model(tmp_path, settings, positions=POSITIONS)
    of = {"knowledge_release": str(release.public_id)}
    asked = of | {"method": "causal", "model": model}
    made = ok(as_dana.post(URL, asked), 201)
    assert (made["split"], made["variant"], made["metrics"]) == ("all", "", None)
    run = carried(Evaluation.objects.get())
    [listed] = ok(as_dana.get(URL, of))["results"]
    assert listed["figures"]["counts"]["all"]["n"] == 4
    lines = as_dana.get(f"{URL}{run.public_id}/predictions/")
    assert b"".join(lines.streaming_content).count(b"\n") == 12
    for odd in (
        {"reasons": "winowhy"}, {"split": "dev"}, {"variant": "full"}, {"confirm_remote": True},
        {"method": "random", "model": ""}, {"method": "ensemble"}, {"seeds": [1]}, {"seed": 1},
    ):  # fmt: skip
        assert as_dana.post(URL, asked | odd).status_code == 400, odd


def test_others_see_evaluations_of_the_knowledge_releases_that_they_may_see_alone(db: None) -> None:
    public, own = (release_of(problems(2), name=name, is_public=name == "public") for name in
                   ("public", "own"))  # fmt: skip
    shown, *hidden = (
        KnowledgeEvaluationFactory(finished=True, knowledge_release=public),
        KnowledgeEvaluationFactory(finished=True, knowledge_release=own),
        KnowledgeEvaluationFactory(finished=True),
        EvaluationFactory(finished=True),
    )
    client = APIClient()
    client.force_authenticate(UserFactory())
    assert [one["id"] for one in ok(client.get(URL))["results"]] == [str(shown.public_id)]
    assert client.get(f"{URL}{shown.public_id}/predictions/").status_code == 200
    for run in hidden:
        for address in (f"{URL}{run.public_id}/", f"{URL}{run.public_id}/predictions/"):
            assert client.get(address).status_code == 404
    assert client.post(f"{URL}{shown.public_id}/cancel/").status_code == 403
