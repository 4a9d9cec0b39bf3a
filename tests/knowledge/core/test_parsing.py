"""Formulas are read as the paper prints them, and what cannot be read is refused with its place."""

import pytest

from knowledge.core.language import FormulaError, Sort, parse, show, signature_of

SAME = [
    ("∃x.¬Strong(x, S0)∧(x≡Father⊕x≡Son)",
     "exists x: not Strong(x, S0) and (x = Father xor x = Son)"),
    ("¬Poss(lift(Father, Son), S0)", "not Poss(lift(Father, Son), S0)"),
    ("Poss(lift(x, y), s) ≡ Strong(x, s)", "Poss(lift(x, y), s) <-> Strong(x, s)"),
    ("¬Lifted(Son, S0)", "not Lifted(Son, S0)"),
    ("if too_large(x) then not too_small(x)", "too_large(x) -> not too_small(x)"),
    ("all x, y: likes(x, y)", "forall x, y: likes(x, y)"),
    ("some a. tries(x, a)", "exists a: tries(x, a)"),
    ("∀x ∃y (Likes(x, y))", "forall x: exists y: Likes(x, y)"),
    ("Aa ↔ Bb → Cc ⊕ Dd ∨ Ee ∧ ¬Ff", "Aa <-> Bb -> Cc xor Dd or Ee and not Ff"),
    ("x ≠ y", "x != y"),
    ("do(a, s) ≡ s1", "do(a, s) = s1"),
    ("Father ≡ Son", "Father = Son"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "shown"), SAME)
def test_a_formula_is_read_and_shown_in_one_form(written: str, shown: str) -> None:
    assert show(parse(written)) == shown
    assert parse(shown) == parse(written)


@pytest.mark.parametrize(
    ("written", "bracketed"),
    [
        ("Aa or Bb and Cc", "Aa or (Bb and Cc)"),
        ("Aa xor Bb or Cc", "Aa xor (Bb or Cc)"),
        ("Aa -> Bb xor Cc", "Aa -> (Bb xor Cc)"),
        ("Aa <-> Bb -> Cc", "Aa <-> (Bb -> Cc)"),
        ("Aa -> Bb -> Cc", "Aa -> (Bb -> Cc)"),
        ("not Aa and Bb", "(not Aa) and Bb"),
        ("forall x: Pp(x) -> Qq(x)", "forall x: (Pp(x) -> Qq(x))"),
        ("Aa and forall x: Pp(x) or Bb", "Aa and (forall x: (Pp(x) or Bb))"),
        ("not exists a: tries(Ann, a) and Bb", "not (exists a: (tries(Ann, a) and Bb))"),
        ("if Aa then Bb or Cc", "Aa -> (Bb or Cc)"),
        ("(Aa and Bb) and Cc", "Aa and (Bb and Cc)"),
    ],
)
def test_connectives_bind_in_the_order_of_the_language(written: str, bracketed: str) -> None:
    assert parse(written) == parse(bracketed)


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("Aa -> Bb -> Cc", "(Aa -> Bb) -> Cc"),
        ("forall x: Pp(x) and Aa", "(forall x: Pp(x)) and Aa"),
        ("Aa or Bb and Cc", "(Aa or Bb) and Cc"),
    ],
)
def test_brackets_change_the_formula(written: str, other: str) -> None:
    assert parse(written) != parse(other)
    assert parse(show(parse(other))) == parse(other)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("all x.(man(x) -> mortal(x))", "forall x: (man(x) -> mortal(x))"),  # NLTK
        ("exists x.(p(x) & -q(x))", "exists x: (p(x) and not q(x))"),
        ("all x (man(x) -> mortal(x)).", "forall x: (man(x) -> mortal(x))"),  # Prover9
        ("p(Ann) | -q(Ann) <-> r(Ann).", "p(Ann) or not q(Ann) <-> r(Ann)"),
        ("! [X] : ( man(X) => mortal(X) ).", "forall x: (man(x) -> mortal(x))"),  # TPTP
        ("?[X1,Person]:(p(X1) & ~q(Person))", "exists x1, p0: (p(x1) and not q(p0))"),
        ("! [X] : p(X) & Aa", "(forall x: p(x)) and Aa"),
        ("~ ? [Y] : p(Y) <=> Bb", "not (exists y: p(y)) <-> Bb"),
        ("Aa && Bb || Cc", "Aa and Bb or Cc"),
        ("Aa <~> Bb", "Aa xor Bb"),
    ],
)
def test_the_signs_of_other_provers_are_read(text: str, same: str) -> None:
    assert parse(text) == parse(same)
    assert show(parse(text), reach=True) == same


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("forall x: Pp(x) -> Qq(x)", "forall x: (Pp(x) -> Qq(x))"),
        ("not exists a: Pp(a) and Bb", "not exists a: (Pp(a) and Bb)"),
        ("forall x: exists y: not Pp(x, y)", "forall x: exists y: not Pp(x, y)"),
    ],
)
def test_how_far_a_quantifier_reaches_is_shown_in_brackets(text: str, shown: str) -> None:
    assert show(parse(text), reach=True) == shown
    assert parse(shown) == parse(text)


@pytest.mark.parametrize("text", ["forallx", "nothing(Ann)", "iffy", "Thend", "some_thing(x)"])
def test_a_word_that_begins_like_a_keyword_is_a_name(text: str) -> None:
    assert show(parse(text)) == text


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "unreadable", 1, 1),
        ("Aa and", "unreadable", 1, 7),
        ("Aa\nand § Bb", "unreadable", 2, 5),
        ("Pp(x)) and Aa", "unreadable", 1, 6),
        ("Aa Bb", "unreadable", 1, 4),
        ("x", "unreadable", 1, 2),
        ("forall Xx: Pp(Xx)", "unreadable", 1, 8),
        ("Pp(" + "Aa" * 1000, "too_long", 1, 1),
        ("(" * 61 + "Aa", "too_deep", 1, 61),
        ("not " * 31 + "Aa", "too_deep", 1, 1),
        ("exists x: " * 31 + "Pp(x)", "too_deep", 1, 1),
        ("Pp(" + "do(a, " * 31 + "s" + ")" * 32, "too_deep", 1, 4),
        ("Aa -> " * 31 + "Aa", "too_deep", 1, 1),
        ("Pp(b, c, d, e, f, g, h, i, j, k, l, m, n)", "too_many_variables", 1, 1),
        ("Pp(x\x00)", "unreadable", 1, 5),
    ],
)
def test_a_refusal_names_the_code_and_the_place(
    text: str, code: str, line: int, column: int
) -> None:
    with pytest.raises(FormulaError) as refused:
        parse(text)
    problem = refused.value.problem
    assert (problem.code, problem.line, problem.column) == (code, line, column)
    assert problem.sentence[0].isupper() or problem.sentence[0] == "“"
    assert problem.sentence.endswith(".")


@pytest.mark.parametrize(
    "text",
    [
        "not " * 30 + "Aa",
        "exists x: " * 30 + "Pp(x)",
        "Aa -> " * 30 + "Aa",
        " and ".join(["Aa"] * 280),
        " <-> ".join(["Aa"] * 280),
        "Pp(b, c, d, e, f, g, h, i, j, k, l, m)",
        "Aa" * 1000,
    ],
)
def test_a_formula_at_its_limit_is_read(text: str) -> None:
    assert len(text) <= 2_000
    assert parse(show(parse(text))) == parse(text)


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
