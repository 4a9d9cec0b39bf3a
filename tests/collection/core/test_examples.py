"""The examples that new workers see: the good one obeys every rule, the bad ones are bad."""

import pytest

from collection.core.examples import AMBIGUOUS, GIVEN_AWAY, GOOD, OF_QUESTIONS, OF_TWINS, Example
from collection.core.rules import Domain, Thresholds, TwinDraft, check_twin
from collection.core.words import local_window

LIMITS = Thresholds(min_words=15, max_words=30, min_overlap=0.70)


@pytest.mark.parametrize("example", OF_TWINS)
def test_every_example_has_the_form_of_a_twin(example: Example) -> None:
    """So that what is wrong with a bad one is what it is shown for."""
    answers = [example.options.index(answer) + 1 for answer in example.answers] or [1, 2]
    draft = TwinDraft(
        sentences=example.sentences,
        options=example.options,
        answers=(answers[0], answers[1]),
        anchor=example.anchor,
        domain=Domain.SOCIAL if example.options[0].istitle() else Domain.PHYSICAL,
    )
    assert check_twin(draft, thresholds=LIMITS).findings == ()


def test_the_words_around_the_blank_tell_the_answer_of_one_example_only() -> None:
    assert local_window(GOOD.sentences[1]) == "because the _ had a loose lid."
    assert local_window(GIVEN_AWAY.sentences[0]) == "and the _ was full of steam."
    assert AMBIGUOUS.answers == ()


def test_the_answers_of_the_validators_examples_are_those_of_the_twins() -> None:
    for shown in OF_QUESTIONS:
        if shown.example.answers:
            assert shown.answer == shown.example.answers[shown.side]
        assert shown.is_ambiguous is (shown.example is AMBIGUOUS)
