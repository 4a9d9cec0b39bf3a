"""Sets, formulas and formalisations are stored as they were checked, or refused."""

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError

from corpora import services as corpora
from knowledge import services
from knowledge.core.formalisation import Formalisation as Content
from knowledge.core.formalisation import Thing
from knowledge.models import Formalisation, Formula, KnowledgeSet
from knowledge.selectors import questions
from tests.factories import FormulaFactory, KnowledgeSetFactory, ReleaseFactory, UserFactory
from tests.factories.knowledge import LARGE, TOO_LARGE, TOO_SMALL, trophies
from tests.filtering.stages import carried, contents, frozen, rows, snapshot_of
from winoplatform.errors import DomainError, NotFound


def written(knowledge_set: KnowledgeSet, name: str = "large", text: str = LARGE) -> Formula:
    return services.add_formula(knowledge_set=knowledge_set, name=name, text=text, by=None)


def made(
    knowledge_set: KnowledgeSet, *formulas: Formula, content: Content = TOO_LARGE, id: str = "t-1"
) -> Formalisation:
    return services.formalise(
        knowledge_set=knowledge_set,
        question=id,
        formalisation=content,
        formulas=formulas,
        by=UserFactory(curator=True),
    )


def test_a_set_over_a_release_is_paid_by_its_campaign() -> None:
    release = ReleaseFactory(finished=True)
    over = services.create_knowledge_set(name="new", by=None, release=release)
    assert over.campaign == release.snapshot.campaign
    assert (
        services.create_knowledge_set(name="ours", by=None, reference_set=trophies()).campaign
        is None
    )


def test_a_set_is_over_one_release_that_is_done_or_one_reference_set() -> None:
    with pytest.raises(DomainError) as refused:
        services.create_knowledge_set(name="new", by=None, release=ReleaseFactory())
    assert refused.value.code == "release_not_done"
    with pytest.raises(ValidationError, match="over a release or over a reference set"):
        services.create_knowledge_set(name="new", by=None)
    with pytest.raises(ValidationError, match="over a release or over a reference set"):
        services.create_knowledge_set(
            name="new",
            by=None,
            release=ReleaseFactory(finished=True),
            reference_set=trophies(),
        )


def test_a_formula_is_kept_as_written_and_in_the_canonical_form() -> None:
    formula = written(KnowledgeSetFactory(), text="too_large(x) → ¬Poss(fit_into(x,y),s)")
    assert formula.text == "too_large(x) → ¬Poss(fit_into(x,y),s)"
    assert formula.shown == LARGE


def test_a_set_has_a_name_and_a_formula_once() -> None:
    knowledge_set = KnowledgeSetFactory()
    written(knowledge_set)
    with pytest.raises(ValidationError, match="with this name already"):
        written(knowledge_set, text="Aa")
    with pytest.raises(ValidationError, match="this formula already"):
        written(knowledge_set, name="other", text=f"({LARGE})")
    written(KnowledgeSetFactory())


def test_the_largest_formula_can_be_stored() -> None:
    text = "∃x" * 20 + " (" + "∧".join(["¬Aa"] * 460) + ")"
    assert 1_800 < len(text) <= 2_000
    assert len(written(KnowledgeSetFactory(), text=text).shown) > 3_000


@pytest.mark.parametrize(
    ("text", "code"), [("Aa and", "unreadable"), ("Poss(x, s)", "wrong_sort"), ("§", "unreadable")]
)
def test_a_formula_that_cannot_be_read_is_refused_with_its_place(text: str, code: str) -> None:
    with pytest.raises(DomainError) as refused:
        written(KnowledgeSetFactory(), text=text)
    (problem,) = refused.value.details["problems"]
    assert refused.value.code == problem["code"] == code
    assert problem["line"] == 1
    assert problem["column"] >= 1


def test_each_change_of_a_formalisation_is_a_new_version() -> None:
    knowledge_set = KnowledgeSetFactory()
    large = written(knowledge_set)
    first = made(knowledge_set, large)
    assert made(knowledge_set, large) == first
    worded = replace(TOO_LARGE, things=(Thing("Trophy", "the cup"), TOO_LARGE.things[1]))
    second = made(knowledge_set, large, content=worded)
    third = made(knowledge_set, content=worded)
    twin = made(knowledge_set, large, content=TOO_SMALL, id="t-2")
    assert [one.number for one in (first, second, third, twin)] == [1, 2, 3, 1]
    assert first.fingerprint == second.fingerprint != third.fingerprint
    assert [*knowledge_set.formalisations.newest()] == [third, twin]
    assert first.theory.knowledge.keys() == {"large"}


def test_options_and_answer_are_those_of_the_question() -> None:
    knowledge_set = KnowledgeSetFactory()
    three = replace(
        TOO_LARGE, things=(*TOO_LARGE.things, Thing("Lid")), options=("Trophy", "Suitcase", "Lid")
    )
    for content in (TOO_SMALL, replace(TOO_LARGE, answer="Suitcase"), three):
        with pytest.raises(DomainError) as refused:
            made(knowledge_set, content=content)
        assert refused.value.code == "formalises_otherwise"
    swapped = replace(TOO_LARGE, options=("Suitcase", "Trophy"))
    with pytest.raises(DomainError):
        made(knowledge_set, content=swapped)


@pytest.mark.long
def test_a_release_is_formalised_with_its_published_options() -> None:
    release = corpora.build_release(snapshot=snapshot_of(frozen(pairs=5)), name="beds", by=None)
    carried(release)
    release.refresh_from_db()
    knowledge_set = services.create_knowledge_set(name="beds", by=None, release=release)
    index = {row["qID"]: row for row in rows(contents(release)["index.jsonl"])}
    found = [*questions(knowledge_set)]
    assert [item.id for item in found] == [*index]
    for item in found:
        assert item.answer == index[item.id]["answer"]
        own = ("First", "Second")
        content = replace(
            TOO_LARGE,
            things=(Thing("First"), Thing("Second")),
            options=own,
            answer=own[item.answer - 1],
            outcome=None,
        )
        assert made(knowledge_set, content=content, id=item.id).number == 1
    with pytest.raises(NotFound):
        made(knowledge_set, id="q0001-1")


def test_a_refused_formalisation_says_everything_that_is_wrong() -> None:
    knowledge_set = KnowledgeSetFactory()
    with pytest.raises(DomainError) as refused:
        made(knowledge_set, content=replace(TOO_LARGE, clause="too_large(", outcome="likes(x)"))
    assert [one["formula"] for one in refused.value.details["problems"]] == ["clause", "outcome"]
    assert not Formalisation.objects.exists()


def test_formulas_are_those_of_the_set() -> None:
    with pytest.raises(DomainError, match="another knowledge set"):
        made(KnowledgeSetFactory(), FormulaFactory())
    with pytest.raises(NotFound):
        made(KnowledgeSetFactory(), id="t-3")
