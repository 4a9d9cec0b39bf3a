"""Artifact detections in the browser: started from a set's page, followed, and read."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from evaluation.models import ArtifactDetection
from modeling.specs import SMOLLM2
from tests.corpora.sets import LINES, imported
from tests.factories import (
    DetectionFactory,
    EncodingFactory,
    EvaluationFactory,
    ReleaseFactory,
    SnapshotFactory,
)
from tests.factories.runs import FOUND
from tests.frontend.pages import HTMX, source, words
from winoplatform.runs.models import RunStatus
from workers.models import User

BLIND = LINES[0].replace(', "answer": "1"', "")
[LEAK] = FOUND["detected"]


def page(client: Client, run: ArtifactDetection, **headers: str) -> HttpResponse:
    response: Any = client.get(reverse("detection", args=[run.public_id]), headers=headers)
    return response


def shown(client: Client, **result: Any) -> HttpResponse:
    """Open the page of a search with another result."""
    return page(client, DetectionFactory(finished=True, result=FOUND | result))


def form(client: Client, name: str, *args: object, **sent: Any) -> HttpResponse:
    """Open the page that starts a search, or send its form."""
    path = reverse(name, args=args)
    response: Any = client.post(path, sent) if sent else client.get(path)
    return response


# -- what was found --------------------------------------------------------------------------------
def test_the_page_begins_with_the_verdict_and_shows_every_detector(as_dana: Client) -> None:
    run = DetectionFactory(finished=True)
    text = words(page(as_dana, run))
    before, verdict, after = text.partition(
        "This set leaks: a simple model that sees two words before the blank and what follows is "
        "right on 62.0% of 200 items, 12.0 points above chance (50.0%; corrected p = 0.006)."
    )
    assert verdict
    assert before.endswith(f"Artifacts in {run.release.name} train and dev ")
    assert "Local context Two words before the blank, all words after it, and the options." in after
    assert "because the (blank) was hot. cup / tray" in after
    assert "items 62.0% 55.0% – 68.0%, n = 200 50.0% 0.006 8.1 points leak" in after
    assert "groups 30.0% 22.0% – 40.0%, n = 100 21.0% 0.080 12.0 points none found" in after
    assert "Part of the sentence was not run: fewer than 10 groups have such a text." in after


def test_a_detector_with_a_scorer_names_it_and_leads_to_its_evaluations(as_dana: Client) -> None:
    scored = LEAK | {"scorer": "The model · full"}
    not_run = {"candidates_only · The model · full": "nothing follows the option"}
    run = DetectionFactory(finished=True, result=FOUND | {"detected": [scored], "not_run": not_run})
    evaluation = EvaluationFactory(release=run.release, transformation="local_context")
    run.evaluations.add(evaluation)
    html = page(as_dana, run)
    assert "Local context The model · full Two words before the blank" in words(html)
    assert "Candidates only · The model · full was not run: nothing follows" in words(html)
    assert "This set leaks: The model · full, which sees two words before" in words(html)
    assert reverse("evaluation", args=[evaluation.public_id]) in source(html)


def test_items_that_a_detector_omits_and_a_sample_are_stated(as_dana: Client) -> None:
    one = LEAK | {"dropped": {"too long": 3}, "group": None}
    text = words(shown(as_dana, detected=[one], not_run={}, n_items=5000))
    assert "Local context, items omitted: 3 (too long)." in text
    assert "Items 200 of 5,000: a random sample of whole groups" in text
    assert "groups 30.0%" not in text


def test_a_set_without_a_leak_is_said_to_be_one_with_what_would_have_been_found(
    as_dana: Client,
) -> None:
    quiet = LEAK | {"single": LEAK["single"] | {"p_corrected": 1.0}}
    text = words(shown(as_dana, detected=[quiet]))
    assert "No leak found by a simple model that sees two words before the blank" in text
    assert "One of 8.1 points (in the accuracy over items) would have been" in text


def clues(name: str, p: float) -> dict[str, Any]:
    test = {"clue": "“<b>”: option 1", "throws": 90, "right": 88, "p": p, "p_corrected": p,
            "detectable": 0.7}  # fmt: skip
    found = p <= 0.05
    return {
        "name": name, "alpha": 0.05, "n": 100, "unit": "pairs", "n_tests": 12,
        "n_found": int(found), "detectable": [0.6612, 0.68],
        "found": [test] if found else [], "nearest": [] if found else [test],
    }  # fmt: skip


def test_single_clues_are_shown_by_kind_with_what_would_have_been_found(as_dana: Client) -> None:
    both = [clues("characters", 0.001), clues("lengths", 0.4)]
    response = shown(as_dana, format=2, clues=both)
    text = words(response)
    assert "No clue found among: which twin has more words, characters or marks (66.2% of" in text
    assert "One to three characters in a row 100 pairs 12 “<b>”: option 1 97.8% 88 of 90" in text
    assert "<b>”" not in source(response)
    assert "66.2% clue Which twin has more words, characters or marks 100 pairs 12" in text


def test_texts_of_items_are_shown_as_text(as_dana: Client) -> None:
    hostile = {"sentence": "<script>_</script>", "options": ["<b>x", "&amp;"]}
    html = source(shown(as_dana, examples={"local_context": hostile}))
    assert "&lt;script&gt;" in html
    assert "<b>x" not in html


def test_an_open_search_is_followed_until_its_figures_replace_the_progress(as_dana: Client) -> None:
    run = DetectionFactory(status=RunStatus.RUNNING, done=2, total=6)
    assert 'hx-trigger="every 2s"' in source(page(as_dana, run))
    assert "2 of 6 detectors" in words(page(as_dana, run))
    assert "2 of 6 detectors" in source(as_dana.get("/"))
    ArtifactDetection.objects.update(status=RunStatus.DONE, result=FOUND)
    part = page(as_dana, run, **HTMX)
    assert "<html" not in source(part)
    assert "hx-trigger" not in source(part)
    assert "This set leaks" in words(part)


def test_a_failed_search_gives_its_reason_and_can_start_again(as_dana: Client) -> None:
    run = DetectionFactory(status=RunStatus.FAILED, failure="There are no items in dev.")
    response = page(as_dana, run)
    assert "There are no items in dev." in words(response)
    assert reverse("resume-run", args=["artifactdetection", run.public_id]) in source(response)


# -- how it is started -----------------------------------------------------------------------------
def test_a_search_is_started_in_each_kind_of_set(as_dana: Client, dana: User) -> None:
    release, snapshot = ReleaseFactory(finished=True), SnapshotFactory(finished=True)
    encoding = EncodingFactory(finished=True, snapshot=snapshot)
    imported()
    for name, argument, sent in (
        ("detect-in-release", release.name, {"split": "dev", "seed": "7"}),
        ("detect-in-reference-set", "tiny", {"split": "test", "seed": "0"}),
        ("detect-in-snapshot", snapshot.public_id, {"seed": "0", "encoding": str(encoding.pk)}),
    ):
        response = form(as_dana, name, argument, **sent)
        run = ArtifactDetection.objects.latest("pk")
        assert response["Location"] == reverse("detection", args=[run.public_id])
        assert run.created_by == dana
    runs = ArtifactDetection.objects.order_by("pk")
    assert [(run.split, run.seed) for run in runs] == [("dev", 7), ("test", 0), ("all", 0)]
    assert [run.encoding for run in runs] == [None, None, encoding]


def test_each_sets_page_leads_to_its_searches(as_dana: Client) -> None:
    run = DetectionFactory(finished=True)
    imported()
    release = run.release
    snapshot = release.snapshot
    for at, name, argument in (
        (reverse("release", args=[release.name]), "detect-in-release", release.name),
        (reverse("reference-set", args=["tiny"]), "detect-in-reference-set", "tiny"),
        (
            reverse("pipeline", args=[snapshot.campaign.slug]),
            "detect-in-snapshot",
            snapshot.public_id,
        ),
    ):
        assert reverse(name, args=[argument]) in source(as_dana.get(at))
    listed = form(as_dana, "detect-in-release", release.name)
    assert reverse("detection", args=[run.public_id]) in source(listed)
    assert "clue found" in words(listed)


def test_a_search_asks_the_models_that_are_chosen(as_dana: Client) -> None:
    imported()
    html = source(form(as_dana, "detect-in-reference-set", "tiny"))
    assert "SmolLM2-135M-Instruct.Q4_1 · causal language model · whole sentence" in html
    assert "majority" not in html
    scorer = {"method": "causal", "variant": "full", "model": SMOLLM2}
    sent = {"split": "test", "seed": "0", "scorers": json.dumps(scorer)}
    assert form(as_dana, "detect-in-reference-set", "tiny", **sent).status_code == 302
    run = ArtifactDetection.objects.get()
    assert run.scorers == [scorer]
    assert run.evaluations.count() == 4
    assert "test · 1 model" in words(form(as_dana, "detect-in-reference-set", "tiny"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("sent", "field"),
    [({"split": "test"}, "split"), ({"seed": "-1"}, "seed"), ({"scorers": "{}"}, "scorers")],
)
def test_a_search_that_cannot_be_started_says_so_at_the_field(
    sent: dict[str, str], field: str, as_dana: Client
) -> None:
    release = ReleaseFactory(finished=True)
    response = form(
        as_dana, "detect-in-release", release.name, **{"split": "dev", "seed": "0"} | sent
    )
    assert (response.status_code, ArtifactDetection.objects.exists()) == (400, False)
    assert list(response.context["form"].errors) == [field]  # type: ignore[attr-defined]


def test_the_same_search_is_not_started_twice(as_dana: Client) -> None:
    imported()
    sent = {"split": "test", "seed": "0"}
    assert form(as_dana, "detect-in-reference-set", "tiny", **sent).status_code == 302
    response = form(as_dana, "detect-in-reference-set", "tiny", **sent)
    assert "This search is under way already." in words(response)


def test_a_set_without_labels_says_that_it_cannot_be_examined(as_dana: Client) -> None:
    imported(splits={"test": [BLIND]})
    text = words(form(as_dana, "detect-in-reference-set", "tiny"))
    assert "The detectors need a split whose answers are all known; this set has none." in text


def test_a_worker_sees_neither_a_search_nor_the_way_to_it(as_carol: Client) -> None:
    imported(is_public=True)
    assert "Look for artifacts" not in words(as_carol.get(reverse("reference-set", args=["tiny"])))
    assert page(as_carol, DetectionFactory(finished=True)).status_code == 403
