"""Filter runs asked for on pages: a first one, one with a change, other seeds; side by side."""

from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from collection.models import Campaign
from filtering.models import Encoding, FilterRun
from frontend.filter_runs import reads as selectors
from frontend.forms import read_seeds
from tests.api.test_comparisons import carried
from tests.factories import EncodingFactory, FilterRunFactory, PhaseFactory, SnapshotFactory
from tests.filtering.stages import encoding_of, frozen, leaking
from tests.frontend.pages import HTMX, source, words
from winoplatform.runs.models import RunStatus
from workers.models import User


@pytest.fixture
def encoding(db: None) -> Encoding:
    questions = frozen(pairs=5)
    return encoding_of(questions, leaking(questions))


def new_run(client: Client, encoding: Encoding, query: str = "", **sent: Any) -> HttpResponse:
    path = reverse("new-filter-run", args=[encoding.public_id]) + query
    response: Any = client.post(path, sent) if sent else client.get(path)
    return response


def filled(response: HttpResponse, **changes: Any) -> dict[str, Any]:
    """What the page's form sends, but for *changes*."""
    form = response.context["form"]  # type: ignore[attr-defined]
    return {name: form[name].value() for name in form.fields} | changes


def compare(client: Client, encoding: Encoding, *runs: Any) -> HttpResponse:
    path = reverse("compare-runs", args=[encoding.public_id])
    wanted = [str(getattr(run, "public_id", run)) for run in runs]
    response: Any = client.get(path, {"run": wanted})
    return response


# -- asking for one --------------------------------------------------------------------------------
def test_the_form_offers_presets_for_the_size_and_fills_in_the_neutral_one(as_dana: Client) -> None:
    encoding = EncodingFactory(finished=True, snapshot__n_questions=1830)
    page = new_run(as_dana, encoding)
    names = ("stop", "m", "k", "partition", "removal")
    assert [filled(page)[name] for name in names] == ["neutral", 366, 18, "grouped", "together"]
    assert "the 1,830 questions of this encoding" in words(page)
    papers = new_run(as_dana, encoding, "?preset=published")
    each = "individual"
    assert [filled(papers)[name] for name in names] == ["published", 389, 19, each, each]
    assert "reversed predictions reveal the answer" in words(papers)
    assert filled(new_run(as_dana, encoding, "?preset=arxiv_v1"))["m"] == 624
    assert new_run(as_dana, encoding, "?preset=other").status_code == 404


@pytest.mark.long
def test_a_page_says_that_a_run_continues_only_while_it_does(
    as_dana: Client, encoding: Encoding
) -> None:
    sent = filled(new_run(as_dana, encoding))
    path = new_run(as_dana, encoding, **sent)["Location"]
    FilterRun.objects.update(status=RunStatus.DONE)
    shown = words(as_dana.get(path))
    assert "queued" not in shown
    assert "You can leave this page" not in shown
    FilterRun.objects.update(status=RunStatus.RUNNING)
    assert "You can leave this page" in words(as_dana.get(path))


def test_what_is_sent_is_started_and_shown(as_dana: Client, dana: User, encoding: Encoding) -> None:
    sent = filled(new_run(as_dana, encoding), m="4", tau="0.7")
    response = new_run(as_dana, encoding, **sent)
    run = FilterRun.objects.get()
    assert response["Location"] == reverse("filter-run", args=[run.public_id])
    assert (run.m, run.tau, run.k, run.created_by) == (4, 0.7, 1, dana)


@pytest.mark.long
@pytest.mark.parametrize(
    ("field", "value"), [("m", "1"), ("tau", "1.2"), ("k", ""), ("seed", "-1"), ("removal", "x")]
)
def test_a_setting_out_of_range_is_told_at_its_field(
    field: str, value: str, as_dana: Client, encoding: Encoding
) -> None:
    response = new_run(as_dana, encoding, **filled(new_run(as_dana, encoding), **{field: value}))
    assert response.status_code == 400
    assert list(response.context["form"].errors) == [field]  # type: ignore[attr-defined]
    assert f'id="id_{field}_error"' in source(response)
    assert not FilterRun.objects.exists()


def test_the_same_run_twice_is_refused_with_the_reason(as_dana: Client, encoding: Encoding) -> None:
    sent = filled(new_run(as_dana, encoding))
    new_run(as_dana, encoding, **sent)
    assert "A run with these settings is under way already." in words(
        new_run(as_dana, encoding, **sent)
    )


