"""Evaluations in the browser: watched, compared and read."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from corpora.core.items import TRUTH, Item
from corpora.models import ReferenceSet
from corpora.services import take_snapshot
from evaluation.models import Evaluation
from evaluation.selectors import AnsweredItem
from evaluation.selectors.answers import OptionScore
from frontend.evaluations.answers import item_list
from frontend.templatetags.evaluations import score
from tests.corpora.sets import LINES, imported
from tests.corpora.test_full_agreement import validated
from tests.evaluation.done import evaluated
from tests.evaluation.sets import ITEMS, small_set
from tests.factories import EvaluationFactory, ReleaseFactory, SnapshotFactory
from tests.filtering.stages import carried
from tests.frontend.evaluation_pages import comparison, page
from tests.frontend.pages import HTMX, source, words
from winoplatform.runs.models import RunStatus


# -- watch -----------------------------------------------------------------------------------------
@pytest.mark.long
def test_an_open_evaluation_is_polled_until_it_ends(as_dana: Client) -> None:
    run = EvaluationFactory(release=None, reference_set=imported())
    for address in (reverse("evaluations"), reverse("evaluation", args=[run.public_id])):
        assert 'hx-trigger="every 2s"' in source(as_dana.get(address))
    assert "after the first block" in page(as_dana, run)
    Evaluation.objects.update(status=RunStatus.FAILED, failure="The disk is full.")
    for address in (reverse("evaluations"), reverse("evaluation", args=[run.public_id])):
        part = as_dana.get(address, headers=HTMX)
        assert "hx-trigger" not in source(part)
        assert "The disk is full." in words(part)
        assert reverse("resume-run", args=["evaluation", run.public_id]) in source(part)


def test_the_last_answer_to_the_poll_also_shows_the_comparisons_anew(as_dana: Client) -> None:
    run = EvaluationFactory(release=None, reference_set=imported())
    evaluated(imported("other"))
    assert 'id="comparisons"' not in source(as_dana.get(reverse("evaluations"), headers=HTMX))
    Evaluation.objects.filter(pk=run.pk).update(status=RunStatus.FAILED)
    part = source(as_dana.get(reverse("evaluations"), headers=HTMX))
    [comparisons] = re.findall(r'<section id="comparisons"[^>]*hx-swap-oob="true">.*', part, re.S)
    assert reverse("comparison", args=["reference-set", "other", "test"]) in comparisons


# -- answers ---------------------------------------------------------------------------------------
def test_answers_are_shown_by_group_and_filtered(as_dana: Client) -> None:
    run = evaluated(imported())
    text = page(as_dana, run)
    # The most frequent answer is the first of two equally frequent ones.
    assert "all (3) right on one only (3) wrong on both (0) right on both (0) tied (0)" in text
    assert "the cup (answer) 1 · chosen the tray 0" in text
    assert "No group is like this." in page(as_dana, run, show="none")
    assert "No group is like this." not in page(as_dana, run, show="some")
    assert run.data_sha256 in text


@pytest.mark.long
def test_an_unpaired_question_is_not_counted_as_right_on_both(as_dana: Client) -> None:
    """The group score leaves it out: “right on both” beside a group score of 0 contradicted it."""
    run = evaluated(imported(splits={"test": [*LINES, unpaired(LINES[0])]}))
    text = page(as_dana, run)
    assert "wrong on both (0) right on both (0) unpaired question, right (1)" in text
    assert "alone" in page(as_dana, run, show="unpaired-right")
    assert "No group is like this." in page(as_dana, run, show="right")


def test_a_set_without_groups_has_right_and_wrong_questions(as_dana: Client) -> None:
    text = page(as_dana, evaluated(imported(splits={"test": [unpaired(LINES[0])]})))
    assert "all (1) right (1) wrong (0) tied (0)" in text


def unpaired(line: str) -> str:
    return line.replace('"qID": "', '"qID": "alone')


def test_the_list_has_the_best_accuracy_with_its_interval_and_n(as_dana: Client) -> None:
    evaluated(imported())
    text = words(as_dana.get(reverse("evaluations")))
    assert "50.0% (18.8% – 81.2%, n = 6)" in text


@pytest.mark.parametrize(("scores", "decimals"), [((1.0, 0.0), 0), ((-2.0, -1.5), 3)])
def test_scores_of_an_evaluation_have_the_same_decimals(
    scores: tuple[float, float], decimals: int
) -> None:
    whole = [OptionScore("a", 1.0, 1, True), OptionScore("b", 0.0, 0, False)]
    these = [OptionScore(name, value, 0.5, False) for name, value in zip("ab", scores, strict=True)]
    answered = [AnsweredItem(ITEMS[n], tuple(of)) for n, of in enumerate((whole, these))]
    found = item_list(answered, shown="", number="", with_evidence=False)
    assert found.decimals == decimals
    assert score(-2.0, decimals) == ("−2" if decimals == 0 else "−2.000")


@pytest.mark.long
def test_chance_of_true_and_false_questions_is_the_most_frequent_answer(as_dana: Client) -> None:
    assert "Chance 50.0% random answers" in page(as_dana, evaluated(small_set()))
    items = [
        Item(id=f"{n}", group=f"{n}", sentence="It fits.", options=TRUTH, answer=1 + (n < 2),
             form="truth", span=(0, 2), candidate="the box")
        for n in range(8)
    ]  # fmt: skip
    lines = [item.to_line() for item in items]
    data = imported("truths", format="items", splits={"test": lines})
    assert "Chance 75.0% the most frequent answer" in page(as_dana, evaluated(data))


@pytest.mark.long
def test_the_answers_of_a_large_set_are_on_several_pages(as_dana: Client) -> None:
    lines = [line.replace('"qID": "', f'"qID": "{n}') for n in range(9) for line in LINES]
    run = evaluated(imported(splits={"test": lines}))
    assert page(as_dana, run).count("chosen") - 1 == 40
    assert page(as_dana, run, page="2").count("chosen") - 1 == 14
    assert "No group is like this." in page(as_dana, run, page="9")


@pytest.mark.long
def test_answers_to_questions_that_were_changed_are_not_shown(as_dana: Client) -> None:
    run = evaluated(imported())
    other = evaluated(small_set())
    Evaluation.objects.filter(pk=run.pk).update(predictions=other.predictions)
    text = page(as_dana, run)
    assert "Evaluate again to see them." in text
    assert "the cup" not in text
    assert "Evaluate again to see them." in words(comparison(as_dana))


# -- comparison ------------------------------------------------------------------------------------
@pytest.mark.long
def test_a_comparison_has_every_system_with_its_difference(as_dana: Client) -> None:
    data = imported()
    for seed in (0, 1):
        evaluated(data, "random", seed=seed)
    evaluated(data)
    text = words(comparison(as_dana))
    assert "6 questions, 3 groups of at least two." in text
    assert "2 seeds: mean" in text
    assert "best" in text
    assert "not distinguishable from the best: there are too few questions" in text
    assert "2 not distinguishable from chance (an accuracy of" in text
    by_name = words(comparison(as_dana, sort="name")).partition("Table of systems")[2]
    assert by_name.index("most frequent answer") < by_name.index("random answers")


@pytest.mark.long
def test_equivalence_is_shown_for_the_margin_that_the_reader_has_chosen(as_dana: Client) -> None:
    data = imported()
    evaluated(data, "random")
    evaluated(data)
    text = words(comparison(as_dana))
    assert "Lost" in text
    assert "Choose the margin before you see the results" in text
    assert "Equivalent within" not in text
    assert "cannot tell" not in text
    text = words(comparison(as_dana, margin="5", sort="name"))
    assert "Equivalent within 5 points" in text
    assert "cannot tell: for this margin there are too few questions" in text
    assert "0 are shown to differ from it by less than 5 points." in text
    assert "Where all validators agreed" not in text  # a reference set has no votes


@pytest.mark.long
@pytest.mark.parametrize("margin", ["0", "30", "x", ""])
def test_a_wrong_margin_is_refused(as_dana: Client, margin: str) -> None:
    data = imported()
    evaluated(data, "random")
    evaluated(data)
    text = words(comparison(as_dana, margin=margin))
    assert "Equivalent within" not in text
    path = reverse("comparison-file", args=["reference-set", "tiny", "test", "csv"])
    assert as_dana.get(path, {"margin": margin}).status_code == 400
    assert ",0.05," in source(as_dana.get(path, {"margin": "5"}))  # type: ignore[arg-type]


@pytest.mark.long
def test_scores_where_all_validators_agreed(as_dana: Client) -> None:
    campaign, _ = validated(8)
    snapshot = carried(take_snapshot(campaign=campaign, by=None))
    evaluated(None, reference_set=None, snapshot=snapshot, split="all")
    path = reverse("comparison", args=["snapshot", snapshot.public_id, "all"])
    text = words(as_dana.get(path))  # type: ignore[arg-type]
    assert "4 questions of 8. Votes of 8 questions are known" in text
    assert "full agreement (4)" in text
    part = words(as_dana.get(path, {"subset": "full_agreement=false"}))  # type: ignore[arg-type]
    assert "Where all validators agreed" not in part
    file = reverse("comparison-file", args=["snapshot", snapshot.public_id, "all", "jsonl"])
    [row] = map(json.loads, source(as_dana.get(file)).splitlines())  # type: ignore[arg-type]
    assert (row["n"], row["n_agreed"], row["agreed_accuracy"]) == (8, 4, row["accuracy"])


def test_a_system_alone_is_not_called_best(as_dana: Client) -> None:
    evaluated(imported())
    assert "no other system to compare with" in words(comparison(as_dana))
    path = reverse("comparison-file", args=["reference-set", "tiny", "test", "tex"])
    assert "best" not in as_dana.get(path).content.decode()


@pytest.mark.long
@pytest.mark.parametrize("ending", ["csv", "jsonl", "tex"])
def test_a_comparison_can_be_downloaded(as_dana: Client, ending: str) -> None:
    evaluated(imported())
    path = reverse("comparison-file", args=["reference-set", "tiny", "test", ending])
    response = as_dana.get(path)
    name = f'filename="comparison-tiny-test.{ending}"'
    assert name in response["Content-Disposition"]
    assert "most frequent answer" in source(response)  # type: ignore[arg-type]


@pytest.mark.long
def test_a_servers_name_of_a_model_is_shown_as_it_is_and_not_offered(as_dana: Client) -> None:
    run = evaluated(imported())
    Evaluation.objects.filter(pk=run.pk).update(
        method="remote", variant="full", model="llama3:8b /x"
    )
    run.refresh_from_db()
    assert "llama3:8b /x" in page(as_dana, run)
    path = reverse("comparison-file", args=["reference-set", "tiny", "test", "jsonl"])
    assert "llama3:8b /x" in as_dana.get(path).content.decode()
    offered = as_dana.get(reverse("new-evaluations"))
    assert offered.status_code == 200
    assert "llama3:8b" not in words(offered)


def test_an_unknown_file_or_subset_is_not_found(as_dana: Client) -> None:
    evaluated(imported())
    path = reverse("comparison-file", args=["reference-set", "tiny", "test", "xlsx"])
    assert as_dana.get(path).status_code == 404
    assert comparison(as_dana, subset="odd=true").status_code == 404
    assert comparison(as_dana, transformation="odd").status_code == 404


# -- who may see it --------------------------------------------------------------------------------
@pytest.mark.long
def test_others_see_neither_figures_nor_answers_of_hidden_sets(as_carol: Client) -> None:
    run = evaluated(imported())
    assert comparison(as_carol).status_code == 404
    assert as_carol.get(reverse("evaluation", args=[run.public_id])).status_code == 404
    assert "There is nothing here for you yet" in words(as_carol.get(reverse("evaluations")))
    ReferenceSet.objects.update(is_public=True)
    assert comparison(as_carol).status_code == 200
    assert "the cup (answer)" in page(as_carol, run)
    assert reverse("new-evaluations") not in source(as_carol.get(reverse("evaluations")))


@pytest.mark.long
def test_others_see_nothing_of_blind_splits_and_snapshots(as_carol: Client) -> None:
    release = ReleaseFactory(finished=True)
    snapshot = SnapshotFactory(finished=True)
    runs = [
        EvaluationFactory(release=release, split="test", finished=True),
        EvaluationFactory(release=None, snapshot=snapshot, split="all", finished=True),
    ]
    for run in runs:
        assert as_carol.get(reverse("evaluation", args=[run.public_id])).status_code == 404
    for place in (["release", release.name, "test"], ["snapshot", snapshot.public_id, "all"]):
        assert as_carol.get(reverse("comparison", args=place)).status_code == 404
        chosen = {"margin": "5", "subset": "full_agreement=true"}
        assert as_carol.get(reverse("comparison", args=place), chosen).status_code == 404
        file = reverse("comparison-file", args=[*place, "csv"])
        assert as_carol.get(file).status_code == 404
        assert as_carol.get(file, chosen).status_code == 404


def test_an_evaluation_that_has_not_ended_well_is_for_curators(as_carol: Client) -> None:
    run = EvaluationFactory(release=None, reference_set=imported(is_public=True))
    assert as_carol.get(reverse("evaluation", args=[run.public_id])).status_code == 404
