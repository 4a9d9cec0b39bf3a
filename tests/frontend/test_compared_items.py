"""Two systems item by item: who is right on what, by a filter, and who may see it."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Evaluation
from evaluation.selectors import AnsweredItem
from evaluation.selectors.answers import OptionScore
from frontend.evaluations.items import both_page
from tests.corpora.sets import imported
from tests.evaluation.done import evaluated
from tests.evaluation.sets import ITEMS
from tests.frontend.pages import source, words

PLACE = ["reference-set", "tiny", "test"]
N = {"all": 6, "one": 3, "first": 2, "second": 1, "differ": 4, "both": 1, "neither": 2}


def answered(n: int, *shares: float) -> AnsweredItem:
    """Return an answer to item *n* that chooses options by their shares; none unanswered."""
    item = ITEMS[n]
    options = [
        OptionScore(text, share, share, number == item.answer)
        for number, (text, share) in enumerate(zip(item.options, shares, strict=False), 1)
    ]
    return AnsweredItem(item, tuple(options))


def right(n: int) -> AnsweredItem:
    return answered(n, *((1, 0) if ITEMS[n].answer == 1 else (0, 1)))


def wrong(n: int) -> AnsweredItem:
    return answered(n, *((0, 1) if ITEMS[n].answer == 1 else (1, 0)))


def test_every_question_is_counted_once_for_who_is_right_and_a_tie_is_not() -> None:
    first = [right(0), right(1), right(2), wrong(3), answered(4, 0.5, 0.5), wrong(5)]
    second = [right(0), wrong(1), answered(2), right(3), wrong(4), wrong(5)]
    found = both_page(first, second, shown="one", number="")
    assert found.n_of == N
    assert [both.first.answered.item.id for both in found.page.rows] == [
        ITEMS[n].id for n in (1, 2, 3)
    ]
    assert N["one"] + N["both"] + N["neither"] == N["all"]


def test_a_question_that_a_method_dropped_is_in_no_filter() -> None:
    found = both_page([right(0), right(1)], [right(0)], shown="none such", number="")
    assert (found.n_of["all"], found.n_left, found.shown) == (1, 1, "all")


def test_options_say_who_chose_them() -> None:
    [both] = both_page([right(0)], [wrong(0)], shown="", number="").page.rows
    of_answer = ("the trophy", True, True, False)
    assert both.options == [of_answer, ("the suitcase", False, False, True)]


# -- the page --------------------------------------------------------------------------------------
def page(client: Client, **query: str) -> str:
    return words(client.get(reverse("compared-items", args=PLACE), query))  # type: ignore[arg-type]


@pytest.mark.long
def test_the_page_compares_two_that_are_chosen_and_filters(as_dana: Client) -> None:
    data = imported()
    one, *others = [evaluated(data, "random", seed=seed) for seed in range(3)]
    comparison = source(as_dana.get(reverse("comparison", args=PLACE)))  # type: ignore[arg-type]
    assert reverse("compared-items", args=PLACE) in comparison
    asked = {"first": str(one.public_id), "second": str(others[0].public_id)}
    text = page(as_dana, **asked)
    assert "Of 6 questions, both are right on" in text
    shown = source(as_dana.get(reverse("compared-items", args=PLACE), asked | {"show": "both"}))  # type: ignore[arg-type]
    assert 'aria-current="true">both right' in shown
    assert f'value="{one.public_id}" selected' in shown


@pytest.mark.long
@pytest.mark.parametrize("query", [{}, {"first": "x", "second": "\x00"}])
def test_without_a_choice_the_most_accurate_are_shown(
    query: dict[str, str], as_dana: Client
) -> None:
    data = imported()
    evaluated(data)
    assert "Two finished evaluations" in page(as_dana, **query)
    evaluated(data, "random", seed=1)
    assert "Of 6 questions" in page(as_dana, **query)
    Evaluation.objects.update(metrics={"accuracy": {"value": None}})  # all questions dropped
    assert "Of 6 questions" in page(as_dana, **query)


@pytest.mark.long
def test_what_one_may_not_see_cannot_be_compared(as_bob: Client, as_dana: Client) -> None:
    for seed in range(2):
        evaluated(
            imported() if not seed else Evaluation.objects.get().reference_set, "random", seed=seed
        )
    assert as_bob.get(reverse("compared-items", args=PLACE)).status_code == 404