def test_over_an_encoding_that_is_not_done_the_valid_questions_are_counted(
    as_dana: Client, campaign: Campaign
) -> None:
    snapshot = SnapshotFactory(campaign=campaign)
    text = words(new_run(as_dana, EncodingFactory(snapshot=snapshot)))
    assert "the run starts when the encoding is done" in text


# -- with a change ---------------------------------------------------------------------------------
def test_a_clone_starts_from_the_runs_settings(as_dana: Client, encoding: Encoding) -> None:
    run = FilterRunFactory(encoding=encoding, n=8, m=4, seed=7, finished=True)
    path = reverse("clone-filter-run", args=[run.public_id])
    sent = filled(as_dana.get(path), tau="0.6")
    assert (sent["n"], sent["m"], sent["seed"]) == (8, 4, 7)
    as_dana.post(path, sent)
    made = FilterRun.objects.latest("pk")
    assert (made.n, made.m, made.seed, made.tau) == (8, 4, 7, 0.6)
    run.refresh_from_db()
    assert run.tau == 0.75


def test_a_controls_clone_asks_for_what_a_control_goes_by(
    as_dana: Client, encoding: Encoding
) -> None:
    control = FilterRunFactory(encoding=encoding, method="pmi", pmi_score="signed", size=4)
    path = reverse("clone-filter-run", args=[control.public_id])
    sent = filled(as_dana.get(path), size="3")
    assert set(sent) == {"seed", "removal", "pmi_score", "size"}
    as_dana.post(path, sent)
    assert FilterRun.objects.filter(method="pmi", size=3).exists()
    too_many = as_dana.post(path, sent | {"size": "30"})
    assert "the encoding has 10" in words(too_many)


# -- other seeds -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "seeds"), [("1, 2,3", [1, 2, 3]), (" 4-6 9", [4, 5, 6, 9]), ("7 – 8", [7, 8])]
)
def test_seeds_are_read_as_people_write_them(text: str, seeds: list[int]) -> None:
    assert read_seeds(text) == seeds


def test_the_next_seeds_are_offered_and_started(as_dana: Client, encoding: Encoding) -> None:
    run = carried(encoding, [0])
    FilterRunFactory(encoding=encoding, seed=2)
    page = as_dana.get(reverse("filter-run", args=[run.public_id]))
    assert 'value="1, 3, 4, 5, 6"' in source(page)
    path = reverse("start-seeds", args=[run.public_id])
    assert "2 runs are queued." in words(as_dana.post(path, {"seeds": "1, 3"}, follow=True))
    assert set(FilterRun.objects.open().values_list("seed", flat=True)) == {1, 2, 3}


@pytest.mark.long
@pytest.mark.parametrize(
    ("seeds", "status", "said"),
    [
        ("", 400, "Enter at least one seed."),
        ("one", 400, "Enter whole numbers"),
        ("5-1", 400, "Enter 1 to 20 seeds"),
        ("1-99", 400, "Enter 1 to 20 seeds"),
        ("0", 409, "already a run with these settings and seed 0"),
    ],
)
def test_odd_seeds_are_told_at_their_field(
    seeds: str, status: int, said: str, as_dana: Client, encoding: Encoding
) -> None:
    run = carried(encoding, [0])
    response = as_dana.post(reverse("start-seeds", args=[run.public_id]), {"seeds": seeds})
    assert response.status_code == status
    assert said in words(response)


# -- side by side ----------------------------------------------------------------------------------
def test_runs_side_by_side(as_dana: Client, encoding: Encoding) -> None:
    run = carried(encoding, [0, 1], m=4)
    other = carried(encoding, [0, 2], m=4, seed=1)
    control = carried(encoding, [0, 3], method="random", reference=run, seed=1)
    page = compare(as_dana, encoding, run, other, control)
    text = words(page)
    assert "Run A AFLite · seed 0" in text
    assert "Run C random reduction · seed 1" in text
    assert "77.8% by chance 67%" in text
    assert "Effect of the seed: A, B Of 10 questions, all of these runs keep 7 (70.0%)" in text
    assert "seed differs 0 1 1" in text
    assert "m 4 4 –" in text
    assert source(page).count("checked") == 3


def test_a_matrix_says_the_same_of_two_runs_in_both_orders(
    as_dana: Client, encoding: Encoding
) -> None:
    runs = [carried(encoding, [0, 1]), carried(encoding, [0, 2, 3], seed=1)]
    matrices = compare(as_dana, encoding, *runs).context["matrices"]  # type: ignore[attr-defined]
    for matrix in matrices:
        (_, (nothing, above)), (_, (below, _)) = matrix.rows
        assert nothing is None
        assert above == below


