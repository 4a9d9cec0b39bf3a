"""The page of one filter run."""

import re
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from filtering.core.one_half import Comparison
from filtering.models import FilterRun
from tests.factories import FilterRunFactory, PhaseFactory, ReleaseFactory
from tests.filtering.evidence_made import assessed
from tests.frontend.pages import HTMX, source, words
from winoplatform.runs.models import RunStatus


def page(client: Client, run: FilterRun, **headers: str) -> str:
    return source(client.get(reverse("filter-run", args=[run.public_id]), headers=headers))


def test_a_run_that_has_not_begun_says_so_and_asks_again(as_dana: Client) -> None:
    text = page(as_dana, FilterRunFactory())
    assert "No phase is complete yet." in text
    assert 'hx-trigger="every 2s"' in text


def test_the_papers_symbols_are_explained(as_dana: Client) -> None:
    run = FilterRunFactory(m=1234, tau=0.7, stop="published")
    text = words(as_dana.get(reverse("filter-run", args=[run.public_id])))
    for said in (
        "n 64 Linear models",
        "m 1,234 Questions",
        "k 500 Questions",
        "τ 0.7 The published rule",
    ):
        assert said in text


def test_each_phase_is_in_the_table_and_in_the_charts(as_dana: Client) -> None:
    run = FilterRunFactory(status=RunStatus.RUNNING, stop="published")
    PhaseFactory(run=run, number=1, n_before=1830, n_removed=76, accuracy=0.72)
    PhaseFactory(run=run, number=2, n_before=1754, n_removed=70, accuracy=None)
    text = page(as_dana, run, **HTMX)
    assert "<html" not in text
    assert "1, questions left: 1,754" in text
    assert "1: 72.0%" in text
    assert text.count('scope="row"') == 2


def test_a_run_to_a_neutral_set_shows_accuracy_against_removals_and_where_it_crossed(
    as_dana: Client,
) -> None:
    run = FilterRunFactory(status=RunStatus.RUNNING)
    looks = [[1830, 0.62, 0.012], [1812, 0.6, 0.012]]
    PhaseFactory(run=run, number=1, n_before=1830, n_removed=18, looks=looks)
    text = page(as_dana, run, **HTMX)
    assert "removed: 60.0%" not in text  # two points make no curve; the table has them
    assert (">18</th>" in text, ">60.0%</td>" in text) == (True, True)
    looks = [[1812, 0.6, 0.012], [1794, 0.48, 0.012], [1800, 0.501, 0.012]]
    PhaseFactory(run=run, number=2, n_before=1812, n_removed=12, looks=looks)
    FilterRun.objects.update(stop_reason="neutral")
    text = page(as_dana, FilterRun.objects.get(), **HTMX)
    assert (text.count("removed: 60.0%"), "0 removed: 62.0%" in text) == (1, True)
    assert "30 removed: 50.1%" in text
    assert re.search(r">\s*neutral\s*</text>", text)


def measured(accuracy: float, **parts: float) -> dict[str, Any]:
    """What a run stores of fresh models: 2,000 questions, an interval of 2 points either way."""

    def figures(value: float) -> dict[str, Any]:
        found = Comparison.of(value, 0.0001, n=2000, alpha=0.05)
        leak = {"direction": found.direction, "detectable": found.detectable}
        return {"accuracy": asdict(found.accuracy), "leak": leak}

    ways = {"grouped": accuracy, "individual": accuracy, "paired": 0.5, "unpaired": 0.5, **parts}
    return {way: figures(value) for way, value in ways.items()}


def counted(repeated: int, **changes: int) -> dict[str, int]:
    found = {"questions": 1_200, "repeated": repeated, "same_answer": repeated, "other_answer": 0}
    return found | changes


@pytest.mark.long
@pytest.mark.parametrize("reason", ["no_bias", "neutral"])
@pytest.mark.parametrize("name", ["filter-run", "evidence"])
def test_repeated_questions_are_said_beside_the_end_of_a_run(
    reason: str, name: str, as_dana: Client
) -> None:
    found = {"all": counted(400), "kept": counted(398, same_answer=360, other_answer=40)}
    run = FilterRunFactory(finished=True, stop_reason=reason, repeats=found)
    assessed(run)
    address = reverse(name, args=[run.public_id])
    text = words(as_dana.get(address))
    assert "398 of 1,200 kept questions (33.2%) repeat another kept one: 360 with the" in text
    assert "40 with the other. Linear models do not show this" in text
    assert run.warnings[-1].startswith("398 of 1,200 questions repeat another one")
    FilterRun.objects.update(repeats={"all": counted(400), "kept": counted(0)})
    said = "No kept question has the same sentence and options as another one"
    assert said in words(as_dana.get(address))
    FilterRun.objects.update(repeats=None)
    assert "has not counted the questions that repeat" in words(as_dana.get(address))


@pytest.mark.long
@pytest.mark.parametrize(
    ("after", "said"),
    [
        (measured(0.44), "answer 44.0% (42.1% – 46.0%, n = 2,000) of all kept questions correctly: "
         "below one half. Their reversed predictions reveal the answer"),
        (measured(0.57), "above one half. A bias of these questions remains."),
        (measured(0.49, unpaired=0.4), "of the kept unpaired questions correctly: below"),
    ],
)  # fmt: skip
def test_fresh_models_are_the_first_figure_and_a_leak_is_a_warning_there_and_at_the_release(
    after: dict[str, Any], said: str, as_dana: Client
) -> None:
    run = FilterRunFactory(finished=True, fresh_models={"all": measured(0.61), "kept": after})
    text = words(as_dana.get(reverse("filter-run", args=[run.public_id])))
    assert text.index("before 61.0% (59.1% – 62.9%, n = 2,000)") < text.index("Kept 2")
    assert text.count(said) == 2
    assert text.rindex(said) > text.index("New release") - 2000


