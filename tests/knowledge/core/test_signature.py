"""What a name is, and of which sort, follows from where it stands."""

import pytest

from knowledge.core.language import FormulaError, Sort, parse, signature_of


def test_sorts_follow_from_letters_actions_and_the_words_of_the_paper() -> None:
    found = signature_of(
        map(parse, ["tries(x, call(x, y))", "Poss(Sleep, s)", "Strong(Ann, S0)", "Ann = x"])
    )
    assert found.predicates == {
        "tries": (Sort.OBJECT, Sort.ACTION),
        "Strong": (Sort.OBJECT, Sort.SITUATION),
    }
    assert found.actions == {"call": (Sort.OBJECT, Sort.OBJECT)}
    assert found.constants == {"Ann": Sort.OBJECT, "Sleep": Sort.ACTION}


def test_a_sort_is_found_through_other_formulas() -> None:
    found = signature_of(map(parse, ["wants(Ann, Sleep)", "likes(Sleep)", "wants(x, a)"]))
    assert found.predicates["likes"] == (Sort.ACTION,)
    assert found.constants == {"Ann": Sort.OBJECT, "Sleep": Sort.ACTION}


@pytest.mark.parametrize(
    ("texts", "code", "column"),
    [
        (["likes(x)", "likes(x, y)"], "two_arities", 1),
        (["Poss(a)"], "two_arities", 1),
        (["Poss(lift(x), s)", "Poss(lift, s)"], "two_arities", 6),
        (["Poss(x, s)"], "wrong_sort", 6),
        (["Strong(x, s) and Strong(x, y)"], "wrong_sort", 28),
        (["lift(x, y) = z"], "wrong_sort", 14),
        (["Strong(S0) and Strong(x)"], "wrong_sort", 23),
        (["Strong(Ann)", "likes(Strong)"], "wrong_sort", 7),
        (["do(a, s)"], "wrong_sort", 1),
        (["S0"], "wrong_sort", 1),
        (["Poss(Poss(a, s), s)"], "wrong_sort", 6),
    ],
)
def test_a_name_has_one_use_arity_and_sort(texts: list[str], code: str, column: int) -> None:
    with pytest.raises(FormulaError) as refused:
        signature_of(map(parse, texts))
    assert (refused.value.code, refused.value.problem.column) == (code, column)
