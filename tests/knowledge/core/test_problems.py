"""Problems and their texts."""

import pytest

from knowledge.core.problems import Problem, read_problem


def test_the_parts_of_a_problem_are_read_back():
    problem = Problem("Jo saw Al because he ran.", "he", "Jo", "Al", "runners see.\nAll.")
    assert read_problem(problem.text) == problem
    assert problem.swapped.claim == "The he is more likely to refer to Al than Jo"


def test_other_text_is_no_problem():
    with pytest.raises(ValueError, match="not a problem"):
        read_problem("The he refers to Al.")