def test_without_a_choice_the_runs_there_are_are_offered(
    as_dana: Client, encoding: Encoding
) -> None:
    path = reverse("compare-runs", args=[encoding.public_id])
    assert "No filter runs over this encoding yet." in words(as_dana.get(path))
    run = carried(encoding, [0])
    waiting = FilterRunFactory(encoding=encoding, seed=1)
    text = source(as_dana.get(path))
    assert f'value="{run.public_id}"' in text
    assert f'value="{waiting.public_id}"' not in text
    assert "You can compare runs here when at least two are done" in text


def test_what_is_compared_stays_in_the_choice_however_old_it_is(
    as_dana: Client, encoding: Encoding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "CHOICES", 2)
    runs = [carried(encoding, [seed], seed=seed) for seed in range(4)]
    assert source(compare(as_dana, encoding, *runs[:3])).count("checked") == 3


def test_no_run_is_asked_for_over_an_encoding_that_ended_without_a_result(as_dana: Client) -> None:
    encoding = EncodingFactory(status=RunStatus.CANCELLED)
    response = new_run(as_dana, encoding, **filled(new_run(as_dana, encoding)))
    assert response.status_code == 400
    assert "was cancelled. Resume that one first." in words(response)


def test_what_cannot_be_compared_is_refused_on_the_page(
    as_dana: Client, encoding: Encoding
) -> None:
    run = carried(encoding, [0])
    elsewhere = [carried(EncodingFactory(finished=True), [0], seed=s) for s in (0,)]
    for runs, status in (((run,), 400), ((run, "x"), 400), ((run, *elsewhere), 409)):
        response = compare(as_dana, encoding, *runs)
        assert response.status_code == status
        assert "Which runs?" in words(response)


@pytest.mark.long
def test_the_pages_ask_little_however_many_runs_there_are(
    as_dana: Client, encoding: Encoding
) -> None:
    def asked(*runs: FilterRun) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert compare(as_dana, encoding, *runs).status_code == 200
        return len(captured)

    runs = [carried(encoding, [seed], seed=seed) for seed in range(6)]
    runs.append(carried(encoding, [0], method="random", reference=runs[0]))
    few, many = asked(*runs[:2]), asked(*runs)
    assert few == many <= 15
    with CaptureQueriesContext(connection) as captured:
        as_dana.get(reverse("filter-run", args=[runs[-1].public_id]))
    assert len(captured) <= 15


# -- one run ---------------------------------------------------------------------------------------
@pytest.mark.long
def test_an_ended_run_can_be_resumed_from_its_page(as_dana: Client) -> None:
    run = FilterRunFactory(status=RunStatus.FAILED, failure="The disk is full.")
    PhaseFactory(run=run)
    back = reverse("filter-run", args=[run.public_id])
    assert "it continues after its 1 recorded phase" in words(as_dana.get(back))
    path = reverse("resume-run", args=["filterrun", run.public_id])
    assert "queued" not in words(as_dana.post(path, {"back": back}, follow=True))
    assert "This run is already in progress." in words(
        as_dana.post(path, {"back": back}, follow=True)
    )


def test_a_control_says_that_it_has_no_phases_and_no_scores(as_dana: Client) -> None:
    run = FilterRunFactory(finished=True, method="random", size=2, stop_reason="size_reached")
    PhaseFactory(run=run, histogram=[], accuracy=None, n_before=10, n_removed=8)
    response = as_dana.get(reverse("filter-run", args=[run.public_id]))
    text = words(response)
    assert "Of 10 questions it removed 8 and kept 2." in text
    assert "The run stopped because the requested size was reached." in text
    assert "method random reduction" in text
    assert "Linear models" not in text
    assert "<svg viewBox" not in source(response).split("One step")[1].split("Settings")[0]


def test_the_time_left_goes_by_the_phases_own_clocks(as_dana: Client) -> None:
    run = FilterRunFactory(status=RunStatus.RUNNING, done=20, total=100, stop="published")
    for number in (1, 2):
        PhaseFactory(run=run, number=number, seconds=5.0)
    response = as_dana.get(reverse("filter-run", args=[run.public_id]), headers=HTMX)
    assert "at most about 40 s left" in words(response)
    assert "2, seconds: 5.0" in source(response)