def test_a_neutral_set_has_no_warning(as_dana: Client) -> None:
    figures = {"all": measured(0.61), "kept": measured(0.505)}
    text = words(
        as_dana.get(
            reverse(
                "filter-run",
                args=[FilterRunFactory(finished=True, fresh_models=figures).public_id],
            )
        )
    )
    assert "After 50.5%" in text
    assert "questions correctly:" not in text
    assert "80% chance to find 52.8% or 47.2%" in text


def test_models_that_did_not_converge_are_told_where_there_are_any(as_dana: Client) -> None:
    run = FilterRunFactory(finished=True)
    PhaseFactory(run=run, number=1)
    assert "reached the step limit" not in page(as_dana, run)
    PhaseFactory(run=run, number=2, unconverged=3, fallbacks=1)
    text = page(as_dana, run)
    assert "3 models reached the step limit" in text
    assert "1 model stalled in float32" in text


@pytest.mark.long
@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("fewer_than_k", "fewer than k = 500 questions were in twins whose score reached τ"),
        ("at_most_m", "at most m = 10,000 questions were left to train on."),
        (
            "neutral",
            "the models that follow the removal, in folds of their own, came down",
        ),
        ("below_half", "fresh linear models on all questions were below one half from the start."),
        ("no_bias", "were found neither above nor below one half, so nothing was removed."),
        ("not_neutral", "at most m = 10,000 questions were left to train on, and the models"),
        ("too_few_left", "another step would have left fewer than 200 questions"),
        ("nothing_to_remove", "no question was left that the models answer better than chance."),
        (
            "not_measurable",
            "there are fewer than 200 questions, 20 with one of the answers",
        ),
    ],
)
def test_an_ended_run_says_why_and_is_not_asked_again(
    reason: str, said: str, as_dana: Client
) -> None:
    run = FilterRunFactory(finished=True, stop_reason=reason, attempt=3)
    ReleaseFactory(filter_run=run, name="kitchen-1")
    response = as_dana.get(reverse("filter-run", args=[run.public_id]))
    assert said in words(response)
    assert "Attempt 3" in words(response)
    assert "Kept 2 100.0% of 2" in words(response)
    assert "kitchen-1" in words(response)
    assert "hx-trigger" not in source(response)
    assert "Cancel run" not in words(response)


def test_a_failed_run_gives_its_reason(as_dana: Client) -> None:
    run = FilterRunFactory(status=RunStatus.FAILED, failure="The worker died 5 times.")
    assert "The worker died 5 times." in page(as_dana, run)


def test_a_cancelled_wish_is_shown_until_it_is_seen(as_dana: Client) -> None:
    run = FilterRunFactory(status=RunStatus.RUNNING)
    back = reverse("filter-run", args=[run.public_id])
    path = reverse("cancel-run", args=["filterrun", run.public_id])
    response = as_dana.post(path, {"back": back}, follow=True)
    assert "stopping after the current step" in words(response)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"status": "running", "done": 94}, "94 of at most 158 questions removed"),
        ({"finished": True, "done": 94}, "94 questions removed"),
        ({"finished": True, "done": 1}, "1 question removed"),
        ({"finished": True, "done": 0}, "nothing removed"),
    ],
)
def test_progress_has_a_unit(state: dict[str, Any], said: str, as_dana: Client) -> None:
    run = FilterRunFactory(total=158, **state)
    text = words(as_dana.get(reverse("filter-run", args=[run.public_id])))
    assert said in text
    assert "94 of 158" not in text


def test_a_run_whose_worker_has_gone_says_so(as_dana: Client) -> None:
    run = FilterRunFactory(
        status=RunStatus.RUNNING,
        started_at=timezone.now() - timedelta(hours=1),
        leased_until=timezone.now() - timedelta(seconds=1),
        done=10,
        total=158,
    )
    text = words(as_dana.get(reverse("filter-run", args=[run.public_id])))
    assert "its worker stopped; another one continues within seconds" in text
    assert "left" not in text.split("Attempt")[0].split("Run time")[1]


def test_a_run_leads_to_the_preview_of_a_release(as_dana: Client) -> None:
    run = FilterRunFactory()
    path = reverse("new-release", args=[run.encoding.snapshot.public_id])
    assert f"{path}?selection={run.selection.public_id}" in page(as_dana, run)


def test_no_release_is_offered_of_a_run_that_kept_nothing(as_dana: Client) -> None:
    run = FilterRunFactory(status=RunStatus.CANCELLED)
    path = reverse("new-release", args=[run.encoding.snapshot.public_id])
    assert path not in page(as_dana, run)


@pytest.mark.long
@pytest.mark.parametrize(
    ("changes", "gate", "seeds"),
    [
        ({"stop": "neutral"}, True, "Which questions a model trains on"),
        ({"stop": "published"}, False, "Which questions a model trains on"),
        ({"method": "random"}, False, "Which questions are removed is random."),
        (
            {"method": "pmi", "pmi_score": "signed"},
            False,
            "Only the choice between equal scores is random.",
        ),
    ],
)
def test_a_run_says_of_its_own_method_what_is_tested_and_what_is_random(
    changes: dict[str, Any], gate: bool, seeds: str, as_dana: Client
) -> None:
    both = {"all": measured(0.5), "kept": measured(0.5)}
    if "method" in changes:
        changes |= {"reference": FilterRunFactory(finished=True)}
    run = FilterRunFactory(finished=True, fresh_models=both, **changes)
    text = words(as_dana.get(reverse("filter-run", args=[run.public_id])))
    assert ("The same test decides whether AFLite removes anything." in text) == gate
    assert seeds in text
    assert "and the full training set with those that it removes" in text
