"""Writing knowledge sentences and false versions."""

import pytest

from knowledge import proving, services
from knowledge.models import Sentence
from knowledge.selectors import lexicon_of
from tests.factories import UserFactory
from tests.knowledge.annotating import (
    formalisation,
    formula,
    knowledge_set,
    pair,
    validation,
)
from tests.refusals import refused

TEXT = "If {X:object is|are} too large, {X} cannot go into {Y:object}."
FALSE = TEXT.replace("cannot", "can")
NOT_LARGE = "not too_large(x) -> not Poss(fit_into(x, y), s)"
SWAPPED = "too_large(y) -> not Poss(fit_into(x, y), s)"


@pytest.fixture
def of():
    return knowledge_set()


def write(of, text=TEXT, **fields):
    asked = {"formalisation": formalisation(of), "by": None} | fields
    return services.write_sentence(knowledge_set=of, text=text, **asked)


def falsify(true, **fields):
    return services.write_false_version(
        **{"of": true, "kind": "swapped", "text": FALSE, "by": None} | fields
    )


def test_a_sentence_is_shown_in_its_three_forms(of):
    row = write(of, mentions={"X": {"text": "the cups", "plural": True}})
    assert row.text_in("variable") == "If object X is too large, X cannot go into object Y."
    assert row.text_in("grounded") == (
        "If the cups are too large, the cups cannot go into an object."
    )
    assert row.text_in("natural", inside=True) == (
        "if an object is too large, the first object cannot go into another object."
    )


def test_a_false_version_has_its_pair_and_replaces_an_earlier_one(of):
    true = write(of)
    first = falsify(true)
    second = falsify(true, kind="other", by=UserFactory())
    assert not Sentence.objects.filter(pk=first.pk).exists()
    assert second.pair_id == true.pair_id == true.pk
    assert Sentence.objects.paired().count() == 2


def test_a_false_version_with_a_formula_must_have_lost_the_proof(of):
    large = formula(of)
    true = write(of, formalisation=formalisation(of, large), formula=large)
    with refused("still_proved"):
        falsify(true, false_formula=large.text)
    swapped = falsify(true, false_formula=SWAPPED)
    assert (swapped.false_formula, swapped.pick) == (SWAPPED, "other")
    assert falsify(true, kind="negation", false_formula=NOT_LARGE).pick == "neither"


def test_a_sentence_without_a_formula_has_no_false_one(of):
    with refused("no_formula"):
        falsify(write(of), false_formula=NOT_LARGE)


def test_false_versions_are_offered_by_what_they_pick(of):
    large = formula(of)
    found = proving.false_versions(formalisation(of, large), large)
    assert [pick for _, pick in found.offered][:1] == ["other"]
    assert found.n_undecided == 0


def test_a_sentence_is_drafted_by_the_lexicon_for_the_questions_things(of):
    large = formula(of)
    question = formalisation(of, large)
    with refused("no_words") as refusal:
        services.draft(formalisation=question, formula=large)
    assert refusal.value.details == {"missing": ["fit_into", "too_large"]}
    words = {
        "too_large": {
            "positive": "{x is|are} too large",
            "negative": "{x is|are} not too large",
        },
        "fit_into": {"positive": "possible for {x} to fit into {y}"},
    }
    for name, asked in words.items():
        services.put_words(knowledge_set=of, name=name, **asked)
    text, mentions = services.draft(formalisation=question, formula=large)
    row = write(of, text, formalisation=question, formula=large, mentions=mentions)
    assert row.text_in("grounded") == (
        "If the trophy is too large, then it wouldn't be possible for the trophy to fit into the "
        "suitcase."
    )


def test_words_are_checked_and_replaced(of):
    with refused("unreadable_words"):
        services.put_words(knowledge_set=of, name="late", positive="{q} is", negative="no")
    with refused("not_an_action"):
        services.put_words(knowledge_set=of, name="lift", positive="to lift {y}")
    for words in ("possible for {x} to lift {y}", "possible for {x} to lift {y} up"):
        services.put_words(knowledge_set=of, name="lift", positive=words)
    assert lexicon_of(of).actions == {"lift": "possible for {x} to lift {y} up"}


def test_texts_and_formulas_that_cannot_be_read_are_refused_with_their_place(of):
    with refused("unreadable") as refusal:
        write(of, "If {x:person} sleeps")
    assert refusal.value.details == {"column": 4}
    with refused("mention_unknown"):
        write(of, mentions={"Z": {"text": "the men", "plural": True}})
    with refused("mention_unknown"):
        write(of, mentions={"X": {"text": "", "plural": True}})
    large = formula(of)
    true = write(of, formalisation=formalisation(of, large), formula=large)
    with refused("unreadable"):
        falsify(true, false_formula="weak((")
    with refused("two_arities"):
        falsify(true, false_formula="weak(x) -> weak(x, y)")


def test_a_false_version_differs_and_has_a_kind(of):
    true = write(of)
    with refused("same_sentence"):
        falsify(true, text=TEXT)
    for kind in ("true", "odd"):
        with refused("not_a_false_kind"):
            falsify(true, kind=kind)
    with refused("not_a_false_kind"):
        falsify(falsify(true))


def test_sentences_no_longer_change_once_people_answer(of):
    true, _ = pair(of)
    validation(of=of, n_pairs=0)
    for change in (
        lambda: write(of),
        lambda: falsify(true),
        lambda: services.delete_sentence(sentence=true),
    ):
        with refused("sentences_frozen"):
            change()


def test_a_true_sentence_is_deleted_with_its_false_version(of):
    true, _ = pair(of)
    services.delete_sentence(sentence=true)
    assert not Sentence.objects.exists()


def test_only_curators_see_sentences_with_their_labels(of):
    pair(of)
    assert Sentence.objects.visible_to(UserFactory(curator=True)).count() == 2
    assert not Sentence.objects.visible_to(UserFactory()).exists()
